//===- accx.cpp - Costs of OpenMP constructs on a GPU ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same work as driver.cpp, in OpenMP.
//
//===----------------------------------------------------------------------===//

#include "measure.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <omp.h>

extern "C" {
void *llvm_omp_target_alloc_host(size_t, int);
void llvm_omp_target_free_host(void *, int);
void __tgt_target_data_begin_mapper(void *, int64_t, int32_t, void **, void **,
                                    int64_t *, int64_t *, void **, void **);
void __tgt_target_data_end_mapper(void *, int64_t, int32_t, void **, void **,
                                  int64_t *, int64_t *, void **, void **);
}

static void emptyRegions() {
  auto Once = [] {
#pragma omp target
    {
    }
  };
  double Ms = medianMs(21, 1000, Once);
  result("empty", "accx", "1", Ms, microseconds(Ms), true);

  std::vector<char *> Arrays;
  for (int I = 0; I < NumArrays; ++I) {
    char *A = static_cast<char *>(std::malloc(ArrayBytes));
    Arrays.push_back(A);
#pragma omp target enter data map(alloc : A[0 : ArrayBytes])
  }
  Ms = medianMs(21, 1000, Once);
  result("empty-live", "accx", "1000 arrays", Ms, microseconds(Ms), true);
  for (char *A : Arrays) {
#pragma omp target exit data map(release : A[0 : ArrayBytes])
    std::free(A);
  }
}

static void oneMapped() {
  int X = 0;
#pragma omp target enter data map(to : X)
  double Ms = medianMs(21, 1000, [&] {
#pragma omp target map(tofrom : X)
    X += 1;
  });
#pragma omp target exit data map(from : X)
  result("region-present", "accx", "4 bytes", Ms, microseconds(Ms), X > 20000);
  Ms = medianMs(21, 300, [&] {
#pragma omp target map(tofrom : X)
    X += 1;
  });
  result("region-tofrom", "accx", "4 bytes", Ms, microseconds(Ms), X > 26000);
}

static void chain() {
  int Links = 0;
  int *Count = &Links;
#pragma omp target enter data map(to : Count[0 : 1])
  const double Ms = medianMs(5, 1, [&] {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int I = 0; I < 1000; ++I) {
#pragma omp target nowait depend(inout : Count[0])
      Count[0] += 1;
    }
  });
#pragma omp target exit data map(from : Count[0 : 1])
  result("nowait-chain", "accx", "1000", Ms, microseconds(Ms, 1000),
         Links == 8000);
}

/// Throughput of host threads that share the device.
static void threads(int Count) {
  constexpr int Regions = 2000;
  std::vector<int> Sums(Count);
  const double Ms = medianMs(7, 1, [&] {
#pragma omp parallel num_threads(Count)
    {
      int X = 0;
#pragma omp target data map(tofrom : X)
      for (int I = 0; I < Regions; ++I) {
#pragma omp target map(alloc : X)
        X += 1;
      }
      Sums[omp_get_thread_num()] = X;
    }
  });
  bool Right = true;
  for (int Sum : Sums)
    Right &= Sum == Regions;
  result("threads", "accx", std::to_string(Count), Ms,
         microseconds(Ms, double(Regions) * Count), Right);
}

static void sums(long N, const char *Size) {
  std::vector<double> Values(N, 0.5);
  double *X = Values.data(), Sum = 0;
#pragma omp target enter data map(to : X[0 : N])
  const double Ms = medianMs(11, N > 100000 ? 20 : 500, [&] {
    Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(tofrom : Sum)
    for (long I = 0; I < N; ++I)
      Sum += X[I];
  });
#pragma omp target exit data map(release : X[0 : N])
  result("sum", "accx", Size, Ms,
         N > 100000 ? gigabytes(Ms, N * 8.0) : microseconds(Ms),
         std::fabs(Sum - N * 0.5) < 1e-6 * N);
}

static void saxpy() {
  const long N = SaxpyCount;
  std::vector<float> Xs(N, 1), Ys(N, 0);
  float *X = Xs.data(), *Y = Ys.data();
#pragma omp target enter data map(to : X[0 : N], Y[0 : N])
  int Calls = 0;
  const double Ms = medianMs(11, 20, [&] {
    ++Calls;
#pragma omp target teams distribute parallel for
    for (long I = 0; I < N; ++I)
      Y[I] += 2 * X[I];
  });
#pragma omp target exit data map(from : Y[0 : N]) map(release : X[0 : N])
  result("saxpy", "accx", std::to_string(N), Ms, gigabytes(Ms, N * 12.0),
         Y[0] == 2.0f * Calls && Y[N - 1] == 2.0f * Calls);
}

static void arrays() {
  std::vector<void *> Ptrs;
  for (int I = 0; I < NumArrays; ++I) {
    Ptrs.push_back(std::malloc(ArrayBytes));
    std::memset(Ptrs.back(), I, ArrayBytes);
  }
  using Clock = std::chrono::steady_clock;
  auto Since = [](Clock::time_point Begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - Begin)
        .count();
  };
  auto Median = [](std::vector<double> &T) {
    std::nth_element(T.begin(), T.begin() + T.size() / 2, T.end());
    return T[T.size() / 2];
  };
  const int Device = omp_get_default_device();

  std::vector<double> Enter, Exit, EnterAll, ExitAll;
  std::vector<int64_t> Sizes(NumArrays, ArrayBytes), To(NumArrays, 1),
      From(NumArrays, 2);
  for (int Round = 0; Round < 15; ++Round) {
    auto Begin = Clock::now();
    for (void *P : Ptrs) {
      char *A = static_cast<char *>(P);
#pragma omp target enter data map(to : A[0 : ArrayBytes])
    }
    Enter.push_back(Since(Begin));
    Begin = Clock::now();
    for (void *P : Ptrs) {
      char *A = static_cast<char *>(P);
#pragma omp target exit data map(from : A[0 : ArrayBytes])
    }
    Exit.push_back(Since(Begin));

    Begin = Clock::now();
    __tgt_target_data_begin_mapper(nullptr, Device, NumArrays, Ptrs.data(),
                                   Ptrs.data(), Sizes.data(), To.data(),
                                   nullptr, nullptr);
    EnterAll.push_back(Since(Begin));
    for (void *P : Ptrs)
      std::memset(P, 0xee, ArrayBytes);
    Begin = Clock::now();
    __tgt_target_data_end_mapper(nullptr, Device, NumArrays, Ptrs.data(),
                                 Ptrs.data(), Sizes.data(), From.data(),
                                 nullptr, nullptr);
    ExitAll.push_back(Since(Begin));
  }
  bool Right = true;
  for (int I = 0; I < NumArrays; ++I) {
    const auto *P = static_cast<unsigned char *>(Ptrs[I]);
    Right &= P[0] == (I & 255) && P[ArrayBytes - 1] == (I & 255);
    std::free(Ptrs[I]);
  }
  double Ms = Median(Enter);
  result("enter-each", "accx", "1000 x 4 KiB", Ms, microseconds(Ms, NumArrays),
         Right);
  Ms = Median(Exit);
  result("exit-each", "accx", "1000 x 4 KiB", Ms, microseconds(Ms, NumArrays),
         Right);
  Ms = Median(EnterAll);
  result("enter-once", "accx", "1000 x 4 KiB", Ms, microseconds(Ms, NumArrays),
         Right);
  Ms = Median(ExitAll);
  result("exit-once", "accx", "1000 x 4 KiB", Ms, microseconds(Ms, NumArrays),
         Right);
}

static void copies(const char *Kind, char *P, size_t Bytes, int Operations) {
  for (size_t I = 0; I < Bytes; ++I)
    P[I] = char(I * 31 >> 3);
  const std::string Size = std::to_string(Bytes);
#pragma omp target enter data map(alloc : P[0 : Bytes])
  double Ms = medianMs(9, Operations, [&] {
#pragma omp target update to(P[0 : Bytes])
  });
  const std::string Name = std::string("copy-") + Kind;
  const double In = Ms;
  std::memset(P, 0, Bytes);
  Ms = medianMs(9, Operations, [&] {
#pragma omp target update from(P[0 : Bytes])
  });
  bool Right = true;
  for (size_t I = 0; I < Bytes; ++I)
    Right &= P[I] == char(I * 31 >> 3);
  result((Name + "-in").c_str(), "accx", Size, In, gigabytes(In, Bytes), Right);
  result((Name + "-out").c_str(), "accx", Size, Ms, gigabytes(Ms, Bytes),
         Right);
#pragma omp target exit data map(release : P[0 : Bytes])
}

/// Usage: accx [chain]; alone it tells what libomp's tasks cost.
int main(int Argc, char **) {
  if (Argc > 1) {
    chain();
    return 0;
  }
  emptyRegions();
  oneMapped();
  chain();
  threads(1);
  threads(10);
  sums(SmallSum, "1024");
  sums(LargeSum, "33554432");
  saxpy();
  arrays();
  char *Pageable = static_cast<char *>(std::malloc(CopyBytes));
  for (size_t Bytes :
       {size_t(32) << 10, size_t(256) << 10, size_t(512) << 10, size_t(1) << 20,
        size_t(2) << 20, size_t(4) << 20, size_t(16) << 20})
    copies("pageable", Pageable, Bytes, 20);
  copies("pageable", Pageable, CopyBytes, 1);
  std::free(Pageable);
  auto *Pinned = static_cast<char *>(
      llvm_omp_target_alloc_host(CopyBytes, omp_get_default_device()));
  copies("pinned", Pinned, CopyBytes, 1);
  llvm_omp_target_free_host(Pinned, omp_get_default_device());
}
