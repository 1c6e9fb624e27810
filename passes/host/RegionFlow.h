//===- RegionFlow.h - Where regions may be under way ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that may be under way flow forward through a function: launches that
// are late make some, as calls of functions that stay open do; waits and what
// waits by itself leave none.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_HOST_REGIONFLOW_H
#define ACCX_HOST_REGIONFLOW_H

#include "host/OpenFunctions.h"
#include "host/Sight.h"
#include "host/TargetTasks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/ErrorHandling.h"

namespace accx::host {

/// Arguments of a launch: what stands for the kernel, and the region's own.
inline constexpr unsigned RegionId = 4, RegionArgs = 5;

bool isLaunch(const llvm::Instruction &I);

/// Which regions may be under way: those that loads may not see yet, those that
/// nothing may, and tasks, which accesses do not see: programs wait for these.
struct UnderWay {
  bool ForLoads = false, Regions = false, Tasks = false;

  bool any() const { return Regions || Tasks; }
  bool isSeenBy(const Sight &S) const {
    switch (S.What) {
    case Sight::All:
      return any();
    case Sight::Stores:
      return Regions;
    case Sight::Loads:
      return ForLoads;
    case Sight::Nothing:
      return false;
    }
    llvm_unreachable("an extent");
  }
  void settle(const Sight &S) {
    ForLoads = false;
    Regions &= S.What == Sight::Loads;
    Tasks &= S.What != Sight::All;
  }
  /// Whether \p Other adds something.
  bool join(UnderWay Other) {
    const UnderWay Before = *this;
    ForLoads |= Other.ForLoads;
    Regions |= Other.Regions;
    Tasks |= Other.Tasks;
    return ForLoads != Before.ForLoads || Regions != Before.Regions ||
           Tasks != Before.Tasks;
  }
};

/// Of one function.
class RegionFlow {
  llvm::Function &F;
  const FunctionSet &Open;
  const TargetTasks &Tasks;
  /// What may be under way behind open functions.
  const UnderWay Some;
  llvm::DenseMap<const llvm::Instruction *, Sight> Sights;
  /// What loops see, at the ends of blocks ahead of them.
  llvm::MapVector<llvm::BasicBlock *, Sight> Ahead;
  llvm::DenseMap<const llvm::BasicBlock *, UnderWay> Begin;

public:
  using Visitor =
      llvm::function_ref<void(llvm::Instruction &, const Sight &, UnderWay)>;

  /// Launches that are late. Who changes them calls flow().
  llvm::SmallSetVector<llvm::CallInst *, 16> Late;

  /// \p Tasks: those of the function, which may be in Late as well.
  RegionFlow(llvm::Function &F, const FunctionSet &Open,
             const TargetTasks &Tasks);

  /// \p I sees regions.
  void note(const llvm::Instruction &I, const Sight &S) { Sights[&I] = S; }
  bool isOpen() const { return Open.contains(&F); }
  /// The function that \p I calls and that stays open; null if none.
  const llvm::Function *openCallee(const llvm::Instruction &I) const;
  /// Finds the loops that are waited for ahead of them.
  void lookAhead(const llvm::LoopInfo &Loops);
  /// Finds what may be under way where blocks begin.
  void flow();
  /// Visits launches, and what sees regions, with what is under way there.
  void visit(Visitor Visit);
  /// Visits what comes behind \p From until nothing of its region can be under
  /// way: launches, and what sees regions.
  void
  follow(llvm::CallInst &From,
         llvm::function_ref<void(llvm::Instruction &, const Sight &)> Visit);

private:
  /// What \p I leaves under way, beside what was.
  UnderWay started(const llvm::Instruction &I) const;
  UnderWay leftBy(const llvm::Instruction &I) const;
  Sight seen(const llvm::Instruction &I) const;
  bool hasLaunch(const llvm::Loop &L) const;
  void lookAhead(const llvm::Loop &L);
  void walk(llvm::BasicBlock &B, llvm::BasicBlock::iterator From, UnderWay &U,
            Visitor Visit);
  UnderWay along(const llvm::BasicBlock &From, const llvm::BasicBlock &To,
                 UnderWay U);
};

} // namespace accx::host

#endif // ACCX_HOST_REGIONFLOW_H
