//===- QueueTest.cpp - Events and queues ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events hold back queues and are what queues have reached.
//
//===----------------------------------------------------------------------===//

#include "../openacc/Rig.h"
#include "Loop.h"

#include <cerrno>
#include <chrono>
#include <ctime>

using namespace rig;

namespace {

constexpr size_t N = 5000;

struct Mapped {
  std::vector<int64_t> A;
  explicit Mapped(size_t N = ::N) : A(N) { acc_copyin(A.data(), A.size() * 8); }
  ~Mapped() { acc_delete(A.data(), A.size() * 8); }
  int64_t value() {
    acc_update_self(A.data(), A.size() * 8);
    for (int64_t X : A)
      if (X != A[0])
        return -1;
    return A[0];
  }
};

} // namespace

TEST_CASE("A queue waits for a user event, the caller does not") {
  Program P;
  Mapped M;
  accx_event_t User, End;
  REQUIRE(accx_event_create_user(&User) == 0);
  REQUIRE(accx_queue_wait(1, 1, &User) == 0);
  for (int Step = 0; Step < 10; ++Step) {
    OnQueue Q(1);
    P.add(0, M.A, 1);
  }
  REQUIRE(accx_event_of_queue(1, &End) == 0);
  // Another queue goes on meanwhile.
  {
    OnQueue Q(2);
    P.add(0, M.A, 100);
  }
  acc_wait(2);
  CHECK(M.value() == 100);
  CHECK(accx_event_status(End) == 1);
  CHECK(accx_event_complete(User, 0) == 0);
  CHECK(accx_event_complete(User, 0) == -EALREADY);
  CHECK(accx_event_wait(1, &End) == 0);
  CHECK(accx_event_status(End) == 0);
  CHECK(M.value() == 110);
  uint64_t Ns[4];
  CHECK(accx_event_times(End, Ns) == 0);
  CHECK((Ns[0] && Ns[0] <= Ns[1] && Ns[1] <= Ns[2] && Ns[2] <= Ns[3]));
  accx_event_release(User);
  accx_event_release(End);
}

TEST_CASE("Queues wait for one another by events") {
  Program P;
  Mapped M;
  constexpr int Rounds = 50;
  for (int Round = 0; Round < Rounds; ++Round) {
    accx_event_t E;
    {
      OnQueue Q(1 + Round % 2);
      P.add(0, M.A, 1);
    }
    REQUIRE(accx_event_of_queue(1 + Round % 2, &E) == 0);
    REQUIRE(accx_queue_wait(2 - Round % 2, 1, &E) == 0);
    accx_event_release(E);
  }
  acc_wait_all();
  CHECK(M.value() == Rounds);
}

TEST_CASE("The next target construct is an event") {
  Program P;
  Mapped M;
  accx_event_t User, First, Second;
  REQUIRE(accx_event_create_user(&User) == 0);
  REQUIRE(accx_next_target(3, 1, &User, &First) == 0);
  P.add(0, M.A, 1);
  CHECK(accx_event_status(First) == 1);
  REQUIRE(accx_next_target(4, 1, &First, &Second) == 0);
  P.add(0, M.A, 2);
  CHECK(accx_event_status(Second) == 1);
  // What follows is synchronous again.
  std::vector<int64_t> Own(10);
  P.add(0, Own, 7);
  CHECK(Own[0] == 7);
  CHECK(accx_event_complete(User, 0) == 0);
  CHECK(accx_event_wait(1, &Second) == 0);
  CHECK(accx_event_status(First) == 0);
  CHECK(M.value() == 3);
  for (accx_event_t E : {User, First, Second})
    accx_event_release(E);
  CHECK(accx_next_target(acc_async_sync, 0, nullptr, nullptr) == -EINVAL);
}

TEST_CASE("Callbacks come once, also late") {
  Program P;
  Mapped M;
  static std::atomic<int> Calls;
  Calls = 0;
  auto Count = [](accx_event_t, int Status, void *Data) {
    Calls += Status == 0 ? *static_cast<int *>(Data) : 1000;
  };
  int One = 1, Ten = 10;
  accx_event_t E;
  {
    OnQueue Q(1);
    P.spin(0, 200000);
  }
  REQUIRE(accx_event_of_queue(1, &E) == 0);
  REQUIRE(accx_event_callback(E, Count, &One) == 0);
  while (Calls == 0)
    std::this_thread::yield();
  REQUIRE(accx_event_callback(E, Count, &Ten) == 0);
  CHECK(Calls == 11);
  accx_event_release(E);
}

TEST_CASE("Arguments that make no sense") {
  accx_event_t E = nullptr, User;
  REQUIRE(accx_event_create_user(&User) == 0);
  CHECK(accx_event_wait(1, &E) == -EINVAL);
  CHECK(accx_event_wait(-1, nullptr) == -EINVAL);
  CHECK(accx_event_wait(0, nullptr) == 0);
  CHECK(accx_event_status(nullptr) == -EINVAL);
  CHECK(accx_event_complete(User, 1) == -EINVAL);
  CHECK(accx_event_release(nullptr) == 0);
  CHECK(accx_event_of_queue(1, nullptr) == -EINVAL);
  CHECK(accx_event_of_queue(-77, &E) == -EINVAL);
  CHECK(accx_queue_wait(-77, 1, &User) == -EINVAL);
  CHECK(accx_queue_wait(1, 1, nullptr) == -EINVAL);
  REQUIRE(accx_event_of_queue(acc_async_sync, &E) == 0);
  CHECK(accx_event_status(E) == 0);
  CHECK(accx_event_complete(E, 0) == -EINVAL);
  accx_event_release(E);
  accx_event_release(User);
}

TEST_CASE("Waiting costs next to nothing") {
  Program P;
  Mapped M;
  accx_event_t User;
  REQUIRE(accx_event_create_user(&User) == 0);
  for (int Queue = 1; Queue <= 12; ++Queue) {
    REQUIRE(accx_queue_wait(Queue, 1, &User) == 0);
    OnQueue Q(Queue);
    P.add(0, M.A, 0);
  }
  const std::clock_t Begin = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double Used = double(std::clock() - Begin) / CLOCKS_PER_SEC;
  CHECK(Used < 0.1); // A third of a core; benchmarks tell of less.
  CHECK(accx_event_complete(User, 0) == 0);
  acc_wait_all();
  accx_event_release(User);
}
