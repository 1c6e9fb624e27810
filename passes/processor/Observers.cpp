//===- Observers.cpp - Code that can tell who runs it ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches a function and all that it calls for code that can tell which
// threads and teams there are. OneTeam.cpp and SmallRegions.cpp both ask it.
//
//===----------------------------------------------------------------------===//

#include "processor/Observers.h"

#include "processor/Runtime.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace accx;
using namespace accx::processor;

/// Whether a function neither tells who runs nor calls back.
bool Observers::isKnown(const Function &Declared) {
  const StringRef Name = Declared.getName();
  // Without a league there is one team, as in a league of one.
  if (Name == processor::NumTeams)
    return true;
  // Variants of libmvec; what workitem-loops ends programs with.
  if (Declared.isIntrinsic() || Name.starts_with("_ZGV") || Name == "abort" ||
      Name == "dprintf")
    return true;
  if (Name.starts_with("__kmpc_"))
    return !Name.contains("team") && !Name.contains("dist") &&
           Name != processor::PushThreads;
  LibFunc Known;
  return FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(Declared))
      .getLibFunc(Declared, Known);
}

bool Observers::in(Function &F) {
  if (!Seen.insert(&F).second)
    return false;
  if (F.isDeclaration())
    return !isKnown(F);
  if (F.isInterposable())
    return true;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && !isa<Function>(Call->getCalledOperand()))
      return true;
    for (Value *V : I.operands())
      if (auto *Used = dyn_cast<Function>(V); Used && in(*Used))
        return true;
  }
  return false;
}
