//===- StreamTest.cpp - Queues whose native queue the program knows -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rig.h"

#include <malloc.h>

using namespace accx;
using namespace rig;

namespace {

/// Small ones the plugin queues at once, large ones take a thread.
constexpr size_t Sizes[] = {1, 500, 40000};

int64_t expected(int64_t Steps) { return Steps * (Steps + 1) / 2; }

void check(const std::vector<int64_t> &A, int64_t Value) {
  for (int64_t X : A)
    REQUIRE(X == Value);
}

} // namespace

TEST_CASE("The synchronous queue, and the host, have no stream") {
  Program P;
  int Any = 0;
  CHECK(acc_get_cuda_stream(acc_async_sync) == nullptr);
  CHECK(acc_set_cuda_stream(acc_async_sync, &Any) == 0);
  CHECK(acc_set_cuda_stream(1, nullptr) == 0);
  acc_set_device_type(acc_device_host);
  CHECK(acc_get_current_cuda_device() == nullptr);
  CHECK(acc_get_current_cuda_context() == nullptr);
  CHECK(acc_get_cuda_stream(1) == nullptr);
  CHECK(acc_set_cuda_stream(1, &Any) == 0);
}

TEST_CASE("A device without queues has no stream either") {
  Program P;
  if (acc_get_cuda_stream(1))
    return;
  int Any = 0;
  CHECK(acc_set_cuda_stream(1, &Any) == 0);
}

TEST_CASE("A queue keeps its stream, and others have others") {
  Program P;
  void *Stream = acc_get_cuda_stream(3);
  if (!Stream)
    return;
  CHECK(acc_get_cuda_stream(3) == Stream);
  CHECK(acc_get_cuda_stream(4) != Stream);
  CHECK(acc_get_current_cuda_context() != nullptr);
  CHECK(acc_get_current_cuda_device() != nullptr);
}

TEST_CASE("What constructs queue is on the stream when they return") {
  Program P;
  void *Stream = acc_get_cuda_stream(3);
  if (!Stream)
    return;
  // Knows the stream only, and nothing of the queue's own thread.
  REQUIRE(acc_set_cuda_stream(4, Stream) == 1);
  CHECK(acc_get_cuda_stream(4) == Stream);
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N);
    acc_copyin_async(A.data(), N * 8, 3);
    for (int Step = 1; Step <= 10; ++Step) {
      OnQueue Q(3);
      P.add(0, A, Step);
    }
    acc_update_self_async(A.data(), N * 8, 3);
    acc_wait(4);
    check(A, expected(10));
    acc_delete_async(A.data(), N * 8, 3);
    acc_wait(3);
  }
}

TEST_CASE("Work that was there before comes before that of a new stream") {
  Program P;
  void *Stream = acc_get_cuda_stream(7);
  if (!Stream)
    return;
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N);
    acc_copyin_async(A.data(), N * 8, 8);
    {
      OnQueue Q(8);
      P.spin(0, 3000000);
    }
    {
      OnQueue Q(8);
      P.add(0, A, 1);
    }
    REQUIRE(acc_set_cuda_stream(8, Stream) == 1);
    acc_copyout_async(A.data(), N * 8, 8);
    acc_wait(8);
    check(A, 1);
  }
}

TEST_CASE("Regions on a known stream copy for themselves, too") {
  Program P;
  if (!acc_get_cuda_stream(5))
    return;
  for (size_t N : Sizes) {
    std::vector<int64_t> A(N);
    for (int Step = 1; Step <= 10; ++Step) {
      OnQueue Q(5);
      P.add(0, A, Step);
    }
    acc_wait(5);
    check(A, expected(10));
    // Another queue's results are read only when they are there.
    {
      OnQueue Q(6);
      P.add(0, A, 1);
    }
    acc_wait_async(6, 5);
    {
      OnQueue Q(5);
      P.add(0, A, 1);
    }
    acc_wait_all();
    check(A, expected(10) + 2);
  }
}

TEST_CASE("Changing between streams allocates nothing but their queues") {
  Program P;
  void *const Streams[] = {acc_get_cuda_stream(31), acc_get_cuda_stream(32)};
  if (!Streams[0])
    return;
  std::vector<int64_t> A(100);
  auto Change = [&](int Times) {
    for (int I = 0; I < Times; ++I) {
      REQUIRE(acc_set_cuda_stream(33, Streams[I % 2]) == 1);
      OnQueue Q(33);
      P.add(0, A, 1);
    }
    acc_wait(33);
  };
  // What waits leave behind varies.
  Change(1000);
  const size_t Before = mallinfo2().uordblks;
  Change(4000);
  CHECK(mallinfo2().uordblks < Before + 400000);
  check(A, 5000);
}
