//===- Descriptor.cpp - Parsed kernel descriptors -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Descriptor.h.
//
//===----------------------------------------------------------------------===//

#include "image/Descriptor.h"

#include <algorithm>
#include <cstring>

using namespace accx;

namespace {

/// Names are identifiers; a chain longer than this is not a chain.
constexpr uint32_t MaxChainBytes = 1 << 20;

Status invalid(const char *Field, uint64_t Value, const std::string &Why) {
  return Status(ErrorCode::Image, std::string(Field) + " is " +
                                      std::to_string(Value) + ", " + Why);
}

bool readHeader(std::span<const char> Bytes, accx_kernel_desc &Raw) {
  if (Bytes.size() < sizeof(Raw))
    return false;
  std::memcpy(&Raw, Bytes.data(), sizeof(Raw));
  return true;
}

/// Splits \p Names into exactly \p Count strings, each ended by a NUL.
Expected<std::vector<std::string>> splitNames(std::span<const char> Names,
                                              uint32_t Count) {
  std::vector<std::string> Result;
  auto It = Names.begin();
  for (uint32_t I = 0; I < Count; ++I) {
    auto End = std::find(It, Names.end(), '\0');
    if (End == Names.end())
      return invalid("num_chain", Count, "but the names end before that");
    if (End == It)
      return invalid("num_chain", Count,
                     "but name " + std::to_string(I) + " is empty");
    Result.emplace_back(It, End);
    It = End + 1;
  }
  if (It != Names.end())
    return invalid("chain_bytes", Names.size(), "more than the names need");
  return Result;
}

} // namespace

size_t Descriptor::totalBytes(std::span<const char> Bytes) {
  accx_kernel_desc Raw;
  if (!readHeader(Bytes, Raw) || Raw.magic != ACCX_KERNEL_DESC_MAGIC ||
      Raw.chain_bytes > MaxChainBytes || Raw.grid_bytes > ACCX_GRID_MAX_BYTES ||
      Raw.total_bytes != sizeof(Raw) + Raw.chain_bytes + Raw.grid_bytes)
    return 0;
  return Raw.total_bytes;
}

Expected<Descriptor> Descriptor::parse(std::span<const char> Bytes,
                                       const accx_device_info &Device) {
  Descriptor D = {};
  accx_kernel_desc &R = D.Raw;
  if (!readHeader(Bytes, R))
    return invalid("the size", Bytes.size(),
                   "less than the header's " +
                       std::to_string(sizeof(accx_kernel_desc)));
  if (R.magic != ACCX_KERNEL_DESC_MAGIC)
    return invalid("magic", R.magic, "not a kernel descriptor");
  if (R.version != ACCX_KERNEL_DESC_VERSION)
    return invalid("version", R.version,
                   "this runtime reads " +
                       std::to_string(ACCX_KERNEL_DESC_VERSION));
  constexpr uint16_t KnownFlags =
      ACCX_DESC_EXACT_BLOCK | ACCX_DESC_PASS_WORKSPACE |
      ACCX_DESC_PASS_GEOMETRY | ACCX_DESC_WHOLE_GRID | ACCX_DESC_STRIPS;
  if (R.flags & ~KnownFlags)
    return invalid("flags", R.flags, "with bits this runtime does not know");
  if (R.grid_bytes > ACCX_GRID_MAX_BYTES)
    return invalid("grid_bytes", R.grid_bytes,
                   "at most " + std::to_string(ACCX_GRID_MAX_BYTES));
  if (R.chain_bytes > MaxChainBytes ||
      R.total_bytes != sizeof(R) + R.chain_bytes + R.grid_bytes)
    return invalid("total_bytes", R.total_bytes,
                   "not the header and its " + std::to_string(R.chain_bytes) +
                       " bytes of names and " + std::to_string(R.grid_bytes) +
                       " of a grid program");
  if (Bytes.size() < R.total_bytes)
    return invalid("total_bytes", R.total_bytes,
                   "but the symbol has " + std::to_string(Bytes.size()));

  const bool AnyBlock = R.block[0] || R.block[1] || R.block[2];
  const bool FullBlock = R.block[0] && R.block[1] && R.block[2];
  if (AnyBlock && !FullBlock)
    return invalid("block", R.block[0],
                   "but another dimension is 0 where this one is not");
  if ((R.flags & ACCX_DESC_EXACT_BLOCK) && !AnyBlock)
    return invalid("block", 0, "but the flags say that it is exact");
  const uint64_t Threads =
      static_cast<uint64_t>(R.block[0]) * R.block[1] * R.block[2];
  // 32-bit factors: three of them can exceed 64 bits.
  const bool Absurd = R.block[0] > (1u << 20) || R.block[1] > (1u << 20) ||
                      R.block[2] > (1u << 20);
  if ((R.flags & ACCX_DESC_EXACT_BLOCK) &&
      (Absurd || (Device.max_threads_per_block &&
                  Threads > Device.max_threads_per_block)))
    return invalid("block", Threads,
                   "threads, but the device has at most " +
                       std::to_string(Device.max_threads_per_block));
  if (!R.iterations_per_block)
    return invalid("iterations_per_block", 0, "must be at least 1");
  if (!R.lane_iterations)
    return invalid("lane_iterations", 0, "must be at least 1");
  if (Device.max_shared_bytes &&
      R.dynamic_shared_bytes > Device.max_shared_bytes)
    return invalid("dynamic_shared_bytes", R.dynamic_shared_bytes,
                   "but the device has at most " +
                       std::to_string(Device.max_shared_bytes));
  if (D.usesWorkspace() && !D.passWorkspace())
    return invalid("flags", R.flags, "but a workspace has to be passed");
  constexpr uint64_t MaxWorkspace = uint64_t(1) << 46;
  if (R.workspace_bytes > MaxWorkspace)
    return invalid("workspace_bytes", R.workspace_bytes, "too large");
  // For 2^32 blocks the sum must fit into 64 bits; what a launch then really
  // asks for is the device's to refuse.
  if (R.workspace_bytes_per_block > uint64_t(1) << 31)
    return invalid("workspace_bytes_per_block", R.workspace_bytes_per_block,
                   "too large");
  if (R.num_chain > ACCX_KERNEL_DESC_MAX_CHAIN)
    return invalid("num_chain", R.num_chain,
                   "at most " + std::to_string(ACCX_KERNEL_DESC_MAX_CHAIN));
  if (!R.num_chain && R.chain_bytes)
    return invalid("chain_bytes", R.chain_bytes, "but there is no chain");

  auto Names = splitNames(Bytes.subspan(sizeof(R), R.chain_bytes), R.num_chain);
  if (!Names.ok())
    return Names.takeStatus();
  D.Chain = std::move(*Names);
  if (D.wholeGrid() && (R.num_chain != 1 || !D.exactBlock() || !R.grid_bytes ||
                        D.passWorkspace() || D.passGeometry()))
    return invalid("flags", R.flags,
                   "but a whole grid has one kernel, an exact block, a grid "
                   "program, and no arguments of its own");
  if (D.wholeGrid() &&
      (!R.block[0] || R.iterations_per_block % R.block[0] != 0))
    return invalid("iterations_per_block", R.iterations_per_block,
                   "but threads of a whole grid have equally many");
  if ((R.flags & ACCX_DESC_STRIPS) && !D.wholeGrid())
    return invalid("flags", R.flags, "but only a whole grid has strips");
  if (!R.grid_bytes)
    return D;
  if ((R.num_chain && !D.wholeGrid()) || R.workspace_bytes_per_block ||
      R.max_blocks)
    return invalid("grid_bytes", R.grid_bytes,
                   "but sub-kernels, memory or a limit count blocks");
  auto Dimensions = GridProgram::parse(
      Bytes.subspan(sizeof(R) + R.chain_bytes, R.grid_bytes));
  if (!Dimensions.ok())
    return Dimensions.takeStatus();
  D.Dimensions = std::move(*Dimensions);
  return D;
}

uint32_t Descriptor::grid(uint64_t TripCount,
                          const accx_device_info &Device) const {
  uint64_t Blocks = TripCount / Raw.iterations_per_block +
                    (TripCount % Raw.iterations_per_block != 0);
  uint64_t Limit = UINT32_MAX;
  if (Raw.max_blocks)
    Limit = Raw.max_blocks;
  if (Device.max_grid)
    Limit = std::min(Limit, Device.max_grid);
  return static_cast<uint32_t>(std::clamp<uint64_t>(Blocks, 1, Limit));
}

accx_kernel_geometry
Descriptor::geometry(uint64_t TripCount, const accx_device_info &Device,
                     std::span<void *const> Arguments) const {
  accx_kernel_geometry G = {};
  if (Dimensions.empty() ||
      !Dimensions.blocks(TripCount, Device.max_grid, Arguments, G.grid)) {
    G.grid[0] = grid(TripCount, Device);
    G.grid[1] = G.grid[2] = 1;
  }
  std::copy(std::begin(Raw.block), std::end(Raw.block), G.block);
  G.trip_count = TripCount;
  G.iterations_per_block = Raw.iterations_per_block;
  G.dynamic_shared_bytes = Raw.dynamic_shared_bytes;
  return G;
}

/// Strips as wide as one another, each of all rows. What few would read again
/// stays in the cache without them.
static void partIntoStrips(uint32_t (&Grid)[GridProgram::MaxDims]) {
  constexpr uint64_t Few = 4;
  using Parts = GridProgram::Dimension;
  const uint64_t Strips = Parts{Grid[0], ACCX_STRIP_BLOCKS}.blocks();
  if (Grid[2] > 1 || Strips <= Few || Strips > GridProgram::MaxOuter)
    return;
  Grid[2] = static_cast<uint32_t>(Strips);
  Grid[0] = static_cast<uint32_t>(Parts{Grid[0], Grid[2]}.blocks());
}

std::optional<accx_kernel_geometry>
Descriptor::wholeGeometry(uint64_t TripCount, const accx_device_info &Device,
                          std::span<void *const> Arguments,
                          unsigned IdlePercent) const {
  constexpr uint64_t MaxIterations = uint64_t(1) << 31;
  constexpr uint32_t FewestThreads = 64;
  // Of a multiprocessor, if their threads have several iterations each.
  constexpr uint64_t FewestBlocks = 4;
  GridProgram::Dimension Dims[GridProgram::MaxDims];
  if (!TripCount || TripCount >= MaxIterations ||
      !Dimensions.evaluate(TripCount, Arguments, Dims))
    return std::nullopt;
  uint32_t Threads = Raw.block[0];
  const auto Blocks = [&] {
    return Dims[0].blocks() * Dims[1].blocks() * Dims[2].blocks();
  };
  // Small blocks reach more multiprocessors.
  while (Blocks() < 2 * uint64_t(Device.compute_units) &&
         Dims[1].OfBlock % 2 == 0 && Threads / 2 >= FewestThreads) {
    Dims[1].OfBlock /= 2;
    Threads /= 2;
  }
  const uint64_t PerThread = Raw.iterations_per_block / Raw.block[0];
  if (PerThread > 1 && Blocks() < FewestBlocks * Device.compute_units)
    return std::nullopt;
  const uint64_t All = Blocks() * Threads * PerThread;
  if (100 * (All - TripCount) > IdlePercent * All ||
      (Device.max_grid && Dims[0].blocks() > Device.max_grid) ||
      Dims[1].blocks() > GridProgram::MaxOuter ||
      Dims[2].blocks() > GridProgram::MaxOuter)
    return std::nullopt;
  accx_kernel_geometry G = {};
  for (unsigned D = 0; D < GridProgram::MaxDims; ++D)
    G.grid[D] = static_cast<uint32_t>(Dims[D].blocks());
  if (Raw.flags & ACCX_DESC_STRIPS)
    partIntoStrips(G.grid);
  G.block[0] = Threads;
  G.block[1] = G.block[2] = 1;
  G.trip_count = TripCount;
  G.iterations_per_block = Raw.iterations_per_block;
  return G;
}
