//===- TeamNest.h - Gangs whose work a parallel region does -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a kernel, most often a generic one, of the form
//
//   distribute loop                     a gang's iteration
//     before                            anybody may repeat it
//     parallel region: one loop         its workers
//     after                             once
//   reduction over teams, if any
//
// Variables of the gang live in memory that Clang's runtime lends for all of
// the team's threads. Once all threads execute the gang's code, each can have
// copies of its own, where no code can tell the difference:
//
//   - before: computes and loads; what it writes, each writes to its own copy
//   - the region reads gang variables; only the one thread that ends a
//     reduction writes them
//   - after: that same thread alone; no other thread reads what it writes,
//     except the reduction over teams, which asks them all
//
// Where that is not enough - several regions, writes between them, variables
// that regions write, regions that are no single loop, teams without a
// distribute loop - all threads of a group run the gang's code together
// (TeamRegions.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_TEAMNEST_H
#define ACCX_OFFLOAD_TEAMNEST_H

#include "offload/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Dominators.h"

#define ACCX_ROOM offload
#define ACCX_REFUSAL NestRefusal
#define ACCX_REFUSALS "offload/NestRefusals.def"
#include "ir/Refusals.inc"

namespace accx::offload {

struct NestRegion {
  const ParallelRegion *Region = nullptr;
  /// Its one loop; null where it is any code, for all threads of a block.
  const WorkLoop *Workers = nullptr;
  bool isAnyCode() const { return !Workers; }
  /// Threads of the block beyond what its clause says leave it out.
  bool IsBounded = false;
  /// Loops whose iterations go to threads one by one.
  llvm::SmallVector<const WorkLoop *, 1> Loops;
  /// Arguments of the region's body that point to variables which the region
  /// only reads, and their bytes.
  llvm::SmallVector<std::pair<unsigned, uint64_t>, 8> ReadOnly;
  bool Reduces = false;
};

/// What the first thread of a group does alone.
struct NestSingle {
  llvm::Instruction *I = nullptr;
  /// Instructions that only it needs, in the order of its block.
  llvm::SmallVector<llvm::Instruction *, 4> Operands;
  /// Whether it is in the loop over gangs.
  bool InLoop = false;
};

/// A place where all threads of a group meet: ahead of I.
struct NestMeeting {
  llvm::Instruction *I = nullptr;
  bool InLoop = false;
};

/// A variable of which the threads of a group have one.
struct NestShared {
  llvm::CallInst *Allocation = nullptr;
  uint64_t Bytes = 0;
};

struct TeamNest {
  const KernelPlan *Plan = nullptr;
  const TeamsPart *Part = nullptr;
  /// Null where there is none: the team's code runs once.
  const WorkLoop *Gangs = nullptr;
  llvm::SmallVector<NestRegion, 1> Regions;
  llvm::SmallVector<llvm::CallInst *, 8> Allocations;
  llvm::SmallVector<llvm::CallInst *, 8> Frees;
  /// Threads that blocks are to have at most; 0: as the launch says.
  int64_t BlockThreads = 0;
  /// A region has a reduction; that of the teams.
  bool Reduces = false;
  llvm::CallInst *OverTeams = nullptr;
  /// All threads of a group run the gang's code together.
  bool IsTogether = false;
  llvm::SmallVector<NestShared, 4> Shared;
  llvm::SmallVector<NestSingle, 4> Singles;
  llvm::SmallVector<NestMeeting, 8> Meetings;
  /// Code outside of the loop over gangs uses what is shared.
  bool SharesOutside = false;
  /// There is code after the region, or threads other than the first leave it
  /// out.
  bool HasAfter = false;
  bool LoadsBefore = false;
  bool RegionWrites = false;

  /// Whether \p I is code of a gang's iteration.
  bool isInLoop(const llvm::Instruction &I) const {
    return !Gangs || Gangs->Nest->contains(&I);
  }
  /// A clause says how many teams there are.
  bool asksForTeams() const { return Plan->MinTeams > 0; }
  /// Clauses say how many teams there are and how many threads run a region: a
  /// block an iteration, as in CUDA, which suits short ones. OpenACC's gangs
  /// have a clause on teams whatever the program says.
  bool asksForBlocks() const {
    return asksForTeams() && llvm::any_of(Regions, [](const NestRegion &R) {
             return R.Region && R.Region->NumThreads != 0;
           });
  }
  /// A group is a block.
  bool isOfBlocks() const {
    return !Gangs || llvm::any_of(Regions, [](const NestRegion &R) {
      return R.isAnyCode();
    });
  }
  /// Several blocks may work on one gang's iteration.
  bool mayShare() const {
    if (IsTogether || (LoadsBefore && RegionWrites))
      return false;
    return !HasAfter || (Reduces && !OverTeams);
  }
  /// They have to wait for each other.
  bool joins() const { return HasAfter; }

  using TreesOf =
      llvm::function_ref<const llvm::DominatorTree &(llvm::Function &)>;

  static NestRefusal match(const KernelPlan &Plan, TreesOf Trees,
                           TeamNest &Result);
};

/// Notes where variables of \p N's part are freed, and hands all of them to
/// \p Check, with their calls of the runtime where these make them: but for the
/// lists that regions and the reduction over teams get.
NestRefusal
checkVariables(TeamNest &N,
               llvm::function_ref<NestRefusal(llvm::Instruction &Variable,
                                              llvm::CallInst *Allocation)>
                   Check);
/// Whether \p Local is such a list.
bool isListed(const TeamNest &N, const llvm::AllocaInst &Local);

/// Fills in the rest of \p N, whose loops and regions are known, for groups
/// whose threads run the gang's code together.
NestRefusal matchTogether(TeamNest &N, TeamNest::TreesOf Trees);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_TEAMNEST_H
