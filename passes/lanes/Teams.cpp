//===- Teams.cpp - Enough teams for iterations of several threads ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the kernels that a region is part of and raises their least number of
// teams or threads. It touches environments and annotations, never code.
//
//===----------------------------------------------------------------------===//

#include "lanes/Teams.h"

#include "accx/kernel_desc.h"
#include "offload/Annotations.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<unsigned>
    LeastTeams("accx-simt-lanes-teams", cl::init(2048), cl::Hidden,
               cl::desc("Least number of teams of kernels whose iterations "
                        "take several threads; 0: as without lanes"));

static cl::opt<unsigned>
    AtOnce("accx-simt-lanes-at-once", cl::init(2048), cl::Hidden,
           cl::desc("Threads that a multiprocessor is to hold of small kernels "
                    "whose iterations take several; 0: as many as fit"));

static cl::opt<unsigned>
    MoreThreads("accx-simt-lanes-threads", cl::init(256), cl::Hidden,
                cl::desc("Threads of teams whose workers are groups of "
                         "threads; 0: as without lanes"));

namespace accx::lanes {

namespace configuration = offload::configuration;

/// Whether all that \p F calls will be inlined: a function of its own may need
/// more registers than are left to it, which the assembler refuses.
static bool isWhole(const Function &F, unsigned Depth = 0) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      continue;
    const Function *Callee = Call->getCalledFunction();
    if (!Callee)
      return false;
    if (offload::isUnnoticed(Callee->getName()) ||
        Callee->getName() == offload::ForFini)
      continue;
    if (Callee->isDeclaration() || Depth > 4 ||
        !Callee->hasFnAttribute(Attribute::AlwaysInline) ||
        !isWhole(*Callee, Depth + 1))
      return false;
  }
  return true;
}

/// Registers for as many blocks as a multiprocessor could hold.
static void fill(Function &Kernel) {
  const auto Threads =
      static_cast<unsigned>(offload::annotated(Kernel, "maxntidx"));
  if (AtOnce && Threads && AtOnce >= Threads && isWhole(Kernel) &&
      !offload::annotated(Kernel, "minctasm"))
    offload::annotate(Kernel, "minctasm", AtOnce / Threads);
}

/// The kernels that \p Region is part of, with their environments.
static SmallVector<std::pair<Function *, GlobalVariable *>, 1>
kernelsOf(Function &Region) {
  SmallVector<std::pair<Function *, GlobalVariable *>, 1> Kernels;
  SmallSetVector<Function *, 4> Worklist;
  Worklist.insert(&Region);
  for (unsigned I = 0; I < Worklist.size(); ++I) {
    Function *F = Worklist[I];
    offload::forEachCall(*F, offload::TargetInit, [&](CallInst &Init) {
      auto *Environment =
          dyn_cast<GlobalVariable>(Init.getArgOperand(0)->stripPointerCasts());
      if (Environment && Environment->hasInitializer() &&
          isa<ConstantStruct>(Environment->getInitializer()))
        Kernels.emplace_back(F, Environment);
    });
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Worklist.insert(Call->getFunction());
  }
  return Kernels;
}

void askForTeams(Function &Region, bool IsSmall) {
  for (auto [Kernel, Environment] : kernelsOf(Region)) {
    if (IsSmall)
      fill(*Kernel);
    const auto Least =
        offload::configured(*Environment, configuration::MinTeams);
    const auto Most =
        offload::configured(*Environment, configuration::MaxTeams);
    // One, or a bound without a constant: of a clause whose value comes with
    // the launch, and is obeyed there.
    const bool IsBound = Least && *Least == ACCX_TEAMS_UP_TO_NEED;
    if (LeastTeams && Least && Most && (IsBound ? *Most <= 0 : *Least <= 1))
      offload::configure(*Environment, configuration::MinTeams, LeastTeams);
  }
}

void askForThreads(Function &Region) {
  constexpr int64_t ChosenByClang = 128;
  for (auto [Kernel, Environment] : kernelsOf(Region)) {
    const auto Least =
        offload::configured(*Environment, configuration::MinThreads);
    const auto Most =
        offload::configured(*Environment, configuration::MaxThreads);
    if (!MoreThreads || !Least || !Most || *Least > 1 || *Most != ChosenByClang)
      continue;
    offload::configure(*Environment, configuration::MinThreads, MoreThreads);
    offload::configure(*Environment, configuration::MaxThreads, MoreThreads);
    offload::annotate(*Kernel, "maxntidx", MoreThreads);
    Kernel->addFnAttr("omp_target_thread_limit", utostr(MoreThreads));
    offload::renew(*Kernel);
  }
}

} // namespace accx::lanes
