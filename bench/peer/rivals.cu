//===- rivals.cu - Copies between two GPUs by hand ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What peer.c measures, with the driver's copies: between GPUs 0 and 1, or
// within GPU 0 where there is no other one. Usage: peer-cuda [MiB]
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"

#include <algorithm>
#include <chrono>
#include <vector>

constexpr int Repeats = 9, Calls = 500, Small = 16384, Pitch = 32768,
              Rows = 1024;

static double now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

static void result(const char *What, const char *Size, std::vector<double> T,
                   const char *Metric) {
  std::sort(T.begin(), T.end());
  printf("RESULT,peer,cuda-%s,%s,%.6f,%s,ok\n", What, Size, T[T.size() / 2],
         Metric);
}

int main(int Argc, char **Argv) {
  const size_t Large = size_t(Argc > 1 ? atoi(Argv[1]) : 256) << 20;
  int Devices;
  CHECKED(cudaGetDeviceCount(&Devices));
  const int On[2] = {0, Devices > 1};
  char *A[2];
  cudaStream_t Streams[2];
  for (int D = 0; D < 2; ++D) {
    CHECKED(cudaSetDevice(On[D]));
    CHECKED(cudaFree(nullptr));
  }
  for (int D = 0; D < 2; ++D) {
    CHECKED(cudaSetDevice(On[D]));
    if (On[1])
      CHECKED(cudaDeviceEnablePeerAccess(On[!D], 0));
    CHECKED(cudaMalloc(&A[D], Large));
    CHECKED(cudaMemset(A[D], D, Large));
    CHECKED(cudaStreamCreateWithFlags(&Streams[D], cudaStreamNonBlocking));
    CHECKED(cudaDeviceSynchronize());
  }
  const auto Wait = [&] {
    for (cudaStream_t S : Streams)
      CHECKED(cudaStreamSynchronize(S));
  };
  std::vector<double> Queued, All, Waited;
  const auto Pair = [&] {
    CHECKED(cudaMemcpyPeerAsync(A[1], On[1], A[0], On[0], Small, Streams[0]));
    CHECKED(cudaMemcpyPeerAsync(A[0] + Small, On[0], A[1] + Small, On[1], Small,
                                Streams[1]));
  };
  for (int R = 0; R < Repeats; ++R) {
    Wait();
    const double Begin = now();
    for (int I = 0; I < Calls; ++I)
      Pair();
    Queued.push_back((now() - Begin) / Calls / 2);
    Wait();
    All.push_back((now() - Begin) / Calls);
    double Sum = 0;
    for (int I = 0; I < Calls / 10; ++I) {
      const double One = now();
      Pair();
      Wait();
      Sum += now() - One;
    }
    Waited.push_back(Sum / (Calls / 10));
  }
  result("queue", "16KiB", Queued, "ms of the caller a copy");
  result("pair", "16KiB", All, "ms both ways");
  result("pair-waited", "16KiB", Waited, "ms both ways and two waits");
  for (int Width : {64, 1024, 16384}) {
    cudaMemcpy3DPeerParms P = {};
    P.srcDevice = On[0];
    P.dstDevice = On[1];
    P.srcPtr = make_cudaPitchedPtr(A[0], Pitch, Width, Rows);
    P.dstPtr = make_cudaPitchedPtr(A[1], Pitch, Width, Rows);
    P.extent = make_cudaExtent(Width, Rows, 1);
    Queued.clear(), All.clear();
    for (int R = -1; R < Repeats; ++R) {
      Wait();
      const double Begin = now();
      CHECKED(cudaMemcpy3DPeerAsync(&P, Streams[0]));
      const double End = now();
      Wait();
      if (R < 0)
        continue;
      Queued.push_back(End - Begin);
      All.push_back(now() - Begin);
    }
    char Name[32];
    snprintf(Name, sizeof(Name), "%dx%d", Rows, Width);
    result("rectangle-queue", Name, Queued, "ms of the caller");
    result("rectangle", Name, All, "ms until it is done");
  }
  All.clear();
  for (int R = 0; R < Repeats; ++R) {
    Wait();
    const double Begin = now();
    CHECKED(cudaMemcpyPeerAsync(A[1], On[1], A[0], On[0], Large, Streams[0]));
    Wait();
    All.push_back(now() - Begin);
  }
  char Name[32];
  snprintf(Name, sizeof(Name), "%zuMiB", Large >> 20);
  result("large", Name, All, "ms until it is done");
  // The last copy brought all of the first array, where a part came before.
  std::vector<char> Got(Large);
  CHECKED(cudaMemcpy(Got.data(), A[1], Large, cudaMemcpyDefault));
  size_t Bad = 0;
  for (size_t I = 0; I < Large; ++I)
    Bad += Got[I] != (I >= Small && I < 2 * Small ? 1 : 0);
  printf("RESULT,peer,cuda-data,%s,0,right,%s\n", Name, Bad ? "BAD" : "ok");
  return Bad != 0;
}
