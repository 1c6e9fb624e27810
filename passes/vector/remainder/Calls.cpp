//===- Calls.cpp - Vector variants of library calls -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variants of Calls.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Calls.h"

#include "vector/Width.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Transforms/Utils/InjectTLIMappings.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace accx::vector {

/// libmvec's 512-bit variant of one of 256 bits; empty if not among those that
/// every libmvec has.
static std::string widerVariant(StringRef Variant) {
  for (auto [Narrow, Wide] : {std::pair("_ZGVdN8v", "_ZGVeN16v"),
                              std::pair("_ZGVdN4v", "_ZGVeN8v")}) {
    StringRef Rest = Variant;
    if (!Rest.consume_front(Narrow))
      continue;
    StringRef Name = Rest.substr(Rest.find('_') + 1);
    bool Known = StringSwitch<bool>(Name)
                     .Cases("sin", "cos", "exp", "log", "pow", true)
                     .Cases("sinf", "cosf", "expf", "logf", "powf", true)
                     .Default(false);
    return Known ? Wide + Rest.str() : "";
  }
  return "";
}

/// Adds the mapping of \p Info at twice its lanes.
static void addWider(CallInst &Call, const VFInfo &Info,
                     SmallVectorImpl<std::string> &Mappings) {
  std::string Wide = widerVariant(Info.VectorName);
  if (Wide.empty() || Info.isMasked())
    return;
  Module &M = *Call.getModule();
  FunctionType *Scalar = Call.getFunctionType();
  unsigned Lanes = 2 * Info.Shape.VF.getKnownMinValue();
  std::string Shape(Scalar->getNumParams(), 'v');
  Mappings.push_back(("_ZGV_LLVM_N" + Twine(Lanes) + Shape + "_" +
                      Info.ScalarName + "(" + Wide + ")")
                         .str());
  if (M.getFunction(Wide))
    return;
  SmallVector<Type *, 2> Params;
  for (Type *Param : Scalar->params())
    Params.push_back(FixedVectorType::get(Param, Lanes));
  auto *Type = FunctionType::get(
      FixedVectorType::get(Scalar->getReturnType(), Lanes), Params, false);
  Function *Variant =
      Function::Create(Type, Function::ExternalLinkage, Wide, M);
  Variant->copyAttributesFrom(Call.getCalledFunction());
  // Kept until the vectorizer had its chance.
  appendToCompilerUsed(M, {Variant});
}

void attachVectorVariants(Function &F, FunctionAnalysisManager &FAM) {
  InjectTLIMappings().run(F, FAM);
  // Where 256 bits are preferred, arguments of 512 would be passed in halves.
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  if (registerBits(TTI) < 512)
    return;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getCalledFunction())
      continue;
    SmallVector<std::string, 8> Mappings;
    VFABI::getVectorVariantNames(*Call, Mappings);
    size_t Before = Mappings.size();
    for (const VFInfo &Info : VFDatabase::getMappings(*Call))
      addWider(*Call, Info, Mappings);
    if (Mappings.size() > Before)
      VFABI::setVectorVariantNames(Call, Mappings);
  }
}

bool isCallPerLane(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || !Call->getType()->isVectorTy())
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::ldexp:
  case Intrinsic::frexp:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::round:
    return true;
  default:
    return false;
  }
}

} // namespace accx::vector
