//===- TeamNest.h - Gangs whose work a parallel region does -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a generic kernel of the form
//
//   distribute loop                     a gang's iteration
//     before                            anybody may repeat it
//     parallel region: one loop         its workers
//     after                             once
//   reduction over teams, if any
//
// Variables of the gang live in memory that Clang's runtime lends for all of
// the team's threads. Once all threads execute the gang's code each can have
// copies of its own, if nobody could tell:
//
//   - before: computes and loads; what it writes, each writes to its own copy
//   - the region reads gang variables; only the one thread that ends a
//     reduction writes them
//   - after: that same thread alone; what it writes no other thread reads,
//     but for the reduction over teams, which asks them all
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_KERNELS_TEAMNEST_H
#define ACCX_KERNELS_TEAMNEST_H

#include "kernels/Kernel.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Dominators.h"

namespace accx::kernels {

enum class NestRefusal : uint8_t {
  None,
  Form,
  Optimization,
  Schedule,
  LastPrivate,
  Region,
  Identity,
  Conditional,
  Before,
  After,
  Outside,
  Variable,
  RegionCode
};

llvm::StringRef tagOf(NestRefusal R);
llvm::StringRef textOf(NestRefusal R);

struct TeamNest {
  const KernelPlan *Plan = nullptr;
  const TeamsPart *Part = nullptr;
  const WorkLoop *Gangs = nullptr;
  const ParallelRegion *Region = nullptr;
  const WorkLoop *Workers = nullptr;
  llvm::SmallVector<llvm::CallInst *, 8> Allocations;
  llvm::SmallVector<llvm::CallInst *, 8> Frees;
  /// Arguments of the region's body that point to variables which the region
  /// only reads, and their bytes.
  llvm::SmallVector<std::pair<unsigned, uint64_t>, 8> ReadOnly;
  /// The region has a reduction; the teams have one.
  bool Reduces = false;
  bool ReducesTeams = false;
  /// There is code after the region, or it is left out by whoever is not first.
  bool HasAfter = false;
  bool LoadsBefore = false;
  bool LoadsAfter = false;
  bool RegionWrites = false;

  /// Several blocks may work on one gang's iteration.
  bool mayShare() const {
    if (LoadsBefore && RegionWrites)
      return false;
    return !HasAfter || (Reduces && !ReducesTeams);
  }
  /// They have to wait for each other.
  bool joins() const { return HasAfter; }

  static NestRefusal match(const KernelPlan &Plan,
                           const llvm::DominatorTree &PartTree,
                           const llvm::DominatorTree *BodyTree,
                           TeamNest &Result);
};

} // namespace accx::kernels

#endif // ACCX_KERNELS_TEAMNEST_H
