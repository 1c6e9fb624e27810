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
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<unsigned>
    LeastTeams("accx-simt-lanes-teams", cl::init(2048), cl::Hidden,
               cl::desc("Least number of teams of kernels whose iterations "
                        "take several threads; 0: as without lanes"));

static cl::opt<unsigned>
    MoreThreads("accx-simt-lanes-threads", cl::init(512), cl::Hidden,
                cl::desc("Threads of teams whose workers are groups of "
                         "threads; 0: as without lanes"));

namespace accx::lanes {

/// Of a kernel environment: the configuration and what it holds.
enum : unsigned { Configuration = 0, MinThreads = 3, MaxThreads, MinTeams };

/// Of its largest number of threads, where no clause says any.
enum : int64_t { ChosenByClang = 128, ChosenByGridLoop = 1024 };

/// The number in \p Field, if it is at hand.
static std::optional<int64_t> read(const GlobalVariable &Environment,
                                   unsigned Field) {
  const Constant *All = Environment.getInitializer()->getAggregateElement(
      unsigned(Configuration));
  const auto *Value = dyn_cast_or_null<ConstantInt>(
      All ? All->getAggregateElement(Field) : nullptr);
  if (!Value)
    return std::nullopt;
  return Value->getSExtValue();
}

/// \p Whole with element \p Index replaced.
static Constant *with(Constant *Whole, unsigned Index, Constant *Element) {
  SmallVector<Constant *, 16> Elements;
  for (const Use &Old : Whole->operands())
    Elements.push_back(cast<Constant>(Old));
  Elements[Index] = Element;
  return ConstantStruct::get(cast<StructType>(Whole->getType()), Elements);
}

static void write(GlobalVariable &Environment, unsigned Field, int64_t Number) {
  Constant *All = Environment.getInitializer();
  Constant *Fields = cast<Constant>(All->getOperand(Configuration));
  Type *T = Fields->getOperand(Field)->getType();
  Environment.setInitializer(with(
      All, Configuration, with(Fields, Field, ConstantInt::get(T, Number))));
}

using Visitor = function_ref<void(Function &, GlobalVariable &)>;

/// Visits the kernels that \p Region is part of, and their environments.
static void forEachKernel(Function &Region, Visitor Visit) {
  SmallSetVector<Function *, 4> Worklist;
  Worklist.insert(&Region);
  for (unsigned I = 0; I < Worklist.size(); ++I) {
    Function *F = Worklist[I];
    kernels::forEachCall(*F, kernels::TargetInit, [&](CallInst &Init) {
      auto *Environment =
          dyn_cast<GlobalVariable>(Init.getArgOperand(0)->stripPointerCasts());
      if (Environment && Environment->hasInitializer() &&
          isa<ConstantStruct>(Environment->getInitializer()))
        Visit(*F, *Environment);
    });
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Worklist.insert(Call->getFunction());
  }
}

void askForTeams(Function &Region) {
  forEachKernel(Region, [](const Function &, GlobalVariable &Environment) {
    const auto Least = read(Environment, MinTeams);
    if (!LeastTeams || !Least || *Least > 0)
      return;
    write(Environment, MinTeams, LeastTeams);
    // Together these fill a device; larger blocks would be more than that.
    if (const auto Most = read(Environment, MaxThreads);
        Most && *Most == ChosenByGridLoop)
      write(Environment, MaxThreads, ChosenByClang);
  });
}

/// The bound that the assembler gets.
static void bound(Function &Kernel, unsigned Threads) {
  NamedMDNode *All = Kernel.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned I = 0; All && I < All->getNumOperands(); ++I) {
    MDNode *Entry = All->getOperand(I);
    if (Entry->getNumOperands() != 3 ||
        mdconst::dyn_extract_or_null<Function>(Entry->getOperand(0)) != &Kernel)
      continue;
    const auto *Name = dyn_cast<MDString>(Entry->getOperand(1));
    if (!Name || Name->getString() != "maxntidx")
      continue;
    Type *T = mdconst::extract<ConstantInt>(Entry->getOperand(2))->getType();
    All->setOperand(
        I,
        MDNode::get(Kernel.getContext(),
                    {Entry->getOperand(0), Entry->getOperand(1),
                     ConstantAsMetadata::get(ConstantInt::get(T, Threads))}));
  }
  Kernel.addFnAttr("omp_target_thread_limit", utostr(Threads));
}

void askForThreads(Function &Region) {
  forEachKernel(Region, [](Function &Kernel, GlobalVariable &Environment) {
    const auto Least = read(Environment, MinThreads);
    const auto Most = read(Environment, MaxThreads);
    if (!MoreThreads || !Least || !Most || *Least > 1 || *Most != ChosenByClang)
      return;
    write(Environment, MinThreads, MoreThreads);
    write(Environment, MaxThreads, MoreThreads);
    bound(Kernel, MoreThreads);
  });
}

} // namespace accx::lanes
