//===- spellings.cpp - One stencil in many words of C++ -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 7-point stencil of directives.c as other programs write it: templates,
// references, lambdas, structures, pointers to rows, backwards, as one loop
// with divisions, with each composite construct, by global variables.
// rivals.cu has its CUDA version.
//
//===----------------------------------------------------------------------===//

#include "measure.h"

#include <cstddef>

namespace {

template <class IndexT> struct Cube {
  IndexT N;
  IndexT at(IndexT Z, IndexT Y, IndexT X) const { return (Z * N + Y) * N + X; }
};

inline float weigh(float C, float W, float E, float N, float S, float B,
                   float T) {
  return 0.5f * C + 0.08f * (W + E + N + S + B + T);
}

template <class IndexT>
inline float cell(const float *A, IndexT I, IndexT N, IndexT P) {
  return weigh(A[I], A[I - 1], A[I + 1], A[I - N], A[I + N], A[I - P],
               A[I + P]);
}

template <class IndexT> void collapsed(IndexT N, const float *A, float *B) {
#pragma omp target teams distribute parallel for collapse(3)
  for (IndexT Z = 1; Z < N - 1; ++Z)
    for (IndexT Y = 1; Y < N - 1; ++Y)
      for (IndexT X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] = cell<IndexT>(A, (Z * N + Y) * N + X, N, N * N);
}

template <class IndexT>
void references(const IndexT &N, const float *const &A, float *const &B) {
#pragma omp target teams distribute parallel for collapse(3)
  for (IndexT Z = 1; Z < N - 1; ++Z)
    for (IndexT Y = 1; Y < N - 1; ++Y)
      for (IndexT X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] = cell<IndexT>(A, (Z * N + Y) * N + X, N, N * N);
}

template <class IndexT> void members(IndexT N, const float *A, float *B) {
  const Cube<IndexT> C{N};
#pragma omp target teams distribute parallel for collapse(3)
  for (IndexT Z = 1; Z < C.N - 1; ++Z)
    for (IndexT Y = 1; Y < C.N - 1; ++Y)
      for (IndexT X = 1; X < C.N - 1; ++X)
        B[C.at(Z, Y, X)] =
            weigh(A[C.at(Z, Y, X)], A[C.at(Z, Y, X - 1)], A[C.at(Z, Y, X + 1)],
                  A[C.at(Z, Y - 1, X)], A[C.at(Z, Y + 1, X)],
                  A[C.at(Z - 1, Y, X)], A[C.at(Z + 1, Y, X)]);
}

template <class IndexT> void lambda(IndexT N, const float *A, float *B) {
#pragma omp target teams distribute parallel for collapse(3)
  for (IndexT Z = 1; Z < N - 1; ++Z)
    for (IndexT Y = 1; Y < N - 1; ++Y)
      for (IndexT X = 1; X < N - 1; ++X) {
        const auto At = [&](IndexT DZ, IndexT DY, IndexT DX) {
          return A[((Z + DZ) * N + Y + DY) * N + X + DX];
        };
        const IndexT L = IndexT(-1);
        B[(Z * N + Y) * N + X] =
            weigh(At(0, 0, 0), At(0, 0, L), At(0, 0, 1), At(0, L, 0),
                  At(0, 1, 0), At(L, 0, 0), At(1, 0, 0));
      }
}

template <class IndexT> void rows(IndexT N, const float *A, float *B) {
#pragma omp target teams distribute parallel for collapse(3)
  for (IndexT Z = 1; Z < N - 1; ++Z)
    for (IndexT Y = 1; Y < N - 1; ++Y)
      for (IndexT X = 1; X < N - 1; ++X) {
        const float *Row = A + (Z * N + Y) * N;
        const float *North = Row - N, *South = Row + N;
        const float *Below = Row - N * N, *Above = Row + N * N;
        float *Out = B + (Z * N + Y) * N;
        Out[X] = weigh(Row[X], Row[X - 1], Row[X + 1], North[X], South[X],
                       Below[X], Above[X]);
      }
}

void backwards(int N, const float *A, float *B) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int Z = N - 2; Z > 0; --Z)
    for (int Y = N - 2; Y > 0; --Y)
      for (int X = N - 2; X > 0; --X)
        B[(Z * N + Y) * N + X] = cell<int>(A, (Z * N + Y) * N + X, N, N * N);
}

template <class IndexT> void divisions(IndexT N, const float *A, float *B) {
#pragma omp target teams distribute parallel for
  for (IndexT I = 0; I < N * N * N; ++I) {
    const IndexT X = I % N, Y = I / N % N, Z = I / (N * N);
    if (X > 0 && Y > 0 && Z > 0 && X < N - 1 && Y < N - 1 && Z < N - 1)
      B[I] = cell<IndexT>(A, I, N, N * N);
  }
}

void loops(int N, const float *A, float *B) {
#pragma omp target teams loop collapse(3)
  for (int Z = 1; Z < N - 1; ++Z)
    for (int Y = 1; Y < N - 1; ++Y)
      for (int X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] = cell<int>(A, (Z * N + Y) * N + X, N, N * N);
}

void composite(long N, const float *A, float *B) {
#pragma omp target teams distribute parallel for simd collapse(3)
  for (long Z = 1; Z < N - 1; ++Z)
    for (long Y = 1; Y < N - 1; ++Y)
      for (long X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] = cell<long>(A, (Z * N + Y) * N + X, N, N * N);
}

void simdInside(int N, const float *A, float *B) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int Z = 1; Z < N - 1; ++Z)
    for (int Y = 1; Y < N - 1; ++Y) {
#pragma omp simd
      for (int X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] = cell<int>(A, (Z * N + Y) * N + X, N, N * N);
    }
}

template <class IndexT>
void threadsInTeams(IndexT N, const float *A, float *B) {
#pragma omp target teams distribute collapse(2)
  for (IndexT Z = 1; Z < N - 1; ++Z)
    for (IndexT Y = 1; Y < N - 1; ++Y) {
#pragma omp parallel for simd
      for (IndexT X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] = cell<IndexT>(A, (Z * N + Y) * N + X, N, N * N);
    }
}

void kernels(int N, const float *A, float *B) {
#pragma acc kernels default(present)
  {
#pragma acc loop independent
    for (int Z = 1; Z < N - 1; ++Z)
#pragma acc loop independent
      for (int Y = 1; Y < N - 1; ++Y)
#pragma acc loop independent
        for (int X = 1; X < N - 1; ++X)
          B[(Z * N + Y) * N + X] =
              0.5f * A[(Z * N + Y) * N + X] +
              0.08f *
                  (A[(Z * N + Y) * N + X - 1] + A[(Z * N + Y) * N + X + 1] +
                   A[(Z * N + Y - 1) * N + X] + A[(Z * N + Y + 1) * N + X] +
                   A[((Z - 1) * N + Y) * N + X] + A[((Z + 1) * N + Y) * N + X]);
  }
}

void threeLevels(int N, const float *A, float *B) {
#pragma acc parallel loop gang default(present)
  for (int Z = 1; Z < N - 1; ++Z)
#pragma acc loop worker
    for (int Y = 1; Y < N - 1; ++Y)
#pragma acc loop vector
      for (int X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] =
            0.5f * A[(Z * N + Y) * N + X] +
            0.08f *
                (A[(Z * N + Y) * N + X - 1] + A[(Z * N + Y) * N + X + 1] +
                 A[(Z * N + Y - 1) * N + X] + A[(Z * N + Y + 1) * N + X] +
                 A[((Z - 1) * N + Y) * N + X] + A[((Z + 1) * N + Y) * N + X]);
}

// Extents and a table of arrays that a function of the device knows.
#pragma omp declare target
int Extent;
float *Grids[2];
inline float &grid(int Which, int Z, int Y, int X) {
  return Grids[Which][(Z * Extent + Y) * Extent + X];
}
#pragma omp end declare target

void globals(int N, const float *A, float *B) {
  static const float *First = nullptr;
  if (A != First && B != First) {
    First = A;
#pragma omp target
    {
      Extent = N;
      Grids[0] = const_cast<float *>(A);
      Grids[1] = B;
    }
  }
  const int From = A != First;
#pragma omp target teams distribute parallel for collapse(3)
  for (int Z = 1; Z < Extent - 1; ++Z)
    for (int Y = 1; Y < Extent - 1; ++Y)
      for (int X = 1; X < Extent - 1; ++X)
        grid(1 - From, Z, Y, X) =
            weigh(grid(From, Z, Y, X), grid(From, Z, Y, X - 1),
                  grid(From, Z, Y, X + 1), grid(From, Z, Y - 1, X),
                  grid(From, Z, Y + 1, X), grid(From, Z - 1, Y, X),
                  grid(From, Z + 1, Y, X));
}

template <class RunT>
void sweep(const char *Spelling, size_t N, const RunT &Run) {
  const size_t P = N * N, All = P * N;
  // Only what no spelling writes has to be equal.
  static float *A = filled(All), *B = filled(All);
  double Ms;
  int Right = 1;
#pragma omp target data map(to : A[ : All], B[ : All])
  {
    Run(A, B);
#pragma omp target update from(B[ : All])
    for
      SPREAD(I, All) {
        const size_t X = I % N, Y = I / N % N, Z = I / P;
        float Want = A[I];
        if (X && Y && Z && X + 1 < N && Y + 1 < N && Z + 1 < N)
          Want = cell<size_t>(A, I, N, P);
        Right &= isNear(B[I], Want, 1e-5);
      }
    MEDIAN_OF(
        Ms, for (int S = 0; S < STENCIL_STEPS; S += 2) {
          Run(A, B);
          Run(B, A);
        });
  }
  report("stencil", Spelling, (long)N, Ms, (double)All * STENCIL_STEPS,
         "Gcell/s", Right);
}

template <class IndexT> void sweepAll(const char *Type, size_t Size) {
  const auto Of = [&](const char *Name, auto Run) {
    char Spelling[64];
    snprintf(Spelling, sizeof Spelling, "%s-%s", Type, Name);
    sweep(Spelling, Size,
          [&](const float *A, float *B) { Run((IndexT)Size, A, B); });
  };
  Of("collapsed", collapsed<IndexT>);
  Of("references", references<IndexT>);
  Of("members", members<IndexT>);
  Of("lambda", lambda<IndexT>);
  Of("rows", rows<IndexT>);
  Of("divisions", divisions<IndexT>);
  Of("threads-in-teams", threadsInTeams<IndexT>);
}

} // namespace

int main(int Count, char **Args) {
  const size_t Size = Count > 1 && !strcmp(Args[1], "small") ? 37 : 512;
  const int N = (int)Size;
  sweepAll<int>("int", Size);
  sweepAll<unsigned>("unsigned", Size);
  sweepAll<long>("long", Size);
  sweepAll<std::size_t>("size_t", Size);
  const auto Of = [&](const char *Name, auto Run) {
    sweep(Name, Size, [&](const float *A, float *B) { Run(N, A, B); });
  };
  Of("backwards", backwards);
  Of("omp-loop", loops);
  Of("for-simd", composite);
  Of("simd-inside", simdInside);
  Of("acc-kernels", kernels);
  Of("acc-levels", threeLevels);
  Of("globals", globals);
  return Wrong != 0;
}
