//===-- class.cpp - One map operation on the directory itself -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times Directory without threads, devices or copies, against the number of
// live entries and the way they overlap. Every answer is checked.
//
// Usage: class STRATEGY SHAPE ENTRIES; prints MEASURE,<operation>,<ns>.
//===----------------------------------------------------------------------===//

#include "directory/Directory.h"
#include "shapes.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace accx;

namespace {

using Clock = std::chrono::steady_clock;

/// Addresses without memory: the directory never looks behind them.
class NoMemory final : public DeviceMemory {
public:
  size_t granularity() const override { return size_t(2) << 20; }
  uint64_t capacity() const override { return uint64_t(1) << 37; }
  Expected<uintptr_t> reserve(size_t Size) override { return take(Size); }
  void unreserve(uintptr_t, size_t) override {}
  Status commit(uintptr_t, size_t) override { return {}; }
  void decommit(uintptr_t, size_t) override {}
  Expected<uintptr_t> allocate(size_t Size) override { return take(Size); }
  void release(uintptr_t) override {}

private:
  uintptr_t Next = uintptr_t(1) << 46;

  uintptr_t take(size_t Size) {
    uintptr_t Address = Next;
    Next += (Size + granularity() - 1) / granularity() * granularity();
    return Address;
  }
};

constexpr uintptr_t Base = uintptr_t(0x7f00) << 32;

[[noreturn]] void wrong(const char *What, size_t I) {
  std::printf("BAD,%s\n", What);
  std::fprintf(stderr, "directory: %s is wrong for range %zu\n", What, I);
  std::exit(1);
}

HostRange host(Range R) { return {Base + R.Begin, Base + R.Begin + R.Size}; }

/// Size of the smallest entry that contains the inner range at \p R, by the
/// shape's formula.
size_t smallest(Shape S, HostRange R, size_t N) {
  uintptr_t Begin = R.Begin - Base, End = R.End - Base;
  switch (S) {
  case Disjoint:
    return Unit;
  case Nested: {
    // Entry I is [(N - I), (N + I + 1)) units.
    size_t Left = Begin / Unit, Right = (End + Unit - 1) / Unit;
    size_t FromLeft = Left >= N ? 0 : N - Left;
    size_t FromRight = Right <= N + 1 ? 0 : Right - N - 1;
    return (2 * std::max(FromLeft, FromRight) + 1) * Unit;
  }
  case Random: {
    size_t First = Begin / Unit, Best = 0;
    for (size_t Back = 0; Back <= windowUnits(S, N) && Back <= First; ++Back) {
      if (First - Back >= N)
        continue;
      size_t Start = (First - Back) * Unit;
      size_t Size = windowUnits(S, N) * Unit + mix(Start) % Unit;
      if (Start + Size >= End && (!Best || Size < Best))
        Best = Size;
    }
    return Best;
  }
  default:
    return windowUnits(S, N) * Unit;
  }
}

class Bench {
public:
  Bench(Shape S, size_t N, DirectoryOptions Options)
      : S(S), N(N), D(Memory, Options) {}

  void fill() {
    for (size_t I = 0; I < N; ++I)
      if (enter(host(entryRange(S, I, N))).Result != Resolution::Created)
        wrong("fill", I);
    if (D.stats().Entries != N)
      wrong("count", D.stats().Entries);
  }

  /// Resolving eight bytes.
  void find() {
    time("find", [this](size_t I) {
      HostRange R = host(innerRange(S, I, N));
      Entry *E = D.find(R);
      if (!E || !E->Host.contains(R))
        wrong("find", I);
    });
    for (size_t K = 0; K < 2000; ++K) {
      size_t I = mix(K) % N;
      HostRange R = host(innerRange(S, I, N));
      if (D.find(R)->Host.size() != smallest(S, R, N))
        wrong("smallest", I);
    }
  }

  /// A map and unmap of what is present: a count goes up and down. First of
  /// any entry, then of the same few hundred over and over.
  void present() {
    auto Pair = [this](size_t I) {
      HostRange R = host(entryRange(S, I, N));
      EnterItem In = enter(R);
      ExitItem Out = exit(R);
      if (In.Result != Resolution::Existing || In.Target != Out.Target ||
          In.Target->Host != R || Out.Last)
        wrong("present", I);
    };
    time("present", Pair);
    time("again", Pair, /*NewChoice=*/false);
  }

  /// A map and unmap of a new range: an entry comes and goes.
  void fresh() {
    time("fresh", [this](size_t I) {
      HostRange R = host(freshRange(S, I, N));
      EnterItem In = enter(R);
      ExitItem Out = exit(R);
      if (In.Result != Resolution::Created || !Out.Last)
        wrong("fresh", I);
    });
    if (D.stats().Entries != N)
      wrong("count", D.stats().Entries);
  }

private:
  const Shape S;
  const size_t N;
  NoMemory Memory;
  Directory D;
  Plan P;

  EnterItem enter(HostRange R) {
    EnterItem Item;
    Item.Host = R;
    Item.Base = Base;
    Item.CopyIn = true;
    Status Error;
    size_t Failed = 0;
    if (D.enter({&Item, 1}, P, Error, Failed) != Outcome::Done)
      wrong("enter", R.Begin);
    D.settle(P);
    P.clear();
    return Item;
  }

  ExitItem exit(HostRange R) {
    ExitItem Item;
    Item.Host = R;
    Item.CopyOut = true;
    Status Error;
    size_t Failed = 0;
    if (D.exit({&Item, 1}, P, Error, Failed) != Outcome::Done)
      wrong("exit", R.Begin);
    ExitItem Before = Item;
    D.settle(P);
    P.clear();
    return Before;
  }

  /// Median over batches of randomly chosen entries; the ranges are chosen
  /// outside of the measurement.
  template <typename Body>
  void time(const char *Name, Body &&Run, bool NewChoice = true) {
    constexpr size_t Batches = 21, Each = 500;
    std::vector<double> Times;
    std::vector<size_t> Chosen(Each);
    uint64_t Seed = 1;
    for (size_t B = 0; B <= Batches; ++B) {
      if (NewChoice || B == 0)
        for (size_t &I : Chosen)
          I = mix(++Seed) % N;
      auto Begin = Clock::now();
      for (size_t I : Chosen)
        Run(I);
      auto End = Clock::now();
      if (B)
        Times.push_back(
            std::chrono::duration<double, std::nano>(End - Begin).count() /
            Each);
    }
    std::sort(Times.begin(), Times.end());
    std::printf("MEASURE,%s,%.1f\n", Name, Times[Batches / 2]);
  }
};

} // namespace

int main(int Argc, char **Argv) {
  int S = Argc == 4 ? shapeNamed(Argv[2]) : NumShapes;
  size_t N = Argc == 4 ? std::strtoull(Argv[3], nullptr, 10) : 0;
  if (S == NumShapes || N < 2) {
    std::fprintf(stderr, "usage: class mirror|fused SHAPE ENTRIES\n");
    return 2;
  }
  DirectoryOptions Options;
  Options.Strategy = strcmp(Argv[1], "fused") ? DirectoryOptions::Mirror
                                              : DirectoryOptions::Fused;
  Bench B(static_cast<Shape>(S), N, Options);
  B.fill();
  B.find();
  B.present();
  B.fresh();
  return 0;
}
