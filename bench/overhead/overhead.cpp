//===-- overhead.cpp - Cost of the smallest offload constructs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times the constructs whose cost is all runtime and no work. The binary knows
// nothing of the library it runs on, so that the same file measures rivals.
//
// Usage: overhead [form [case ...]], form being 1t, 2pthreads, 2omp or all;
// prints MEASURE,<case>:<form>,<ns an operation>. Measure one case and form a
// process: LLVM's libomp aborts when teams follow several kinds of host thread.
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <omp.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::time_point Begin, Clock::time_point End) {
  return std::chrono::duration<double, std::nano>(End - Begin).count();
}

/// What one host thread measured: nanoseconds an operation, one per batch.
struct Samples {
  std::vector<double> First;  ///< The case itself, or its entering half.
  std::vector<double> Second; ///< The exiting half, where there is one.
  bool Correct = true;
};

/// All threads leave together, so that they contend while being timed.
class SpinBarrier {
public:
  explicit SpinBarrier(int Parties) : Parties(Parties) {}
  void wait() {
    int Ticket = Arrived.fetch_add(1);
    int Goal = (Ticket / Parties + 1) * Parties;
    while (Arrived.load() < Goal)
      std::this_thread::yield();
  }

private:
  const int Parties;
  std::atomic<int> Arrived{0};
};

using Case = std::function<void(int Device, SpinBarrier &, Samples &)>;

constexpr int Batches = 15;

/// Times \p Operations calls a batch; the first batch only warms up.
template <typename Body>
void timeBatches(int Operations, SpinBarrier &Together, Samples &Out,
                 Body &&Run) {
  for (int Batch = 0; Batch <= Batches; ++Batch) {
    Together.wait();
    auto Begin = Clock::now();
    Run(Operations);
    auto End = Clock::now();
    if (Batch)
      Out.First.push_back(nanoseconds(Begin, End) / Operations);
  }
}

void emptyRegion(int Device, SpinBarrier &Together, Samples &Out) {
  timeBatches(1000, Together, Out, [=](int Operations) {
    for (int I = 0; I < Operations; ++I) {
#pragma omp target device(Device)
      {
      }
    }
  });
}

void eightPresentMaps(int Device, SpinBarrier &Together, Samples &Out) {
  constexpr int N = 64;
  constexpr int Operations = 500;
  std::vector<int> Storage(8 * N, 0);
  int *A = &Storage[0 * N], *B = &Storage[1 * N], *C = &Storage[2 * N],
      *D = &Storage[3 * N], *E = &Storage[4 * N], *F = &Storage[5 * N],
      *G = &Storage[6 * N], *H = &Storage[7 * N];
#pragma omp target enter data device(Device)                                   \
    map(to : A[0 : N], B[0 : N], C[0 : N], D[0 : N], E[0 : N], F[0 : N],       \
            G[0 : N], H[0 : N])
  timeBatches(Operations, Together, Out, [=](int Count) {
    for (int I = 0; I < Count; ++I) {
#pragma omp target device(Device)                                              \
    map(tofrom : A[0 : N], B[0 : N], C[0 : N], D[0 : N], E[0 : N], F[0 : N],   \
            G[0 : N], H[0 : N])
      {
        A[0] += 1, B[1] += 2, C[2] += 3, D[3] += 4;
        E[4] += 5, F[5] += 6, G[6] += 7, H[7] += 8;
      }
    }
  });
#pragma omp target exit data device(Device)                                    \
    map(from : A[0 : N], B[0 : N], C[0 : N], D[0 : N], E[0 : N], F[0 : N],     \
            G[0 : N], H[0 : N])
  for (int I = 0; I < 8; ++I)
    for (int J = 0; J < N; ++J)
      if (Storage[I * N + J] !=
          (I == J ? (I + 1) * Operations * (Batches + 1) : 0))
        Out.Correct = false;
}

/// Enters 1,000 arrays of \p Bytes one by one, then exits them one by one.
/// The host's values are spoiled in between: the exit must restore them.
template <bool Copies>
void thousandArrays(size_t Bytes, int Device, SpinBarrier &Together,
                    Samples &Out) {
  constexpr int Arrays = 1000;
  std::vector<char *> Data(Arrays);
  for (int I = 0; I < Arrays; ++I) {
    Data[I] = static_cast<char *>(std::malloc(Bytes));
    std::memset(Data[I], I & 127, Bytes);
  }
  for (int Batch = 0; Batch <= Batches; ++Batch) {
    Together.wait();
    auto Begin = Clock::now();
    for (int I = 0; I < Arrays; ++I) {
      char *P = Data[I];
      if (Copies) {
#pragma omp target enter data device(Device) map(to : P[0 : Bytes])
      } else {
#pragma omp target enter data device(Device) map(alloc : P[0 : Bytes])
      }
    }
    auto Middle = Clock::now();
    for (int I = 0; I < Arrays; ++I) {
      if (!omp_target_is_present(Data[I], Device))
        Out.Correct = false;
      if (Copies)
        Data[I][0] = Data[I][Bytes - 1] = -1;
    }
    Together.wait();
    auto Again = Clock::now();
    for (int I = 0; I < Arrays; ++I) {
      char *P = Data[I];
      if (Copies) {
#pragma omp target exit data device(Device) map(from : P[0 : Bytes])
      } else {
#pragma omp target exit data device(Device) map(release : P[0 : Bytes])
      }
    }
    auto End = Clock::now();
    for (int I = 0; I < Arrays; ++I) {
      if (Data[I][0] != (I & 127) || Data[I][Bytes - 1] != (I & 127) ||
          omp_target_is_present(Data[I], Device))
        Out.Correct = false;
    }
    if (Batch) {
      Out.First.push_back(nanoseconds(Begin, Middle) / Arrays);
      Out.Second.push_back(nanoseconds(Again, End) / Arrays);
    }
  }
  for (char *P : Data)
    std::free(P);
}

void scalarReduction(int Device, SpinBarrier &Together, Samples &Out) {
  static constexpr int N = 1000;
  bool Correct = true;
  timeBatches(100, Together, Out, [Device, &Correct](int Operations) {
    for (int I = 0; I < Operations; ++I) {
      long Sum = I;
#pragma omp target teams distribute parallel for device(Device)                \
    reduction(+ : Sum) map(tofrom : Sum)
      for (int J = 0; J < N; ++J)
        Sum += J;
      Correct = Correct && Sum == I + N * (N - 1l) / 2;
    }
  });
  Out.Correct = Out.Correct && Correct;
}

/// The same without teams: one fork instead of two nested ones.
void parallelReduction(int Device, SpinBarrier &Together, Samples &Out) {
  static constexpr int N = 1000;
  bool Correct = true;
  timeBatches(100, Together, Out, [Device, &Correct](int Operations) {
    for (int I = 0; I < Operations; ++I) {
      long Sum = I;
#pragma omp target parallel for device(Device) reduction(+ : Sum)              \
    map(tofrom : Sum)
      for (int J = 0; J < N; ++J)
        Sum += J;
      Correct = Correct && Sum == I + N * (N - 1l) / 2;
    }
  });
  Out.Correct = Out.Correct && Correct;
}

/// The reduction's data motion without the threads a parallel loop needs.
void serialScalar(int Device, SpinBarrier &Together, Samples &Out) {
  bool Correct = true;
  timeBatches(500, Together, Out, [Device, &Correct](int Operations) {
    for (int I = 0; I < Operations; ++I) {
      long Sum = I;
#pragma omp target device(Device) map(tofrom : Sum)
      Sum += 41;
      Correct = Correct && Sum == I + 41;
    }
  });
  Out.Correct = Out.Correct && Correct;
}

void nowaitRegions(int Device, SpinBarrier &Together, Samples &Out) {
  constexpr int InFlight = 32;
  static thread_local int Cells[InFlight];
  int *P = Cells;
  std::fill(P, P + InFlight, 0);
#pragma omp target enter data device(Device) map(to : P[0 : InFlight])
  timeBatches(InFlight * 4, Together, Out, [=](int Operations) {
    for (int Round = 0; Round < Operations / InFlight; ++Round) {
      for (int I = 0; I < InFlight; ++I) {
#pragma omp target device(Device) map(tofrom : P[0 : InFlight]) nowait
        P[I] += 1;
      }
#pragma omp taskwait
    }
  });
#pragma omp target exit data device(Device) map(from : P[0 : InFlight])
  for (int I = 0; I < InFlight; ++I)
    if (P[I] != 4 * (Batches + 1))
      Out.Correct = false;
}

double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  size_t Half = Values.size() / 2;
  return Values.size() % 2 ? Values[Half]
                           : (Values[Half - 1] + Values[Half]) / 2;
}

enum class Form { OneThread, HostThreads, ParallelRegion };

std::vector<Samples> runForm(Form How, const Case &Run) {
  int Threads = How == Form::OneThread ? 1 : 2;
  SpinBarrier Together(Threads);
  std::vector<Samples> All(Threads);
  if (How == Form::OneThread) {
    Run(0, Together, All[0]);
  } else if (How == Form::HostThreads) {
    std::vector<std::thread> Crew;
    for (int T = 0; T < Threads; ++T)
      Crew.emplace_back([&, T] { Run(T, Together, All[T]); });
    for (std::thread &T : Crew)
      T.join();
  } else {
#pragma omp parallel num_threads(2)
    {
      int T = omp_get_thread_num();
      Run(T, Together, All[T]);
    }
  }
  return All;
}

} // namespace

int main(int Argc, char **Argv) {
  if (omp_get_num_devices() < 2) {
    std::fprintf(stderr, "overhead: needs two devices\n");
    return 2;
  }
  struct Named {
    const char *Name;
    const char *SecondName;
    Case Run;
  };
  auto Arrays = [](auto Copies, size_t Bytes) -> Case {
    return [=](int Device, SpinBarrier &Together, Samples &Out) {
      thousandArrays<decltype(Copies)::value>(Bytes, Device, Together, Out);
    };
  };
  std::true_type To;
  std::false_type Alloc;
  const Named Cases[] = {
      {"empty", nullptr, emptyRegion},
      {"maps8", nullptr, eightPresentMaps},
      {"enter1000x64B", "exit1000x64B", Arrays(To, 64)},
      {"enter1000x4KiB", "exit1000x4KiB", Arrays(To, 4096)},
      {"alloc1000x4KiB", "release1000x4KiB", Arrays(Alloc, 4096)},
      {"scalar", nullptr, serialScalar},
      {"reduction", nullptr, scalarReduction},
      {"parallel", nullptr, parallelReduction},
      {"nowait", nullptr, nowaitRegions},
  };
  const struct {
    Form How;
    const char *Name;
  } Forms[] = {{Form::OneThread, "1t"},
               {Form::HostThreads, "2pthreads"},
               {Form::ParallelRegion, "2omp"}};

  // Started from the initial thread: libomp's helper threads cannot be created
  // by two threads at once.
#pragma omp target nowait
  {
  }
#pragma omp taskwait

  bool Correct = true;
  for (const Named &N : Cases) {
    bool Wanted = Argc <= 2;
    for (int I = 2; I < Argc; ++I)
      Wanted |= !std::strcmp(N.Name, Argv[I]);
    if (!Wanted)
      continue;
    for (auto &F : Forms) {
      if (Argc > 1 && std::strcmp(Argv[1], "all") &&
          std::strcmp(Argv[1], F.Name))
        continue;
      std::vector<double> First, Second;
      for (Samples &S : runForm(F.How, N.Run)) {
        First.insert(First.end(), S.First.begin(), S.First.end());
        Second.insert(Second.end(), S.Second.begin(), S.Second.end());
        if (!S.Correct) {
          std::printf("BAD,%s:%s\n", N.Name, F.Name);
          Correct = false;
        }
      }
      std::printf("MEASURE,%s:%s,%.1f\n", N.Name, F.Name, median(First));
      if (N.SecondName)
        std::printf("MEASURE,%s:%s,%.1f\n", N.SecondName, F.Name,
                    median(Second));
      std::fflush(stdout);
    }
  }
  return Correct ? 0 : 1;
}
