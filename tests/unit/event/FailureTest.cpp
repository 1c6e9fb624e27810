//===- FailureTest.cpp - What depends on a failed event -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It does not run, its events say so, who was told goes on, and what nobody
// asked for ends the program.
//
//===----------------------------------------------------------------------===//

#include "../openacc/Rig.h"
#include "Loop.h"
#include "harness/Child.h"

#include <cerrno>

using namespace harness;
using namespace rig;

namespace {

constexpr size_t N = 3000;

accx_event_t failed(int Status = -5) {
  accx_event_t E;
  REQUIRE(accx_event_create_user(&E) == 0);
  REQUIRE(accx_event_complete(E, Status) == 0);
  return E;
}

} // namespace

TEST_CASE("What waits for a failed event does not run") {
  Program P;
  std::vector<int64_t> A(N);
  acc_copyin(A.data(), N * 8);
  for (bool Late : {false, true}) {
    accx_event_t User, End;
    REQUIRE(accx_event_create_user(&User) == 0);
    if (!Late)
      accx_event_complete(User, -5);
    REQUIRE(accx_queue_wait(1, 1, &User) == 0);
    {
      OnQueue Q(1);
      P.add(0, A, 1);
    }
    REQUIRE(accx_event_of_queue(1, &End) == 0);
    if (Late)
      accx_event_complete(User, -5);
    CHECK(accx_event_wait(1, &End) == -ECANCELED);
    CHECK(std::string(accx_event_message(End)).find("ended it with -5") !=
          std::string::npos);
    // Who was told goes on.
    {
      OnQueue Q(1);
      P.add(0, A, 10);
    }
    acc_wait(1);
    accx_event_release(User);
    accx_event_release(End);
  }
  acc_copyout(A.data(), N * 8);
  for (int64_t X : A)
    REQUIRE(X == 20);
}

TEST_CASE("A transfer that fails stops what stands behind it") {
  Program P;
  std::vector<int64_t> A(N);
  acc_copyin(A.data(), N * 8);
  LoopStream In(ACCX_IN, A.data(), N * 8, 1024),
      Behind(ACCX_OUT, A.data(), 8, 0);
  In.Bytes.assign(N * 8, 0);
  In.FailsAt = 5000;
  accx_event_t E, AfterKernel, AfterAll;
  REQUIRE(transfer(1, {&In}, {}, &E) == 0);
  {
    OnQueue Q(1);
    P.add(0, A, 1);
  }
  REQUIRE(accx_event_of_queue(1, &AfterKernel) == 0);
  REQUIRE(transfer(1, {&Behind}, {}, &AfterAll) == 0);
  CHECK(accx_event_wait(1, &AfterAll) == -ECANCELED);
  CHECK(accx_event_wait(1, &AfterKernel) == -ECANCELED);
  CHECK(accx_event_wait(1, &E) == -5);
  CHECK(std::string(accx_event_message(E)) == "loop: the loop failed");
  CHECK(Behind.NumStarts == 0);
  {
    OnQueue Q(1);
    P.add(0, A, 3);
  }
  acc_wait(1);
  acc_copyout(A.data(), N * 8);
  for (int64_t X : A)
    REQUIRE(X == 3);
  for (accx_event_t Of : {E, AfterKernel, AfterAll})
    accx_event_release(Of);
}

TEST_CASE("Failures go from queue to queue by events") {
  Program P;
  accx_event_t Bad = failed(), Chain[4];
  std::vector<char> Bytes(100);
  std::vector<std::unique_ptr<LoopStream>> Streams;
  for (int I = 0; I < 4; ++I) {
    Streams.push_back(
        std::make_unique<LoopStream>(ACCX_OUT, Bytes.data(), 100, 0));
    REQUIRE(transfer(I + 1, {Streams.back().get()}, {I ? Chain[I - 1] : Bad},
                     &Chain[I]) == 0);
  }
  CHECK(accx_event_wait(4, Chain) == -ECANCELED);
  for (auto &S : Streams)
    CHECK(S->NumStarts == 0);
  // Synchronous ones say it themselves.
  CHECK(transfer(acc_async_sync, {Streams[0].get()}, {Bad}, nullptr) ==
        -ECANCELED);
  CHECK(transfer(acc_async_sync, {Streams[0].get()}, {}, nullptr) == 0);
  for (accx_event_t E : Chain)
    accx_event_release(E);
  accx_event_release(Bad);
}

TEST_CASE("child: nobody asks for a failure", "[.]") {
  (void)program();
  accx_event_t Bad = failed();
  (void)accx_queue_wait(1, 1, &Bad);
  acc_wait(1);
}

TEST_CASE("A failure that nobody asked for ends the program at the wait") {
  const Child C = runCase("child: nobody asks for a failure");
  CHECK(C.ExitCode != 0);
  CHECK_FALSE(C.TimedOut);
  CHECK(C.has("not done, as what it waits for failed"));
}
