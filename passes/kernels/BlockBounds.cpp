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
//===----------------------------------------------------------------------===//

#include "kernels/BlockBounds.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace accx::kernels {

static constexpr int64_t ClangsDefault = 128;
static constexpr int64_t Largest = 1024;

static constexpr char AnnotationsName[] = "nvvm.annotations";

/// The property that annotation \p N gives \p F; empty if it is of another
/// function or gives several.
static StringRef propertyOf(const MDNode &N, const Function &F) {
  if (N.getNumOperands() != 3)
    return "";
  const auto *Of = dyn_cast_or_null<ValueAsMetadata>(N.getOperand(0));
  const auto *Name = dyn_cast_or_null<MDString>(N.getOperand(1));
  return Of && Of->getValue() == &F && Name ? Name->getString() : "";
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
  setMaxThreads(*Plan.Environment, Largest);
  return true;
}

} // namespace accx::kernels
