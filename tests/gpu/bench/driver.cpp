//===- driver.cpp - The same work by hand ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver without a runtime: what accx.cpp is compared with.
// Usage: driver <path of rival.cubin>
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "measure.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace accx::cuda;

static void must(CUresult R, int Line) {
  if (R == CUDA_SUCCESS)
    return;
  std::printf("driver.cpp:%d: CUDA error %d\n", Line, int(R));
  std::exit(1);
}
#define MUST(Call) must(Call, __LINE__)

static CUstream Stream;
static CUmodule Module;

static CUfunction function(const char *Name) {
  CUfunction F;
  MUST(Cu.ModuleGetFunction(&F, Module, Name));
  return F;
}

template <typename... Ts>
static void launch(CUfunction F, unsigned Grid, unsigned Block, Ts... Values) {
  void *Args[] = {&Values..., nullptr};
  MUST(Cu.LaunchKernel(F, Grid, 1, 1, Block, 1, 1, 0, Stream, Args, nullptr));
}

static void wait() { MUST(Cu.StreamSynchronize(Stream)); }

static void launches() {
  CUfunction F = function("empty");
  double Ms = medianMs(21, 1000, [&] {
    launch(F, 1, 128);
    wait();
  });
  result("empty", "driver", "1", Ms, microseconds(Ms), true);
  Ms = medianMs(21, 1, [&] {
    for (int I = 0; I < 1000; ++I)
      launch(F, 1, 128);
    wait();
  });
  result("stream-chain", "driver", "1000", Ms, microseconds(Ms, 1000), true);

  CUdeviceptr X;
  int Host = 0;
  MUST(Cu.MemAlloc(&X, 4));
  Ms = medianMs(21, 300, [&] {
    MUST(Cu.MemcpyHtoDAsync(X, &Host, 4, Stream));
    launch(F, 1, 128);
    MUST(Cu.MemcpyDtoHAsync(&Host, X, 4, Stream));
    wait();
  });
  result("region-tofrom", "driver", "4 bytes", Ms, microseconds(Ms), true);
  MUST(Cu.MemFree(X));
}

static void sums(long N, const char *Size) {
  std::vector<double> Values(N, 0.5);
  CUdeviceptr X, S;
  MUST(Cu.MemAlloc(&X, N * 8));
  MUST(Cu.MemAlloc(&S, 8));
  MUST(Cu.MemcpyHtoD(X, Values.data(), N * 8));
  CUfunction F = function("sum");
  double Sum = 0;
  const unsigned Grid = unsigned(std::min<long>((N + 255) / 256, 1056));
  const double Ms = medianMs(11, N > 100000 ? 20 : 500, [&] {
    Sum = 0;
    MUST(Cu.MemcpyHtoDAsync(S, &Sum, 8, Stream));
    launch(F, Grid, 256, S, X, N);
    MUST(Cu.MemcpyDtoHAsync(&Sum, S, 8, Stream));
    wait();
  });
  result("sum", "driver", Size, Ms,
         N > 100000 ? gigabytes(Ms, N * 8.0) : microseconds(Ms),
         std::fabs(Sum - N * 0.5) < 1e-6 * N);
  MUST(Cu.MemFree(X));
  MUST(Cu.MemFree(S));
}

static void saxpy() {
  const long N = SaxpyCount;
  std::vector<float> Xs(N, 1), Ys(N, 0);
  CUdeviceptr X, Y;
  MUST(Cu.MemAlloc(&X, N * 4));
  MUST(Cu.MemAlloc(&Y, N * 4));
  MUST(Cu.MemcpyHtoD(X, Xs.data(), N * 4));
  CUfunction F = function("saxpy");
  // One element a thread, and blocks that stride: the faster one is the rival.
  for (unsigned Grid : {unsigned(N / 256), 132u * 8u * 4u}) {
    MUST(Cu.MemcpyHtoD(Y, Ys.data(), N * 4));
    int Calls = 0;
    const double Ms = medianMs(11, 20, [&] {
      ++Calls;
      launch(F, Grid, 256, Y, X, 2.0f, N);
      wait();
    });
    float Last = 0;
    MUST(Cu.MemcpyDtoH(&Last, Y + (N - 1) * 4, 4));
    result(Grid == N / 256 ? "saxpy" : "saxpy-stride", "driver",
           std::to_string(N), Ms, gigabytes(Ms, N * 12.0),
           Last == 2.0f * Calls);
  }
  MUST(Cu.MemFree(X));
  MUST(Cu.MemFree(Y));
}

static void arrays() {
  std::vector<char> Host(NumArrays * ArrayBytes);
  CUdeviceptr P;
  MUST(Cu.MemAlloc(&P, Host.size()));
  double Ms = medianMs(15, 1, [&] {
    for (int I = 0; I < NumArrays; ++I)
      MUST(Cu.MemcpyHtoDAsync(P + I * ArrayBytes, &Host[I * ArrayBytes],
                              ArrayBytes, Stream));
    wait();
  });
  result("enter-once", "driver", "1000 x 4 KiB", Ms,
         microseconds(Ms, NumArrays), true);
  Ms = medianMs(15, 1, [&] {
    for (int I = 0; I < NumArrays; ++I)
      MUST(Cu.MemcpyDtoHAsync(&Host[I * ArrayBytes], P + I * ArrayBytes,
                              ArrayBytes, Stream));
    wait();
  });
  result("exit-once", "driver", "1000 x 4 KiB", Ms, microseconds(Ms, NumArrays),
         true);
  MUST(Cu.MemFree(P));
}

static void copies(const char *Kind, char *Host, size_t Bytes, int Operations) {
  std::memset(Host, 1, Bytes);
  CUdeviceptr P;
  MUST(Cu.MemAlloc(&P, Bytes));
  const std::string Size = std::to_string(Bytes);
  const std::string Name = std::string("copy-") + Kind;
  double Ms = medianMs(9, Operations, [&] {
    MUST(Cu.MemcpyHtoDAsync(P, Host, Bytes, Stream));
    wait();
  });
  result((Name + "-in").c_str(), "driver", Size, Ms, gigabytes(Ms, Bytes),
         true);
  Ms = medianMs(9, Operations, [&] {
    MUST(Cu.MemcpyDtoHAsync(Host, P, Bytes, Stream));
    wait();
  });
  result((Name + "-out").c_str(), "driver", Size, Ms, gigabytes(Ms, Bytes),
         Host[Bytes - 1] == 1);
  MUST(Cu.MemFree(P));
}

int main(int Argc, char **Argv) {
  bool Found = false;
  if (Cu.load(nullptr, Found) || !Found) {
    std::printf("no CUDA device\n");
    return 1;
  }
  CUdevice Device;
  CUcontext Context;
  MUST(Cu.DeviceGet(&Device, 0));
  MUST(Cu.DevicePrimaryCtxRetain(&Context, Device));
  MUST(Cu.CtxSetCurrent(Context));
  MUST(Cu.StreamCreate(&Stream, CU_STREAM_NON_BLOCKING));
  std::ifstream File(Argc > 1 ? Argv[1] : "rival.cubin", std::ios::binary);
  const std::vector<char> Code((std::istreambuf_iterator<char>(File)),
                               std::istreambuf_iterator<char>());
  MUST(Cu.ModuleLoadDataEx(&Module, Code.data(), 0, nullptr, nullptr));

  launches();
  sums(SmallSum, "1024");
  sums(LargeSum, "33554432");
  saxpy();
  arrays();
  auto *Pageable = static_cast<char *>(std::malloc(CopyBytes));
  for (size_t Bytes :
       {size_t(32) << 10, size_t(256) << 10, size_t(512) << 10, size_t(1) << 20,
        size_t(2) << 20, size_t(4) << 20, size_t(16) << 20})
    copies("pageable", Pageable, Bytes, 20);
  copies("pageable", Pageable, CopyBytes, 1);
  std::free(Pageable);
  void *Pinned = nullptr;
  MUST(Cu.MemHostAlloc(&Pinned, CopyBytes, 0));
  copies("pinned", static_cast<char *>(Pinned), CopyBytes, 1);
  MUST(Cu.MemFreeHost(Pinned));
}
