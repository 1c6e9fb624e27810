// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// directory-cost [largest count]: nanoseconds a directory operation takes with
// 10^3 and more live entries, in the arrangements that strain an index.

#include "directory/Directory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

using namespace accx;

namespace {
/// Addresses only: what is measured is the directory.
class NoMemory : public DeviceMemory {
  uintptr_t Next = uintptr_t(1) << 46;

public:
  size_t granularity() const override { return size_t(2) << 20; }
  uint64_t capacity() const override { return uint64_t(1) << 40; }
  Expected<uintptr_t> reserve(size_t Size) override {
    Next = (Next + granularity() - 1) / granularity() * granularity();
    return (Next += Size) - Size;
  }
  void unreserve(uintptr_t, size_t) override {}
  Status commit(uintptr_t, size_t) override { return Status(); }
  void decommit(uintptr_t, size_t) override {}
  Expected<uintptr_t> allocate(size_t Size) override {
    return (Next += (Size + 255) / 256 * 256) - (Size + 255) / 256 * 256;
  }
  void release(uintptr_t) override {}
};

constexpr uintptr_t Base = 0x7d0000000000;
using Rng = std::mt19937_64;

struct Pattern {
  const char *Name;
  HostRange (*At)(size_t I, size_t N, Rng &G);
};

const Pattern Patterns[] = {
    {"disjoint",
     [](size_t I, size_t, Rng &) {
       return HostRange{Base + I * 8192, Base + I * 8192 + 4096};
     }},
    // A tenth of the windows overlap any of them.
    {"sliding",
     [](size_t I, size_t N, Rng &) {
       return HostRange{Base + I * 64, Base + I * 64 + 4096 + N / 10 * 64};
     }},
    {"nested",
     [](size_t I, size_t N, Rng &) {
       return HostRange{Base + I * 8, Base + (2 * N - I) * 8};
     }},
    {"random",
     [](size_t, size_t N, Rng &G) {
       uintptr_t B = Base + G() % (N * 1024);
       return HostRange{B, B + 1 + G() % (uint64_t(1) << G() % 24)};
     }},
    {"tiny+huge",
     [](size_t I, size_t N, Rng &G) {
       if (I % 100)
         return HostRange{Base + I * 64, Base + I * 64 + 32};
       uintptr_t B = Base + G() % N * 64;
       return HostRange{B, B + (uintptr_t(1) << 26) + I};
     }},
};

/// Processor time: the machine may be busy with something else.
class Timer {
  double Start = now();
  static double now() {
    timespec T;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
    return T.tv_sec * 1e9 + T.tv_nsec;
  }

public:
  double ns() const { return now() - Start; }
};

/// The median of several runs over parts of \p L, in ns a call.
template <typename F> double measure(const std::vector<HostRange> &L, F &&Do) {
  constexpr size_t Runs = 11;
  size_t Calls = std::min<size_t>(L.size(), 20000);
  double Times[Runs];
  size_t At = 0;
  for (double &T : Times) {
    Timer Clock;
    for (size_t I = 0; I < Calls; ++I) {
      Do(L[At]);
      At = At + 1 < L.size() ? At + 1 : 0;
    }
    T = Clock.ns() / Calls;
  }
  std::sort(Times, Times + Runs);
  return Times[Runs / 2];
}

class Subject {
  NoMemory Memory;
  Directory D;
  Plan P;
  Status Error;
  size_t Item = 0;

public:
  explicit Subject(DirectoryOptions O) : D(Memory, O) {}

  void enter(HostRange R, bool Copy = true) {
    EnterItem It;
    It.Host = R;
    It.Base = R.Begin;
    It.CopyIn = Copy;
    if (D.enter({&It, 1}, P, Error, Item) != Outcome::Done)
      std::abort();
    D.settle(P);
  }
  void exit(HostRange R) {
    ExitItem It;
    It.Host = R;
    It.CopyOut = true;
    if (D.exit({&It, 1}, P, Error, Item) != Outcome::Done)
      std::abort();
    D.settle(P);
  }
  bool find(HostRange R) { return D.find(R); }

  /// Eight present items, one construct.
  double present() {
    std::vector<EnterItem> In(8);
    std::vector<ExitItem> Out(8);
    for (size_t I = 0; I < 8; ++I) {
      In[I].Host = Out[I].Host = {Base + I * 8192, Base + I * 8192 + 4096};
      In[I].CopyIn = Out[I].CopyOut = true;
      enter(In[I].Host);
    }
    return measure(std::vector<HostRange>(20000),
                   [&](HostRange) {
                     D.enter(In, P, Error, Item);
                     D.exit(Out, P, Error, Item);
                   }) /
           16;
  }
};

void run(const char *Name, DirectoryOptions O, size_t Largest) {
  {
    Subject S(O);
    std::printf("%s: a present item of 8, enter or exit: %.1f ns\n", Name,
                S.present());
    std::vector<HostRange> Arrays;
    for (size_t I = 0; I < 1000; ++I)
      Arrays.push_back({Base + I * 8192, Base + I * 8192 + 4096});
    double Times[21];
    for (double &T : Times) {
      Timer Clock;
      for (HostRange R : Arrays)
        S.enter(R);
      for (HostRange R : Arrays)
        S.exit(R);
      T = Clock.ns() / 2000;
    }
    std::sort(Times, Times + 21);
    std::printf("%s: 1,000 fresh arrays, enter or exit: %.1f ns\n", Name,
                Times[10]);
  }
  std::printf("%-10s %8s %8s %8s %8s %8s %8s\n", "", "entries", "exact",
              "inside", "point", "new", "extend");
  for (const Pattern &T : Patterns) {
    for (size_t N = 1000; N <= Largest; N *= 10) {
      Subject S(O);
      Rng G(1);
      std::vector<HostRange> L;
      for (size_t I = 0; I < N; ++I)
        L.push_back(T.At(I, N, G));
      std::shuffle(L.begin(), L.end(), G);
      for (HostRange R : L)
        S.enter(R);
      std::shuffle(L.begin(), L.end(), G);
      double Exact = measure(L, [&](HostRange R) {
        S.enter(R);
        S.exit(R);
      });
      double Inside = measure(L, [&](HostRange R) {
        HostRange Part{R.Begin + R.size() / 4, R.End - R.size() / 4};
        S.enter(Part);
        S.exit(Part);
      });
      double Point = measure(L, [&](HostRange R) {
        uintptr_t A = R.Begin + R.size() / 2;
        if (!S.find({A, A + 1}))
          std::abort();
      });
      // Nothing there, but in the midst of the others.
      double New = measure(L, [&](HostRange R) {
        HostRange Far = {R.Begin + (uintptr_t(1) << 38), 0};
        Far.End = Far.Begin + 64;
        S.enter(Far);
        S.exit(Far);
      });
      double Extend = measure(L, [&](HostRange R) {
        HostRange More{R.Begin + R.size() / 2, R.End + 3 + R.size() / 3};
        S.enter(More);
        S.exit(More);
      });
      std::printf("%-10s %8zu %8.0f %8.0f %8.0f %8.0f %8.0f\n", T.Name, N,
                  Exact / 2, Inside / 2, Point, New / 2, Extend / 2);
      std::fflush(stdout);
    }
  }
}
} // namespace

int main(int argc, char **argv) {
  size_t Largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  run("mirror", {}, Largest);
  DirectoryOptions Fused;
  Fused.Strategy = DirectoryOptions::Fused;
  run("fused", Fused, std::min<size_t>(Largest, 10000));
}
