//===- kmeans.cpp - Clusters of points, with atomic sums ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lloyd's algorithm on points in Dim dimensions, of float or double. A kernel
// finds the nearest centre of each point and adds the point to that cluster's
// sums atomically; the host moves the centres and sends them back. The number
// of points that changed their cluster is a reduction and ends the iteration.
//
// Usage: kmeans [points [clusters]]
//
//===----------------------------------------------------------------------===//

#include "demo_acc.h"

#include <cstdio>
#include <vector>

namespace {

constexpr int Dim = 4;
constexpr int MaxIterations = 40;

template <typename T> struct Clusters {
  std::vector<T> Centres;
  std::vector<int> Assigned;
  int Iterations = 0;
};

/// The centre that is nearest to Point.
#pragma acc routine seq
template <typename T> int nearest(const T *Point, const T *Centres, int Count) {
  int Best = 0;
  T BestDistance = 0;
  for (int C = 0; C < Count; ++C) {
    T Distance = 0;
    for (int D = 0; D < Dim; ++D) {
      T Difference = Point[D] - Centres[C * Dim + D];
      Distance += Difference * Difference;
    }
    if (C == 0 || Distance < BestDistance) {
      Best = C;
      BestDistance = Distance;
    }
  }
  return Best;
}

template <typename T>
void recentre(std::vector<T> &Centres, const double *Sums, const int *Sizes) {
  for (std::size_t C = 0; C < Centres.size() / Dim; ++C)
    for (int D = 0; D < Dim; ++D)
      if (Sizes[C])
        Centres[C * Dim + D] = static_cast<T>(Sums[C * Dim + D] / Sizes[C]);
}

template <typename T> std::vector<T> firstCentres(const T *Points, int Count) {
  return std::vector<T>(Points, Points + static_cast<std::size_t>(Count) * Dim);
}

template <typename T>
Clusters<T> onDevice(const std::vector<T> &Data, int Count) {
  const T *Points = Data.data();
  const int N = static_cast<int>(Data.size() / Dim);
  Clusters<T> Result{firstCentres(Points, Count), std::vector<int>(N, -1), 0};
  std::vector<double> SumData(Count * Dim);
  std::vector<int> SizeData(Count);
  T *Centres = Result.Centres.data();
  int *Assigned = Result.Assigned.data(), *Sizes = SizeData.data();
  double *Sums = SumData.data();
#pragma acc data copyin(Points[0 : N * Dim], Centres[0 : Count * Dim])         \
    copy(Assigned[0 : N]) create(Sums[0 : Count * Dim], Sizes[0 : Count])
  for (int Changed = 1; Changed && Result.Iterations < MaxIterations;
       ++Result.Iterations) {
#pragma acc parallel loop present(Sums, Sizes)
    for (int C = 0; C < Count; ++C) {
      Sizes[C] = 0;
      for (int D = 0; D < Dim; ++D)
        Sums[C * Dim + D] = 0;
    }
    Changed = 0;
#pragma acc parallel loop gang vector reduction(+ : Changed)                   \
    present(Points, Centres, Assigned, Sums, Sizes)
    for (int I = 0; I < N; ++I) {
      int C = nearest(&Points[I * Dim], Centres, Count);
      Changed += C != Assigned[I];
      Assigned[I] = C;
#pragma acc atomic update
      Sizes[C]++;
#pragma acc loop seq
      for (int D = 0; D < Dim; ++D) {
#pragma acc atomic update
        Sums[C * Dim + D] += Points[I * Dim + D];
      }
    }
#pragma acc update self(Sums[0 : Count * Dim], Sizes[0 : Count])
    recentre(Result.Centres, Sums, Sizes);
#pragma acc update device(Centres[0 : Count * Dim])
  }
  return Result;
}

template <typename T>
Clusters<T> onHost(const std::vector<T> &Data, int Count) {
  const T *Points = Data.data();
  const int N = static_cast<int>(Data.size() / Dim);
  Clusters<T> Result{firstCentres(Points, Count), std::vector<int>(N, -1), 0};
  for (int Changed = 1; Changed && Result.Iterations < MaxIterations;
       ++Result.Iterations) {
    std::vector<double> Sums(Count * Dim);
    std::vector<int> Sizes(Count);
    Changed = 0;
    for (int I = 0; I < N; ++I) {
      int C = nearest(&Points[I * Dim], Result.Centres.data(), Count);
      Changed += C != Result.Assigned[I];
      Result.Assigned[I] = C;
      ++Sizes[C];
      for (int D = 0; D < Dim; ++D)
        Sums[C * Dim + D] += Points[I * Dim + D];
    }
    recentre(Result.Centres, Sums.data(), Sizes.data());
  }
  return Result;
}

template <typename T> int measure(const char *Name, int N, int Count) {
  // The coordinates are multiples of 2^-13 and small: their sums are exact in
  // any order, so that the assignments can be compared one by one.
  std::vector<T> Data(static_cast<std::size_t>(N) * Dim);
  for (std::size_t I = 0; I < Data.size(); ++I)
    Data[I] = static_cast<T>(static_cast<int>(demoValue(I) * 8192) +
                             8192 * (I / Dim % 3)) /
              8192;
  Clusters<T> Expected = onHost(Data, Count);

  double Times[DemoRepeats];
  int Good = 1;
  for (double &Time : Times) {
    double Begin = demoNow();
    Clusters<T> Got = onDevice(Data, Count);
    Time = demoNow() - Begin;
    Good = Good && Got.Iterations == Expected.Iterations &&
           demoEqual(Got.Assigned.data(), Expected.Assigned.data(), N);
    for (std::size_t I = 0; I < Got.Centres.size(); ++I)
      Good = Good && demoNear(Got.Centres[I], Expected.Centres[I], 1e-6);
  }
  char Size[48], Metric[64];
  std::snprintf(Size, sizeof(Size), "%dx%d", N, Count);
  std::snprintf(Metric, sizeof(Metric), "%d iterations on %s",
                Expected.Iterations, demoPlace(1));
  return demoReport(Name, Size, demoMedianMs(Times, DemoRepeats), Metric, Good);
}

} // namespace

int main(int Argc, char **Argv) {
  int N = demoSize(Argc, Argv, 1, 50021);
  int Count = demoSize(Argc, Argv, 2, 11);
  demoDevices();
  if (N < Count) {
    std::fprintf(stderr, "demo: fewer points than clusters\n");
    return 2;
  }
  int Bad = measure<float>("acc-kmeans-f", N, Count);
  return Bad | measure<double>("acc-kmeans-d", N, Count);
}
