//===- BlockBounds.cpp - How large a kernel's blocks may be ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BlockBounds.h. The bound stands in three places: the kernel environment,
// which the runtime reads; an annotation, which makes ptxas fit its registers;
// and an attribute, by which OpenMPOpt takes the number of threads for known.
// The host passes a thread_limit clause with each launch, and the runtime obeys
// that whatever the environment says.
//
// The back end remembers the annotations of each function that it was asked
// about, and LLVM's pipeline for NVPTX has asked before any pass of ours runs.
// So the kernel moves into a new function.
//
//===----------------------------------------------------------------------===//

#include "kernels/BlockBounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "grid-loop"

using namespace llvm;

namespace accx::kernels {

static constexpr int64_t ClangsDefault = 128;

static constexpr char AnnotationsName[] = "nvvm.annotations";

/// Functions of the device's and the mathematical library.
static bool isLibrary(const Function &F) {
  const StringRef Name = F.getName();
  return (Name.starts_with("__") && !Name.starts_with("__omp_offloading")) ||
         Name.starts_with("omp_") || Name.starts_with("_ZN4ompx");
}

/// Operations that \p F and what it calls have before optimization, but for
/// those on local variables, which registers will hold.
static unsigned operationsOf(const Function &F,
                             SmallPtrSetImpl<const Function *> &Seen) {
  if (F.isDeclaration() || isLibrary(F) || !Seen.insert(&F).second)
    return 0;
  unsigned Count = 0;
  for (const Instruction &I : instructions(F)) {
    const Value *Place = getLoadStorePointerOperand(&I);
    if (isa<AllocaInst, CastInst, DbgInfoIntrinsic>(I) ||
        (Place && isa<AllocaInst>(Place->stripPointerCasts())))
      continue;
    ++Count;
    // Callees, and the bodies of regions that calls get.
    for (const Value *Operand : I.operand_values())
      if (const auto *Callee = dyn_cast<Function>(Operand))
        Count += operationsOf(*Callee, Seen);
  }
  return Count;
}

/// Registers are few in large blocks: 64 for each of 1,024 threads.
static int64_t largestBlock(const Function &Kernel) {
  SmallPtrSet<const Function *, 8> Seen;
  const unsigned Operations = operationsOf(Kernel, Seen);
  LLVM_DEBUG(dbgs() << Kernel.getName() << ": " << Operations
                    << " operations\n");
  return Operations <= 500 ? 1024 : Operations <= 1200 ? 512 : 256;
}

/// The property that annotation \p N gives \p F; empty if it is of another
/// function or gives several.
static StringRef propertyOf(const MDNode &N, const Function &F) {
  if (N.getNumOperands() != 3)
    return "";
  const auto *Of = dyn_cast_or_null<ValueAsMetadata>(N.getOperand(0));
  const auto *Name = dyn_cast_or_null<MDString>(N.getOperand(1));
  return Of && Of->getValue() == &F && Name ? Name->getString() : "";
}

static void moveToNewFunction(Function &F) {
  Function *New = Function::Create(F.getFunctionType(), F.getLinkage(),
                                   F.getAddressSpace());
  F.getParent()->getFunctionList().insert(F.getIterator(), New);
  New->takeName(&F);
  New->copyAttributesFrom(&F);
  New->setComdat(F.getComdat());
  New->copyMetadata(&F, 0);
  New->splice(New->begin(), &F);
  for (auto [From, To] : zip_equal(F.args(), New->args())) {
    To.takeName(&From);
    From.replaceAllUsesWith(&To);
  }
  F.replaceAllUsesWith(New);
  // One definition may have one subprogram.
  F.clearMetadata();
}

bool liftDefaultBound(const KernelPlan &Plan) {
  Function &F = *Plan.Kernel;
  if (Plan.MaxThreads != ClangsDefault || Plan.MinThreads > 1)
    return false;
  NamedMDNode *Annotations = F.getParent()->getNamedMetadata(AnnotationsName);
  SmallVector<MDNode *> Kept;
  if (Annotations)
    for (MDNode *N : Annotations->operands()) {
      const StringRef Property = propertyOf(*N, F);
      // Bounds of the program's own, which hold together with this one.
      if (Property == "minctasm" || Property.starts_with("reqntid"))
        return false;
      if (Property != "maxntidx")
        Kept.push_back(N);
    }
  if (Annotations) {
    Annotations->clearOperands();
    for (MDNode *N : Kept)
      Annotations->addOperand(N);
  }
  F.removeFnAttr("omp_target_thread_limit");
  // A bound of any kind makes ptxas use the registers there are; without one
  // it takes half of them, for loops that need the others.
  const int64_t Largest = largestBlock(F);
  LLVMContext &C = F.getContext();
  F.getParent()
      ->getOrInsertNamedMetadata(AnnotationsName)
      ->addOperand(MDNode::get(
          C, {ValueAsMetadata::get(&F), MDString::get(C, "maxntidx"),
              ConstantAsMetadata::get(ConstantInt::get(
                  Type::getInt32Ty(C), static_cast<uint64_t>(Largest)))}));
  setMaxThreads(*Plan.Environment, Largest);
  moveToNewFunction(F);
  return true;
}

} // namespace accx::kernels
