//===- DescriptorLaunchTest.cpp - Launches that obey a descriptor ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with descriptors, launched through the entry points: what they are
// passed, the workspace, and chains.
//
//===----------------------------------------------------------------------===//

#include "DescribedImage.h"

#include "harness/Variant.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <thread>

using namespace accx;
using namespace harness;

namespace {

/// One kernel of one library.
struct Program {
  Library Lib;
  void *Region;

  Program(const DescribedImage &Image, const std::string &Kernel)
      : Lib(Image.bytes()), Region(Lib.kernel(Kernel)) {
    Lib.registerNow();
    takeLaunches();
  }
  void run(record &R, uint64_t TripCount = 0, int Device = 0) {
    Arguments().literal(&R).target(Device, Region, TripCount);
  }
};

std::unique_ptr<record> makeRecord() { return std::make_unique<record>(); }

uintptr_t address(const void *P) { return reinterpret_cast<uintptr_t>(P); }

} // namespace

TEST_CASE("A kernel without a descriptor gets its own arguments only") {
  DescribedImage Image;
  Program P(Image, "plain");
  auto R = makeRecord();
  P.run(*R, 1000);
  CHECK(R->calls == 1);
  CHECK(R->call[0].kernel == 5);
  auto Launches = takeLaunches();
  REQUIRE(Launches.size() == 1);
  CHECK(Launches[0].num_args == 2);
  CHECK(Launches[0].has_environment == 1);
  CHECK(Launches[0].grid[0] == 0);
  CHECK(Launches[0].block[0] == 0);
  CHECK(Launches[0].trip_count == 1000);
  CHECK(Launches[0].exact_block == 0);
}

TEST_CASE("Grid, block and shared memory come from the descriptor") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_EXACT_BLOCK | ACCX_DESC_PASS_GEOMETRY;
  D.block[0] = 32;
  D.block[1] = 4;
  D.block[2] = 2;
  D.iterations_per_block = 100;
  D.dynamic_shared_bytes = 640;
  DescribedImage Image;
  Image.describe("whole", D);
  Program P(Image, "whole");
  auto R = makeRecord();
  R->has_geometry = 1;
  P.run(*R, 1001);

  auto Launches = takeLaunches();
  REQUIRE(Launches.size() == 1);
  const accx_launch &L = Launches[0];
  CHECK(L.grid[0] == 11);
  CHECK(L.grid[1] == 1);
  CHECK(L.grid[2] == 1);
  CHECK(L.block[0] == 32);
  CHECK(L.block[1] == 4);
  CHECK(L.block[2] == 2);
  CHECK(L.exact_block == 1);
  CHECK(L.shared_bytes == 640);
  CHECK(L.num_args == 3);

  REQUIRE(R->calls == 1);
  const accx_kernel_geometry &G = R->call[0].geometry;
  CHECK(G.grid[0] == 11);
  CHECK(G.grid[1] == 1);
  CHECK(G.grid[2] == 1);
  CHECK(G.block[0] == 32);
  CHECK(G.block[1] == 4);
  CHECK(G.block[2] == 2);
  CHECK(G.trip_count == 1001);
  CHECK(G.iterations_per_block == 100);
  CHECK(G.dynamic_shared_bytes == 640);
}

TEST_CASE("A trip count of 0 is one block, max_blocks is the most") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_GEOMETRY;
  D.iterations_per_block = 10;
  D.max_blocks = 6;
  DescribedImage Image;
  Image.describe("whole", D);
  Program P(Image, "whole");
  auto R = makeRecord();
  R->has_geometry = 1;
  P.run(*R, 0);
  P.run(*R, 59);
  P.run(*R, 1000000);
  auto Launches = takeLaunches();
  REQUIRE(Launches.size() == 3);
  REQUIRE(R->calls == 3);
  const uint32_t Grids[] = {1, 6, 6};
  const uint64_t Trips[] = {0, 59, 1000000};
  for (int I = 0; I < 3; ++I) {
    CHECK(Launches[I].grid[0] == Grids[I]);
    CHECK(R->call[I].geometry.grid[0] == Grids[I]);
    CHECK(R->call[I].geometry.trip_count == Trips[I]);
  }
}

TEST_CASE("The workspace is aligned, long enough, and zeroed as asked") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_WORKSPACE | ACCX_DESC_PASS_GEOMETRY;
  D.iterations_per_block = 8;
  D.workspace_bytes = 1000;
  D.workspace_bytes_per_block = 40;
  D.zeroed_bytes = 1200;
  DescribedImage Image;
  Image.describe("whole", D);
  Program P(Image, "whole");
  auto R = makeRecord();
  R->has_workspace = R->has_geometry = 1;
  R->zero_bytes = 1200;
  // 10 blocks; the address sanitizer or the heap suffers if it is shorter.
  R->dirty_bytes = 1400;
  for (int I = 0; I < 4; ++I)
    P.run(*R, 80);
  REQUIRE(R->calls == 4);
  for (int I = 0; I < 4; ++I) {
    CHECK(R->call[I].first != nullptr);
    CHECK(address(R->call[I].first) % 256 == 0);
    // Used and filled by the launch before, yet zero again.
    CHECK(R->call[I].nonzero == 0);
    CHECK(R->call[I].geometry.grid[0] == 10);
  }
  auto Launches = takeLaunches();
  REQUIRE(Launches.size() == 4);
  CHECK(Launches[0].num_args == 4);
}

TEST_CASE("The part of the workspace a block needs follows the grid") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_WORKSPACE;
  D.workspace_bytes_per_block = 1 << 20;
  D.zeroed_bytes = UINT64_MAX; // All of it, however much that is.
  DescribedImage Image;
  Image.describe("whole", D);
  Program P(Image, "whole");
  for (uint64_t Blocks : {1, 3, 17, 2}) {
    auto R = makeRecord();
    R->has_workspace = 1;
    R->zero_bytes = R->dirty_bytes = Blocks << 20;
    P.run(*R, Blocks);
    REQUIRE(R->calls == 1);
    CHECK(R->call[0].nonzero == 0);
  }
}

TEST_CASE("A workspace that is passed but empty is no memory") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_WORKSPACE;
  DescribedImage Image;
  Image.describe("whole", D);
  Program P(Image, "whole");
  auto R = makeRecord();
  P.run(*R, 5);
  REQUIRE(R->calls == 1);
  CHECK(R->call[0].first == nullptr);
  CHECK(takeLaunches()[0].num_args == 3);
}

TEST_CASE("A descriptor in a symbol of exactly its size, or of no size") {
  accx_kernel_desc D = plainDescriptor();
  D.iterations_per_block = 3;
  DescribedImage Image;
  Image.describe("head", D);
  Image.chain("unsized", D, {"sub0", "sub2"});
  Library Lib(Image.bytes());
  void *Head = Lib.kernel("head"), *Unsized = Lib.kernel("unsized");
  Lib.registerNow();
  takeLaunches();
  auto R = makeRecord();
  Arguments().literal(R.get()).target(0, Head, 7);
  CHECK(takeLaunches().at(0).grid[0] == 3);
  Arguments().literal(R.get()).target(0, Unsized, 7);
  CHECK(takeLaunches().size() == 2);
  REQUIRE(R->calls == 3);
  CHECK(R->call[0].kernel == 1);
  CHECK(R->call[1].kernel == 10);
  CHECK(R->call[2].kernel == 12);
}

TEST_CASE("A chain runs in order with one workspace") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_WORKSPACE;
  D.workspace_bytes = 64;
  D.zeroed_bytes = 64;
  D.iterations_per_block = 10;
  accx_kernel_desc Own = plainDescriptor();
  Own.flags = ACCX_DESC_PASS_WORKSPACE | ACCX_DESC_PASS_GEOMETRY;
  Own.iterations_per_block = 25;
  Own.block[0] = 16;
  Own.block[1] = Own.block[2] = 1;
  DescribedImage Image;
  Image.chain("whole", D, {"sub0", "sub1", "sub2", "sub0"});
  Image.describe("sub1", Own);
  Program P(Image, "whole");
  auto R = makeRecord();
  R->has_workspace = 1;
  R->keep_workspace = 1;
  P.run(*R, 100);

  // The kernel itself is not launched; its sub-kernels are, in order.
  REQUIRE(R->calls == 4);
  const unsigned Order[] = {10, 11, 12, 10};
  for (unsigned I = 0; I < 4; ++I) {
    CHECK(R->call[I].kernel == Order[I]);
    CHECK(R->call[I].first == R->call[0].first);
    // Zero for the first; each one finds what the one before left.
    CHECK(R->call[I].head == I);
  }
  auto Launches = takeLaunches();
  REQUIRE(Launches.size() == 4);
  const uint32_t Grids[] = {10, 4, 10, 10};
  const uint32_t Blocks[] = {0, 16, 0, 0};
  const uint32_t Args[] = {3, 4, 3, 3};
  for (unsigned I = 0; I < 4; ++I) {
    CHECK(Launches[I].grid[0] == Grids[I]);
    CHECK(Launches[I].block[0] == Blocks[I]);
    CHECK(Launches[I].num_args == Args[I]);
  }
}

TEST_CASE("A kernel for whole grids runs where a launch covers all") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_EXACT_BLOCK | ACCX_DESC_WHOLE_GRID;
  D.block[0] = D.iterations_per_block = 256;
  D.block[1] = D.block[2] = 1;
  DescribedImage Image;
  // Rows of 64; the launch environment is argument 0.
  Image.chain("whole", D, {"sub1"},
              {ACCX_GRID_CONSTANT, 64, uint64_t(32) << 32 | ACCX_GRID_INNER,
               uint64_t(8) << 32 | ACCX_GRID_OUTER});
  Program P(Image, "whole");
  auto R = makeRecord();
  P.run(*R, 64 * 100000);
  // What has no such grid: another extent, no trip count, clauses.
  P.run(*R, 64 * 100000 + 1);
  P.run(*R);
  Arguments().literal(R.get()).target(0, P.Region, 64 * 100000, nullptr, 7);
  Arguments().literal(R.get()).target(0, P.Region, 64 * 100000, nullptr, 0,
                                      128);
  Arguments().literal(R.get()).target(0, P.Region, 64 * 100000, nullptr, 0,
                                      256);
  const unsigned Kernels[] = {11, 0, 0, 0, 0, 11};
  REQUIRE(R->calls == std::size(Kernels));
  const auto Launches = takeLaunches();
  REQUIRE(Launches.size() == std::size(Kernels));
  for (unsigned I = 0; I < std::size(Kernels); ++I) {
    CHECK(R->call[I].kernel == Kernels[I]);
    CHECK(Launches[I].num_args == 2);
    const bool IsWhole = Kernels[I] == 11;
    CHECK(Launches[I].exact_block == IsWhole);
    CHECK(Launches[I].block[0] == (IsWhole ? 256 : 0));
    CHECK(Launches[I].grid[0] == (IsWhole ? 2 : 0));
    CHECK(Launches[I].grid[1] == (IsWhole ? 12500 : 0));
  }
}

TEST_CASE("Each member of a chain gets the geometry of its own descriptor") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_GEOMETRY;
  D.iterations_per_block = 10;
  accx_kernel_desc Own = plainDescriptor();
  Own.flags = ACCX_DESC_PASS_GEOMETRY;
  Own.iterations_per_block = 50;
  DescribedImage Image;
  Image.chain("whole", D, {"sub0", "sub1"});
  Image.describe("sub1", Own);
  Program P(Image, "whole");
  auto R = makeRecord();
  R->has_geometry = 1;
  P.run(*R, 100);
  REQUIRE(R->calls == 2);
  CHECK(R->call[0].geometry.grid[0] == 10);
  CHECK(R->call[0].geometry.iterations_per_block == 10);
  CHECK(R->call[1].geometry.grid[0] == 2);
  CHECK(R->call[1].geometry.iterations_per_block == 50);
  CHECK(R->call[0].geometry.trip_count == 100);
  CHECK(R->call[1].geometry.trip_count == 100);
}

TEST_CASE("Concurrent launches of one kernel have workspaces of their own") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_WORKSPACE;
  D.workspace_bytes = 4096;
  D.zeroed_bytes = 4096;
  DescribedImage Image;
  Image.describe("whole", D);
  Program P(Image, "whole");
  std::atomic<unsigned> NonZero{0}, Disturbed{0}, Missing{0};
  std::vector<std::thread> Threads;
  for (int T = 0; T < 8; ++T)
    Threads.emplace_back([&, T] {
      for (int I = 0; I < 50; ++I) {
        auto R = makeRecord();
        R->has_workspace = 1;
        R->zero_bytes = R->dirty_bytes = 4096;
        R->spin = 5000;
        P.run(*R, 1, T % 2);
        Missing += R->calls != 1;
        NonZero += R->call[0].nonzero;
        Disturbed += R->call[0].disturbed;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Missing == 0);
  CHECK(NonZero == 0);
  CHECK(Disturbed == 0);
  takeLaunches();
}

TEST_CASE("A workspace that memory is short for comes after a trim") {
  accx_kernel_desc D = plainDescriptor();
  D.flags = ACCX_DESC_PASS_WORKSPACE;
  // Larger than what other tests of this process left in the pool.
  D.workspace_bytes = 40 << 20;
  D.zeroed_bytes = 64;
  DescribedImage Image;
  Image.describe("whole", D);
  Program P(Image, "whole");
  auto R = makeRecord();
  R->has_workspace = 1;
  R->zero_bytes = 64;
  R->dirty_bytes = 40 << 20;
  {
    FaultScope Once("alloc:1");
    P.run(*R, 1);
  }
  CHECK(R->calls == 1);
  CHECK(R->call[0].nonzero == 0);
}
