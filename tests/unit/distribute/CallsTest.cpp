//===- CallsTest.cpp - What a distributed loop asks of devices ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many calls for events a step of a time loop takes, by number of devices:
// one thread makes all of them, and small grids wait for it.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "harness/Child.h"
#include "harness/Variant.h"

#include <accx/async.h>

#include <algorithm>
#include <string>

using namespace loops;

extern "C" void acc_wait_all();

namespace {

/// Two arrays on all devices, and what they have to be.
class Steps {
  Kernels K;
  Array A, B, WantA, WantB;
  Spread InA, InB;
  const bool Even;

public:
  /// \p Even: all devices have a part, however small the arrays are.
  Steps(size_t N, bool Even)
      : A(counted(N, 1)), B(A), WantA(A), WantB(A), InA(A), InB(B), Even(Even) {
  }
  void run(int Num) {
    for (int S = 0; S < Num; ++S) {
      step(K, B, A, Even);
      std::swap(A, B);
      stepHere(WantB, WantA);
      std::swap(WantA, WantB);
    }
  }
  /// Copies from device 0, on the current queue.
  void copyBack() {
    Arguments().map(A.data(), A.size() * 8, MapFrom).update(0);
  }
  bool areRight() {
    for (int D = 0; D < omp_get_num_devices(); ++D)
      Arguments().map(A.data(), A.size() * 8, MapFrom).update(D);
    return A == WantA;
  }
};

/// Calls of \p Num steps; each part may be asked once whether it failed.
struct Count {
  accx_fault_event_calls Calls;
  unsigned long Asks;

  Count(Steps &S, int Num) : Asks(omp_get_num_devices() * Num) {
    (void)takeEventCalls();
    S.run(Num);
    Calls = takeEventCalls();
  }
};

constexpr int NumSteps = 2000;
/// Of the queues' own, once in many constructs.
constexpr unsigned long Others = NumSteps / 16;

void checkSteps(bool Queued) {
  Steps S(5000, /*Even=*/true);
  const unsigned long N = omp_get_num_devices();
  if (Queued)
    __accx_async_begin(1);
  S.run(4);
  const Count C(S, NumSteps);
  // Queues meet once a step, without events.
  CHECK(C.Calls.Meetings == (N > 1 ? NumSteps : 0));
  CHECK(C.Calls.Records <= N * Others);
  CHECK(C.Calls.Waits == 0);
  CHECK(C.Calls.Queries <= C.Asks + C.Asks / 8);
  if (Queued) {
    __accx_async_end();
    acc_wait_all();
  }
  CHECK(S.areRight());
}

} // namespace

TEST_CASE("calls of steps", "[.]") { checkSteps(/*Queued=*/false); }

TEST_CASE("calls of queued steps", "[.]") { checkSteps(/*Queued=*/true); }

TEST_CASE("calls of steps on two of the devices", "[.]") {
  // Each array lies on one, or has a border between pages in it.
  Steps S(100, /*Even=*/false);
  S.run(4);
  const Count C(S, NumSteps);
  CHECK(C.Calls.Meetings <= NumSteps);
  CHECK(C.Calls.Records <= 2 * Others);
  CHECK(C.Calls.Waits == 0);
  CHECK(C.Calls.Queries <= C.Asks + C.Asks / 8);
  CHECK(S.areRight());
}

TEST_CASE("calls of steps behind a copy to the host", "[.]") {
  constexpr int Few = 100;
  Steps S(5000, /*Even=*/true);
  __accx_async_begin(1);
  S.run(4);
  S.copyBack();
  const Count C(S, Few);
  // One for each point of a queue.
  const unsigned long Points = omp_get_num_devices() * Few;
  CHECK(C.Calls.Queries <= Points + Others);
  __accx_async_end();
  acc_wait_all();
  CHECK(S.areRight());
}

TEST_CASE("A step takes few calls for events") {
  if (variant().rfind("async", 0) != 0)
    return;
  for (const char *Devices : {"1", "2", "3", "4", "8"})
    for (const char *Name : {"calls of steps", "calls of queued steps",
                             "calls of steps on two of the devices"}) {
      INFO(Name << " on " << Devices << " devices");
      const Child C = runCase(Name, {{"ACCX_HOST_DEVICES", Devices}});
      INFO(C.Out << C.Err);
      CHECK(C.ExitCode == 0);
    }
}

TEST_CASE("Points of a queue do not ask for all that may write to the host") {
  if (variant().rfind("async", 0) != 0)
    return;
  // The devices are far behind.
  const Child C = runCase(
      "calls of steps behind a copy to the host",
      {{"ACCX_HOST_DEVICES", "4"}, {"ACCX_FAULT_OPTIONS", "async,delay=3000"}});
  INFO(C.Out << C.Err);
  CHECK(C.ExitCode == 0);
}

TEST_CASE("Loops on one device and on many") {
  for (const char *Devices : {"1", "5"})
    for (const char *Name :
         {"Time loops of distributed loops",
          "What devices do alone is in order with distributed loops",
          "Threads with distributed loops of their own"}) {
      INFO(Name << " on " << Devices);
      const Child C = runCase(Name, {{"ACCX_HOST_DEVICES", Devices}});
      INFO(C.Out << C.Err);
      CHECK(C.ExitCode == 0);
    }
}
