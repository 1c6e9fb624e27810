//===- ChannelTest.cpp - Transfers that a library carries out -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../openacc/Rig.h"
#include "Loop.h"

#include <cerrno>
#include <numeric>

using namespace rig;

namespace {

std::vector<char> pattern(size_t Size, unsigned Seed) {
  std::vector<char> V(Size);
  for (size_t I = 0; I < Size; ++I)
    V[I] = static_cast<char>((I * 2654435761u + Seed) >> 7);
  return V;
}

} // namespace

TEST_CASE("Bytes of any number go out and in, in pieces of any size") {
  Program P;
  Carrier Other;
  for (Carrier *By : {static_cast<Carrier *>(nullptr), &Other})
    for (size_t Size : {0, 1, 4095, 4096, 4097, 100000})
      for (size_t Piece : {0, 1000, 4096, 65536}) {
        INFO("size " << Size << ", piece " << Piece);
        std::vector<char> A = pattern(Size, 1);
        acc_copyin(A.data(), Size);
        LoopStream Out(ACCX_OUT, A.data(), Size, Piece, By);
        accx_event_t E;
        REQUIRE(transfer(1, {&Out}, {}, &E) == 0);
        REQUIRE(finish(E) == 0);
        CHECK(Out.Bytes == A);
        CHECK(Out.InOrder);
        CHECK((Piece || Out.NumStarts == 1));

        LoopStream In(ACCX_IN, A.data(), Size, Piece, By);
        In.Bytes = pattern(Size, 2);
        REQUIRE(transfer(1, {&In}, {}, &E) == 0);
        REQUIRE(finish(E) == 0);
        acc_copyout(A.data(), Size);
        CHECK(A == In.Bytes);
      }
}

TEST_CASE("The first piece has a size of its own") {
  Program P;
  std::vector<char> A = pattern(1000, 1);
  LoopStream Out(ACCX_OUT, A.data(), A.size(), 300),
      Empty(ACCX_OUT, A.data(), 0, 300);
  Out.S.first_bytes = Empty.S.first_bytes = 10;
  CHECK(transfer(acc_async_sync, {&Out, &Empty}, {}, nullptr) == 0);
  CHECK(Out.NumStarts == 5);
  CHECK(Out.Bytes == A);
  CHECK(Empty.NumStarts == 1);
}

TEST_CASE("Fewer bytes end a stream that comes in") {
  Program P;
  Carrier Other;
  std::vector<char> A(10000, 7);
  acc_copyin(A.data(), A.size());
  LoopStream In(ACCX_IN, A.data(), A.size(), 1000, &Other);
  In.Bytes = pattern(2500, 3);
  accx_event_t E;
  REQUIRE(transfer(1, {&In}, {}, &E) == 0);
  CHECK(finish(E) == 0);
  acc_copyout(A.data(), A.size());
  CHECK(std::equal(In.Bytes.begin(), In.Bytes.end(), A.begin()));
  CHECK(std::all_of(A.begin() + 2500, A.end(), [](char C) { return C == 7; }));
}

TEST_CASE("Kernels, what goes out and what comes in keep their order") {
  Program P;
  constexpr size_t N = 20000;
  std::vector<int64_t> A(N, 5);
  acc_copyin(A.data(), N * 8);
  LoopStream Out(ACCX_OUT, A.data(), N * 8, 10000),
      In(ACCX_IN, A.data(), N * 8, 10000);
  {
    OnQueue Q(1);
    P.spin(0, 300000);
  }
  {
    OnQueue Q(1);
    P.add(0, A, 1);
  }
  std::vector<int64_t> New(N, 1000);
  In.Bytes.assign(reinterpret_cast<char *>(New.data()),
                  reinterpret_cast<char *>(New.data() + N));
  REQUIRE(transfer(1, {&Out}, {}, nullptr) == 0);
  REQUIRE(transfer(1, {&In}, {}, nullptr) == 0);
  {
    OnQueue Q(1);
    P.add(0, A, 1);
  }
  acc_wait(1);
  acc_copyout(A.data(), N * 8);
  const auto *Sent = reinterpret_cast<const int64_t *>(Out.Bytes.data());
  for (size_t I = 0; I < N; ++I) {
    REQUIRE(Sent[I] == 6);
    REQUIRE(A[I] == 1001);
  }
}

TEST_CASE("Streams of a joint transfer start together, from present memory") {
  Program P;
  std::vector<char> A = pattern(5000, 1), B(7000), Host(300);
  acc_copyin(A.data(), A.size());
  acc_copyin(B.data(), B.size());
  LoopStream Out(ACCX_OUT, A.data(), A.size(), 0),
      In(ACCX_IN, B.data(), B.size(), 0),
      Own(ACCX_OUT, Host.data(), Host.size(), 0);
  In.Bytes = pattern(B.size(), 9);
  accx_event_t E;
  REQUIRE(transfer(2, {&Out, &In, &Own}, {}, &E, /*Joint=*/true) == 0);
  CHECK(finish(E) == 0);
  CHECK((Out.NumStarts == 1 && In.NumStarts == 1 && Own.NumStarts == 1));
  acc_copyout(B.data(), B.size());
  CHECK(B == In.Bytes);
  CHECK(Out.Bytes == A);
  acc_delete(A.data(), A.size());
}

TEST_CASE("Device addresses are device memory, partly present is an error") {
  Program P;
  void *OnDevice = acc_malloc(5000);
  std::vector<char> A = pattern(5000, 4);
  acc_memcpy_to_device(OnDevice, A.data(), A.size());
  LoopStream Out(ACCX_OUT, OnDevice, A.size(), 1000);
  CHECK(transfer(acc_async_sync, {&Out}, {}, nullptr) == 0);
  CHECK(Out.Bytes == A);
  acc_free(OnDevice);

  acc_copyin(A.data(), 1000);
  LoopStream Partly(ACCX_OUT, A.data(), A.size(), 0);
  accx_event_t E = nullptr;
  CHECK(transfer(1, {&Partly}, {}, &E) == -EINVAL);
  CHECK(E == nullptr);
  acc_delete(A.data(), 1000);
}

TEST_CASE("Data that is on its way is there first") {
  Program P;
  for (int Round = 0; Round < 20; ++Round) {
    std::vector<int64_t> A(20000, Round);
    acc_copyin_async(A.data(), A.size() * 8, 1);
    LoopStream Out(ACCX_OUT, A.data(), A.size() * 8, 0);
    REQUIRE(transfer(1, {&Out}, {}, nullptr) == 0);
    acc_delete_async(A.data(), A.size() * 8, 1);
    acc_wait(1);
    REQUIRE(std::memcmp(Out.Bytes.data(), A.data(), Out.Bytes.size()) == 0);
  }
}
