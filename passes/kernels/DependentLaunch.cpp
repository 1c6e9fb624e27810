//===- DependentLaunch.cpp - Kernels that wait for each other -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DependentLaunch.h.
//
//===----------------------------------------------------------------------===//

#include "kernels/DependentLaunch.h"

#include "accx/kernel_desc.h"
#include "kernels/Annotations.h"
#include "kernels/Kernel.h"

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

namespace accx::kernels {

/// Compute capability and version of PTX that have the instruction.
static constexpr unsigned FirstArch = 90, FirstPtx = 78;

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

static bool waitForPredecessor(Function &Kernel) {
  if (Kernel.isDeclaration() || annotated(Kernel, "kernel") != 1 ||
      featureOf(Kernel, "sm_") < FirstArch ||
      featureOf(Kernel, "ptx") < FirstPtx)
    return false;
  Module &M = *Kernel.getParent();
  const std::string Mark = (Kernel.getName() + ACCX_KERNEL_WAITS_SUFFIX).str();
  if (M.getNamedValue(Mark))
    return false;
  // What is known of the kernel does not hold for the instruction.
  Kernel.removeFnAttr(Attribute::Memory);
  Kernel.removeFnAttr(Attribute::NoSync);
  BasicBlock &Entry = Kernel.getEntryBlock();
  IRBuilder<> B(&Entry, placeOfWait(Entry));
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false),
                              "griddepcontrol.wait;", "~{memory}",
                              /*hasSideEffects=*/true));
  auto *Global = new GlobalVariable(M, B.getInt8Ty(), /*isConstant=*/true,
                                    Kernel.getLinkage(), B.getInt8(1), Mark);
  Global->setVisibility(Kernel.getVisibility());
  ++NumKernels;
  return true;
}

PreservedAnalyses DependentLaunchPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M)
    Changed |= waitForPredecessor(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::kernels
