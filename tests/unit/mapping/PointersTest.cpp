//===- PointersTest.cpp - Attached pointers -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTR_AND_OBJ items: the device's copy of a pointer points to the device, the
// host's never does, whichever way structures are copied around them.
//
//===----------------------------------------------------------------------===//

#include "harness/Program.h"
#include "harness/Variant.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <vector>

using namespace accx;
using namespace harness;

namespace {

/// Needs some registered library, so that there are devices.
struct Devices {
  Library Lib{readFile(ACCX_TEST_PLUGINS "/arrays.img")};
  Devices() {
    Lib.kernel("add");
    Lib.registerNow();
    // Loads the image.
    (void)omp_target_is_present(this, 0);
  }
};

/// The device's bytes behind \p Host.
template <typename T> std::vector<T> onDevice(const T *Host, size_t N) {
  std::vector<T> Result(N);
  void *Place = omp_get_mapped_ptr(Host, 0);
  REQUIRE(Place);
  REQUIRE(omp_target_memcpy(Result.data(), Place, N * sizeof(T), 0, 0,
                            omp_get_initial_device(), 0) == 0);
  return Result;
}

struct Row {
  int64_t Tag;
  int64_t *Data;
};

/// What clang makes of map(R.Data[0:N]): the pointer as a part of its
/// structure, and the object as a member of that.
Arguments member(Row &R, size_t N, uint64_t Type) {
  constexpr uint64_t OfFirst = uint64_t(1) << 48;
  Arguments A;
  A.item(&R, &R.Data, sizeof(R.Data), 0)
      .item(&R.Data, R.Data, static_cast<int64_t>(N * 8),
            Type | MapPtrAndObj | OfFirst);
  return A;
}
void attach(Row &R, size_t N) { member(R, N, MapTo).enter(0); }
void detach(Row &R, size_t N) { member(R, N, MapFrom).exit(0); }

} // namespace

TEST_CASE("Any number of attached pointers survives copies both ways") {
  // Few are copied around piece by piece, many through staging memory.
  Devices D;
  for (size_t Rows : {1, 3, 8, 9, 40}) {
    std::vector<std::vector<int64_t>> Data(Rows, std::vector<int64_t>(4, 7));
    std::vector<Row> R(Rows);
    for (size_t I = 0; I < Rows; ++I)
      R[I] = {static_cast<int64_t>(I), Data[I].data()};
    const std::vector<Row> Before = R;
    Arguments Whole;
    Whole.map(R.data(), Rows * sizeof(Row), MapTo);
    Whole.enter(0);
    for (Row &One : R)
      attach(One, 4);
    auto Seen = onDevice(R.data(), Rows);
    for (size_t I = 0; I < Rows; ++I) {
      CHECK(Seen[I].Tag == static_cast<int64_t>(I));
      CHECK(Seen[I].Data == omp_get_mapped_ptr(Data[I].data(), 0));
      CHECK(Seen[I].Data != Data[I].data());
    }
    for (Row &One : R)
      One.Tag += 100;
    Arguments().map(R.data(), Rows * sizeof(Row), MapTo).update(0);
    Seen = onDevice(R.data(), Rows);
    for (size_t I = 0; I < Rows; ++I) {
      CHECK(Seen[I].Tag == static_cast<int64_t>(I) + 100);
      CHECK(Seen[I].Data == omp_get_mapped_ptr(Data[I].data(), 0));
      R[I].Tag = -1;
    }
    Arguments().map(R.data(), Rows * sizeof(Row), MapFrom).update(0);
    for (size_t I = 0; I < Rows; ++I) {
      CHECK(R[I].Tag == static_cast<int64_t>(I) + 100);
      CHECK(R[I].Data == Before[I].Data);
    }
    for (Row &One : R)
      detach(One, 4);
    Arguments().map(R.data(), Rows * sizeof(Row), MapFrom).exit(0);
    for (size_t I = 0; I < Rows; ++I)
      CHECK(R[I].Data == Before[I].Data);
    CHECK_FALSE(omp_target_is_present(R.data(), 0));
    CHECK_FALSE(omp_target_is_present(Data[0].data(), 0));
  }
}

TEST_CASE("Parts of a structure copy around the pointers they touch") {
  Devices D;
  std::vector<int64_t> Data(4, 7);
  std::vector<Row> R(10);
  for (size_t I = 0; I < R.size(); ++I)
    R[I] = {static_cast<int64_t>(I), Data.data()};
  Arguments().map(R.data(), R.size() * sizeof(Row), MapTo).enter(0);
  attach(R[4], 4);
  auto *Bytes = reinterpret_cast<char *>(R.data());
  const size_t Pointer = 4 * sizeof(Row) + offsetof(Row, Data);
  std::mt19937 Random(5);
  for (int Round = 0; Round < 200; ++Round) {
    const size_t Begin = Random() % (R.size() * sizeof(Row));
    const size_t Length = 1 + Random() % (R.size() * sizeof(Row) - Begin);
    // A part that cuts the pointer in two must not touch any of its bytes.
    Arguments()
        .map(Bytes + Begin, Length, Random() % 2 ? MapFrom : MapTo)
        .update(0);
    INFO("[" << Begin << ", +" << Length << "), pointer at " << Pointer);
    REQUIRE(R[4].Data == Data.data());
    REQUIRE(onDevice(&R[4], 1)[0].Data == omp_get_mapped_ptr(Data.data(), 0));
  }
  detach(R[4], 4);
  Arguments().map(R.data(), R.size() * sizeof(Row), MapDelete).exit(0);
}

TEST_CASE("A pointer aimed elsewhere is attached anew") {
  Devices D;
  std::vector<int64_t> A(4, 1), B(4, 2);
  Row R = {0, A.data()};
  Arguments().map(&R, sizeof(R), MapTo).enter(0);
  attach(R, 4);
  CHECK(onDevice(&R, 1)[0].Data == omp_get_mapped_ptr(A.data(), 0));
  R.Data = B.data();
  attach(R, 4);
  CHECK(onDevice(&R, 1)[0].Data == omp_get_mapped_ptr(B.data(), 0));
  Arguments().map(&R, sizeof(R), MapFrom).update(0);
  CHECK(R.Data == B.data());
  detach(R, 4);
  R.Data = A.data();
  detach(R, 4);
  R.Data = B.data();
  Arguments().map(&R, sizeof(R), MapFrom).exit(0);
  CHECK(R.Data == B.data());
}

TEST_CASE("A member's object leaves before or after its structure") {
  Devices D;
  for (bool StructureFirst : {true, false}) {
    std::vector<int64_t> A(4, 1);
    Row R = {3, A.data()};
    Arguments().map(&R, sizeof(R), MapTo).enter(0);
    attach(R, 4);
    auto Object = [&] {
      Arguments().map(A.data(), 32, MapDelete).exit(0);
      CHECK_FALSE(omp_target_is_present(A.data(), 0));
    };
    auto Structure = [&] {
      Arguments().map(&R, sizeof(R), MapFrom | MapDelete).exit(0);
      CHECK_FALSE(omp_target_is_present(&R, 0));
      CHECK(R.Data == A.data());
      CHECK(R.Tag == 3);
    };
    if (StructureFirst) {
      Structure();
      Object();
    } else {
      Object();
      Structure();
    }
    // Nothing of the old attachment is left at this address.
    R.Data = nullptr;
    Arguments Plain;
    Plain.map(&R, sizeof(R), MapTo | MapFrom);
    Plain.enter(0);
    CHECK(onDevice(&R, 1)[0].Data == nullptr);
    Arguments().map(&R, sizeof(R), MapTo).update(0);
    CHECK(onDevice(&R, 1)[0].Data == nullptr);
    Plain.exit(0);
    CHECK(R.Data == nullptr);
  }
}
