//===- grids.cu - The stencils by hand ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: grids-cuda jacobi:size:steps[:rounds]... hydro:... heat:...
//
// Runs on 1, 2, 4 and so on devices, and on all. `heat` is the paper's program:
// one round is one run with the copies to the devices and back.
//
//===----------------------------------------------------------------------===//

#include "gridrun.cuh"

#include <algorithm>

static const char *nameOf(Halo How, int Devices) {
  return Devices == 1         ? "cuda"
         : How == Halo::Loads ? "cuda-loads"
                              : "cuda-copies";
}

/// The fastest signal of rows 1 to Count, as the bits of a float.
__global__ void fastest(const Gas *A, int Pitch, int Count, unsigned *Most) {
  float Mine = 0;
  for (int Y = blockIdx.y + 1; Y <= Count; Y += gridDim.y)
    for (int X = blockIdx.x * blockDim.x + threadIdx.x; X < Pitch - 1;
         X += gridDim.x * blockDim.x)
      if (X > 0)
        Mine = fmaxf(Mine, gasSpeed(A[size_t(Y) * Pitch + X]));
  // Positive floats are ordered as their bits are.
  const unsigned Bits = __reduce_max_sync(~0u, __float_as_uint(Mine));
  if (threadIdx.x % 32 == 0)
    atomicMax(Most, Bits);
}

namespace {
/// The rule of the next steps; of Hydro it depends on all devices.
template <class Rule> struct Control {
  explicit Control(GridRun<Rule> &) {}
  Rule at(int, int) { return Rule{}; }
};

template <> struct Control<Hydro> {
  explicit Control(GridRun<Hydro> &Run) : Run(Run), Most(Run.Who.Count) {
    CHECKED(cudaMallocHost(&Found, sizeof(unsigned) * Most.size()));
    for (size_t D = 0; D < Most.size(); ++D) {
      teamUse(int(D));
      CHECKED(cudaMalloc(&Most[D], sizeof(unsigned)));
    }
  }
  ~Control() {
    for (unsigned *P : Most)
      cudaFree(P);
    cudaFreeHost(Found);
  }
  /// Of device D, ahead of step number S of a round; A is what it steps from.
  Hydro at(int D, int From) {
    const auto &P = Run.Parts[D];
    cudaStream_t Stream = Run.Who.stream(D);
    CHECKED(cudaMemsetAsync(Most[D], 0, sizeof(unsigned), Stream));
    fastest<<<dim3((Run.Pitch + 255) / 256, std::min(P.Count, 512)), 256, 0,
              Stream>>>(P.A[From], Run.Pitch, P.Count, Most[D]);
    CHECKED(cudaMemcpyAsync(&Found[D], Most[D], sizeof(unsigned),
                            cudaMemcpyDeviceToHost, Stream));
    Run.Who.wait(D);
    Run.Who.barrier();
    unsigned All = 0;
    for (int I = 0; I < Run.Who.Count; ++I)
      All = std::max(All, Found[I]);
    Run.Who.barrier();
    float Speed;
    memcpy(&Speed, &All, sizeof(Speed));
    return {GasShare / Speed};
  }
  GridRun<Hydro> &Run;
  std::vector<unsigned *> Most;
  unsigned *Found;
};
} // namespace

/// All rounds with data that lie on the devices.
template <class Rule> static int resident(ScaleCase C, Team &Who, Rule Check) {
  const int N = int(C.Size);
  GridRun<Rule> Run(Who, N, N);
  Who.run([&](int D) { Run.allocate(D); });
  Who.run([&](int D) { Run.fill(D), Who.wait(D); });
  Run.tune(Check);
  Control<Rule> Rules(Run);
  int Bad = 0;
  for (Halo How : {Halo::Loads, Halo::Copies}) {
    if (Who.Count == 1 && How == Halo::Copies)
      continue;
    double Ms[ScaleMaxRounds];
    int Good = 1;
    // Arrays take turns by the number of the step, which goes on.
    Run.Done += Run.Done % 2;
    Who.run([&](int D) {
      Run.fill(D);
      Who.endStep(D, Run.Done);
      Who.wait(D);
      Who.barrier();
      for (int S = 1; S <= ScaleCheckSteps; ++S)
        Run.step(D, How, Run.Done + S, Check);
      Who.wait(D);
    });
    Run.Done += ScaleCheckSteps;
    Run.Now = 0;
    ScaleGrid G = Run.look(C.Name);
    scaleLook(&G, ScaleCheckSteps, &Good);
    const long Base = Run.Done;
    Who.run([&](int D) {
      Rule R = Check;
      long At = Base;
      for (int Round = 0; Round < C.Rounds; ++Round) {
        Who.barrier();
        const double Begin = scaleNow();
        for (int S = 0; S < C.Steps; ++S) {
          if (S % GasOften == 0 && sizeof(typename Rule::Item) > 4)
            R = Rules.at(D, int(At % 2));
          Run.step(D, How, ++At, R);
        }
        Who.wait(D);
        Who.barrier();
        if (D == 0)
          Ms[Round] = (scaleNow() - Begin) / C.Steps;
      }
    });
    Run.Done += long(C.Rounds) * C.Steps;
    Run.Now = int(Run.Done % 2);
    const double Sum = scaleLook(&G, 0, &Good);
    Bad |= scaleReport(C.Name, nameOf(How, Who.Count), Who.Count, C.Size,
                       scaleMedian(Ms, C.Rounds), "ms a step", Sum, Good);
  }
  Who.run([&](int D) { Run.release(D); });
  printf("# %s %zu on %d: blocks of %d x %d, %d rows a thread\n", C.Name,
         C.Size, Who.Count, Run.Best.X, Run.Best.Y, Run.Best.K);
  return Bad;
}

/// The paper's program, whose data are on the host before and behind a run.
static int heat(ScaleCase C, Team &Who) {
  const int Pitch = int(C.Size) + 2;
  const size_t Cells = size_t(Pitch) * Pitch;
  float *Begin = scaleFilled(Cells), *Got = scaleFilled(Cells);
  GridRun<Heat> Run(Who, Pitch, Pitch);
  const Heat Rule{HeatSpeed};
  Who.run([&](int D) { Run.allocate(D), Run.fill(D), Who.wait(D); });
  Run.tune(Rule);
  Who.run([&](int D) { Who.wait(D), Run.release(D); });
  int Bad = 0;
  for (Halo How : {Halo::Loads, Halo::Copies}) {
    if (Who.Count == 1 && How == Halo::Copies)
      continue;
    double Ms[ScaleMaxRounds], Sum = 0;
    int Good = 1;
    for (int Round = -1; Round < C.Rounds; ++Round) {
      const int Steps = Round < 0 ? ScaleCheckSteps : C.Steps;
      Run.Done += Run.Done % 2;
      Who.run([&](int D) {
        const auto &P = Run.Parts[D];
        const size_t Own = size_t(P.Count) * Pitch * sizeof(float);
        Who.barrier();
        const double Start = scaleNow();
        Run.allocate(D);
        for (float *A : P.A)
          CHECKED(cudaMemcpyAsync(A, Begin + size_t(P.First - 1) * Pitch,
                                  Run.bytesOf(D), cudaMemcpyHostToDevice,
                                  Who.stream(D)));
        Who.endStep(D, Run.Done);
        Who.barrier();
        for (int S = 1; S <= Steps; ++S)
          Run.step(D, How, Run.Done + S, Rule);
        Who.wait(D);
        CHECKED(cudaMemcpy(Got + size_t(P.First) * Pitch,
                           P.A[Steps % 2] + Pitch, Own,
                           cudaMemcpyDeviceToHost));
        Who.barrier();
        Run.release(D);
        Who.barrier();
        if (D == 0 && Round >= 0)
          Ms[Round] = scaleNow() - Start;
      });
      Run.Done += Steps;
      const ScaleGrid G = scaleGridOf("heat", Pitch, Pitch, Got);
      Sum = scaleLook(&G, Round < 0 ? ScaleCheckSteps : 0, &Good);
    }
    char Unit[32];
    snprintf(Unit, sizeof(Unit), "ms for %d steps", C.Steps);
    Bad |= scaleReport("heat", nameOf(How, Who.Count), Who.Count, C.Size,
                       scaleMedian(Ms, C.Rounds), Unit, Sum, Good);
  }
  free(Begin);
  free(Got);
  return Bad;
}

int main(int Argc, char **Argv) {
  int Bad = Argc < 2;
  for (int Devices : teamSizes()) {
    Team Who(Devices);
    for (int I = 1; I < Argc; ++I) {
      const ScaleCase C = scaleCase(Argv[I]);
      if (!strcmp(C.Name, "jacobi"))
        Bad |= resident(C, Who, Jacobi{});
      else if (!strcmp(C.Name, "hydro"))
        Bad |= resident(C, Who, Hydro{GasCheckRatio});
      else if (!strcmp(C.Name, "heat"))
        Bad |= heat(C, Who);
      else
        return 2;
    }
  }
  return Bad;
}
