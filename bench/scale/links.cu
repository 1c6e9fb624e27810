//===- links.cu - What each pair of GPUs reaches, by the driver -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What links.c measures. Usage: links-cuda [MiB a device]
//
//===----------------------------------------------------------------------===//

#include "kernels.cuh"
#include "team.cuh"

#include <algorithm>
#include <cuda.h>

static void must(CUresult Code, const char *Call) {
  if (Code == CUDA_SUCCESS)
    return;
  fprintf(stderr, "%s: %d\n", Call, int(Code));
  exit(4);
}
#define MUST(CALL) must((CALL), #CALL)

constexpr int Repeats = 5;

/// One range whose equal parts lie on the devices, which all reach all of it.
struct Window {
  CUdeviceptr At = 0;
  size_t Bytes;
  Window(size_t Part, int Devices) : Bytes(Part * Devices) {
    MUST(cuMemAddressReserve(&At, Bytes, 0, 0, 0));
    std::vector<CUmemAccessDesc> Access(std::min(Devices, teamGpus()));
    for (int D = 0; D < Devices; ++D) {
      CUmemAllocationProp P = {};
      P.type = CU_MEM_ALLOCATION_TYPE_PINNED;
      P.location = {CU_MEM_LOCATION_TYPE_DEVICE, teamGpu(D)};
      CUmemGenericAllocationHandle H;
      MUST(cuMemCreate(&H, Part, &P, 0));
      MUST(cuMemMap(At + D * Part, Part, 0, H, 0));
      MUST(cuMemRelease(H));
    }
    for (size_t G = 0; G < Access.size(); ++G) {
      Access[G].location = {CU_MEM_LOCATION_TYPE_DEVICE, int(G)};
      Access[G].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    MUST(cuMemSetAccess(At, Bytes, Access.data(), Access.size()));
  }
  ~Window() {
    MUST(cuMemUnmap(At, Bytes));
    MUST(cuMemAddressFree(At, Bytes));
  }
  float *data() const { return reinterpret_cast<float *>(At); }
};

static int report(const char *What, std::vector<double> Ms, int Devices,
                  size_t Bytes, int Good) {
  static const char *const Which[] = {"fastest", "middle", "slowest"};
  const int Pairs = int(Ms.size());
  int Bad = 0;
  scaleMedian(Ms.data(), Pairs); // Sorts.
  for (int I = 0; I < 3; ++I) {
    const double T = Ms[I == 0 ? 0 : I == 1 ? Pairs / 2 : Pairs - 1];
    char Unit[64], Name[64];
    snprintf(Unit, sizeof(Unit), "%.1f GB/s", 1e-6 * double(Bytes) / T);
    snprintf(Name, sizeof(Name), "%s-%s", What, Which[I]);
    Bad |= scaleReport(Name, "cuda", Devices, Bytes, T, Unit, 0, Good);
  }
  return Bad;
}

/// The begin and the end as the directives have them, with the copies.
static int grants(int Devices) {
  const size_t Page = size_t(2) << 20, Bytes = Page * Devices;
  float *Host = scaleFilled(Bytes / sizeof(float));
  double First = 0, Ms[Repeats];
  int Good = 1;
  for (int R = -1; R < Repeats; ++R) {
    const double Begin = scaleNow();
    {
      Window W(Page, Devices);
      const size_t Part = Page / sizeof(float);
      for (int D = 0; D < Devices; ++D)
        CHECKED(cudaMemcpy(W.data() + D * Part, Host + D * Part, Page,
                           cudaMemcpyHostToDevice));
      for (int D = 0; D < Devices; ++D)
        CHECKED(cudaMemcpy(Host + D * Part, W.data() + D * Part, Page,
                           cudaMemcpyDeviceToHost));
    }
    (R < 0 ? First : Ms[R]) = scaleNow() - Begin;
  }
  for (size_t I = 0; I < Bytes / sizeof(float); ++I)
    Good &= Host[I] == scaleValue(I);
  free(Host);
  return scaleReport("grant-first", "cuda", Devices, Page, First,
                     "ms of the first begin and end", 0, Good) |
         scaleReport("grant", "cuda", Devices, Page, scaleMedian(Ms, Repeats),
                     "ms of begin and end", 0, Good);
}

static int pairs(Team &Who, size_t Bytes) {
  const int Devices = Who.Count;
  const size_t Part = Bytes / sizeof(float);
  std::vector<float *> Data(Devices);
  std::vector<double *> Sums(Devices);
  Window W(Bytes, Devices);
  for (int D = 0; D < Devices; ++D) {
    teamUse(D);
    CHECKED(cudaMalloc(&Data[D], Bytes));
    CHECKED(cudaMalloc(&Sums[D], sizeof(double)));
    fillValues<<<1024, 256, 0, Who.stream(D)>>>(Data[D], D, Part);
    fillValues<<<1024, 256, 0, Who.stream(D)>>>(W.data() + D * Part, D * Part,
                                                Part);
    Who.wait(D);
  }
  std::vector<double> Copies, Reads;
  int GoodCopies = 1, GoodReads = 1;
  for (int From = 0; From < Devices; ++From)
    for (int To = 0; To < Devices; ++To) {
      if (From == To)
        continue;
      double Ms[Repeats], Sum = 0;
      for (double &T : Ms) {
        const double Begin = scaleNow();
        CHECKED(cudaMemcpyPeerAsync(Data[To], teamGpu(To), Data[From],
                                    teamGpu(From), Bytes, Who.stream(From)));
        Who.wait(From);
        T = scaleNow() - Begin;
      }
      float Got[2];
      CHECKED(cudaMemcpy(&Got[0], Data[From], 4, cudaMemcpyDefault));
      CHECKED(cudaMemcpy(&Got[1], Data[To], 4, cudaMemcpyDefault));
      GoodCopies &= Got[0] == Got[1];
      Copies.push_back(scaleMedian(Ms, Repeats));
      // The other way round: To reads From's part.
      teamUse(To);
      for (int R = -1; R < Repeats; ++R) {
        const double Begin = scaleNow();
        CHECKED(cudaMemsetAsync(Sums[To], 0, sizeof(double), Who.stream(To)));
        addAll(2, W.data() + From * Part, Part, Sums[To], Who.stream(To));
        CHECKED(cudaMemcpyAsync(&Sum, Sums[To], sizeof(double),
                                cudaMemcpyDeviceToHost, Who.stream(To)));
        Who.wait(To);
        if (R >= 0)
          Ms[R] = scaleNow() - Begin;
      }
      double Want = 0;
      for (size_t I = From * Part; I < (From + 1) * Part; ++I)
        Want += scaleValue(I);
      GoodReads &= fabs(Sum - Want) <= 1e-9 * Want;
      Reads.push_back(scaleMedian(Ms, Repeats));
    }
  for (int D = 0; D < Devices; ++D) {
    CHECKED(cudaFree(Data[D]));
    CHECKED(cudaFree(Sums[D]));
  }
  return report("copy", Copies, Devices, Bytes, GoodCopies) |
         report("window", Reads, Devices, Bytes, GoodReads);
}

__global__ void addOne(float *A) { A[threadIdx.x] += 1; }

/// What a thread that queues for all devices can do in a step.
enum StepParts { Launches, Events, Waits, Queries };

/// Small kernels on all devices, one thread for all: what the calls cost that
/// make each device's next kernel come after all others' last one, and what it
/// costs to ask whether one has failed. In the end as a graph of many steps.
class Steps {
  static constexpr int Count = 2048, InGraph = 32, Threads = 128;
  const Team &Who;
  std::vector<float *> Data;
  std::vector<std::vector<cudaEvent_t>> Ends;
  float Want = 0;
  int Bad = 0;

  void queue(StepParts Parts, int S) {
    for (int D = 0; D < Who.Count; ++D) {
      teamUse(D);
      if (Parts >= Queries) {
        const cudaError_t State = cudaEventQuery(Ends[D][(S + 1) % 2]);
        if (State != cudaErrorNotReady)
          CHECKED(State);
      }
      addOne<<<1, Threads, 0, Who.stream(D)>>>(Data[D]);
      if (Parts >= Events)
        CHECKED(cudaEventRecord(Ends[D][S % 2], Who.stream(D)));
    }
    for (int D = 0; D < Who.Count && Parts >= Waits; ++D) {
      teamUse(D);
      for (int Other = 0; Other < Who.Count; ++Other)
        if (Other != D)
          CHECKED(cudaStreamWaitEvent(Who.stream(D), Ends[Other][S % 2], 0));
    }
  }

  /// The steps of \p Queue, which queues \p Each of them, and their end.
  template <class F> void time(const char *Name, int Each, const F &Queue) {
    double Ms[Repeats];
    int Good = 1;
    for (int R = -1; R < Repeats; ++R) {
      const double Begin = scaleNow();
      for (int S = 0; S < Count; S += Each)
        Queue(S);
      for (int D = 0; D < Who.Count; ++D)
        Who.wait(D);
      if (R >= 0)
        Ms[R] = (scaleNow() - Begin) / Count;
      Want += Count;
    }
    for (int D = 0; D < Who.Count; ++D) {
      float Got = 0;
      CHECKED(cudaMemcpy(&Got, Data[D], sizeof(Got), cudaMemcpyDefault));
      Good &= Got == Want;
    }
    Bad |= scaleReport(Name, "cuda", Who.Count, Threads,
                       scaleMedian(Ms, Repeats), "ms a step", 0, Good);
  }

  void timeGraph() {
    cudaGraph_t Graph;
    cudaGraphExec_t Exec;
    teamUse(0);
    CHECKED(cudaStreamBeginCapture(Who.stream(0),
                                   cudaStreamCaptureModeThreadLocal));
    CHECKED(cudaEventRecord(Ends[0][0], Who.stream(0)));
    for (int D = 1; D < Who.Count; ++D) {
      teamUse(D);
      CHECKED(cudaStreamWaitEvent(Who.stream(D), Ends[0][0], 0));
    }
    // The last step's waits have joined all streams to the first one.
    for (int S = 0; S < InGraph; ++S)
      queue(Waits, S);
    teamUse(0);
    CHECKED(cudaStreamEndCapture(Who.stream(0), &Graph));
    CHECKED(cudaGraphInstantiate(&Exec, Graph, 0));
    time("steps-graph", InGraph,
         [&](int) { CHECKED(cudaGraphLaunch(Exec, Who.stream(0))); });
    CHECKED(cudaGraphExecDestroy(Exec));
    CHECKED(cudaGraphDestroy(Graph));
  }

public:
  explicit Steps(const Team &Who) : Who(Who), Data(Who.Count), Ends(Who.Count) {
    for (int D = 0; D < Who.Count; ++D) {
      teamUse(D);
      CHECKED(cudaMalloc(&Data[D], Threads * sizeof(float)));
      CHECKED(cudaMemset(Data[D], 0, Threads * sizeof(float)));
      Ends[D].resize(2);
      for (cudaEvent_t &E : Ends[D])
        CHECKED(cudaEventCreateWithFlags(&E, cudaEventDisableTiming));
      CHECKED(cudaDeviceSynchronize());
    }
  }
  ~Steps() {
    for (int D = 0; D < Who.Count; ++D) {
      CHECKED(cudaFree(Data[D]));
      for (cudaEvent_t E : Ends[D])
        CHECKED(cudaEventDestroy(E));
    }
  }

  int run() {
    time("steps-launches", 1, [&](int S) { queue(Launches, S); });
    time("steps-events", 1, [&](int S) { queue(Events, S); });
    time("steps-waits", 1, [&](int S) { queue(Waits, S); });
    time("steps-queries", 1, [&](int S) { queue(Queries, S); });
    timeGraph();
    return Bad;
  }
};

int main(int Argc, char **Argv) {
  const size_t MiB = Argc > 1 ? strtoull(Argv[1], nullptr, 10) : 64;
  if (MiB < 2 || MiB % 2)
    return 2;
  // Access costs most the first time, so that all devices come first.
  const int Devices = teamSizes().back();
  Team Who(Devices);
  int Bad = grants(Devices);
  if (Devices > 1)
    Bad |= pairs(Who, MiB << 20) | Steps(Who).run();
  return Bad;
}
