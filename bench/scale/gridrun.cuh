//===- gridrun.cuh - A stencil by hand on several GPUs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each GPU has a block of rows and a row of each neighbour's:
//
//     row 0           the last row of the GPU before, or the border
//     rows 1..Count   its own
//     row Count + 1   the first row of the GPU behind, or the border
//
//   Loads   the kernel reads the neighbours' rows where they lie
//   Copies  peer copies behind each kernel fill rows 0 and Count + 1
//
// The shape of blocks is the fastest of several, tried ahead of each run.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_BENCH_SCALE_GRIDRUN_CUH
#define ACCX_BENCH_SCALE_GRIDRUN_CUH

#include "team.cuh"

#include <iterator>

enum class Halo { Loads, Copies };

struct Jacobi {
  using Item = float;
  SCALE_BOTH static float begin(int Row, int X, int Pitch) {
    return scaleValue(size_t(Row) * Pitch + X);
  }
  __device__ float operator()(float U, float L, float, float R, float D) const {
    return jacobiNext(U, L, R, D);
  }
};

struct Heat {
  using Item = float;
  float Speed;
  SCALE_BOTH static float begin(int Row, int X, int Pitch) {
    return scaleValue(size_t(Row) * Pitch + X);
  }
  __device__ float operator()(float U, float L, float C, float R,
                              float D) const {
    return heatNext(U, L, C, R, D, Speed);
  }
};

struct Hydro {
  using Item = Gas;
  float Ratio;
  SCALE_BOTH static Gas begin(int Row, int X, int Pitch) {
    return gasBegin(Pitch, Row, X);
  }
  __device__ Gas operator()(Gas U, Gas L, Gas C, Gas R, Gas D) const {
    return gasNext(U, L, C, R, D, Ratio);
  }
};

/// Each thread has K rows, one below the other.
template <class Rule, int K, class T = typename Rule::Item>
__global__ void sweep(const T *__restrict__ In, T *__restrict__ Out,
                      const T *__restrict__ Above, const T *__restrict__ Below,
                      int Pitch, int Count, Rule R) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = (blockIdx.y * blockDim.y + threadIdx.y) * K + 1;
  if (X < 1 || X >= Pitch - 1)
    return;
#pragma unroll
  for (int I = 0; I < K; ++I, ++Y)
    if (Y <= Count) {
      const T *M = In + size_t(Y) * Pitch + X;
      const T *U = Y == 1 ? Above + X : M - Pitch;
      const T *D = Y == Count ? Below + X : M + Pitch;
      Out[size_t(Y) * Pitch + X] = R(*U, M[-1], *M, M[1], *D);
    }
}

template <class Rule, class T = typename Rule::Item>
__global__ void fillRows(T *A, int FirstRow, int Rows, int Pitch) {
  const size_t All = size_t(Rows) * Pitch;
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < All;
       I += size_t(gridDim.x) * blockDim.x)
    A[I] = Rule::begin(FirstRow + int(I / Pitch), int(I % Pitch), Pitch);
}

struct Shape {
  int X, Y, K;
};
inline constexpr Shape Shapes[] = {
    {32, 8, 1}, {64, 4, 1}, {128, 2, 1}, {256, 1, 1}, {128, 4, 1}, {512, 1, 1},
    {32, 8, 2}, {32, 8, 4}, {64, 4, 2},  {128, 2, 2}, {256, 1, 4}, {128, 2, 8}};

template <class Rule> struct GridRun {
  using T = typename Rule::Item;
  struct Part {
    int First, Count; // Rows of the whole grid.
    T *A[2];
  };

  GridRun(Team &Who, int Rows, int Pitch)
      : Who(Who), Rows(Rows), Pitch(Pitch), Parts(Who.Count) {
    for (int D = 0; D < Who.Count; ++D) {
      const int First = teamShare(Rows - 2, D, Who.Count);
      Parts[D] = {First + 1,
                  teamShare(Rows - 2, D + 1, Who.Count) - First,
                  {nullptr, nullptr}};
    }
  }

  Team &Who;
  const int Rows, Pitch;
  std::vector<Part> Parts;
  Shape Best = Shapes[0];
  /// Which of A has the last result, and steps done, of all devices alike.
  int Now = 0;
  long Done = 0;

  size_t bytesOf(int D) const {
    return size_t(Parts[D].Count + 2) * Pitch * sizeof(T);
  }
  void allocate(int D) {
    for (T *&A : Parts[D].A)
      CHECKED(cudaMalloc(&A, bytesOf(D)));
  }
  void release(int D) {
    for (T *A : Parts[D].A)
      CHECKED(cudaFree(A));
  }
  void fill(int D) {
    for (T *A : Parts[D].A)
      fillRows<Rule><<<1024, 256, 0, Who.stream(D)>>>(
          A, Parts[D].First - 1, Parts[D].Count + 2, Pitch);
    CHECKED(cudaGetLastError());
  }

  void launch(int D, Shape S, const T *In, T *Out, const T *Above,
              const T *Below, Rule R) const {
    const int Count = Parts[D].Count;
    const dim3 Block(S.X, S.Y),
        Grid((Pitch + S.X - 1) / S.X, (Count + S.Y * S.K - 1) / (S.Y * S.K));
    const auto Kernel = S.K == 1   ? sweep<Rule, 1>
                        : S.K == 2 ? sweep<Rule, 2>
                        : S.K == 4 ? sweep<Rule, 4>
                                   : sweep<Rule, 8>;
    Kernel<<<Grid, Block, 0, Who.stream(D)>>>(In, Out, Above, Below, Pitch,
                                              Count, R);
  }

  /// Chooses the shape by kernels on device 0, whose arrays are scribbled on.
  void tune(Rule R) {
    teamUse(0);
    T *const *A = Parts[0].A;
    const T *Below = A[0] + size_t(Parts[0].Count + 1) * Pitch;
    Best = Shapes[teamFastest(Who.stream(0), std::size(Shapes), 10, [&](int S) {
      launch(0, Shapes[S], A[0], A[1], A[0], Below, R);
    })];
  }

  /// Step number At (from 1) of device D; its thread calls this.
  void step(int D, Halo How, long At, Rule R) {
    const int From = int((At + 1) % 2), To = !From;
    const Part &P = Parts[D];
    const T *Above = P.A[From];
    const T *Below = P.A[From] + size_t(P.Count + 1) * Pitch;
    const bool Before = D > 0, Behind = D < Who.Count - 1;
    if (How == Halo::Loads && Before)
      Above = Parts[D - 1].A[From] + size_t(Parts[D - 1].Count) * Pitch;
    if (How == Halo::Loads && Behind)
      Below = Parts[D + 1].A[From] + Pitch;
    Who.waitStep(D, D - 1, At - 1);
    Who.waitStep(D, D + 1, At - 1);
    launch(D, Best, P.A[From], P.A[To], Above, Below, R);
    const size_t Row = Pitch * sizeof(T);
    if (How == Halo::Copies && Before)
      CHECKED(cudaMemcpyPeerAsync(
          Parts[D - 1].A[To] + size_t(Parts[D - 1].Count + 1) * Pitch,
          teamGpu(D - 1), P.A[To] + Pitch, teamGpu(D), Row, Who.stream(D)));
    if (How == Halo::Copies && Behind)
      CHECKED(cudaMemcpyPeerAsync(Parts[D + 1].A[To], teamGpu(D + 1),
                                  P.A[To] + size_t(P.Count) * Pitch, teamGpu(D),
                                  Row, Who.stream(D)));
    Who.endStep(D, At);
  }

  /// Row Row of A[Now], to the host.
  void fetch(int Row, float *Cells) const {
    int D = 0;
    while (D < Who.Count - 1 && Row >= Parts[D].First + Parts[D].Count)
      ++D;
    CHECKED(cudaMemcpy(
        Cells, Parts[D].A[Now] + size_t(Row - Parts[D].First + 1) * Pitch,
        Pitch * sizeof(T), cudaMemcpyDefault));
  }
  static void fetchRow(const ScaleGrid *G, int Row, float *Cells) {
    static_cast<const GridRun *>(G->Data)->fetch(Row, Cells);
  }
  ScaleGrid look(const char *Case) const {
    ScaleGrid G = scaleGridOf(Case, Rows, Pitch, this);
    G.Fetch = fetchRow;
    return G;
  }
};

#endif // ACCX_BENCH_SCALE_GRIDRUN_CUH
