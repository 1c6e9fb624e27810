//===- Transfer.cpp - Copies and fills ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows, overlap, peers, patterns.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstring>
#include <numeric>

static accx_copy rows(accx_direction Direction, void *Dst, const void *Src,
                      size_t Width, size_t Height = 1, size_t DstPitch = 0,
                      size_t SrcPitch = 0) {
  return {Direction, Dst, Src, Width, Height, DstPitch, SrcPitch, nullptr};
}

static std::vector<unsigned char> numbers(size_t Count) {
  std::vector<unsigned char> V(Count);
  std::iota(V.begin(), V.end(), static_cast<unsigned char>(1));
  return V;
}

TEST_CASE("rows are copied and what lies between them is not") {
  Devices D;
  for (accx_direction Direction :
       {ACCX_TO_DEVICE, ACCX_FROM_DEVICE, ACCX_WITHIN_DEVICE, ACCX_TO_PEER}) {
    auto Src = numbers(100);
    std::vector<unsigned char> Dst(100, 0);
    accx_copy Copy = rows(Direction, Dst.data(), Src.data(), 3, 4, 11, 7);
    Copy.peer = D[1];
    REQUIRE(plugin().copy(D[0], nullptr, &Copy) == ACCX_OK);
    for (size_t I = 0; I < Dst.size(); ++I) {
      size_t Row = I / 11, Column = I % 11;
      bool Copied = Row < 4 && Column < 3;
      CHECK(Dst[I] == (Copied ? Src[Row * 7 + Column] : 0));
    }
  }
}

TEST_CASE("rows without gaps are one block") {
  Devices D;
  auto Src = numbers(60);
  std::vector<unsigned char> Dst(61, 0);
  accx_copy Copy = rows(ACCX_TO_DEVICE, Dst.data(), Src.data(), 10, 6, 10, 10);
  REQUIRE(plugin().copy(D[0], nullptr, &Copy) == ACCX_OK);
  CHECK(std::equal(Src.begin(), Src.end(), Dst.begin()));
  CHECK(Dst[60] == 0);
}

TEST_CASE("copies within a device may overlap") {
  Devices D;
  for (int Shift : {-3, 5}) {
    auto Data = numbers(64);
    auto Expected = Data;
    std::memmove(&Expected[16 + size_t(Shift)], &Expected[16], 32);
    accx_copy Copy =
        rows(ACCX_WITHIN_DEVICE, &Data[16 + size_t(Shift)], &Data[16], 32);
    REQUIRE(plugin().copy(D[0], nullptr, &Copy) == ACCX_OK);
    CHECK(Data == Expected);
  }
  // Rows too: four rows of 4 move one row on.
  for (bool Up : {true, false}) {
    auto Data = numbers(64);
    auto Before = Data;
    size_t From = Up ? 0 : 8, To = Up ? 8 : 0;
    accx_copy Copy =
        rows(ACCX_WITHIN_DEVICE, &Data[To], &Data[From], 4, 4, 8, 8);
    REQUIRE(plugin().copy(D[0], nullptr, &Copy) == ACCX_OK);
    for (size_t Row = 0; Row < 4; ++Row)
      for (size_t I = 0; I < 4; ++I)
        CHECK(Data[To + Row * 8 + I] == Before[From + Row * 8 + I]);
  }
}

TEST_CASE("copies that make no sense are refused") {
  Devices D;
  char Data[16] = {};
  accx_copy Copy = rows(ACCX_TO_DEVICE, nullptr, Data, 4);
  CHECK(plugin().copy(D[0], nullptr, &Copy) == ACCX_ERROR_INVALID);
  Copy = rows(ACCX_TO_DEVICE, Data, nullptr, 4);
  CHECK(plugin().copy(D[0], nullptr, &Copy) == ACCX_ERROR_INVALID);
  Copy = rows(ACCX_TO_DEVICE, Data, Data + 8, 4, 2, 3, 4);
  CHECK(plugin().copy(D[0], nullptr, &Copy) == ACCX_ERROR_INVALID);
  Copy = rows(ACCX_TO_PEER, Data, Data + 8, 4);
  CHECK(plugin().copy(D[0], nullptr, &Copy) == ACCX_ERROR_INVALID);
  Copy = rows(ACCX_TO_DEVICE, nullptr, nullptr, 0);
  CHECK(plugin().copy(D[0], nullptr, &Copy) == ACCX_OK);
}

TEST_CASE("fills repeat the pattern exactly") {
  Devices D;
  const uint64_t Patterns[] = {0, 0x0102030405060708, 0xABABABABABABABAB,
                               0xFFFFFFFF00000000};
  for (uint64_t Pattern : Patterns)
    for (uint32_t Width : {1u, 2u, 4u, 8u})
      for (size_t Count : {0, 1, 2, 3, 1000, 5000})
        for (size_t Offset : {0, 3}) {
          std::vector<unsigned char> Data(Count * Width + 16, 0x5A);
          REQUIRE(plugin().fill(D[0], nullptr, Data.data() + Offset, Pattern,
                                Width, Count) == ACCX_OK);
          bool Right = true;
          for (size_t I = 0; I < Data.size(); ++I) {
            bool Inside = I >= Offset && I < Offset + Count * Width;
            unsigned char Expected =
                Inside ? static_cast<unsigned char>(
                             Pattern >> (8 * ((I - Offset) % Width)))
                       : 0x5A;
            Right &= Data[I] == Expected;
          }
          CHECK(Right);
        }
  char Byte = 0;
  CHECK(plugin().fill(D[0], nullptr, &Byte, 0, 3, 1) == ACCX_ERROR_INVALID);
  CHECK(plugin().fill(D[0], nullptr, &Byte, 0, 8, SIZE_MAX / 4) ==
        ACCX_ERROR_INVALID);
}
