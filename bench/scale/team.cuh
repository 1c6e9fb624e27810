//===- team.cuh - A host thread for each GPU ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CUDA rivals share: threads, peer access, a barrier, and steps that
// wait for those of neighbours. A step ends with an event; the neighbour's
// thread waits until the event is recorded and makes its stream wait for it, so
// that no thread waits for a GPU within a run. Two events a device are enough:
// a device is at most one step ahead.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_BENCH_SCALE_TEAM_CUH
#define ACCX_BENCH_SCALE_TEAM_CUH

#include "../common/checked.cuh"
#include "cells.h"

#include <atomic>
#include <thread>
#include <vector>

struct alignas(128) Member {
  cudaStream_t Stream = nullptr;
  cudaEvent_t Ends[2] = {};
  std::atomic<long> Recorded{0};
};

/// GPUs there are, and the devices that each stands for: as with accx,
/// ACCX_CUDA_SHARE lets programs for several be tried on one.
inline int teamGpus() {
  static const int Gpus = [] {
    int Count = 0;
    CHECKED(cudaGetDeviceCount(&Count));
    return Count;
  }();
  return Gpus;
}
inline int teamShared() {
  const char *Text = getenv("ACCX_CUDA_SHARE");
  const int Share = Text ? atoi(Text) : 1;
  return Share > 0 ? Share : 1;
}
/// The GPU of device D.
inline int teamGpu(int D) { return D % teamGpus(); }
inline void teamUse(int D) { CHECKED(cudaSetDevice(teamGpu(D))); }

class Team {
public:
  explicit Team(int Count) : Count(Count), Members(Count) {
    for (int D = 0; D < Count; ++D) {
      teamUse(D);
      CHECKED(cudaFree(nullptr));
    }
    for (int D = 0; D < Count; ++D) {
      teamUse(D);
      for (int Other = 0; Other < Count; ++Other)
        if (teamGpu(Other) != teamGpu(D))
          reach(teamGpu(Other));
      CHECKED(
          cudaStreamCreateWithFlags(&Members[D].Stream, cudaStreamNonBlocking));
      for (cudaEvent_t &E : Members[D].Ends)
        CHECKED(cudaEventCreateWithFlags(&E, cudaEventDisableTiming));
    }
    teamUse(0);
  }

  const int Count;

  cudaStream_t stream(int D) const { return Members[D].Stream; }
  void wait(int D) const { CHECKED(cudaStreamSynchronize(Members[D].Stream)); }

  /// Calls Work(D) on a thread for each device, whose device is current.
  template <class F> void run(const F &Work) {
    std::vector<std::thread> Threads;
    for (int D = 0; D < Count; ++D)
      Threads.emplace_back([&Work, D] {
        teamUse(D);
        Work(D);
      });
    for (std::thread &T : Threads)
      T.join();
  }

  /// All threads of run meet.
  void barrier() {
    const long Turn = Turns.load();
    if (Arrived.fetch_add(1) + 1 == Count) {
      Arrived.store(0);
      Turns.store(Turn + 1);
      return;
    }
    while (Turns.load() == Turn)
      ;
  }

  /// The end of D's step number Step is what is on its stream now.
  void endStep(int D, long Step) {
    CHECKED(cudaEventRecord(Members[D].Ends[Step % 2], Members[D].Stream));
    Members[D].Recorded.store(Step, std::memory_order_release);
  }

  /// D's stream waits for Other's step number Step, if there is that device.
  void waitStep(int D, int Other, long Step) {
    if (Other < 0 || Other >= Count)
      return;
    while (Members[Other].Recorded.load(std::memory_order_acquire) < Step)
      ;
    CHECKED(cudaStreamWaitEvent(Members[D].Stream,
                                Members[Other].Ends[Step % 2], 0));
  }

private:
  /// A team before this one may have given the access.
  static void reach(int Other) {
    const cudaError_t Error = cudaDeviceEnablePeerAccess(Other, 0);
    if (Error == cudaErrorPeerAccessAlreadyEnabled)
      (void)cudaGetLastError();
    else
      CHECKED(Error);
  }

  std::vector<Member> Members;
  std::atomic<long> Turns{0};
  std::atomic<int> Arrived{0};
};

/// Numbers of devices to run on: 1, 2, 4 and so on, and all there are.
inline std::vector<int> teamSizes() {
  const int All = teamGpus() * teamShared();
  std::vector<int> Sizes;
  for (int N = 1; N < All; N *= 2)
    Sizes.push_back(N);
  Sizes.push_back(All);
  return Sizes;
}

/// First of the items of Part, where Items are dealt to Parts.
inline int teamShare(int Items, int Part, int Parts) {
  return int(long(Items) * Part / Parts);
}

/// The fastest of Launch(0) to Launch(Count - 1) on a stream of this device.
template <class F>
int teamFastest(cudaStream_t Stream, int Count, int Repeats, const F &Launch) {
  cudaEvent_t Begin, End;
  CHECKED(cudaEventCreate(&Begin));
  CHECKED(cudaEventCreate(&End));
  float Least = 0;
  int Best = 0;
  for (int S = 0; S < Count; ++S) {
    Launch(S);
    CHECKED(cudaEventRecord(Begin, Stream));
    for (int I = 0; I < Repeats; ++I)
      Launch(S);
    CHECKED(cudaEventRecord(End, Stream));
    CHECKED(cudaEventSynchronize(End));
    CHECKED(cudaGetLastError());
    float Ms;
    CHECKED(cudaEventElapsedTime(&Ms, Begin, End));
    if (S == 0 || Ms < Least) {
      Least = Ms;
      Best = S;
    }
  }
  CHECKED(cudaEventDestroy(Begin));
  CHECKED(cudaEventDestroy(End));
  return Best;
}

#endif // ACCX_BENCH_SCALE_TEAM_CUH
