//===- DescriptorTest.cpp - Reading kernel descriptors --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptor::parse on valid, invalid and random bytes, and the geometry that
// follows from a descriptor.
//
//===----------------------------------------------------------------------===//

#include "image/Descriptor.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <functional>
#include <random>

using namespace accx;

namespace {

accx_kernel_desc valid() {
  accx_kernel_desc D = {};
  D.magic = ACCX_KERNEL_DESC_MAGIC;
  D.version = ACCX_KERNEL_DESC_VERSION;
  D.total_bytes = sizeof(D);
  D.lane_iterations = 1;
  D.iterations_per_block = 128;
  return D;
}

accx_device_info device() {
  accx_device_info Info = {};
  Info.max_threads_per_block = 1024;
  Info.max_shared_bytes = 48 << 10;
  Info.max_grid = 65535;
  return Info;
}

/// On the heap and of exactly that size, so that the address sanitizer sees a
/// read beyond.
std::vector<char> bytes(const accx_kernel_desc &D,
                        const std::string &Names = "") {
  std::vector<char> Result(sizeof(D) + Names.size());
  std::memcpy(Result.data(), &D, sizeof(D));
  std::copy(Names.begin(), Names.end(), Result.begin() + sizeof(D));
  Result.shrink_to_fit();
  return Result;
}

std::string failure(const std::vector<char> &Bytes,
                    const accx_device_info &Info = device()) {
  auto Parsed = Descriptor::parse(Bytes, Info);
  if (Parsed.ok())
    return "";
  Status S = Parsed.takeStatus();
  CHECK(S.code() == ErrorCode::Image);
  return S.text();
}

std::string failure(std::function<void(accx_kernel_desc &)> Damage,
                    const std::string &Names = "") {
  accx_kernel_desc D = valid();
  Damage(D);
  return failure(bytes(D, Names));
}

accx_kernel_desc chained(uint32_t Count, const std::string &Names) {
  accx_kernel_desc D = valid();
  D.num_chain = Count;
  D.chain_bytes = static_cast<uint32_t>(Names.size());
  D.total_bytes = static_cast<uint32_t>(sizeof(D) + Names.size());
  return D;
}

std::string chainFailure(uint32_t Count, const std::string &Names) {
  return failure(bytes(chained(Count, Names), Names));
}

} // namespace

TEST_CASE("A valid descriptor is read field by field") {
  accx_kernel_desc D = valid();
  D.flags = ACCX_DESC_EXACT_BLOCK | ACCX_DESC_PASS_WORKSPACE |
            ACCX_DESC_PASS_GEOMETRY;
  D.block[0] = 32;
  D.block[1] = 8;
  D.block[2] = 4;
  D.max_blocks = 77;
  D.dynamic_shared_bytes = 48 << 10;
  D.workspace_bytes = 1000;
  D.workspace_bytes_per_block = 24;
  D.zeroed_bytes = 64;
  auto Parsed = Descriptor::parse(bytes(D), device());
  REQUIRE(Parsed.ok());
  CHECK(std::memcmp(&Parsed->Raw, &D, sizeof(D)) == 0);
  CHECK(Parsed->exactBlock());
  CHECK(Parsed->passWorkspace());
  CHECK(Parsed->passGeometry());
  CHECK(Parsed->usesWorkspace());
  CHECK(Parsed->workspaceBytes(10) == 1240);
  CHECK(Parsed->Chain.empty());
}

TEST_CASE("A chain's names are read in order") {
  using namespace std::string_literals;
  const std::string Names = "first\0second\0third\0"s;
  auto Parsed = Descriptor::parse(bytes(chained(3, Names), Names), device());
  REQUIRE(Parsed.ok());
  CHECK(Parsed->Chain == std::vector<std::string>{"first", "second", "third"});
}

TEST_CASE("Bytes behind the descriptor are not looked at") {
  std::vector<char> Bytes = bytes(valid());
  Bytes.resize(512, 'x');
  CHECK(failure(Bytes) == "");
}

TEST_CASE("Each invalid field is named with its value") {
  CHECK_THAT(failure([](auto &D) { D.magic = 7; }),
             Catch::Contains("magic is 7"));
  CHECK_THAT(failure([](auto &D) { D.version = 2; }),
             Catch::Contains("version is 2") && Catch::Contains("reads 1"));
  CHECK_THAT(failure([](auto &D) { D.version = 0; }),
             Catch::Contains("version is 0"));
  CHECK_THAT(failure([](auto &D) { D.flags = 16; }),
             Catch::Contains("flags is 16"));
  CHECK_THAT(failure([](auto &D) { D.flags = 0x8000; }),
             Catch::Contains("flags is 32768"));
  CHECK_THAT(failure([](auto &D) { D.grid_bytes = 8192; }),
             Catch::Contains("grid_bytes is 8192"));
  CHECK_THAT(failure([](auto &D) { D.total_bytes = 79; }),
             Catch::Contains("total_bytes is 79"));
  CHECK_THAT(failure([](auto &D) { D.total_bytes = 81; }),
             Catch::Contains("total_bytes is 81"));
  CHECK_THAT(failure([](auto &D) { D.total_bytes = 0; }),
             Catch::Contains("total_bytes is 0"));
  CHECK_THAT(failure([](auto &D) { D.block[0] = 32; }),
             Catch::Contains("block"));
  CHECK_THAT(failure([](auto &D) { D.block[2] = 32; }),
             Catch::Contains("block"));
  CHECK_THAT(failure([](auto &D) { D.flags = ACCX_DESC_EXACT_BLOCK; }),
             Catch::Contains("block"));
  CHECK_THAT(failure([](auto &D) {
               D.flags = ACCX_DESC_EXACT_BLOCK;
               D.block[0] = 1025;
               D.block[1] = D.block[2] = 1;
             }),
             Catch::Contains("block is 1025"));
  CHECK_THAT(failure([](auto &D) {
               D.flags = ACCX_DESC_EXACT_BLOCK;
               D.block[0] = D.block[1] = D.block[2] = 0x80000000u;
             }),
             Catch::Contains("block"));
  CHECK_THAT(failure([](auto &D) {
               // 2^64 threads: the product is 0 in 64 bits.
               D.flags = ACCX_DESC_EXACT_BLOCK;
               D.block[0] = D.block[1] = 0x80000000u;
               D.block[2] = 4;
             }),
             Catch::Contains("block"));
  CHECK_THAT(failure([](auto &D) { D.iterations_per_block = 0; }),
             Catch::Contains("iterations_per_block is 0"));
  CHECK_THAT(failure([](auto &D) { D.lane_iterations = 0; }),
             Catch::Contains("lane_iterations is 0"));
  CHECK_THAT(failure([](auto &D) { D.dynamic_shared_bytes = 49153; }),
             Catch::Contains("dynamic_shared_bytes is 49153") &&
                 Catch::Contains("49152"));
  CHECK_THAT(failure([](auto &D) { D.workspace_bytes = 1; }),
             Catch::Contains("flags is 0") && Catch::Contains("workspace"));
  CHECK_THAT(failure([](auto &D) { D.workspace_bytes_per_block = 1; }),
             Catch::Contains("flags is 0") && Catch::Contains("workspace"));
  CHECK_THAT(failure([](auto &D) {
               D.flags = ACCX_DESC_PASS_WORKSPACE;
               D.workspace_bytes = UINT64_MAX;
             }),
             Catch::Contains("workspace_bytes is 18446744073709551615"));
  CHECK_THAT(failure([](auto &D) {
               D.flags = ACCX_DESC_PASS_WORKSPACE;
               D.workspace_bytes_per_block = UINT64_MAX / 2;
             }),
             Catch::Contains("workspace_bytes_per_block is"));
  CHECK_THAT(failure([](auto &D) {
               D.flags = ACCX_DESC_PASS_WORKSPACE;
               D.workspace_bytes_per_block = (uint64_t(1) << 31) + 1;
             }),
             Catch::Contains("workspace_bytes_per_block is 2147483649"));
}

TEST_CASE("The largest workspaces are counted without overflow") {
  accx_kernel_desc D = valid();
  D.flags = ACCX_DESC_PASS_WORKSPACE;
  D.workspace_bytes = uint64_t(1) << 46;
  D.workspace_bytes_per_block = uint64_t(1) << 31;
  auto Parsed = Descriptor::parse(bytes(D), device());
  REQUIRE(Parsed.ok());
  CHECK(Parsed->workspaceBytes(UINT32_MAX) ==
        (uint64_t(1) << 46) + (uint64_t(UINT32_MAX) << 31));
}

TEST_CASE("Each invalid chain is refused") {
  using namespace std::string_literals;
  CHECK_THAT(chainFailure(0, "a\0"s), Catch::Contains("no chain"));
  CHECK_THAT(chainFailure(2, "a\0"s), Catch::Contains("num_chain is 2"));
  CHECK_THAT(chainFailure(1, "a"s), Catch::Contains("num_chain is 1"));
  CHECK_THAT(chainFailure(1, "a\0b\0"s), Catch::Contains("chain_bytes is 4"));
  CHECK_THAT(chainFailure(1, "\0"s), Catch::Contains("empty"));
  CHECK_THAT(chainFailure(1, ""s), Catch::Contains("num_chain is 1"));
  CHECK_THAT(
      chainFailure(ACCX_KERNEL_DESC_MAX_CHAIN + 1, std::string(130, 'a')),
      Catch::Contains("num_chain is 65"));
  CHECK_THAT(failure([](auto &D) { D.num_chain = UINT32_MAX; }),
             Catch::Contains("num_chain is 4294967295"));
  CHECK_THAT(failure([](auto &D) {
               D.chain_bytes = UINT32_MAX;
               D.total_bytes = static_cast<uint32_t>(sizeof(D) - 1);
             }),
             Catch::Contains("total_bytes is 79"));
}

TEST_CASE("A symbol that is too short is refused whatever it holds") {
  const std::vector<char> Full = bytes(valid());
  for (size_t Size = 0; Size < Full.size(); ++Size)
    CHECK_THAT(failure({Full.begin(), Full.begin() + Size}),
               Catch::Contains("the size is " + std::to_string(Size)));
  // Header complete, names cut off.
  accx_kernel_desc D = chained(1, std::string("name\0", 5));
  std::vector<char> Cut = bytes(D, "nam");
  CHECK_THAT(failure(Cut),
             Catch::Contains("total_bytes is 85") && Catch::Contains("has 83"));
}

TEST_CASE("Limits that a device does not state do not restrict") {
  accx_kernel_desc D = valid();
  D.flags = ACCX_DESC_EXACT_BLOCK;
  D.block[0] = 4096;
  D.block[1] = D.block[2] = 1;
  D.dynamic_shared_bytes = 1 << 30;
  CHECK(failure(bytes(D), accx_device_info{}) == "");
}

TEST_CASE("Random bytes are never a crash") {
  std::mt19937_64 Random(20);
  unsigned Accepted = 0;
  for (int Round = 0; Round < 200000; ++Round) {
    using namespace std::string_literals;
    const std::string Names = "one\0two\0"s;
    std::vector<char> Bytes;
    if (Round % 2) {
      // A valid one with a few bytes changed, cut somewhere.
      Bytes = bytes(chained(2, Names), Names);
      for (unsigned Flips = Random() % 4; Flips; --Flips)
        Bytes[Random() % Bytes.size()] ^= static_cast<char>(1 + Random() % 255);
      if (Random() % 4 == 0)
        Bytes.resize(Random() % (Bytes.size() + 1));
    } else {
      Bytes.resize(Random() % 200);
      for (char &C : Bytes)
        C = static_cast<char>(Random());
      if (Bytes.size() >= 6 && Random() % 2) {
        accx_kernel_desc Start = valid();
        std::memcpy(Bytes.data(), &Start, 6);
      }
    }
    Bytes.shrink_to_fit();
    auto Parsed = Descriptor::parse(Bytes, device());
    const size_t Total = Descriptor::totalBytes(Bytes);
    if (!Parsed.ok()) {
      CHECK_FALSE(Parsed.takeStatus().text().empty());
      continue;
    }
    ++Accepted;
    // What is accepted can be used.
    CHECK(Total == Parsed->Raw.total_bytes);
    CHECK(Parsed->Chain.size() == Parsed->Raw.num_chain);
    for (uint64_t Trip : {uint64_t(0), uint64_t(1), Random(), UINT64_MAX}) {
      const uint32_t Grid = Parsed->grid(Trip, device());
      CHECK(Grid >= 1);
      CHECK(Grid <= 65535);
      CHECK(Parsed->workspaceBytes(Grid) >= Parsed->Raw.workspace_bytes);
    }
  }
  // The test says something about accepted ones, too.
  CHECK(Accepted > 1000);
}

TEST_CASE("The grid covers the trip count within both limits") {
  accx_kernel_desc D = valid();
  auto Grid = [&](uint64_t Trip, uint64_t DeviceLimit) {
    auto Parsed = Descriptor::parse(bytes(D), device());
    REQUIRE(Parsed.ok());
    accx_device_info Info = device();
    Info.max_grid = DeviceLimit;
    return Parsed->grid(Trip, Info);
  };
  CHECK(Grid(0, 0) == 1);
  CHECK(Grid(1, 0) == 1);
  CHECK(Grid(128, 0) == 1);
  CHECK(Grid(129, 0) == 2);
  CHECK(Grid(1280, 0) == 10);
  CHECK(Grid(1280, 7) == 7);
  D.max_blocks = 5;
  CHECK(Grid(1280, 7) == 5);
  CHECK(Grid(1280, 3) == 3);
  CHECK(Grid(256, 7) == 2);
  D.max_blocks = 0;
  D.iterations_per_block = 1;
  CHECK(Grid(UINT64_MAX, 0) == UINT32_MAX);
  CHECK(Grid(uint64_t(1) << 32, 0) == UINT32_MAX);
  D.iterations_per_block = UINT64_MAX;
  CHECK(Grid(UINT64_MAX, 0) == 1);
}

namespace {

using Words = std::vector<uint64_t>;

uint64_t word(unsigned Operation, uint32_t Number = 0) {
  return uint64_t(Number) << 32 | Operation;
}

accx_kernel_desc withGrid(const Words &Program) {
  accx_kernel_desc D = valid();
  D.grid_bytes = static_cast<uint32_t>(Program.size() * sizeof(uint64_t));
  D.total_bytes = static_cast<uint32_t>(sizeof(D) + D.grid_bytes);
  return D;
}

std::vector<char> bytes(const accx_kernel_desc &D, const Words &Program) {
  return bytes(D, std::string(reinterpret_cast<const char *>(Program.data()),
                              Program.size() * sizeof(uint64_t)));
}

std::string gridFailure(const Words &Program) {
  return failure(bytes(withGrid(Program), Program));
}

std::vector<uint32_t> blocks(const Words &Program, uint64_t TripCount,
                             const std::vector<uint64_t> &Arguments) {
  auto Parsed = Descriptor::parse(bytes(withGrid(Program), Program), device());
  REQUIRE(Parsed.ok());
  std::vector<void *> Values;
  for (const uint64_t A : Arguments)
    Values.push_back(reinterpret_cast<void *>(A));
  const auto G = Parsed->geometry(TripCount, device(), Values);
  return {G.grid[0], G.grid[1], G.grid[2]};
}

} // namespace

TEST_CASE("Blocks of several dimensions are computed from arguments") {
  using Grid = std::vector<uint32_t>;
  // As many columns as argument 1 says, its upper bits being of no interest.
  const Words Two = {word(ACCX_GRID_ARGUMENT, 1),
                     word(ACCX_GRID_ZERO_EXTEND, 32), word(ACCX_GRID_INNER, 16),
                     word(ACCX_GRID_OUTER, 8)};
  CHECK(blocks(Two, 100 * 50, {7, 100}) == Grid{7, 7, 1});
  CHECK(blocks(Two, 96 * 64, {7, (uint64_t(5) << 32) + 96}) == Grid{6, 8, 1});
  // Limits of y.
  CHECK(blocks(Two, uint64_t(1) << 30, {7, 1}) == Grid{1, 65535, 1});
  // Nothing that could be said: iterations_per_block of one dimension.
  CHECK(blocks(Two, 1280, {7, 0}) == Grid{10, 1, 1});
  CHECK(blocks(Two, 1281, {7, 100}) == Grid{11, 1, 1});
  CHECK(blocks(Two, 1280, {7}) == Grid{10, 1, 1});
  // 256 iterations in each block, ((argument 2 - 3) * 4 + 1) / 5 columns.
  const Words Rows = {word(ACCX_GRID_CONSTANT),
                      256,
                      word(ACCX_GRID_INNER, 0),
                      word(ACCX_GRID_ARGUMENT, 2),
                      word(ACCX_GRID_SIGN_EXTEND, 8),
                      word(ACCX_GRID_CONSTANT),
                      3,
                      word(ACCX_GRID_SUB),
                      word(ACCX_GRID_CONSTANT),
                      4,
                      word(ACCX_GRID_MUL),
                      word(ACCX_GRID_CONSTANT),
                      1,
                      word(ACCX_GRID_ADD),
                      word(ACCX_GRID_CONSTANT),
                      5,
                      word(ACCX_GRID_SDIV),
                      word(ACCX_GRID_INNER, 1),
                      word(ACCX_GRID_OUTER, 1)};
  CHECK(blocks(Rows, 256 * 9 * 12, {0, 0, 14}) == Grid{9, 12, 1});
  // Division by zero has no result.
  CHECK(blocks({word(ACCX_GRID_CONSTANT), 1, word(ACCX_GRID_ARGUMENT, 0),
                word(ACCX_GRID_UDIV), word(ACCX_GRID_INNER, 1),
                word(ACCX_GRID_OUTER, 1)},
               1280, {0}) == Grid{10, 1, 1});
}

namespace {

/// Rows of 32 threads, 8 of them in a block; extents are arguments 1 and 2.
accx_kernel_desc wholeGrid(const Words &Program, const std::string &Name) {
  accx_kernel_desc D = withGrid(Program);
  D.flags = ACCX_DESC_EXACT_BLOCK | ACCX_DESC_WHOLE_GRID;
  D.block[0] = D.iterations_per_block = 256;
  D.block[1] = D.block[2] = 1;
  D.num_chain = 1;
  D.chain_bytes = static_cast<uint32_t>(Name.size());
  D.total_bytes += D.chain_bytes;
  return D;
}

std::vector<char> wholeBytes(const accx_kernel_desc &D, const Words &Program) {
  return bytes(D,
               std::string("whole\0", 6) +
                   std::string(reinterpret_cast<const char *>(Program.data()),
                               Program.size() * sizeof(uint64_t)));
}

const Words Plane = {word(ACCX_GRID_ARGUMENT, 1), word(ACCX_GRID_INNER, 32),
                     word(ACCX_GRID_OUTER, 8)};
/// Z, Y and X by 1, 8 and 32: rows are argument 2 over argument 1.
const Words Space = {word(ACCX_GRID_ARGUMENT, 1), word(ACCX_GRID_INNER, 32),
                     word(ACCX_GRID_ARGUMENT, 2), word(ACCX_GRID_ARGUMENT, 1),
                     word(ACCX_GRID_UDIV),        word(ACCX_GRID_INNER, 8),
                     word(ACCX_GRID_OUTER, 1)};

/// Grid and threads of a launch that covers all; empty: there is none.
std::vector<uint32_t> covers(const Words &Program, uint64_t TripCount,
                             const std::vector<uint64_t> &Arguments,
                             uint32_t Multiprocessors = 10,
                             uint32_t PerThread = 1, uint16_t Flags = 0) {
  auto D = wholeGrid(Program, std::string("whole\0", 6));
  D.iterations_per_block *= PerThread;
  D.flags |= Flags;
  accx_device_info Info = device();
  Info.max_grid = 0x7fffffff;
  Info.compute_units = Multiprocessors;
  auto Parsed = Descriptor::parse(wholeBytes(D, Program), Info);
  REQUIRE(Parsed.ok());
  REQUIRE(Parsed->wholeGrid());
  CHECK(Parsed->Chain == std::vector<std::string>{"whole"});
  std::vector<void *> Values;
  for (const uint64_t A : Arguments)
    Values.push_back(reinterpret_cast<void *>(A));
  const auto G = Parsed->wholeGeometry(TripCount, Info, Values);
  if (!G)
    return {};
  CHECK(G->block[1] * G->block[2] == 1);
  return {G->grid[0], G->grid[1], G->grid[2], G->block[0]};
}

} // namespace

TEST_CASE("A whole grid covers each iteration, or is not launched") {
  using Shape = std::vector<uint32_t>;
  CHECK(covers(Plane, 100 * 1000, {0, 100}) == Shape{4, 125, 1, 256});
  CHECK(covers(Space, 30 * 50 * 90, {0, 90, 50 * 90}) == Shape{3, 7, 30, 256});
  // Smaller blocks where there are too few: at least 64 threads.
  CHECK(covers(Plane, 64 * 64, {0, 64}) == Shape{2, 16, 1, 128});
  CHECK(covers(Plane, 64 * 16, {0, 64}) == Shape{2, 8, 1, 64});
  CHECK(covers(Plane, 64 * 64, {0, 64}, 1) == Shape{2, 8, 1, 256});
  // A quarter of the threads may be without an iteration, not more.
  CHECK(covers(Plane, 24 * 8000, {0, 24}) == Shape{1, 1000, 1, 256});
  CHECK(covers(Plane, 23 * 8000, {0, 23}).empty());
  CHECK(covers(Plane, 33 * 8000, {0, 33}).empty());
  // Not all of y; no iteration; too many; extents that are not the trip
  // count's; arguments that are not there.
  CHECK(covers(Plane, 32 * 8 * uint64_t(65536), {0, 32}).empty());
  CHECK(covers(Plane, 32 * 8 * uint64_t(65535), {0, 32}) ==
        Shape{1, 65535, 1, 256});
  CHECK(covers(Plane, 0, {0, 32}).empty());
  CHECK(covers(Plane, uint64_t(1) << 31, {0, 1 << 20}).empty());
  CHECK(covers(Plane, 100 * 1000 + 1, {0, 100}).empty());
  CHECK(covers(Plane, 100 * 1000, {0, 0}).empty());
  CHECK(covers(Plane, 100 * 1000, {0}).empty());
}

TEST_CASE("Threads of a whole grid have several iterations if all are busy") {
  using Shape = std::vector<uint32_t>;
  // Two rows a thread: 16 of a block.
  const Words Rows = {word(ACCX_GRID_ARGUMENT, 1), word(ACCX_GRID_INNER, 32),
                      word(ACCX_GRID_OUTER, 16)};
  CHECK(covers(Rows, 100 * 1000, {0, 100}, 10, 2) == Shape{4, 63, 1, 256});
  CHECK(covers(Rows, 32 * 640, {0, 32}, 10, 2) == Shape{1, 40, 1, 256});
  CHECK(covers(Rows, 32 * 624, {0, 32}, 10, 2).empty());
  // A quarter of all that the threads could do.
  CHECK(covers(Rows, 24 * 16000, {0, 24}, 10, 2) == Shape{1, 1000, 1, 256});
  CHECK(covers(Rows, 23 * 16000, {0, 23}, 10, 2).empty());
}

TEST_CASE("A whole grid of two dimensions may come in strips") {
  using Shape = std::vector<uint32_t>;
  const auto Strips = [](uint64_t Columns, uint64_t Rows) {
    return covers(Plane, Rows * Columns, {0, Columns}, 10, 1, ACCX_DESC_STRIPS);
  };
  CHECK(Strips(32 * 32, 800) == Shape{32, 100, 1, 256});
  // As wide as one another: 33 blocks are 5 strips of 7, 100 are 13 of 8.
  CHECK(Strips(32 * 33, 800) == Shape{7, 100, 5, 256});
  CHECK(Strips(32 * 100, 800) == Shape{8, 100, 13, 256});
  CHECK(Strips(32 * 100 - 31, 800) == Shape{8, 100, 13, 256});
  CHECK(Strips(32 * 1600, 8) == Shape{8, 1, 200, 256});
  // Too many strips for z.
  const uint64_t Most = 8 * uint64_t(65535);
  CHECK(Strips(32 * Most, 8) == Shape{8, 1, 65535, 256});
  CHECK(Strips(32 * (Most + 1), 8) == Shape{uint32_t(Most) + 1, 1, 1, 256});
  // Where z counts planes there are none.
  CHECK(covers(Space, 30 * 50 * 900, {0, 900, 50 * 900}, 10, 1,
               ACCX_DESC_STRIPS) == Shape{29, 7, 30, 256});
}

TEST_CASE("A descriptor of a whole grid is complete") {
  const auto Failure = [](auto Damage) {
    accx_kernel_desc D = wholeGrid(Plane, std::string("whole\0", 6));
    Damage(D);
    return failure(wholeBytes(D, Plane));
  };
  CHECK(Failure([](auto &) {}).empty());
  CHECK_THAT(Failure([](auto &D) { D.flags &= ~ACCX_DESC_EXACT_BLOCK; }),
             Catch::Contains("whole grid"));
  CHECK_THAT(Failure([](auto &D) { D.flags |= ACCX_DESC_PASS_GEOMETRY; }),
             Catch::Contains("whole grid"));
  CHECK_THAT(Failure([](auto &D) { D.max_blocks = 7; }),
             Catch::Contains("grid_bytes"));
  CHECK(Failure([](auto &D) { D.flags |= ACCX_DESC_STRIPS; }).empty());
  accx_kernel_desc NotWhole = valid();
  NotWhole.flags |= ACCX_DESC_STRIPS;
  CHECK_THAT(failure(bytes(NotWhole)), Catch::Contains("has strips"));
  CHECK_THAT(Failure([](auto &D) { D.iterations_per_block = 384; }),
             Catch::Contains("iterations_per_block"));
  accx_kernel_desc None = valid();
  None.flags = ACCX_DESC_EXACT_BLOCK | ACCX_DESC_WHOLE_GRID;
  None.block[0] = None.block[1] = None.block[2] = 1;
  CHECK_THAT(failure(bytes(None)), Catch::Contains("whole grid"));
}

TEST_CASE("A grid program is checked before it is run") {
  CHECK_THAT(gridFailure({word(ACCX_GRID_ADD), word(ACCX_GRID_OUTER, 1)}),
             Catch::Contains("stack"));
  CHECK_THAT(gridFailure(Words(20, word(ACCX_GRID_ARGUMENT, 1))),
             Catch::Contains("stack"));
  CHECK_THAT(gridFailure({word(ACCX_GRID_CONSTANT)}),
             Catch::Contains("constant is missing"));
  CHECK_THAT(gridFailure({word(ACCX_GRID_ARGUMENT, 1),
                          word(ACCX_GRID_SIGN_EXTEND, 65)}),
             Catch::Contains("number of bits"));
  CHECK_THAT(gridFailure({word(99)}), Catch::Contains("does not know"));
  CHECK_THAT(gridFailure({word(ACCX_GRID_ARGUMENT, 1)}),
             Catch::Contains("no end"));
  CHECK_THAT(gridFailure({word(ACCX_GRID_OUTER, 0)}),
             Catch::Contains("not the end"));
  CHECK_THAT(gridFailure({word(ACCX_GRID_OUTER, 1), word(ACCX_GRID_OUTER, 1)}),
             Catch::Contains("not the end"));
  Words Four;
  for (unsigned I = 0; I < 3; ++I) {
    Four.push_back(word(ACCX_GRID_ARGUMENT, 1));
    Four.push_back(word(ACCX_GRID_INNER, 2));
  }
  Four.push_back(word(ACCX_GRID_OUTER, 2));
  CHECK_THAT(gridFailure(Four), Catch::Contains("not the end"));
  const Words One = {word(ACCX_GRID_OUTER, 1)};
  accx_kernel_desc Limited = withGrid(One);
  Limited.max_blocks = 3;
  CHECK_THAT(failure(bytes(Limited, One)), Catch::Contains("count blocks"));
}

TEST_CASE("The geometry record repeats descriptor and construct") {
  accx_kernel_desc D = valid();
  D.block[0] = 64;
  D.block[1] = 2;
  D.block[2] = 1;
  D.dynamic_shared_bytes = 4096;
  auto Parsed = Descriptor::parse(bytes(D), device());
  REQUIRE(Parsed.ok());
  const accx_kernel_geometry G = Parsed->geometry(1000, device());
  CHECK(G.grid[0] == 8);
  CHECK(G.grid[1] == 1);
  CHECK(G.grid[2] == 1);
  CHECK(G.block[0] == 64);
  CHECK(G.block[1] == 2);
  CHECK(G.block[2] == 1);
  CHECK(G.trip_count == 1000);
  CHECK(G.iterations_per_block == 128);
  CHECK(G.dynamic_shared_bytes == 4096);
  CHECK(G.reserved == 0);
}
