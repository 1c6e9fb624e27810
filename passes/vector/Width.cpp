//===- Width.cpp - Vectors as wide as registers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The preference of Width.h. LLVM knows it as an attribute, which decides
// about all of a function, so that it is there only while loops of ours are
// judged. That vectors of 512 bits are legal is another attribute: it stays,
// and inlining hands it on to callers.
//
//===----------------------------------------------------------------------===//

#include "vector/Width.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

using namespace llvm;

namespace accx::vector {

static constexpr StringLiteral Preferred = "prefer-vector-width";
static constexpr StringLiteral Legal = "min-legal-vector-width";
static constexpr unsigned FullBits = 512;

bool mayBeVectors(const Function &F) {
  // GPUs have no vectors, and the tail folding of scalable ones is LLVM's own.
  return Triple(F.getParent()->getTargetTriple()).isX86() && !F.hasOptNone() &&
         !F.hasOptSize() && !F.hasFnAttribute(Attribute::NoImplicitFloat) &&
         !F.hasFnAttribute(Attribute::StrictFP);
}

unsigned registerBits(const TargetTransformInfo &TTI) {
  return unsigned(
      TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue());
}

bool wantsFullVectors(const Function &F) {
  if (F.hasFnAttribute(Preferred) || F.getFnAttribute("target-features")
                                         .getValueAsString()
                                         .contains("+prefer-"))
    return false;
  Attribute CPU = F.getFnAttribute("tune-cpu");
  if (!CPU.isStringAttribute())
    CPU = F.getFnAttribute("target-cpu");
  // Ice Lake's clients are not among them: half of their units for floating
  // point are missing.
  return CPU.isStringAttribute() &&
         StringSwitch<bool>(CPU.getValueAsString())
             .Cases("icelake-server", "sapphirerapids", "emeraldrapids", true)
             .Cases("graniterapids", "graniterapids-d", true)
             .Default(false);
}

bool widenLegalVectors(Function &F, unsigned Bits) {
  unsigned Old = 0;
  // Without the attribute all are legal.
  if (!F.hasFnAttribute(Legal) ||
      F.getFnAttribute(Legal).getValueAsString().getAsInteger(10, Old) ||
      Old >= Bits)
    return false;
  F.addFnAttr(Legal, std::to_string(Bits));
  return true;
}

FullVectors::FullVectors(Function &Within, FunctionAnalysisManager &Analyses)
    : F(Within), FAM(Analyses), Active(wantsFullVectors(Within)) {
  if (!Active)
    return;
  F.addFnAttr(Preferred, std::to_string(FullBits));
  // The target's answers are never out of date for LLVM.
  FAM.clear(F, F.getName());
}

FullVectors::~FullVectors() {
  if (!Active)
    return;
  F.removeFnAttr(Preferred);
  if (Kept)
    widenLegalVectors(F, FullBits);
  FAM.clear(F, F.getName());
}

} // namespace accx::vector
