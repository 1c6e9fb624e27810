//===- Occupancy.cpp - Blocks that a multiprocessor holds -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Occupancy.h.
//
//===----------------------------------------------------------------------===//

#include "Occupancy.h"

#include <algorithm>

namespace accx::driver {

/// A multiprocessor's warps are dealt out to schedulers, each of which has its
/// own registers. Threads get these by eights.
constexpr unsigned NumSchedulers = 4;
constexpr unsigned RegistersOfScheduler = 16384;
constexpr unsigned RegisterUnit = 8;
constexpr unsigned MostOfThread = 255;
constexpr unsigned WarpSize = 32;
/// The driver takes so much of each block's shared memory for itself.
constexpr unsigned ReservedBytes = 1024;
/// Bytes of a thread: what it has to store and load takes longer than what
/// further threads gain.
constexpr unsigned MostSpilled = 24;

std::optional<Multiprocessor> Multiprocessor::of(std::string_view Gpu) {
  struct Row {
    std::string_view Gpu;
    Multiprocessor Limits;
  };
  constexpr unsigned KiB = 1024;
  constexpr Row Table[] = {
      {"sm_75", {16, 32, 64 * KiB}},   {"sm_80", {32, 64, 164 * KiB}},
      {"sm_86", {16, 48, 100 * KiB}},  {"sm_87", {16, 48, 164 * KiB}},
      {"sm_89", {24, 48, 100 * KiB}},  {"sm_90", {32, 64, 228 * KiB}},
      {"sm_90a", {32, 64, 228 * KiB}},
  };
  for (const Row &R : Table)
    if (R.Gpu == Gpu)
      return R.Limits;
  return std::nullopt;
}

/// Of a thread, where so many warps run at a time.
static unsigned registersWith(unsigned Warps) {
  const unsigned OfScheduler = (Warps + NumSchedulers - 1) / NumSchedulers;
  const unsigned OfThread = RegistersOfScheduler / (OfScheduler * WarpSize);
  return std::min(OfThread / RegisterUnit * RegisterUnit, MostOfThread);
}

unsigned Multiprocessor::blocksToWantFor(const KernelUsage &K,
                                         unsigned Threads) const {
  if (!K.Registers || !Threads)
    return 0;
  const unsigned WarpsOfBlock = (Threads + WarpSize - 1) / WarpSize;
  const unsigned Most =
      std::min({Blocks, Warps / WarpsOfBlock,
                SharedBytes / (K.SharedBytes + ReservedBytes)});
  unsigned Now = 0;
  while (Now < Most && registersWith((Now + 1) * WarpsOfBlock) >= K.Registers)
    ++Now;
  // Half of the warps hide what there is to wait for, and a kernel of fewer
  // registers keeps fewer loads under way.
  if (!Now || Now * WarpsOfBlock * 2 >= Warps)
    return 0;
  // Up to a sixth less.
  unsigned Wanted = Now;
  while (Wanted < Most &&
         registersWith((Wanted + 1) * WarpsOfBlock) * 6 >= K.Registers * 5)
    ++Wanted;
  return Wanted > Now ? Wanted : 0;
}

bool isWorthIt(const KernelUsage &Before, const KernelUsage &After) {
  return After.Registers < Before.Registers &&
         After.SpillStores <= Before.SpillStores + MostSpilled;
}

} // namespace accx::driver
