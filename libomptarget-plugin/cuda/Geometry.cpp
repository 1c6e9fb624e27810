//===- Geometry.cpp - How many blocks and threads a launch gets -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Geometry.h.
//
//   threads  The clause, else 128 or the least the kernel asks for, never more
//            than the kernel was compiled for. A generic kernel gets one warp
//            more, for the thread that runs its sequential parts. A kernel
//            compiled for blocks of any size gets the largest that fill the
//            device well, whose threads share neighbours' data in the first
//            cache, and smaller ones where the loop is too short for those. One
//            whose blocks do an iteration at a time gets small ones where a
//            clause asks for so many that they fill the device.
//   teams    The clause. Else one iteration a thread (SPMD) or a team
//            (generic), if that is at most a few waves of what the device holds
//            at once. Longer loops stride: SPMD ones in one wave, so that
//            everything that runs at a time is near together. Kernels that know
//            runs have a team of 256 threads for each.
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"

#include "accx/kernel_desc.h"

#include <algorithm>

using namespace accx;
using namespace accx::cuda;

namespace {

constexpr uint32_t DefaultThreads = 128;
/// Of a block that has one run of iterations.
constexpr uint32_t RunThreads = 256;
/// Times the device is full of such blocks before they pay.
constexpr uint64_t RunWaves = 8;

uint64_t divideUp(uint64_t A, uint64_t B) { return A / B + (A % B != 0); }

class Choice {
  const accx_launch &L;
  const KernelEnvironment &Env;
  const DeviceLimits &Device;
  const uint32_t Waves;
  const Occupancy &BlocksAtOnce;
  const uint32_t MaxThreads;

public:
  Choice(const accx_launch &L, const KernelEnvironment &Env,
         uint32_t FunctionMaxThreads, const DeviceLimits &Device,
         uint32_t Waves, const Occupancy &BlocksAtOnce)
      : L(L), Env(Env), Device(Device), Waves(Waves),
        BlocksAtOnce(BlocksAtOnce),
        MaxThreads(limit(FunctionMaxThreads, Env, Device)) {}

  static uint32_t limit(uint32_t FunctionMaxThreads,
                        const KernelEnvironment &Env,
                        const DeviceLimits &Device) {
    uint32_t Max = Device.MaxThreads;
    if (FunctionMaxThreads)
      Max = std::min(Max, FunctionMaxThreads);
    if (Env.Mode != KernelEnvironment::Bare && Env.MaxThreads > 0)
      Max = std::min(Max, uint32_t(Env.MaxThreads));
    return std::max(Max, 1u);
  }

  uint32_t threads() const {
    if (L.block[0])
      return std::min(L.block[0], MaxThreads);
    uint64_t Threads = DefaultThreads;
    if (L.thread_limit)
      Threads = L.thread_limit + (Env.Mode == KernelEnvironment::Generic
                                      ? uint64_t(Device.WarpSize)
                                      : 0);
    else if (Env.MinThreads == ACCX_THREADS_TO_FILL)
      Threads = threadsToFill();
    else if (Env.Mode == KernelEnvironment::Spmd && MaxThreads > DefaultThreads)
      Threads = freeThreads();
    else if (Env.Mode != KernelEnvironment::Bare)
      Threads = std::max<uint64_t>(Threads, std::max(Env.MinThreads, 0));
    return uint32_t(std::min<uint64_t>(
        Threads, std::min(MaxThreads, Device.MaxTeamThreads)));
  }

  /// For a kernel that is right with blocks of any size.
  uint32_t freeThreads() const {
    const uint32_t Most = std::min(MaxThreads, Device.MaxTeamThreads);
    uint32_t AtOnce = 0, Best = DefaultThreads;
    for (uint32_t T = DefaultThreads; T <= Most; T *= 2)
      AtOnce = std::max(AtOnce, BlocksAtOnce(T) * T);
    // An eighth less at a time costs less than large blocks gain.
    for (uint32_t T = DefaultThreads; T <= Most; T *= 2)
      if (BlocksAtOnce(T) * T >= AtOnce - AtOnce / 8)
        Best = T;
    if (comesInRuns(Best))
      Best = std::min(Best, RunThreads);
    const uint64_t Blocks =
        L.num_teams ? L.num_teams : 2 * uint64_t(Device.Multiprocessors);
    while (L.trip_count && Best > DefaultThreads &&
           divideUp(L.trip_count, Best) < Blocks)
      Best /= 2;
    // Small blocks even out what multiprocessors have to do.
    while (L.trip_count && !L.num_teams && Best > DefaultThreads &&
           mostWork(Best / 2) < mostWork(Best) - mostWork(Best) / 8)
      Best /= 2;
    return std::max<uint32_t>(Best, std::max(Env.MinThreads, 0));
  }

  /// Iterations of the multiprocessor that has most of them.
  uint64_t mostWork(uint32_t Threads) const {
    return divideUp(divideUp(L.trip_count, Threads), Device.Multiprocessors) *
           Threads;
  }

  /// For a kernel whose blocks do one iteration at a time: the largest blocks
  /// of which all are at work at once. Who asks for many teams has short
  /// iterations; long ones want large blocks, whose threads share what is in
  /// the caches.
  uint32_t threadsToFill() const {
    const uint32_t Most = std::min(MaxThreads, Device.MaxTeamThreads);
    if (!L.trip_count || !L.num_teams)
      return Most;
    const uint64_t Blocks = std::min<uint64_t>(L.trip_count, L.num_teams);
    uint32_t T = std::min<uint32_t>(ACCX_SMALL_BLOCK, Most);
    while (T <= Most / 2 && Blocks <= oneWave(2 * T))
      T *= 2;
    return T;
  }

  uint64_t oneWave(uint32_t Threads) const {
    return uint64_t(Device.Multiprocessors) *
           std::max(BlocksAtOnce(Threads), 1u);
  }

  /// Whether the kernel knows runs, and the loop is so long that blocks which
  /// stay would drift apart. Blocks of \p Threads have one run each.
  bool comesInRuns(uint32_t Threads) const {
    return (Env.MinTeams == ACCX_TEAMS_IN_RUNS || hasShortRuns()) &&
           runs(Threads) > RunWaves * oneWave(Threads);
  }
  bool hasShortRuns() const { return Env.MinTeams == ACCX_TEAMS_IN_SHORT_RUNS; }
  uint64_t runs(uint32_t Threads) const {
    const uint64_t Length = hasShortRuns() ? ACCX_SHORT_RUN : ACCX_RUN;
    return divideUp(L.trip_count, Threads * Length);
  }

  /// Blocks of exact size that go on to further parts of the work need not
  /// begin once for each.
  bool staysAtWork() const {
    return L.exact_block && Env.MinTeams == ACCX_TEAMS_OF_A_WAVE;
  }

  /// Fewer blocks of those that \p Grid has in two dimensions, if they stay: as
  /// many as the device holds at once, with as little to do for each as can be.
  void share(uint32_t Grid[3], uint32_t Threads) const {
    constexpr uint32_t MaxColumns = 8;
    const uint64_t Wave = oneWave(Threads);
    if (!staysAtWork() || uint64_t(Grid[0]) * Grid[1] * Grid[2] <= Wave)
      return;
    const uint32_t Columns = Grid[0], Rows = Grid[1];
    const auto AtOnce = uint32_t(std::min<uint64_t>(Wave, UINT32_MAX));
    uint64_t Least = UINT64_MAX;
    for (uint32_t Each = 1; Each <= MaxColumns; ++Each) {
      const uint32_t X = (Columns - 1) / Each + 1;
      const uint32_t Y = std::min(Rows, AtOnce / X);
      if (!Y)
        continue;
      const uint64_t Work = uint64_t(Each) * ((Rows - 1) / Y + 1);
      if (Work >= Least)
        continue;
      Least = Work;
      Grid[0] = X;
      Grid[1] = Y;
    }
    if (Least == UINT64_MAX) {
      Grid[0] = std::min(Columns, AtOnce);
      Grid[1] = 1;
    }
    Grid[2] = std::clamp(AtOnce / (Grid[0] * Grid[1]), 1u, Grid[2]);
  }

  uint64_t teams(uint32_t Threads) const {
    if (L.grid[0])
      return staysAtWork() ? std::min<uint64_t>(L.grid[0], oneWave(Threads))
                           : L.grid[0];
    const bool UpToNeed = Env.MinTeams == ACCX_TEAMS_UP_TO_NEED;
    const bool UpToAWave = Env.MinTeams == ACCX_TEAMS_UP_TO_A_WAVE;
    if (L.num_teams && !UpToNeed && !UpToAWave)
      return std::min<uint64_t>(L.num_teams, Device.MaxTeams);
    if (Env.Mode == KernelEnvironment::Bare)
      return L.trip_count ? divideUp(L.trip_count, Threads) : 1;

    uint64_t Teams = UINT64_MAX;
    const bool SharesIterations =
        UpToAWave || Env.MinTeams == ACCX_TEAMS_OF_A_WAVE;
    if (L.trip_count && !SharesIterations)
      Teams = Env.Mode == KernelEnvironment::Spmd
                  ? divideUp(L.trip_count, Threads)
                  : L.trip_count;

    const uint64_t Wave = oneWave(Threads);
    if (SharesIterations)
      Teams = Wave;
    else if (comesInRuns(Threads))
      Teams = runs(Threads);
    else if (Teams > (L.trip_count ? Waves * Wave : Wave))
      Teams = Env.Mode == KernelEnvironment::Spmd ? Wave : Waves * Wave;
    if (L.num_teams)
      Teams = std::min<uint64_t>(Teams, L.num_teams);
    if (Env.MinTeams > 0 && Env.MinTeams < ACCX_TEAMS_LEAST_CODE)
      Teams = std::max<uint64_t>(Teams, Env.MinTeams);
    if (Env.MaxTeams > 0)
      Teams = std::min<uint64_t>(Teams, Env.MaxTeams);
    return std::min<uint64_t>(Teams, Device.MaxTeams);
  }
};

} // namespace

LaunchShape cuda::chooseShape(const accx_launch &Launch,
                              const KernelEnvironment &Env,
                              uint32_t FunctionMaxThreads,
                              const DeviceLimits &Device, uint32_t Waves,
                              const Occupancy &BlocksAtOnce) {
  const Choice C(Launch, Env, FunctionMaxThreads, Device, Waves, BlocksAtOnce);
  LaunchShape Shape = {
      {1, std::max(Launch.grid[1], 1u), std::max(Launch.grid[2], 1u)},
      {1, std::max(Launch.block[1], 1u), std::max(Launch.block[2], 1u)}};
  // Blocks of several dimensions come from a descriptor, whose shape says what
  // each thread does: bounding one dimension would change that.
  const bool AsGiven =
      Launch.block[0] &&
      (Launch.exact_block || Shape.Block[1] > 1 || Shape.Block[2] > 1);
  uint32_t Threads = AsGiven ? Launch.block[0] : C.threads();
  const uint64_t Teams = C.teams(Threads);
  Shape.Block[0] = Threads;
  Shape.Grid[0] = uint32_t(
      std::clamp<uint64_t>(Teams, 1, std::max<uint64_t>(Device.MaxBlocks, 1)));
  if (Launch.grid[0] && Launch.grid[1] > 1) {
    Shape.Grid[0] = Launch.grid[0];
    C.share(Shape.Grid, Threads);
  }
  return Shape;
}
