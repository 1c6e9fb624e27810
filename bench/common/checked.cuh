//===- checked.cuh - Calls of CUDA that end the program -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CHECKED(call): a failure is printed with the call, and the exit status is 4.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_BENCH_COMMON_CHECKED_CUH
#define ACCX_BENCH_COMMON_CHECKED_CUH

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECKED(CALL)                                                          \
  do {                                                                         \
    cudaError_t Error_ = (CALL);                                               \
    if (Error_ != cudaSuccess) {                                               \
      fprintf(stderr, "%s: %s\n", #CALL, cudaGetErrorString(Error_));          \
      exit(4);                                                                 \
    }                                                                          \
  } while (0)

#endif // ACCX_BENCH_COMMON_CHECKED_CUH
