//===- StressTest.cpp - Many threads on several devices -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64 threads map, update, launch and look up, on arrays of their own and on
// shared ones, on 4 devices; every result is compared with what it must be.
//
//===----------------------------------------------------------------------===//

#include "harness/Program.h"
#include "harness/Variant.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <random>
#include <thread>

using namespace accx;
using namespace harness;

namespace {

constexpr int NumThreads = 64;
constexpr int NumDevices = 4;
constexpr uint64_t ToFrom = MapTargetParam | MapTo | MapFrom;

/// Rounds of each thread; ACCX_STRESS_ROUNDS asks for more.
int rounds() {
  const char *Text = std::getenv("ACCX_STRESS_ROUNDS");
  return Text ? std::atoi(Text) : 40;
}

struct Kernels {
  Library Lib{readFile(ACCX_TEST_PLUGINS "/arrays.img")};
  void *Add = Lib.kernel("add");
  void *Sum = Lib.kernel("sum");
  void *Spin = Lib.kernel("spin");
  Kernels() { Lib.registerNow(); }
};

/// What went wrong, by kind, counted by all threads.
struct Errors {
  std::atomic<unsigned> Private{0}, Shared{0}, Slice{0}, Nested{0}, Presence{0},
      Copy{0}, Guest{0};
};

struct Shared {
  Kernels K;
  Errors E;
  /// Constant: threads map overlapping parts of it.
  std::vector<int64_t> Constant = std::vector<int64_t>(40000);
  /// Each thread owns a slice; some map the whole.
  static constexpr size_t SliceLength = 600;
  std::vector<int64_t> Slices =
      std::vector<int64_t>(SliceLength * NumThreads, 1000);

  Shared() {
    for (size_t I = 0; I < Constant.size(); ++I)
      Constant[I] = static_cast<int64_t>(I * 7 % 1001);
  }
};

/// One thread's work.
class Thread {
  Shared &S;
  const int Id;
  std::mt19937_64 Random;
  std::vector<int64_t> Own;
  std::vector<int64_t> OwnExpected;
  std::vector<int64_t> SliceExpected;

  size_t below(size_t N) { return Random() % N; }
  int device() { return static_cast<int>(below(NumDevices)); }
  /// A non-empty part of [0, N).
  std::pair<size_t, size_t> part(size_t N) {
    const size_t Begin = below(N), Length = 1 + below(N - Begin);
    return {Begin, Length};
  }

  static uintptr_t word(int64_t Value) { return static_cast<uintptr_t>(Value); }

public:
  Thread(Shared &S, int Id)
      : S(S), Id(Id), Random(Id * 7919 + 1), Own(3000),
        SliceExpected(Shared::SliceLength, 1000) {
    for (size_t I = 0; I < Own.size(); ++I)
      Own[I] = static_cast<int64_t>(I) + Id;
    OwnExpected = Own;
  }

  /// A part of the own array through one region.
  void region() {
    auto [Begin, Length] = part(Own.size());
    const int64_t Value = static_cast<int64_t>(below(100));
    Arguments()
        .map(&Own[Begin], Length * 8, ToFrom)
        .literal(Length)
        .literal(word(Value))
        .target(device(), S.K.Add);
    for (size_t I = Begin; I < Begin + Length; ++I)
      OwnExpected[I] += Value;
    S.E.Private += Own != OwnExpected;
  }

  /// Unstructured maps of overlapping parts, regions and updates in between.
  void overlapping() {
    const int D = device();
    const size_t Third = Own.size() / 3;
    Arguments Left, Right, Middle;
    Left.map(&Own[0], 2 * Third * 8, MapTo | MapFrom);
    Right.map(&Own[Third], 2 * Third * 8, MapTo | MapFrom);
    Middle.map(&Own[Third], Third * 8, MapFrom);
    Left.enter(D);
    Arguments()
        .map(&Own[0], 2 * Third * 8, ToFrom)
        .literal(2 * Third)
        .literal(word(1))
        .target(D, S.K.Add);
    Right.enter(D);
    Arguments()
        .map(&Own[Third], 2 * Third * 8, ToFrom)
        .literal(2 * Third)
        .literal(word(10))
        .target(D, S.K.Add);
    for (size_t I = 0; I < 3 * Third; ++I)
      OwnExpected[I] += (I < 2 * Third) + (I >= Third ? 10 : 0);
    Middle.update(D);
    for (size_t I = Third; I < 2 * Third; ++I)
      S.E.Nested += Own[I] != OwnExpected[I];
    S.E.Presence += !omp_target_is_present(&Own[0], D);
    S.E.Presence += !omp_target_is_present(&Own[3 * Third - 1], D);
    if (below(2)) {
      Left.exit(D);
      Right.exit(D);
    } else {
      Right.exit(D);
      Left.exit(D);
    }
    S.E.Nested += Own != OwnExpected;
    S.E.Presence += omp_target_is_present(&Own[Third], D);
  }

  /// Sums of overlapping parts of an array that nobody writes.
  void sharedSum() {
    auto [Begin, Length] = part(S.Constant.size());
    const int D = device();
    int64_t Out = -1, Expected = 0;
    for (size_t I = Begin; I < Begin + Length; ++I)
      Expected += S.Constant[I];
    // Unstructured maps of parts that overlap would leave it to chance which
    // entry each exit finds; the whole array is found exactly.
    Arguments Held;
    Held.map(S.Constant.data(), S.Constant.size() * 8, MapTo);
    const bool Hold = below(3) == 0;
    if (Hold)
      Held.enter(D);
    Arguments()
        .map(&Out, 8, MapTargetParam | MapFrom)
        .map(&S.Constant[Begin], Length * 8, MapTargetParam | MapTo)
        .literal(Length)
        .target(D, S.K.Sum);
    S.E.Shared += Out != Expected;
    if (Hold)
      Held.exit(D);
  }

  /// The own slice of the shared array, which others map as a whole: copied
  /// always, so that what it holds does not depend on the others.
  void slice() {
    int64_t *Mine = &S.Slices[Id * Shared::SliceLength];
    const size_t Bytes = Shared::SliceLength * 8;
    Arguments()
        .map(Mine, Bytes, ToFrom | MapAlways)
        .literal(Shared::SliceLength)
        .literal(word(3))
        .target(device(), S.K.Add);
    for (size_t I = 0; I < Shared::SliceLength; ++I) {
      SliceExpected[I] += 3;
      S.E.Slice += Mine[I] != SliceExpected[I];
    }
  }

  /// The whole shared array, without data: only the entry and its memory.
  void whole() {
    const int D = device();
    Arguments All;
    All.map(S.Slices.data(), S.Slices.size() * 8, 0);
    All.enter(D);
    S.E.Presence +=
        !omp_target_is_present(&S.Slices[below(S.Slices.size())], D);
    slice();
    All.exit(D);
  }

  /// The own array on the device for a while, seen by all look-ups.
  void lookUp() {
    const int D = device();
    Arguments All;
    All.map(Own.data(), Own.size() * 8, MapTo);
    All.enter(D);
    auto *First = static_cast<int64_t *>(omp_get_mapped_ptr(Own.data(), D));
    auto *Later = static_cast<int64_t *>(omp_get_mapped_ptr(&Own[100], D));
    // In the fused directory a neighbour's map may move it in between, but
    // nothing else maps this array.
    S.E.Presence += First == nullptr || Later != First + 100;
    std::vector<int64_t> Back(Own.size());
    S.E.Copy += omp_target_memcpy(Back.data(), First, Back.size() * 8, 0, 0,
                                  omp_get_initial_device(), D) != 0;
    S.E.Copy += Back != OwnExpected;
    const size_t At = below(Own.size());
    Own[At] = OwnExpected[At] = static_cast<int64_t>(Random() % 1000);
    Arguments().map(&Own[At], 8, MapTo).update(D);
    int64_t Seen = 0;
    S.E.Copy += omp_target_memcpy(&Seen, First, 8, 0, At * 8,
                                  omp_get_initial_device(), D) != 0;
    S.E.Copy += Seen != Own[At];
    All.exit(D);
    S.E.Presence += omp_get_mapped_ptr(Own.data(), D) != nullptr;
  }

  /// Memory of the program's own, associated with an array.
  void associate() {
    const int D = device();
    int64_t Host[32];
    void *Place = omp_target_alloc(sizeof(Host), D);
    S.E.Copy += Place == nullptr;
    for (int I = 0; I < 32; ++I)
      Host[I] = I;
    S.E.Presence +=
        omp_target_associate_ptr(Host, Place, sizeof(Host), 0, D) != 0;
    Arguments().map(Host, sizeof(Host), MapTo).update(D);
    Arguments()
        .map(Host, sizeof(Host), ToFrom)
        .literal(uintptr_t(32))
        .literal(word(100))
        .target(D, S.K.Add);
    for (int I = 0; I < 32; ++I)
      S.E.Copy += Host[I] != I;
    Arguments().map(Host, sizeof(Host), MapFrom).update(D);
    for (int I = 0; I < 32; ++I)
      S.E.Copy += Host[I] != I + 100;
    S.E.Presence += omp_target_disassociate_ptr(Host, D) != 0;
    omp_target_free(Place, D);
  }

  void work() {
    static constexpr void (Thread::*Works[])() = {
        &Thread::region,    &Thread::region,    &Thread::overlapping,
        &Thread::sharedSum, &Thread::sharedSum, &Thread::slice,
        &Thread::whole,     &Thread::lookUp,    &Thread::associate};
    for (int Round = rounds(); Round; --Round)
      (this->*Works[below(std::size(Works))])();
    S.E.Private += Own != OwnExpected;
  }
};

/// Opens and closes the guest library until \p Stop.
void inviteGuests(std::atomic<bool> &Stop, Errors &E) {
  for (int Round = 0; !Stop || Round < 4; ++Round) {
    void *Handle = dlopen(ACCX_STRESS_GUEST, RTLD_NOW | RTLD_LOCAL);
    if (!Handle) {
      ++E.Guest;
      return;
    }
    auto Work =
        reinterpret_cast<int (*)(int)>(dlsym(Handle, "accx_guest_work"));
    E.Guest += !Work || Work(Round % NumDevices) != 0;
    dlclose(Handle);
  }
}

} // namespace

TEST_CASE("64 threads on 4 devices get every result right") {
  Shared S;
  std::atomic<bool> Stop{false};
  std::thread Host([&] { inviteGuests(Stop, S.E); });
  std::vector<std::thread> Threads;
  for (int Id = 0; Id < NumThreads; ++Id)
    Threads.emplace_back([&S, Id] { Thread(S, Id).work(); });
  for (std::thread &T : Threads)
    T.join();
  Stop = true;
  Host.join();
  CHECK(S.E.Private == 0);
  CHECK(S.E.Shared == 0);
  CHECK(S.E.Slice == 0);
  CHECK(S.E.Nested == 0);
  CHECK(S.E.Presence == 0);
  CHECK(S.E.Copy == 0);
  CHECK(S.E.Guest == 0);
  // Whatever was mapped is gone.
  for (int D = 0; D < NumDevices; ++D) {
    for (size_t I = 0; I < S.Constant.size(); I += 97)
      REQUIRE_FALSE(omp_target_is_present(&S.Constant[I], D));
    for (size_t I = 0; I < S.Slices.size(); I += 97)
      REQUIRE_FALSE(omp_target_is_present(&S.Slices[I], D));
  }
}

TEST_CASE("One array mapped and unmapped by all threads at once") {
  // Every construct meets entries of others that are on their way in or out.
  Kernels K;
  std::vector<int64_t> A(5000);
  int64_t Expected = 0;
  for (size_t I = 0; I < A.size(); ++I)
    Expected += A[I] = static_cast<int64_t>(I);
  std::atomic<unsigned> Wrong{0};
  std::vector<std::thread> Threads;
  for (int Id = 0; Id < 16; ++Id)
    Threads.emplace_back([&] {
      for (int Round = 3 * rounds(); Round; --Round) {
        int64_t Out = 0;
        Arguments()
            .map(&Out, 8, MapTargetParam | MapFrom)
            .map(A.data(), A.size() * 8, MapTargetParam | MapTo)
            .literal(A.size())
            .target(0, K.Sum);
        Wrong += Out != Expected;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Wrong == 0);
  CHECK_FALSE(omp_target_is_present(A.data(), 0));
}

TEST_CASE("The first constructs of a program come from many threads") {
  // Loading images, opening queues, starting workers: once, whoever is first.
  Kernels K;
  std::atomic<unsigned> Wrong{0};
  std::vector<std::thread> Threads;
  for (int Id = 0; Id < NumThreads; ++Id)
    Threads.emplace_back([&, Id] {
      std::vector<int64_t> A(10, Id);
      Arguments()
          .map(A.data(), 80, ToFrom)
          .literal(uintptr_t(10))
          .literal(uintptr_t(1))
          .target(Id % NumDevices, K.Add);
      for (int64_t V : A)
        Wrong += V != Id + 1;
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Wrong == 0);
}
