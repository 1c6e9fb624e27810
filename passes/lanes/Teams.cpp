//===- Teams.cpp - Enough teams for iterations of several threads ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Teams.h.
//
//===----------------------------------------------------------------------===//

#include "lanes/Teams.h"

#include "kernels/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<unsigned>
    LeastTeams("accx-simt-lanes-teams", cl::init(2048), cl::Hidden,
               cl::desc("Least number of teams of kernels whose iterations "
                        "take several threads; 0: as without lanes"));

namespace accx::lanes {

/// Of a kernel environment: the configuration, and its least number of teams.
enum : unsigned { Configuration = 0, MinTeams = 5 };

static void raiseTeams(GlobalVariable &Environment) {
  auto *All = dyn_cast<ConstantStruct>(Environment.getInitializer());
  auto *Fields =
      All ? dyn_cast<ConstantStruct>(All->getOperand(Configuration)) : nullptr;
  const auto *Least = Fields && Fields->getNumOperands() > MinTeams
                          ? dyn_cast<ConstantInt>(Fields->getOperand(MinTeams))
                          : nullptr;
  if (!Least || Least->getSExtValue() > 0)
    return;
  SmallVector<Constant *, 16> Values;
  for (const Use &Field : Fields->operands())
    Values.push_back(cast<Constant>(Field));
  Values[MinTeams] = ConstantInt::get(Least->getType(), LeastTeams);
  SmallVector<Constant *, 4> Whole;
  for (const Use &Part : All->operands())
    Whole.push_back(cast<Constant>(Part));
  Whole[Configuration] = ConstantStruct::get(Fields->getType(), Values);
  Environment.setInitializer(ConstantStruct::get(All->getType(), Whole));
}

void askForTeams(Function &Region) {
  if (!LeastTeams)
    return;
  SmallSetVector<Function *, 4> Worklist;
  Worklist.insert(&Region);
  for (unsigned I = 0; I < Worklist.size(); ++I) {
    Function *F = Worklist[I];
    kernels::forEachCall(*F, kernels::TargetInit, [](CallInst &Init) {
      auto *Environment =
          dyn_cast<GlobalVariable>(Init.getArgOperand(0)->stripPointerCasts());
      if (Environment && Environment->hasInitializer())
        raiseTeams(*Environment);
    });
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Worklist.insert(Call->getFunction());
  }
}

} // namespace accx::lanes
