//===- DependentLaunch.cpp - Kernels that wait for each other -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the instruction that waits into each kernel that may have it, and sets
// the byte of its environment. It is independent of what other passes do to the
// kernel.
//
//===----------------------------------------------------------------------===//

#include "offload/DependentLaunch.h"

#include "accx/kernel_desc.h"
#include "ir/Remark.h"
#include "offload/Annotations.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "dependent-launch"

using namespace llvm;

STATISTIC(NumKernels, "Number of kernels that wait for the one before");

namespace accx::offload {

/// Compute capability and version of PTX that have the instruction.
static constexpr unsigned FirstArch = 90, FirstPtx = 78;
static constexpr char Wait[] = "griddepcontrol.wait;";

/// The largest number behind \p Prefix in the features of \p F.
static unsigned featureOf(const Function &F, StringRef Prefix) {
  unsigned Largest = 0;
  for (StringRef Feature :
       split(F.getFnAttribute("target-features").getValueAsString(), ',')) {
    unsigned Number = 0;
    // An architecture's own features have a letter behind the number.
    if (Feature.consume_front("+") && Feature.consume_front(Prefix) &&
        !Feature.consumeInteger(10, Number))
      Largest = std::max(Largest, Number);
  }
  return Largest;
}

/// Where nothing has touched memory yet. What allocas, arithmetic and questions
/// for the thread's number do may happen while the kernel before still runs.
static BasicBlock::iterator placeOfWait(BasicBlock &Entry) {
  return find_if(Entry, [](const Instruction &I) {
    return I.isTerminator() ||
           (!isa<AllocaInst, DbgInfoIntrinsic>(I) &&
            (I.mayReadOrWriteMemory() || !I.willReturn() || I.mayThrow()));
  });
}

/// Whether the device runtime comes later: passes at link time read
/// environments as Clang wrote them.
static bool isForLinkTime(const Module &M) {
  const Function *Init = M.getFunction(TargetInit);
  return Init && Init->isDeclaration();
}

/// Pipelines may have the pass twice.
static bool waits(const Function &Kernel) {
  return any_of(Kernel.getEntryBlock(), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const auto *Asm =
        Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    return Asm && Asm->getAsmString() == Wait;
  });
}

static bool isWaitless(const Function &F) {
  return !F.isDeclaration() && annotated(F, "kernel") == 1 && !waits(F);
}

/// Sets the byte in a kernel's environment. False if it is no padding.
static bool mark(GlobalVariable &Old) {
  Module &M = *Old.getParent();
  const DataLayout &DL = M.getDataLayout();
  auto *All = Old.hasInitializer()
                  ? dyn_cast<ConstantStruct>(Old.getInitializer())
                  : nullptr;
  auto *Fields =
      All ? dyn_cast<ConstantStruct>(All->getAggregateElement(0u)) : nullptr;
  if (!Fields || Fields->getNumOperands() <= configuration::MinThreads)
    return false;
  const StructLayout *Layout = DL.getStructLayout(Fields->getType());
  const uint64_t Next = Layout->getElementOffset(configuration::MinThreads);
  if (Layout->getElementOffset(configuration::Mode) + 1 !=
          ACCX_ENVIRONMENT_WAITS ||
      !Fields->getOperand(configuration::Mode)->getType()->isIntegerTy(8) ||
      Next <= ACCX_ENVIRONMENT_WAITS)
    return false;
  LLVMContext &Context = M.getContext();
  SmallVector<Constant *, 12> New;
  for (const Use &Field : Fields->operands())
    New.push_back(cast<Constant>(Field));
  New.insert(New.begin() + configuration::MinThreads,
             ConstantInt::get(Type::getInt8Ty(Context), 1));
  SmallVector<Constant *, 3> Parts{ConstantStruct::getAnon(Context, New)};
  for (unsigned I = 1; I < All->getNumOperands(); ++I)
    Parts.push_back(All->getOperand(I));
  Constant *Marked = ConstantStruct::getAnon(Context, Parts);
  auto *Global = new GlobalVariable(
      M, Marked->getType(), Old.isConstant(), Old.getLinkage(), Marked, "",
      &Old, Old.getThreadLocalMode(), Old.getAddressSpace());
  Global->copyAttributesFrom(&Old);
  Global->takeName(&Old);
  Old.replaceAllUsesWith(Global);
  Old.eraseFromParent();
  return true;
}

/// Null, or why \p Kernel starts as before.
static const char *waitForPredecessor(Function &Kernel,
                                      GlobalVariable &Environment) {
  if (featureOf(Kernel, "sm_") < FirstArch ||
      featureOf(Kernel, "ptx") < FirstPtx)
    return "sm_90 and PTX 7.8 are the first with the instruction that waits";
  if (!mark(Environment))
    return "its environment has no byte left to say that it waits";
  // What is known of the kernel does not hold for the instruction.
  Kernel.removeFnAttr(Attribute::Memory);
  Kernel.removeFnAttr(Attribute::NoSync);
  BasicBlock &Entry = Kernel.getEntryBlock();
  IRBuilder<> B(&Entry, placeOfWait(Entry));
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), Wait,
                              "~{memory}",
                              /*hasSideEffects=*/true));
  ++NumKernels;
  return nullptr;
}

PreservedAnalyses DependentLaunchPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isGpuCode(M) || isForLinkTime(M))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M) {
    GlobalVariable *Environment = isWaitless(F) ? environmentOf(F) : nullptr;
    if (!Environment)
      continue;
    const char *Why = waitForPredecessor(F, *Environment);
    Changed |= !Why;
    if (Why)
      ir::remarkMissed(DEBUG_TYPE, "StartsLate", F,
                       "the kernel starts when the one before it has ended: ",
                       ore::NV("Reason", Why));
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::offload
