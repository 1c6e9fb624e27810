//===- ThreadsTest.cpp - Many threads on many queues ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rig.h"

#include <atomic>
#include <thread>

using namespace accx;
using namespace rig;

namespace {

constexpr int NumThreads = 4;
constexpr int NumQueues = 8;

template <typename Fn> void onThreads(Fn Body) {
  std::vector<std::thread> Threads;
  for (int I = 0; I < NumThreads; ++I)
    Threads.emplace_back([&, I] { Body(I); });
  for (std::thread &T : Threads)
    T.join();
}

} // namespace

// Catch2's checks are for one thread: others count what is wrong.

TEST_CASE("Threads queue on queues of their own and on each other's") {
  Program P;
  std::atomic<int> Wrong{0};
  for (int Round = 0; Round < 8; ++Round)
    onThreads([&](int Id) {
      const int Device = Id % 2;
      acc_set_device_num(Device, acc_device_not_host);
      // 16 regions each on 2 queues of 8; odd rounds share all of them.
      for (int Part = 0; Part < 2; ++Part) {
        const int Queue = Round % 2 ? Part : (Id * 2 + Part) % NumQueues;
        std::vector<int64_t> A(Part ? 20000 : 3);
        acc_copyin_async(A.data(), A.size() * 8, Queue);
        for (int Step = 1; Step <= 8; ++Step) {
          OnQueue Q(Queue);
          harness::Arguments Args;
          P.add(Device, A, Step);
        }
        acc_copyout_async(A.data(), A.size() * 8, Queue);
        if (Round % 4 < 2)
          acc_wait(Queue);
        else
          acc_wait_all();
        for (int64_t X : A)
          Wrong += X != 36;
        Wrong += acc_is_present(A.data(), 8);
      }
    });
  CHECK(Wrong == 0);
}

TEST_CASE("Constructs on one queue and one array do not mix") {
  // Their order among threads is open, but each is whole.
  Program P;
  std::vector<int64_t> A(5000);
  onThreads([&](int) {
    for (int Step = 0; Step < 25; ++Step) {
      OnQueue Q(3);
      P.add(0, A, 1);
    }
  });
  acc_wait(3);
  for (int64_t X : A)
    REQUIRE(X == 100);
  CHECK_FALSE(acc_is_present(A.data(), 8));
}

TEST_CASE("Threads wait, test and order queues while others queue") {
  Program P;
  std::vector<int64_t> A(3000);
  acc_copyin(A.data(), A.size() * 8);
  std::atomic<bool> Stop{false};
  std::thread Waiter([&] {
    while (!Stop) {
      acc_wait(1);
      acc_async_test_all();
      acc_wait_async(1, 2);
      acc_wait_all_async(3);
      acc_wait_all();
    }
  });
  std::thread Mapper([&] {
    std::vector<int64_t> B(100);
    while (!Stop) {
      acc_copyin(B.data(), 800);
      P.add(0, B, 1);
      acc_copyout(B.data(), 800);
    }
  });
  for (int Step = 0; Step < 300; ++Step) {
    OnQueue Q(1);
    P.add(0, A, 1);
  }
  Stop = true;
  Waiter.join();
  Mapper.join();
  acc_wait_all();
  acc_copyout(A.data(), A.size() * 8);
  for (int64_t X : A)
    REQUIRE(X == 300);
}
