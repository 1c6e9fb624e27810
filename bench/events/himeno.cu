//===- himeno.cu - The Himeno benchmark with CUDA and MPI by hand ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pinned buffers, two streams and messages of the host:
//
//   cuda-halves  the paper's listing 2: half A is computed while the planes of
//                half B are exchanged, and the other way round
//   cuda-edges   the planes at the cuts are computed first and exchanged while
//                the inner ones are computed
//
// Usage: mpirun -n RANKS himeno-cuda [S|M|L|IxJxK [steps [repeats]]]
//
//===----------------------------------------------------------------------===//

#include "../common/checked.cuh"
#include "himeno.h"

static __global__ void __launch_bounds__(256)
    jacobi(Domain D, Fields F, const float *__restrict__ Old, float *New,
           int From) {
  const int K = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int J = 1 + blockIdx.y * blockDim.y + threadIdx.y;
  const int I = From + blockIdx.z;
  if (J >= D.J - 1 || K >= D.K - 1)
    return;
  const size_t X = size_t(I) * D.Plane + size_t(J) * D.K + K;
  New[X] =
      Old[X] + HimenoOmega * himenoResidual(Old, F.A, F.B, F.C, F.Bnd, F.Wrk1,
                                            D.Cells, X, D.Plane, size_t(D.K));
}

namespace {
struct Run {
  Domain D;
  Fields F;
  cudaStream_t Streams[2];
  cudaEvent_t Computed[2], Arrived;
  float *Out[2], *In[2]; // Pinned; towards the rank before and behind.

  void compute(const float *Old, float *New, int From, int To, int Stream) {
    if (From >= To)
      return;
    const dim3 Block(64, 4);
    const dim3 Grid((D.K - 2 + 63) / 64, (D.J - 2 + 3) / 4, To - From);
    jacobi<<<Grid, Block, 0, Streams[Stream]>>>(D, F, Old, New, From);
    CHECKED(cudaGetLastError());
  }

  void exchange(float *P, bool Behind, int Tag, int Stream) {
    const int Other = Behind ? D.Behind : D.Before, Count = int(D.Plane);
    const size_t Bytes = D.Plane * sizeof(float);
    const size_t Own = Behind ? D.Planes : 1, Halo = Behind ? D.Planes + 1 : 0;
    if (Other == MPI_PROC_NULL)
      return;
    MPI_Request Request;
    MPI_Irecv(In[Behind], Count, MPI_FLOAT, Other, Tag, MPI_COMM_WORLD,
              &Request);
    CHECKED(cudaMemcpyAsync(Out[Behind], P + Own * D.Plane, Bytes,
                            cudaMemcpyDeviceToHost, Streams[Stream]));
    CHECKED(cudaStreamSynchronize(Streams[Stream]));
    MPI_Send(Out[Behind], Count, MPI_FLOAT, Other, Tag, MPI_COMM_WORLD);
    MPI_Wait(&Request, MPI_STATUS_IGNORE);
    CHECKED(cudaMemcpyAsync(P + Halo * D.Plane, In[Behind], Bytes,
                            cudaMemcpyHostToDevice, Streams[Stream]));
  }

  void halves(int Steps) {
    const int N = D.Planes, H = D.Half;
    for (int S = 0; S < Steps; ++S) {
      float *Old = F.P[S % 2], *New = F.P[(S + 1) % 2];
      if (D.Rank % 2 == 0) {
        compute(Old, New, 1, H + 1, 0);
        exchange(Old, true, 0, 1);
        compute(Old, New, H + 1, N + 1, 1);
        exchange(New, false, 1, 0);
      } else {
        compute(Old, New, H + 1, N + 1, 1);
        exchange(Old, false, 0, 0);
        compute(Old, New, 1, H + 1, 0);
        exchange(New, true, 1, 1);
      }
      CHECKED(cudaStreamSynchronize(Streams[0]));
      CHECKED(cudaStreamSynchronize(Streams[1]));
    }
  }

  void edges(int Steps) {
    const int N = D.Planes, Count = int(D.Plane);
    const size_t Bytes = D.Plane * sizeof(float);
    for (int S = 0; S < Steps; ++S) {
      float *Old = F.P[S % 2], *New = F.P[(S + 1) % 2];
      MPI_Request Requests[4];
      MPI_Irecv(In[0], Count, MPI_FLOAT, D.Before, 2, MPI_COMM_WORLD,
                &Requests[0]);
      MPI_Irecv(In[1], Count, MPI_FLOAT, D.Behind, 3, MPI_COMM_WORLD,
                &Requests[1]);
      compute(Old, New, 1, 2, 0);
      compute(Old, New, N, N + 1, 0);
      CHECKED(cudaEventRecord(Computed[0], Streams[0]));
      compute(Old, New, 2, N, 0);
      CHECKED(cudaStreamWaitEvent(Streams[1], Computed[0], 0));
      CHECKED(cudaMemcpyAsync(Out[0], New + D.Plane, Bytes,
                              cudaMemcpyDeviceToHost, Streams[1]));
      CHECKED(cudaMemcpyAsync(Out[1], New + size_t(N) * D.Plane, Bytes,
                              cudaMemcpyDeviceToHost, Streams[1]));
      CHECKED(cudaStreamSynchronize(Streams[1]));
      MPI_Isend(Out[0], Count, MPI_FLOAT, D.Before, 3, MPI_COMM_WORLD,
                &Requests[2]);
      MPI_Isend(Out[1], Count, MPI_FLOAT, D.Behind, 2, MPI_COMM_WORLD,
                &Requests[3]);
      MPI_Waitall(4, Requests, MPI_STATUSES_IGNORE);
      if (D.Before != MPI_PROC_NULL)
        CHECKED(cudaMemcpyAsync(New, In[0], Bytes, cudaMemcpyHostToDevice,
                                Streams[1]));
      if (D.Behind != MPI_PROC_NULL)
        CHECKED(cudaMemcpyAsync(New + size_t(N + 1) * D.Plane, In[1], Bytes,
                                cudaMemcpyHostToDevice, Streams[1]));
      CHECKED(cudaEventRecord(Arrived, Streams[1]));
      CHECKED(cudaStreamWaitEvent(Streams[0], Arrived, 0));
    }
    CHECKED(cudaStreamSynchronize(Streams[0]));
    CHECKED(cudaStreamSynchronize(Streams[1]));
  }
};
} // namespace

static float *onDevice(const float *Host, size_t Count) {
  float *P;
  CHECKED(cudaMalloc(&P, Count * sizeof(float)));
  CHECKED(cudaMemcpy(P, Host, Count * sizeof(float), cudaMemcpyHostToDevice));
  return P;
}

int main(int Argc, char **Argv) {
  int Rank, Ranks, Devices;
  MPI_Init(&Argc, &Argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Ranks);
  const char *Size = Argc > 1 ? Argv[1] : "34x20x20";
  const int Steps = int(measureArgument(Argc, Argv, 2, 8));
  const int Repeats = int(measureArgument(Argc, Argv, 3, 3));
  if (Repeats < 1 || Repeats > HimenoMaxRepeats || Steps < 1)
    return 2;
  CHECKED(cudaGetDeviceCount(&Devices));
  CHECKED(cudaSetDevice(Rank % Devices));
  Run R;
  R.D = himenoDomain(Size, Rank, Ranks);
  Fields Host;
  himenoAllocate(&R.D, &Host);
  const size_t Cells = R.D.Cells, Bytes = Cells * sizeof(float);
  R.F.P[0] = onDevice(Host.P[0], Cells);
  R.F.P[1] = onDevice(Host.P[1], Cells);
  R.F.A = onDevice(Host.A, 4 * Cells);
  R.F.B = onDevice(Host.B, 3 * Cells);
  R.F.C = onDevice(Host.C, 3 * Cells);
  R.F.Bnd = onDevice(Host.Bnd, Cells);
  R.F.Wrk1 = onDevice(Host.Wrk1, Cells);
  for (int I = 0; I < 2; ++I) {
    CHECKED(cudaStreamCreateWithFlags(&R.Streams[I], cudaStreamNonBlocking));
    CHECKED(cudaEventCreateWithFlags(&R.Computed[I], cudaEventDisableTiming));
    CHECKED(cudaMallocHost(&R.Out[I], R.D.Plane * sizeof(float)));
    CHECKED(cudaMallocHost(&R.In[I], R.D.Plane * sizeof(float)));
  }
  CHECKED(cudaEventCreateWithFlags(&R.Arrived, cudaEventDisableTiming));
  int Wrong = 0;
  for (int Form = 0; Form < 2; ++Form) {
    double Ms[HimenoMaxRepeats];
    int Good = 1;
    for (int T = -1; T < Repeats; ++T) {
      const int Count = T < 0 ? HimenoCheckSteps : Steps;
      for (int I = 0; I < 2; ++I)
        CHECKED(cudaMemcpy(R.F.P[I], Host.P[0], Bytes, cudaMemcpyHostToDevice));
      MPI_Barrier(MPI_COMM_WORLD);
      const double Begin = measureNow();
      if (Form == 0)
        R.halves(Count);
      else
        R.edges(Count);
      MPI_Barrier(MPI_COMM_WORLD);
      if (T >= 0) {
        Ms[T] = measureNow() - Begin;
        continue;
      }
      CHECKED(cudaMemcpy(Host.P[1], R.F.P[Count % 2], Bytes,
                         cudaMemcpyDeviceToHost));
      Good = himenoRight(&R.D, Size, Host.P[1], Count);
    }
    Wrong |= himenoReport(&R.D, Form ? "cuda-edges" : "cuda-halves", Size, Ms,
                          Repeats, Steps, Good);
  }
  MPI_Finalize();
  return Wrong;
}
