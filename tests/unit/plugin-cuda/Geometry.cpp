//===- Geometry.cpp - Shapes of launches ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clauses, trip counts, the kernel's limits and descriptors, on a device of 100
// multiprocessors that hold 8 blocks each.
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"

#include "accx/kernel_desc.h"

#include <array>
#include <catch2/catch.hpp>

using namespace accx::cuda;

namespace {

struct Case {
  accx_launch Launch = {};
  KernelEnvironment Env = {};
  DeviceLimits Device = {};
  uint32_t FunctionMaxThreads = 1024;
  Occupancy BlocksAtOnce = [](uint32_t) { return 8u; };

  explicit Case(uint8_t Mode) {
    Env.Mode = Mode;
    Env.MinThreads = 1;
    Env.MaxThreads = 128;
    Env.MinTeams = Env.MaxTeams = -1;
    Device.Multiprocessors = 100;
    Device.WarpSize = 32;
    Device.MaxThreads = 1024;
    Device.MaxBlocks = (1u << 31) - 1;
  }

  LaunchShape shape() const {
    return chooseShape(Launch, Env, FunctionMaxThreads, Device, 4,
                       BlocksAtOnce);
  }
  uint32_t threads() const { return shape().Block[0]; }
  uint32_t teams() const { return shape().Grid[0]; }
};

constexpr uint32_t OneWave = 100 * 8;

} // namespace

TEST_CASE("a loop gets one iteration a thread up to four waves, else strides") {
  Case C(KernelEnvironment::Spmd);
  C.Launch.trip_count = 1;
  CHECK(C.teams() == 1);
  CHECK(C.threads() == 128);
  C.Launch.trip_count = 128;
  CHECK(C.teams() == 1);
  C.Launch.trip_count = 129;
  CHECK(C.teams() == 2);
  C.Launch.trip_count = 4 * OneWave * 128;
  CHECK(C.teams() == 4 * OneWave);
  C.Launch.trip_count += 1;
  CHECK(C.teams() == OneWave);
  C.Launch.trip_count = UINT64_MAX;
  CHECK(C.teams() == OneWave);
}

TEST_CASE("blocks of a kernel for any size are large, and fill the device") {
  Case C(KernelEnvironment::Spmd);
  C.Env.MaxThreads = 1024;
  // 48 registers a thread: 1,365 at a time.
  C.BlocksAtOnce = [](uint32_t Threads) { return 1365 / Threads; };
  C.Launch.trip_count = 100000000;
  CHECK(C.threads() == 256); // 1,280 at a time, as with 128.
  // 56 registers: 1,152 at a time by 128, 1,024 by 1,024.
  C.BlocksAtOnce = [](uint32_t Threads) { return 1170 / Threads; };
  CHECK(C.threads() == 1024);
  C.BlocksAtOnce = [](uint32_t Threads) { return 2048 / Threads; };
  CHECK(C.threads() == 1024);
  CHECK(C.teams() == 200);
  C.FunctionMaxThreads = 640;
  CHECK(C.threads() == 512);
  C.Device.MaxTeamThreads = 300;
  CHECK(C.threads() == 256);
  C.Device.MaxTeamThreads = 100;
  CHECK(C.threads() == 100);
  C.Device.MaxTeamThreads = UINT32_MAX;
  C.FunctionMaxThreads = 1024;
  // Short loops: two blocks a multiprocessor if they can be had.
  C.Launch.trip_count = 200 * 512;
  CHECK(C.threads() == 512);
  CHECK(C.teams() == 200);
  C.Launch.trip_count = 200 * 512 - 512;
  CHECK(C.threads() == 256);
  C.Launch.trip_count = 1;
  CHECK(C.threads() == 128);
  CHECK(C.teams() == 1);
  // Three blocks of 1,024 for some and two for others, or five of 512.
  C.Launch.trip_count = 220 * 1024;
  CHECK(C.threads() == 512);
  C.Launch.trip_count = 300 * 1024;
  CHECK(C.threads() == 1024);
  C.Launch.trip_count = 220 * 1024;
  C.Launch.num_teams = 200;
  CHECK(C.threads() == 1024);
  // Teams of a clause: none is left without work.
  C.Launch.num_teams = 10;
  C.Launch.trip_count = 3000;
  CHECK(C.threads() == 256);
  CHECK(C.teams() == 10);
  // A clause decides.
  C.Launch.thread_limit = 96;
  CHECK(C.threads() == 96);
}

TEST_CASE("a generic loop gets one iteration a team") {
  for (uint8_t Mode :
       {KernelEnvironment::Generic, KernelEnvironment::GenericSpmd}) {
    Case C(Mode);
    C.Launch.trip_count = 500;
    CHECK(C.teams() == 500);
    C.Launch.trip_count = 1000000;
    CHECK(C.teams() == 4 * OneWave);
  }
}

TEST_CASE("without a trip count the device is filled once") {
  Case C(KernelEnvironment::Spmd);
  CHECK(C.teams() == OneWave);
}

TEST_CASE("clauses decide within the limits") {
  Case C(KernelEnvironment::Spmd);
  C.Launch.trip_count = 1000000;
  C.Launch.num_teams = 70000;
  C.Launch.thread_limit = 64;
  CHECK(C.teams() == 70000);
  CHECK(C.threads() == 64);
  C.Launch.thread_limit = 512;
  CHECK(C.threads() == 128); // What the kernel was compiled for.
  C.Env.MaxThreads = 0;
  CHECK(C.threads() == 512);
  C.FunctionMaxThreads = 256;
  CHECK(C.threads() == 256);
  C.Device.MaxBlocks = 65535;
  CHECK(C.teams() == 65535);
}

TEST_CASE("a generic kernel has a warp more for its main thread") {
  Case C(KernelEnvironment::Generic);
  C.Env.MaxThreads = 1024;
  C.Launch.thread_limit = 64;
  CHECK(C.threads() == 96);
  C.Launch.thread_limit = UINT32_MAX;
  CHECK(C.threads() == 1024);
}

TEST_CASE("the kernel's own bounds of teams hold") {
  Case C(KernelEnvironment::Spmd);
  C.Launch.trip_count = 1000;
  C.Env.MinTeams = 50;
  CHECK(C.teams() == 50);
  C.Env.MaxTeams = 20;
  CHECK(C.teams() == 20);
}

TEST_CASE("the user's bounds hold, but not for descriptors") {
  Case C(KernelEnvironment::Spmd);
  C.Device.MaxTeams = 7;
  C.Device.MaxTeamThreads = 32;
  C.Launch.trip_count = 100000;
  CHECK(C.teams() == 7);
  CHECK(C.threads() == 32);
  C.Launch.num_teams = 9;
  CHECK(C.teams() == 7);
  C.Launch.grid[0] = 1000;
  C.Launch.block[0] = 64;
  CHECK(C.teams() == 1000);
  CHECK(C.threads() == 64);
}

TEST_CASE("a descriptor's block is exact, or the largest allowed") {
  Case C(KernelEnvironment::Spmd);
  C.Launch.grid[0] = 10;
  C.Launch.block[0] = 256;
  CHECK(C.threads() == 128);
  C.Launch.exact_block = 1;
  CHECK(C.threads() == 256);
  C.Launch.exact_block = 0;
  C.Launch.grid[1] = 3;
  C.Launch.block[1] = 4;
  const LaunchShape S = C.shape();
  CHECK(S.Block[0] == 256);
  CHECK(S.Block[1] == 4);
  CHECK(S.Block[2] == 1);
  CHECK(S.Grid[0] == 10);
  CHECK(S.Grid[1] == 3);
  CHECK(S.Grid[2] == 1);
}

TEST_CASE("a clause bounds the wave of a kernel that cannot tell") {
  Case C(KernelEnvironment::Spmd);
  C.Env.MinTeams = ACCX_TEAMS_UP_TO_A_WAVE;
  C.Launch.trip_count = 1 << 20;
  C.Launch.num_teams = 3;
  CHECK(C.shape().Grid[0] == 3);
  C.Launch.num_teams = 1 << 20;
  const uint32_t Wave = C.shape().Grid[0];
  CHECK(Wave == OneWave);
  C.Launch.num_teams = 0;
  CHECK(C.shape().Grid[0] == Wave);
}

TEST_CASE("a clause bounds what the trip count asks for") {
  Case C(KernelEnvironment::Spmd);
  C.Env.MinTeams = ACCX_TEAMS_UP_TO_NEED;
  C.Launch.thread_limit = 128;
  C.Launch.trip_count = 1000;
  C.Launch.num_teams = 1 << 20;
  CHECK(C.teams() == 8);
  C.Launch.num_teams = 3;
  CHECK(C.teams() == 3);
  C.Launch.num_teams = 0;
  CHECK(C.teams() == 8);
  C.Launch.num_teams = 1 << 20;
  C.Env.MaxTeams = 5;
  CHECK(C.teams() == 5);
}

TEST_CASE("long loops that know runs have a block for each") {
  Case C(KernelEnvironment::Spmd);
  C.Env.MinTeams = ACCX_TEAMS_IN_RUNS;
  C.Env.MaxThreads = 1024;
  C.BlocksAtOnce = [](uint32_t Threads) { return 2048 / Threads; };
  C.Launch.trip_count = (uint64_t(1) << 28) + 1;
  CHECK(C.threads() == 256);
  CHECK(C.teams() == (1 << 16) + 1);
  C.Launch.thread_limit = 96;
  CHECK(C.teams() == (C.Launch.trip_count + 1535) / 1536);
  C.Launch.thread_limit = 0;
  SECTION("short ones, from fewer iterations on") {
    C.Env.MinTeams = ACCX_TEAMS_IN_SHORT_RUNS;
    const uint64_t Waves = 8 * 8 * uint64_t(C.Device.Multiprocessors);
    C.Launch.trip_count = Waves * 1024 + 1;
    CHECK(C.teams() == Waves + 1);
    C.Launch.trip_count = Waves * 1024;
    CHECK(C.teams() < Waves / 2);
  }
  SECTION("others have a grid as without runs") {
    C.Launch.trip_count = GENERATE(100000, 1 << 22);
    const LaunchShape S = C.shape();
    C.Env.MinTeams = 0;
    CHECK(S.Grid[0] == C.shape().Grid[0]);
    CHECK(S.Block[0] == C.shape().Block[0]);
  }
  SECTION("without a trip count there is a wave") {
    C.Launch.trip_count = 0;
    const uint32_t Teams = C.teams();
    C.Env.MinTeams = 0;
    CHECK(Teams == C.teams());
  }
  SECTION("clauses and bounds hold") {
    C.Launch.num_teams = 9;
    CHECK(C.teams() == 9);
    C.Launch.num_teams = 0;
    C.Device.MaxTeams = 7;
    CHECK(C.teams() == 7);
  }
}

TEST_CASE("blocks that do an iteration at a time fill the device") {
  Case C(KernelEnvironment::Spmd);
  C.Env.MinTeams = ACCX_TEAMS_UP_TO_A_WAVE;
  C.Env.MinThreads = ACCX_THREADS_TO_FILL;
  C.Env.MaxThreads = 512;
  C.BlocksAtOnce = [](uint32_t Threads) { return 1024 / Threads; };
  C.Launch.trip_count = 1000000;
  CHECK(C.threads() == 512);
  C.Launch.num_teams = 1000000;
  CHECK(C.threads() == 128);
  const uint32_t Wave = C.shape().Grid[0];
  CHECK(Wave == OneWave);
  C.Launch.trip_count = Wave;
  CHECK(C.threads() == 128);
  C.Launch.trip_count = Wave / 2;
  CHECK(C.threads() == 256);
  C.Launch.trip_count = Wave / 4;
  CHECK(C.threads() == 512);
  C.Launch.trip_count = 1;
  CHECK(C.threads() == 512);
  // Nobody knows how many iterations there are.
  C.Launch.trip_count = 0;
  CHECK(C.threads() == 512);
  // Few teams are like few iterations.
  C.Launch.trip_count = 1000000;
  C.Launch.num_teams = 1;
  CHECK(C.threads() == 512);
  C.Launch.thread_limit = 64;
  CHECK(C.threads() == 64);
}

TEST_CASE("blocks of two dimensions that stay are a wave, with equal shares") {
  Case C(KernelEnvironment::Spmd);
  C.Env.MinTeams = ACCX_TEAMS_OF_A_WAVE;
  C.Launch.block[0] = 64;
  C.Launch.exact_block = 1;
  const auto Grid = [&](uint32_t X, uint32_t Y, uint32_t Z) {
    C.Launch.grid[0] = X;
    C.Launch.grid[1] = Y;
    C.Launch.grid[2] = Z;
    const LaunchShape S = C.shape();
    return std::array<uint32_t, 3>{S.Grid[0], S.Grid[1], S.Grid[2]};
  };
  using Blocks = std::array<uint32_t, 3>;
  CHECK(Grid(40, 20, 1) == Blocks{40, 20, 1});
  CHECK(Grid(80, 100, 1) == Blocks{80, 10, 1});
  // 4 columns of 7 each; 147 x 5 would have 30.
  CHECK(Grid(147, 147, 1) == Blocks{37, 21, 1});
  CHECK(Grid(7, 100000, 1) == Blocks{1, 800, 1});
  CHECK(Grid(100000, 2, 1) == Blocks{OneWave, 1, 1});
  CHECK(Grid(20, 10, 9) == Blocks{20, 10, 4});
  C.Env.MinTeams = -1;
  CHECK(Grid(147, 147, 1) == Blocks{147, 147, 1});
}

TEST_CASE("a kernel that is none of OpenMP's gets what is asked for") {
  Case C(KernelEnvironment::Bare);
  CHECK(C.teams() == 1);
  CHECK(C.threads() == 128);
  C.Launch.trip_count = 1000;
  CHECK(C.teams() == 8);
  C.Launch.num_teams = 5;
  C.Launch.thread_limit = 600;
  CHECK(C.teams() == 5);
  CHECK(C.threads() == 600);
}

TEST_CASE("reduction buffers are for kernels that have both sizes") {
  KernelEnvironment Env = {};
  Env.Mode = KernelEnvironment::Spmd;
  CHECK_FALSE(Env.needsReductionBuffer());
  Env.ReductionDataSize = 8;
  CHECK_FALSE(Env.needsReductionBuffer());
  Env.ReductionBufferLength = 1024;
  CHECK(Env.needsReductionBuffer());
  Env.Mode = KernelEnvironment::Bare;
  CHECK_FALSE(Env.needsReductionBuffer());
}
