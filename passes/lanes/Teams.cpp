//===- Teams.cpp - Enough teams for iterations of several threads ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Teams.h.
//
//===----------------------------------------------------------------------===//

#include "lanes/Teams.h"

#include "kernels/DeviceCalls.h"

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

/// Of a kernel environment: the configuration and what it holds.
enum : unsigned { Configuration = 0, MinThreads = 3, MaxThreads, MinTeams };

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

/// The annotation \p Name of \p Kernel, 0 if it has none.
static unsigned annotated(const Function &Kernel, StringRef Name) {
  const NamedMDNode *All =
      Kernel.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned I = 0; All && I < All->getNumOperands(); ++I) {
    const MDNode *Entry = All->getOperand(I);
    const auto *Of =
        Entry->getNumOperands() == 3
            ? dyn_cast_or_null<ValueAsMetadata>(Entry->getOperand(0))
            : nullptr;
    const auto *Property = Of && Of->getValue() == &Kernel
                               ? dyn_cast<MDString>(Entry->getOperand(1))
                               : nullptr;
    if (Property && Property->getString() == Name)
      return mdconst::extract<ConstantInt>(Entry->getOperand(2))
          ->getZExtValue();
  }
  return 0;
}

/// Replaces it.
static void annotate(Function &Kernel, StringRef Name, unsigned Number) {
  LLVMContext &C = Kernel.getContext();
  NamedMDNode *All =
      Kernel.getParent()->getOrInsertNamedMetadata("nvvm.annotations");
  SmallVector<MDNode *> Others;
  for (MDNode *Entry : All->operands()) {
    const auto *Of =
        Entry->getNumOperands() == 3
            ? dyn_cast_or_null<ValueAsMetadata>(Entry->getOperand(0))
            : nullptr;
    const auto *Property = Of && Of->getValue() == &Kernel
                               ? dyn_cast<MDString>(Entry->getOperand(1))
                               : nullptr;
    if (!Property || Property->getString() != Name)
      Others.push_back(Entry);
  }
  All->clearOperands();
  for (MDNode *Entry : Others)
    All->addOperand(Entry);
  All->addOperand(
      MDNode::get(C, {ValueAsMetadata::get(&Kernel), MDString::get(C, Name),
                      ConstantAsMetadata::get(
                          ConstantInt::get(Type::getInt32Ty(C), Number))}));
}

/// Whether all that \p F calls will be inlined: a function of its own may need
/// more registers than are left to it, which the assembler refuses.
static bool isWhole(const Function &F, unsigned Depth = 0) {
  static constexpr StringRef Inlined[] = {
      kernels::TargetInit, kernels::TargetDeinit, kernels::DistributeFini,
      kernels::ForFini,    kernels::BlockThreads, "__kmpc_global_thread_num"};
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      continue;
    const Function *Callee = Call->getCalledFunction();
    if (!Callee)
      return false;
    if (is_contained(Inlined, Callee->getName()))
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
  const unsigned Threads = annotated(Kernel, "maxntidx");
  if (AtOnce && Threads && AtOnce >= Threads && isWhole(Kernel) &&
      !annotated(Kernel, "minctasm"))
    annotate(Kernel, "minctasm", AtOnce / Threads);
}

/// The back end remembers what it was told of a function at first, and was
/// asked before any pass of ours: \p Kernel goes on as a new one.
static void renew(Function &Kernel) {
  Function *New = Function::Create(
      Kernel.getFunctionType(), Kernel.getLinkage(), Kernel.getAddressSpace());
  Kernel.getParent()->getFunctionList().insert(Kernel.getIterator(), New);
  New->takeName(&Kernel);
  New->copyAttributesFrom(&Kernel);
  New->setComdat(Kernel.getComdat());
  New->copyMetadata(&Kernel, 0);
  New->splice(New->begin(), &Kernel);
  for (auto [From, To] : zip_equal(Kernel.args(), New->args())) {
    To.takeName(&From);
    From.replaceAllUsesWith(&To);
  }
  Kernel.replaceAllUsesWith(New);
  Kernel.eraseFromParent();
}

/// The kernels that \p Region is part of, with their environments.
static SmallVector<std::pair<Function *, GlobalVariable *>, 1>
kernelsOf(Function &Region) {
  SmallVector<std::pair<Function *, GlobalVariable *>, 1> Kernels;
  SmallSetVector<Function *, 4> Worklist;
  Worklist.insert(&Region);
  for (unsigned I = 0; I < Worklist.size(); ++I) {
    Function *F = Worklist[I];
    kernels::forEachCall(*F, kernels::TargetInit, [&](CallInst &Init) {
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
    const auto Least = read(*Environment, MinTeams);
    if (LeastTeams && Least && *Least <= 0)
      write(*Environment, MinTeams, LeastTeams);
  }
}

void askForThreads(Function &Region) {
  constexpr int64_t ChosenByClang = 128;
  for (auto [Kernel, Environment] : kernelsOf(Region)) {
    const auto Least = read(*Environment, MinThreads);
    const auto Most = read(*Environment, MaxThreads);
    if (!MoreThreads || !Least || !Most || *Least > 1 || *Most != ChosenByClang)
      continue;
    write(*Environment, MinThreads, MoreThreads);
    write(*Environment, MaxThreads, MoreThreads);
    annotate(*Kernel, "maxntidx", MoreThreads);
    Kernel->addFnAttr("omp_target_thread_limit", utostr(MoreThreads));
    renew(*Kernel);
  }
}

} // namespace accx::lanes
