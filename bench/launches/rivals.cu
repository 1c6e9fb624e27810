//===- rivals.cu - The same rounds in CUDA --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches on a stream, waited for after the last round, and graphs of about
// forty kernels that are launched instead.
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "steps.h"

#define KERNEL(NAME, STATEMENT)                                                \
  static __global__ void NAME(unsigned *A, unsigned *B) {                      \
    int I = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (I < N)                                                                 \
      STATEMENT;                                                               \
  }
KERNEL(step0, STEP0(A, B, I))
KERNEL(step1, STEP1(A, B, I))
KERNEL(step2, STEP2(A, B, I))
KERNEL(step3, STEP3(A, B, I))
KERNEL(step4, STEP4(A, B, I))
KERNEL(blur, BLUR(B, A, I))

static __global__ void counted(unsigned *A, int R) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    COUNTED(A, R, I);
}

/// Block sums by shuffles, then an atomic a block.
static __global__ void sum(unsigned *Out, const unsigned *A) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Mine = __reduce_add_sync(~0u, I < N ? A[I] : 0);
  if (threadIdx.x % 32 == 0)
    atomicAdd(Out, Mine);
}

constexpr int Threads = 128, Blocks = (N + Threads - 1) / Threads;
static cudaStream_t Stream;
static unsigned *A, *B;

static void round(int Kernels) {
  if (Kernels == 1) {
    step0<<<Blocks, Threads, 0, Stream>>>(A, B);
    return;
  }
  for (int K = 0; K < Kernels; K += 5) {
    step0<<<Blocks, Threads, 0, Stream>>>(A, B);
    step1<<<Blocks, Threads, 0, Stream>>>(A, B);
    step2<<<Blocks, Threads, 0, Stream>>>(A, B);
    step3<<<Blocks, Threads, 0, Stream>>>(A, B);
    step4<<<Blocks, Threads, 0, Stream>>>(A, B);
  }
}

static void two() {
  blur<<<Blocks, Threads, 0, Stream>>>(A, B);
  blur<<<Blocks, Threads, 0, Stream>>>(B, A);
}

/// What \p Queue puts on the stream.
template <typename Fn> static cudaGraphExec_t recorded(Fn Queue) {
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  CHECKED(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
  Queue();
  CHECKED(cudaStreamEndCapture(Stream, &Graph));
  CHECKED(cudaGraphInstantiate(&Exec, Graph, 0));
  CHECKED(cudaGraphDestroy(Graph));
  return Exec;
}

template <typename Fn> static void times(int Count, Fn Queue) {
  for (int I = 0; I < Count; ++I)
    Queue();
  CHECKED(cudaStreamSynchronize(Stream));
}

static void fill() {
  static unsigned HostA[N], HostB[N];
  start(HostA, HostB);
  CHECKED(cudaMemcpy(A, HostA, sizeof HostA, cudaMemcpyHostToDevice));
  CHECKED(cudaMemcpy(B, HostB, sizeof HostB, cudaMemcpyHostToDevice));
}

#define MEASURE(BENCH, IMPL, KERNELS, CALL, EACH)                              \
  if (isWanted(Count, Args, BENCH)) {                                          \
    long Times = 0;                                                            \
    double Ms;                                                                 \
    int Right;                                                                 \
    static unsigned GotA[N], GotB[N];                                          \
    fill();                                                                    \
    MEDIAN_OF(Ms, CALL; ++Times);                                              \
    CHECKED(cudaMemcpy(GotA, A, sizeof GotA, cudaMemcpyDeviceToHost));         \
    CHECKED(cudaMemcpy(GotB, B, sizeof GotB, cudaMemcpyDeviceToHost));         \
    CHECK(Right, GotA, GotB, Times, EACH);                                     \
    reportKernels(BENCH, IMPL, KERNELS, Ms, Right);                            \
  }
#define MEASURE_BOTH(BENCH, KERNELS, TOGETHER, EACH, QUEUE)                    \
  {                                                                            \
    auto Queue = [] { QUEUE; };                                                \
    MEASURE(BENCH, "cuda", KERNELS, times(Rounds / (TOGETHER), Queue), EACH)   \
    constexpr int InGraph = (TOGETHER) * (40 / ((TOGETHER) * (KERNELS)));      \
    cudaGraphExec_t Graph = recorded([&] {                                     \
      for (int I = 0; I < InGraph; I += (TOGETHER))                            \
        Queue();                                                               \
    });                                                                        \
    MEASURE(BENCH, "cuda-graph", KERNELS,                                      \
            times(Rounds / InGraph,                                            \
                  [&] { CHECKED(cudaGraphLaunch(Graph, Stream)); }),           \
            EACH)                                                              \
    CHECKED(cudaGraphExecDestroy(Graph));                                      \
  }

int main(int Count, char **Args) {
  CHECKED(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
  CHECKED(cudaMalloc(&A, N * sizeof *A));
  CHECKED(cudaMalloc(&B, N * sizeof *B));
  MEASURE_BOTH("rounds", 1, 1, CHECK_ONE, round(1))
  MEASURE_BOTH("rounds", 5, 1, CHECK_FIVE, round(5))
  MEASURE_BOTH("rounds", 20, 1, CHECK_TWENTY, round(20))
  MEASURE_BOTH("swapped", 1, 2, CHECK_SWAPPED, two())
  auto Counting = [] {
    for (int R = 0; R < Rounds; ++R)
      counted<<<Blocks, Threads, 0, Stream>>>(A, R);
    CHECKED(cudaStreamSynchronize(Stream));
  };
  MEASURE("counted", "cuda", 1, Counting(), CHECK_COUNTED)
  MEASURE("chain", "cuda", 1, Counting(), CHECK_COUNTED)
  if (isWanted(Count, Args, "sum")) {
    unsigned Sum, Want = 0, *Out;
    static unsigned HostA[N], HostB[N];
    double Ms;
    start(HostA, HostB);
    for (unsigned X : HostA)
      Want += X;
    fill();
    CHECKED(cudaMalloc(&Out, sizeof *Out));
    MEDIAN_OF(
        Ms, for (int R = 0; R < Rounds; ++R) {
          CHECKED(cudaMemsetAsync(Out, 0, sizeof *Out, Stream));
          sum<<<Blocks, Threads, 0, Stream>>>(Out, A);
          CHECKED(cudaMemcpyAsync(&Sum, Out, sizeof Sum, cudaMemcpyDeviceToHost,
                                  Stream));
          CHECKED(cudaStreamSynchronize(Stream));
          Wrong += Sum != Want;
        });
    reportKernels("sum", "cuda", 1, Ms, Sum == Want);
  }
  return Wrong != 0;
}
