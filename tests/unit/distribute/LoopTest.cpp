//===- LoopTest.cpp - Loops that devices share, through the entry points --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions between the brackets of distributed loops, with what comes before and
// after them on one device and on all, from one thread and from several.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "harness/Child.h"
#include "harness/Variant.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

using namespace loops;

namespace {

/// Adds to a part on one device.
void add(const Kernels &K, Array &A, size_t Begin, size_t N, int64_t Value,
         int Device) {
  Arguments()
      .map(A.data() + Begin, N * 8, MapTargetParam | MapTo | MapFrom)
      .literal(N)
      .literal(static_cast<uintptr_t>(Value))
      .target(Device, K.Add);
}

} // namespace

TEST_CASE("Time loops of distributed loops") {
  Kernels K;
  for (size_t N : {2u, 3u, 100u, 5000u, 40001u}) {
    Array A = counted(N, 1), B = counted(N, 2);
    Array WantA = A, WantB = B;
    {
      Spread InA(A), InB(B);
      for (int S = 0; S < 20; ++S) {
        step(K, B, A, S % 5 == 4);
        std::swap(A, B);
      }
      if (N > 2)
        CHECK(total(K, A, 0) != 0);
    }
    for (int S = 0; S < 20; ++S) {
      stepHere(WantB, WantA);
      std::swap(WantA, WantB);
    }
    CHECK(A == WantA);
    CHECK(B == WantB);
  }
}

TEST_CASE("Loops that read through an array see what was there before them") {
  Kernels K;
  REQUIRE(omp_get_num_devices() > 1);
  // Few iterations read where it lies, as do all of a small section.
  for (size_t N : {300u, 40000u})
    for (size_t Count : {N, N - 77, N / 10}) {
      Array V = counted(N, 3), P = counted(N, 1), Other = counted(N, 2);
      Array WantV = V, WantP = P, WantOther = Other;
      {
        Spread InV(V), InP(P), InOther(Other);
        for (int S = 0; S < 10; ++S) {
          const size_t From = N - Count;
          REQUIRE(pull(K, V, P, From, Count) ==
                  pullHere(WantV, WantP, From, Count));
          // A loop on all of them, and a device alone.
          step(K, Other, P);
          stepHere(WantOther, WantP);
          step(K, P, Other);
          stepHere(WantP, WantOther);
          add(K, P, N / 2, 100, S, omp_get_num_devices() - 1);
          for (size_t I = 0; I < 100; ++I)
            WantP[N / 2 + I] += S;
        }
      }
      CHECK(V == WantV);
      CHECK(P == WantP);
    }
}

TEST_CASE("What devices do alone is in order with distributed loops") {
  Kernels K;
  const int Devices = omp_get_num_devices();
  const size_t N = 20000;
  Array A = counted(N, 1), B = counted(N, 5);
  Array WantA = A, WantB = B;
  {
    Spread InA(A), InB(B);
    for (int S = 0; S < 30; ++S) {
      step(K, B, A);
      stepHere(WantB, WantA);
      add(K, B, 100 * S, 3000, S, S % Devices);
      for (size_t I = 0; I < 3000; ++I)
        WantB[100 * S + I] += S;
      step(K, A, B);
      stepHere(WantA, WantB);
      // From the host, through any device.
      int64_t Value = 0;
      const int On = (S + 1) % Devices;
      REQUIRE(omp_target_memcpy(&Value, omp_get_mapped_ptr(A.data(), On), 8, 0,
                                8 * (500 * S + 1), omp_get_initial_device(),
                                On) == 0);
      REQUIRE(Value == WantA[500 * S + 1]);
      REQUIRE(total(K, A, S) == S + sumOf(WantA));
    }
  }
  CHECK(A == WantA);
  CHECK(B == WantB);
}

TEST_CASE("What is not spread is written on one device") {
  Kernels K;
  Array A = counted(3000, 1), Out(3000), Want(3000);
  Spread InA(A);
  const int64_t N = 2998;
  __accx_distribute_begin(nullptr, -1, 0, N, Source);
  Arguments()
      .literal(uintptr_t(0))
      .literal(static_cast<uintptr_t>(N))
      .map(Out.data(), Out.size() * 8, MapTargetParam | MapTo | MapFrom,
           ";out;loop.c;3;1;;")
      .map(A.data(), 0, MapTargetParam | MapTo | MapFrom | MapImplicit)
      .target(0, K.Step, 0, Source);
  CHECK(__accx_distribute_end() == 0);
  stepHere(Want, A);
  CHECK(Out == Want);
}

/// A step into \p Out, a device address.
static void stepInto(const Kernels &K, void *Out, Array &In) {
  const auto N = static_cast<int64_t>(In.size()) - 2;
  __accx_distribute_begin(nullptr, -1, 0, N, Source);
  Arguments()
      .literal(uintptr_t(0))
      .literal(static_cast<uintptr_t>(N))
      .literal(reinterpret_cast<uintptr_t>(Out))
      .map(In.data(), 0, MapTargetParam | MapTo | MapFrom | MapImplicit,
           ";in;loop.c;4;1;;")
      .target(0, K.Step, 0, Source);
  __accx_distribute_end();
}

TEST_CASE("distributed loops that write through addresses", "[.]") {
  Kernels K;
  Array A = counted(3000, 1), B(3000), Out(3000), Want(3000);
  stepHere(Want, A);
  {
    Spread InA(A), InB(B);
    stepInto(K, omp_get_mapped_ptr(B.data(), 1), A);
    std::fprintf(stderr, "now the other\n");
    void *Alone = omp_target_alloc(Out.size() * 8, 0);
    stepInto(K, Alone, A);
    REQUIRE(omp_target_memcpy(Out.data(), Alone, Out.size() * 8, 0, 0,
                              omp_get_initial_device(), 0) == 0);
    omp_target_free(Alone, 0);
  }
  Want.front() = Want.back() = Out.front() = Out.back() = 0;
  CHECK(Out == Want);
  CHECK(B == Want);
}

TEST_CASE("An address of one device keeps a loop there") {
  const Child C = runCase("distributed loops that write through addresses");
  INFO(C.Err);
  CHECK(C.ExitCode == 0);
  const size_t Other = C.Err.find("now the other");
  const size_t Told = C.Err.find("it writes through the device address");
  REQUIRE(Other != std::string::npos);
  CHECK(Told != std::string::npos);
  CHECK((Told == std::string::npos || Told > Other));
}

TEST_CASE("Read-only arrays need not be spread") {
  Kernels K;
  Array A = counted(3000, 1), Before = A, Out(3000), Want(3000);
  {
    Spread InOut(Out);
    const int64_t N = 2998;
    __accx_distribute_begin(nullptr, -1, 0, N, Source);
    Arguments()
        .literal(uintptr_t(0))
        .literal(static_cast<uintptr_t>(N))
        .map(Out.data(), 0, MapTargetParam | MapTo | MapFrom | MapImplicit)
        .map(A.data(), A.size() * 8, MapTargetParam | MapTo | MapFrom,
             ";in;loop.c;4;1;;")
        .target(0, K.Step, 0, Source);
    __accx_distribute_end();
  }
  stepHere(Want, Before);
  CHECK(Out == Want);
  CHECK(A == Before);
  // A copy on each device does as well.
  Out.assign(3000, 0);
  {
    Spread InOut(Out), Copies(A, ACCX_SPREAD_REPLICATE);
    step(K, Out, A);
  }
  CHECK(Out == Want);
}

TEST_CASE("Threads with distributed loops of their own") {
  Kernels K;
  std::vector<std::thread> Threads;
  std::vector<int> Bad(4);
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&K, &Bad, T] {
      Array A = counted(4000 + 100 * T, T), B = A, WantA = A, WantB = A;
      {
        Spread InA(A), InB(B);
        for (int S = 0; S < 25; ++S) {
          step(K, B, A);
          std::swap(A, B);
          add(K, A, 10, 1000, T, T % omp_get_num_devices());
          stepHere(WantB, WantA);
          std::swap(WantA, WantB);
          for (size_t I = 10; I < 1010; ++I)
            WantA[I] += T;
        }
      }
      Bad[T] = A != WantA;
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Bad == std::vector<int>(4));
}

TEST_CASE("distributed loops on a device that fails", "[.]") {
  Kernels K;
  Array A = counted(5000, 1), B = A;
  Spread InA(A), InB(B);
  setFaults(std::getenv("TEST_FAULT"));
  for (int S = 0; S < 5000; ++S) {
    step(K, B, A);
    std::swap(A, B);
  }
  int64_t Sum = total(K, A, 0);
  std::fprintf(stderr, "the program went on, %ld\n", static_cast<long>(Sum));
}

TEST_CASE("a distributed loop on a device that is gone", "[.]") {
  Kernels K;
  Array A = counted(5000, 1);
  Spread InA(A);
  void *There = omp_target_alloc(8, 1);
  setFaults("lost@1:1");
  // Notices it, and tells only its caller.
  CHECK(omp_target_memcpy(There, A.data(), 8, 0, 0, 1,
                          omp_get_initial_device()) != 0);
  int64_t Sum = total(K, A, 0);
  std::fprintf(stderr, "the program went on, %ld\n", static_cast<long>(Sum));
}

TEST_CASE("A device that is gone when a kernel is first asked for is no reason "
          "to go on without it") {
  const Child C = runCase("a distributed loop on a device that is gone", {});
  INFO(C.Err);
  CHECK_FALSE(C.TimedOut);
  CHECK(C.ExitCode != 0);
  CHECK_FALSE(C.has("the program went on"));
  CHECK(C.has("loop.c:7:1"));
  CHECK(C.has("device 1: "));
  CHECK(C.has("the device is gone"));
}

TEST_CASE("A device that fails amid distributed loops ends the program") {
  for (const char *Fault :
       {"trap@1:1", "trap@1:3000", "lost@1:2500", "lost@0:1", "launch@0:777",
        "copy_to@1:1", "queues_meet:100", "event_record:3", "event_create:3"}) {
    // Only asynchronous devices have events, and meet.
    if ((Fault[0] == 'e' || Fault[0] == 'q') &&
        variant().rfind("async", 0) != 0)
      continue;
    INFO(Fault);
    const Child C = runCase("distributed loops on a device that fails",
                            {{"TEST_FAULT", Fault}});
    INFO(C.Err);
    CHECK_FALSE(C.TimedOut);
    CHECK(C.ExitCode != 0);
    CHECK_FALSE(C.has("the program went on"));
    CHECK(C.has("loop.c:7:1"));
    if (const char *On = std::strchr(Fault, '@'))
      CHECK(C.has("device " + std::string(1, On[1])));
  }
}
