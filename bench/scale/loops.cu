//===- loops.cu - Product, bodies and a sum by hand -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cuda` has the loops that the directives have, `cuda-tiled` keeps tiles of
// what is read in shared memory. Each GPU has all of what all read: of the
// product the second matrix, of the bodies their places, which go over by peer
// copies behind each step.
//
// Usage: loops-cuda product:size:steps[:rounds]... nbody:... sum:...
//
//===----------------------------------------------------------------------===//

#include "bodies.h"
#include "kernels.cuh"
#include "team.cuh"

#include <algorithm>

static const char *nameOf(bool Tiled) { return Tiled ? "cuda-tiled" : "cuda"; }

/// Times Rounds of Step(D, number of the step), Steps each, on all devices.
template <class F>
static void timed(Team &Who, const ScaleCase &C, double *Ms, const F &Step) {
  Who.run([&](int D) {
    for (int Round = 0; Round < C.Rounds; ++Round) {
      Who.barrier();
      const double Begin = scaleNow();
      for (int S = 0; S < C.Steps; ++S)
        Step(D, long(Round) * C.Steps + S + 1);
      Who.wait(D);
      Who.barrier();
      if (D == 0)
        Ms[Round] = (scaleNow() - Begin) / C.Steps;
    }
  });
}

static int product(const ScaleCase &C, Team &Who) {
  const int N = int(C.Size);
  const size_t All = C.Size * C.Size;
  struct Part {
    int First, Rows;
    float *A, *B, *C;
  };
  std::vector<Part> Parts(Who.Count);
  Who.run([&](int D) {
    const int First = teamShare(N, D, Who.Count);
    Part &P = Parts[D];
    P = {First, teamShare(N, D + 1, Who.Count) - First, nullptr, nullptr,
         nullptr};
    const size_t Own = size_t(P.Rows) * N;
    CHECKED(cudaMalloc(&P.A, Own * sizeof(float)));
    CHECKED(cudaMalloc(&P.B, All * sizeof(float)));
    CHECKED(cudaMalloc(&P.C, Own * sizeof(float)));
    fillValues<<<1024, 256, 0, Who.stream(D)>>>(P.A, size_t(First) * N, Own);
    fillValues<<<1024, 256, 0, Who.stream(D)>>>(P.B, 0, All);
    Who.wait(D);
  });
  teamUse(0);
  // Rows enough to fill the device tell the shapes apart.
  const int Best = teamFastest(Who.stream(0), ProductShapes, 1, [&](int S) {
    multiply(S, Parts[0].A, Parts[0].B, Parts[0].C, N,
             std::min(Parts[0].Rows, 512), Who.stream(0));
  });
  int Bad = 0;
  std::vector<float> Got(All);
  for (bool Tiled : {false, true}) {
    double Ms[ScaleMaxRounds];
    int Good = 1;
    const int Shape = Tiled ? ProductTiles : Best;
    timed(Who, C, Ms, [&](int D, long) {
      const Part &P = Parts[D];
      multiply(Shape, P.A, P.B, P.C, N, P.Rows, Who.stream(D));
    });
    for (const Part &P : Parts)
      CHECKED(cudaMemcpy(Got.data() + size_t(P.First) * N, P.C,
                         size_t(P.Rows) * N * sizeof(float),
                         cudaMemcpyDefault));
    const double Sum = productLook(N, Got.data(), &Good);
    Bad |= scaleReport("product", nameOf(Tiled), Who.Count, C.Size,
                       scaleMedian(Ms, C.Rounds), "ms a step", Sum, Good);
  }
  Who.run([&](int D) {
    CHECKED(cudaFree(Parts[D].A));
    CHECKED(cudaFree(Parts[D].B));
    CHECKED(cudaFree(Parts[D].C));
  });
  return Bad;
}

static int nbody(const ScaleCase &C, Team &Who) {
  const int Count = int(C.Size);
  struct alignas(128) Part {
    int First, Own;
    Body *P[2], *V;
    double *Energy;
  };
  std::vector<Part> Parts(Who.Count);
  std::vector<Body> Begin(Count), Speeds(Count);
  for (int I = 0; I < Count; ++I)
    Begin[I] = bodyBegin(I, Count);
  double *Energies;
  CHECKED(cudaMallocHost(&Energies, sizeof(double) * Who.Count));
  Who.run([&](int D) {
    const int First = teamShare(Count, D, Who.Count);
    Part &P = Parts[D];
    P.First = First;
    P.Own = teamShare(Count, D + 1, Who.Count) - First;
    for (Body *&A : P.P)
      CHECKED(cudaMalloc(&A, Count * sizeof(Body)));
    CHECKED(cudaMalloc(&P.V, P.Own * sizeof(Body)));
    CHECKED(cudaMalloc(&P.Energy, sizeof(double)));
  });
  int Bad = 0;
  long Done = 0;
  double Sum = 0;
  for (bool Tiled : {false, true}) {
    double Ms[ScaleMaxRounds];
    int Good = 1;
    Done += Done % 2;
    // From P[0] to P[1] in odd steps; others get the new places at its end.
    const auto Step = [&](int D, long At) {
      Part &P = Parts[D];
      cudaStream_t Stream = Who.stream(D);
      Body *From = P.P[(At + 1) % 2], *To = P.P[At % 2];
      for (int Other = 0; Other < Who.Count; ++Other)
        if (Other != D)
          Who.waitStep(D, Other, At - 1);
      CHECKED(cudaMemsetAsync(P.Energy, 0, sizeof(double), Stream));
      pullAndMove(Tiled, From, To, P.V, P.First, P.Own, Count, P.Energy,
                  Stream);
      for (int Other = 0; Other < Who.Count; ++Other)
        if (Other != D)
          CHECKED(cudaMemcpyPeerAsync(Parts[Other].P[At % 2] + P.First,
                                      teamGpu(Other), To + P.First, teamGpu(D),
                                      P.Own * sizeof(Body), Stream));
      Who.endStep(D, At);
      CHECKED(cudaMemcpyAsync(&Energies[D], P.Energy, sizeof(double),
                              cudaMemcpyDeviceToHost, Stream));
      // The host has the energy after each step.
      Who.wait(D);
      Who.barrier();
      if (D == 0) {
        Sum = 0;
        for (int I = 0; I < Who.Count; ++I)
          Sum += Energies[I];
      }
      Who.barrier();
    };
    Who.run([&](int D) {
      Part &P = Parts[D];
      CHECKED(cudaMemcpy(P.P[0], Begin.data(), Count * sizeof(Body),
                         cudaMemcpyHostToDevice));
      CHECKED(cudaMemset(P.V, 0, P.Own * sizeof(Body)));
      Who.endStep(D, Done);
      CHECKED(cudaDeviceSynchronize());
      Who.barrier();
      Step(D, Done + 1);
      CHECKED(cudaMemcpy(Speeds.data() + P.First, P.V, P.Own * sizeof(Body),
                         cudaMemcpyDeviceToHost));
    });
    bodyCheck(Count, Speeds.data(), &Good);
    Done += 1;
    timed(Who, C, Ms, [&](int D, long S) { Step(D, Done + S); });
    Done += long(C.Rounds) * C.Steps;
    Bad |= scaleReport("nbody", nameOf(Tiled), Who.Count, C.Size,
                       scaleMedian(Ms, C.Rounds), "ms a step", Sum, Good);
  }
  Who.run([&](int D) {
    for (Body *A : Parts[D].P)
      CHECKED(cudaFree(A));
    CHECKED(cudaFree(Parts[D].V));
    CHECKED(cudaFree(Parts[D].Energy));
  });
  CHECKED(cudaFreeHost(Energies));
  return Bad;
}

static int sum(const ScaleCase &C, Team &Who) {
  struct alignas(128) Part {
    size_t First, Own;
    float *A;
    double *Sum;
  };
  std::vector<Part> Parts(Who.Count);
  double *Sums, Total = 0;
  CHECKED(cudaMallocHost(&Sums, sizeof(double) * Who.Count));
  Who.run([&](int D) {
    Part &P = Parts[D];
    // Multiples of four, which are loaded at once.
    P.First = C.Size / 4 * D / Who.Count * 4;
    P.Own =
        (D == Who.Count - 1 ? C.Size : C.Size / 4 * (D + 1) / Who.Count * 4) -
        P.First;
    CHECKED(cudaMalloc(&P.A, P.Own * sizeof(float)));
    CHECKED(cudaMalloc(&P.Sum, sizeof(double)));
    fillValues<<<1024, 256, 0, Who.stream(D)>>>(P.A, P.First, P.Own);
    Who.wait(D);
  });
  teamUse(0);
  const int Best = teamFastest(Who.stream(0), SumShapes, 3, [&](int S) {
    addAll(S, Parts[0].A, Parts[0].Own, Parts[0].Sum, Who.stream(0));
  });
  double Ms[ScaleMaxRounds];
  int Good = 1;
  timed(Who, C, Ms, [&](int D, long) {
    const Part &P = Parts[D];
    CHECKED(cudaMemsetAsync(P.Sum, 0, sizeof(double), Who.stream(D)));
    addAll(Best, P.A, P.Own, P.Sum, Who.stream(D));
    CHECKED(cudaMemcpyAsync(&Sums[D], P.Sum, sizeof(double),
                            cudaMemcpyDeviceToHost, Who.stream(D)));
    Who.wait(D);
    Who.barrier();
    if (D == 0) {
      Total = 0;
      for (int I = 0; I < Who.Count; ++I)
        Total += Sums[I];
    }
    Who.barrier();
  });
  sumCheck(nullptr, C.Size, Total, &Good);
  Who.run([&](int D) {
    CHECKED(cudaFree(Parts[D].A));
    CHECKED(cudaFree(Parts[D].Sum));
  });
  CHECKED(cudaFreeHost(Sums));
  return scaleReport("sum", "cuda", Who.Count, C.Size,
                     scaleMedian(Ms, C.Rounds), "ms a step", Total, Good);
}

int main(int Argc, char **Argv) {
  int Bad = Argc < 2;
  for (int Devices : teamSizes()) {
    Team Who(Devices);
    for (int I = 1; I < Argc; ++I) {
      const ScaleCase C = scaleCase(Argv[I]);
      if (!strcmp(C.Name, "product"))
        Bad |= product(C, Who);
      else if (!strcmp(C.Name, "nbody"))
        Bad |= nbody(C, Who);
      else if (!strcmp(C.Name, "sum"))
        Bad |= sum(C, Who);
      else
        return 2;
    }
  }
  return Bad;
}
