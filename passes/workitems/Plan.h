//===- Plan.h - A loop's blocks, their arrays and barriers ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to know of a worksharing loop before its iterations become the
// work-items of blocks.
//
//     body:  ...  begin | ... read a[x] ... | a[i] = v | ... | end ...
//                       ^ fetch             ^ write    ^     ^ write-back
//
// Each | is a *stop*: all work-items of a block get there before one goes on.
// Planning cuts blocks of code so that every stop is the start of one, puts
// variables of the emitter (`Slots`) in place of what a block decides (numbers
// of work-items, addresses of copies), and refuses what it cannot prove.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_PLAN_H
#define ACCX_WORKITEMS_PLAN_H

#include "affine/Divergence.h"
#include "blocks/Region.h"
#include "offload/WorkLoop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PassManager.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#define ACCX_ROOM workitems
#define ACCX_REFUSALS "workitems/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::workitems {

using affine::BlockSet;
using affine::Divergence;

inline constexpr unsigned MaxItems = 4096;
inline constexpr unsigned MaxDims = markers::smc::MaxDims;

/// A variable in which the emitter keeps one value a block, or one a work-item.
using Slot = llvm::AllocaInst *;

struct Shape {
  /// 1 or 2; the last dimension is the innermost loop's.
  unsigned Dims = 1;
  unsigned Size[2] = {1, 1};
  unsigned items() const { return Size[0] * Size[1]; }
  llvm::ArrayRef<unsigned> sizes() const { return {Size, Dims}; }
  bool operator==(const Shape &) const = default;
};

struct ArrayPlan : blocks::Array {
  std::string Where;
  /// Values from ahead of the loop, as is the base.
  llvm::Value *Pitch[MaxDims] = {};
  llvm::Value *Low[MaxDims] = {};
  llvm::Value *High[MaxDims] = {};
  /// What each work-item declares: from First to Past, exclusive.
  Slot First[MaxDims] = {};
  Slot Past[MaxDims] = {};
  /// Address that the copy would have for all indices 0, of the copy and of
  /// its notes on what was written, and elements from one index to the next.
  Slot Copy = nullptr;
  Slot Dirty = nullptr;
  Slot Step[MaxDims] = {};
};

enum class StopKind : uint8_t { Begin, End, Write, Written, Barrier, Join };

struct Stop {
  StopKind Kind = StopKind::Join;
  /// Indices of LoopPlan::Arrays.
  llvm::SmallVector<unsigned, 4> Arrays;
  /// Work-items may skip it; where all meet again.
  llvm::BasicBlock *Meet = nullptr;
  /// Number of a stop that work-items may skip.
  unsigned Id = 0;
};

struct LoopPlan {
  offload::WorkLoop W;
  Shape Block;
  /// Number of the last iteration; iterations of the inner of two loops.
  llvm::Value *Last = nullptr;
  llvm::Value *Columns = nullptr;
  std::vector<ArrayPlan> Arrays;
  /// Objects that a block has one of; barriers are the program's own.
  llvm::DenseSet<const llvm::Value *> TeamObjects;
  bool IsTeam = false;
  /// The work-items of a team are rows of this many, as the program has them;
  /// 0: they are not.
  unsigned RowLength = 0;
  BlockSet Body;
  llvm::MapVector<llvm::BasicBlock *, Stop> Stops;
  /// By dimension: first iteration of the block, number of the block, place in
  /// the block.
  Slot FirstOf[2] = {};
  Slot BlockOf[2] = {};
  Slot PlaceOf[2] = {};
  /// Whether code takes the loop's number for one of 32 bits, by dimension.
  /// More iterations end the program.
  bool IsNarrow[2] = {};
  /// The row of a team's work-item, and its place in the row.
  Slot RowOf = nullptr;
  Slot ColumnOf = nullptr;
  std::unique_ptr<Divergence> Uniformity;

  /// What work-items find alike and different, as the code stands.
  Divergence divergence(const llvm::PostDominatorTree &PDT) const;
  /// The slots that are to become values, and those of them that all work-items
  /// of a block find alike.
  llvm::SmallVector<Slot, 16> slots() const;
  llvm::DenseSet<const llvm::Value *> uniformSlots() const;
  /// The dimension that \p P, a variable, is the place in; nothing if none.
  std::optional<unsigned> dimensionOf(const llvm::Value *P) const;
  /// Whether \p P is a variable that says where a block is.
  bool isOfBlock(const llvm::Value *P) const;
  /// Whether the code is too long to be there twice.
  bool isLarge() const;

  const Stop *stopAt(llvm::BasicBlock *Block) const;
  llvm::BasicBlock *meetOf(llvm::BasicBlock *Block) const;
  /// Of the stops that only some reach before \p Meet, the first behind
  /// \p After; \p Meet behind the last.
  llvm::BasicBlock *nextOf(llvm::BasicBlock *Meet,
                           llvm::BasicBlock *After) const;
  /// The region that runs next where work-items leave one with \p Exits to
  /// \p Exit. Work-items that go straight to where all meet wait for the
  /// others.
  llvm::BasicBlock *followerOf(const BlockSet &Exits,
                               llvm::BasicBlock *Exit) const;
  /// All of these.
  BlockSet followersOf(const BlockSet &Exits) const;
  void print(llvm::raw_ostream &OS) const;
};

struct Refused {
  Refusal Why = Refusal::None;
  std::string Where;
};

// Before planning. Clang's code keeps every variable in memory; those of a
// function with regions become values, except for the counters of worksharing
// loops, by which the loops are known, and variables that outlive iterations,
// whose order of accesses must remain.

/// The worksharing loops of \p F that have regions with channels.
std::vector<offload::WorkLoop> prepare(llvm::Function &F,
                                       llvm::FunctionAnalysisManager &FAM);

/// The loops of that kind that are left.
std::vector<offload::WorkLoop>
findRegionLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Unrolls loops of few steps inside of those with \p Headers.
void unrollSteps(llvm::Function &F, llvm::ArrayRef<llvm::BasicBlock *> Headers,
                 llvm::FunctionAnalysisManager &FAM);
/// Branches of \p Nest that choose between cheap values become selects.
void flattenChoices(const llvm::Loop &Nest);

/// Fills \p Plan for the loop \p W; changes code up to what the emitter needs.
Refused planLoop(const offload::WorkLoop &W, llvm::FunctionAnalysisManager &FAM,
                 LoopPlan &Plan);

// Parts of it.

/// Takes places of work-items in blocks for the loop's counter.
Refusal recoverIndices(LoopPlan &Plan);
/// Finds the arrays of \p Begins, regions of channel types, and lets accesses
/// go to copies. Returns where stops have to be.
Refused planArrays(LoopPlan &Plan, llvm::ArrayRef<llvm::CallInst *> Begins,
                   const llvm::LoopInfo &Loops,
                   llvm::MapVector<llvm::Instruction *, Stop> &Stops);
/// Widens sums of work-items' places.
void widenIndices(const LoopPlan &Plan);
/// Splits loads whose address is a choice of two that follow the place.
void splitChoices(LoopPlan &Plan, llvm::LoopInfo &Loops);
/// Has all work-items reach a stop that a condition with one side guards.
void takeApart(LoopPlan &Plan, llvm::LoopInfo &Loops);
/// Puts the body in an order in which ways go on. Of the two sides of a
/// condition, the one that the program has first comes first.
void findBody(LoopPlan &Plan);
/// An alloca of the loop's function.
Slot createSlot(const LoopPlan &Plan, llvm::Type *Ty, const llvm::Twine &Name);
/// \p V as a value from ahead of the loop; null if it may change in it.
llvm::Value *aheadOf(const LoopPlan &Plan, llvm::Value *V, unsigned Depth = 0);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_PLAN_H
