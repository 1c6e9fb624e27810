//===- Regions.h - The steps of target regions ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What regions that are waited for at once, started ones and late ones have in
// common.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_REGIONS_H
#define ACCX_MAPPING_REGIONS_H

#include "mapping/Phases.h"
#include "mapping/Tail.h"

namespace accx {

inline MapArrays arraysOf(const KernelArgs &Args) {
  return {static_cast<int32_t>(Args.NumArgs),
          Args.BasePtrs,
          Args.Ptrs,
          Args.Sizes,
          Args.Types,
          Args.Names,
          Args.Mappers};
}

/// Whether the kernel's first argument is its launch environment.
inline bool hasEnvironment(const KernelArgs &Args) {
  return Args.Version >= KernelArgs::VersionWithEnvironment;
}

/// Calls Visit(argument, number of the kernel's argument) for those of a region
/// that its kernel gets.
template <typename Fn>
void forEachParameter(const MapArrays &Arrays, bool HasEnvironment, Fn Visit) {
  unsigned Param = HasEnvironment;
  for (int I = 0; I < Arrays.Num; ++I)
    if (Arrays.type(I) & MapTargetParam)
      Visit(I, Param++);
}

/// What a region asks of its launch.
LaunchRequest requestOf(Construct C, const KernelArgs &Args);

/// Queues the launch of a region whose items were entered. \p MayWait: as in
/// accx_launch.
Status launchRegion(Construct C, ConstructQueue &Q, ConstructScratch &S,
                    RegionResources &Resources, Kernel &K,
                    const MapArrays &Arrays, const KernelArgs &Args,
                    bool MayWait = false);

/// Waits for what launchRegion() queued, with the outcome \p Result, and leaves
/// the items.
Status endRegion(Construct C, ConstructQueue &Q, ConstructScratch &S,
                 const Kernel &K, Status Result);

/// The region's kernel is over, or failed as \p Result says: leaves the items.
Status leaveRegion(Construct C, ConstructQueue &Q, ConstructScratch &S,
                   Status Result);

} // namespace accx

#endif // ACCX_MAPPING_REGIONS_H
