//===- Forms.cpp - The two forms of each variant --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates the two functions of a variant, fills them by the widener, and finds
// the variant that fits a call. The forms' types are in Variants.cpp, the
// translation between the forms in Abi.cpp.
//
//===----------------------------------------------------------------------===//

#include "vector/functions/Forms.h"

#include "ir/Remark.h"
#include "vector/Lanes.h"
#include "vector/whole/Widen.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#define DEBUG_TYPE "simd-function"

using namespace llvm;

STATISTIC(NumWidened, "Number of variants widened");
STATISTIC(NumByLane, "Number of variants that call the scalar function");
STATISTIC(NumAttached, "Number of calls that have variants");

static cl::opt<bool> UseExternal(
    "accx-simd-extern", cl::init(true), cl::Hidden,
    cl::desc("Call vector variants of functions that are only declared"));

namespace accx::vector {

static bool isDefinedHere(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage();
}

FunctionForms::FunctionForms(Module &M, FunctionAnalysisManager &FAM)
    : M(M), FAM(FAM) {
  for (Function &F : M) {
    if (!hasVariants(F) || F.isIntrinsic())
      continue;
    auto Refused = [&](StringRef Name, StringRef Why) {
      if (F.isDeclaration())
        return;
      ir::remarkMissed(DEBUG_TYPE, "NotABI", F, "vector variant ",
                       ore::NV("Variant", Name), " not made: ", Why);
    };
    for (Variant &V : variantsOf(F, Refused))
      Forms[&F].push_back({std::move(V)});
  }
}

/// The best rank among optimized callers; nothing if there are none.
static std::optional<unsigned> bestCaller(const Function &F) {
  std::optional<unsigned> Best;
  for (const User *U : F.users())
    if (const auto *Call = dyn_cast<CallInst>(U);
        Call && !Call->getFunction()->hasOptNone())
      Best = std::max(Best.value_or(0), supportedRank(*Call->getFunction()));
  return Best;
}

void FunctionForms::declareForm(Function &F, Form &Each) {
  const Variant &V = Each.V;
  const bool Here = isDefinedHere(F);
  const std::optional<unsigned> Best = bestCaller(F);
  if (!Here && (!UseExternal || !Best || V.rank() > *Best))
    return;
  // Nobody else can call it: only what may run here is of use.
  if (Here && F.hasLocalLinkage() &&
      (V.rank() > supportedRank(F) || F.hasOptNone()))
    return;
  Each.Abi = M.getFunction(V.Info.VectorName);
  if (!Each.Abi) {
    Each.Abi = Function::Create(V.abiType(), GlobalValue::ExternalLinkage,
                                V.Info.VectorName, M);
    Each.Abi->setAttributes(V.abiAttributes());
    Each.Abi->setCallingConv(V.Scalar->getCallingConv());
  } else if (Each.Abi->getFunctionType() != V.abiType() ||
             (Here && !Each.Abi->isDeclaration())) {
    Each.Abi = nullptr;
    return;
  }
  Each.Worthwhile = !Here;
  Each.Lanes = Each.Abi;
  if (V.hasOneForm())
    return;
  Each.Lanes = Function::Create(V.lanesType(), GlobalValue::InternalLinkage,
                                V.Info.VectorName + ".lanes", M);
  Each.Lanes->setAttributes(V.attributes());
  Each.Lanes->addFnAttr(WrapperAttribute);
  V.wrapAbi(*Each.Lanes, *Each.Abi);
}

void FunctionForms::declare() {
  for (auto &[F, List] : Forms)
    for (Form &Each : List)
      declareForm(*F, Each);
}

/// Fills the lanes form with lanes of `F`.
StringRef FunctionForms::widenInto(Function &F, const Variant &V, Function &To,
                                   VariantCaller *Callees) {
  WidenRequest Request;
  Request.Scalar = &F;
  Request.Lanes = V.Lanes;
  Request.Shapes = V.shapes();
  Request.Entry = BasicBlock::Create(To.getContext(), "entry", &To);
  Request.Variants = Callees;
  IRBuilder<> Builder(Request.Entry);
  for (unsigned I = 0; I != F.arg_size(); ++I) {
    Value *Argument = To.getArg(I);
    Argument->setName(F.getArg(I)->getName());
    const VFParameter &P = V.Info.Shape.Parameters[I];
    if (P.ParamKind != VFParamKind::OMP_LinearPos &&
        P.ParamKind != VFParamKind::OMP_LinearRefPos) {
      Request.Arguments.push_back(Argument);
      continue;
    }
    // The step is another parameter.
    Value *Step = Builder.CreateSExtOrTrunc(
        To.getArg(unsigned(P.LinearStepOrPos)), Builder.getInt64Ty());
    Value *Offsets =
        Builder.CreateMul(Builder.CreateVectorSplat(V.Lanes, Step),
                          laneNumbers(Builder.getInt64Ty(), V.Lanes));
    if (Argument->getType()->isPointerTy())
      Argument = Builder.CreateGEP(Builder.getInt8Ty(), Argument, Offsets);
    else
      Argument = Builder.CreateAdd(
          Builder.CreateVectorSplat(V.Lanes, Argument),
          Builder.CreateSExtOrTrunc(
              Offsets, FixedVectorType::get(Argument->getType(), V.Lanes)));
    Request.Arguments.push_back(Argument);
  }
  if (V.Masked)
    Request.Mask = To.getArg(To.arg_size() - 1);
  return widen(Request, FAM);
}

/// A function that only calls `F`, for lanes that go one by one.
static Function *callerOf(Function &F) {
  Function *Caller =
      Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                       F.getName() + ".one", F.getParent());
  IRBuilder<> Builder(BasicBlock::Create(F.getContext(), "", Caller));
  SmallVector<Value *, 8> Arguments(make_pointer_range(Caller->args()));
  CallInst *Call = Builder.CreateCall(&F, Arguments);
  Call->setCallingConv(F.getCallingConv());
  for (unsigned I = 0; I != F.arg_size(); ++I)
    for (const Attribute::AttrKind Kind : {Attribute::SExt, Attribute::ZExt})
      if (F.hasParamAttribute(I, Kind))
        Call->addParamAttr(I, Kind);
  if (F.getReturnType()->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(Call);
  return Caller;
}

void FunctionForms::simplify(Function &F) {
  FunctionPassManager Passes;
  Passes.addPass(EarlyCSEPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  FAM.invalidate(F, Passes.run(F, FAM));
}

void FunctionForms::defineForm(Function &F, Form &Each) {
  const Variant &V = Each.V;
  Function *Body = Each.Abi;
  if (!V.hasOneForm()) {
    Body = Function::Create(V.lanesType(), GlobalValue::InternalLinkage,
                            V.Info.VectorName + ".body", M);
    Body->setAttributes(V.attributes());
  }
  const bool Here = isDefinedHere(F);
  StringRef Reason = "it is not optimized";
  if (!Here)
    Reason = "its body is elsewhere";
  else if (!F.hasOptNone())
    Reason = widenInto(F, V, *Body, this);
  Each.Worthwhile = Reason.empty() || !Here;
  const StringRef Name = V.Info.VectorName;
  if (Reason.empty()) {
    ++NumWidened;
    ir::remarkPassed(DEBUG_TYPE, "Widened", F, "made vector variant ",
                     ore::NV("Variant", Name));
  } else {
    ++NumByLane;
    if (Here)
      ir::remarkMissed(DEBUG_TYPE, "NotWidened", F, "vector variant ",
                       ore::NV("Variant", Name),
                       " calls the function for each lane: ", Reason);
    Body->deleteBody();
    Function *One = callerOf(F);
    if (!widenInto(*One, V, *Body, nullptr).empty())
      M.getContext().emitError("accx: no body for '" + Name + "'");
    FAM.clear(*One, One->getName());
    One->eraseFromParent();
  }
  if (Body != Each.Abi) {
    V.wrapLanes(*Each.Abi, *Body);
    InlineFunctionInfo Info;
    InlineFunction(*cast<CallInst>(Body->user_back()), Info);
    FAM.clear(*Body, Body->getName());
    Body->eraseFromParent();
  }
  if (Here && !F.hasOptNone())
    simplify(*Each.Abi);
}

/// Whoever links against the function links against its variants.
static void setLinkage(Function &Abi, const Function &F) {
  Abi.setLinkage(F.getLinkage());
  Abi.setVisibility(F.getVisibility());
  Abi.setDSOLocal(F.isDSOLocal());
  Abi.setUnnamedAddr(F.getUnnamedAddr());
  if (!F.hasComdat())
    return;
  Comdat *Group = Abi.getParent()->getOrInsertComdat(Abi.getName());
  Group->setSelectionKind(F.getComdat()->getSelectionKind());
  Abi.setComdat(Group);
}

/// The C library's variants stand in a library of their own, which the linker
/// takes only for a symbol that it misses.
static bool isOfLibrary(Function &F) {
  const TargetLibraryInfoImpl Known(Triple(F.getParent()->getTargetTriple()));
  LibFunc Kind{};
  if (TargetLibraryInfo(Known, &F).getLibFunc(F, Kind))
    return true;
  // Of glibc's, those that LLVM 19 does not know.
  return StringSwitch<bool>(F.getName())
      .Cases("erf", "erff", "erfc", "erfcf", "sincos", "sincosf", true)
      .Default(false);
}

void FunctionForms::define() {
  for (auto &[F, List] : Forms)
    for (Form &Each : List) {
      if (!Each.Abi || !Each.Abi->isDeclaration())
        continue;
      if (isDefinedHere(*F)) {
        defineForm(*F, Each);
        setLinkage(*Each.Abi, *F);
      } else if (!isOfLibrary(*F)) {
        // Gives way to the variant of the function's own translation unit,
        // which another compiler may not have made.
        defineForm(*F, Each);
        Each.Abi->setLinkage(GlobalValue::WeakAnyLinkage);
      }
    }
}

//--- Calls -------------------------------------------------------------------

void FunctionForms::attach() {
  for (auto &[F, List] : Forms) {
    // Variants that call the function for each lane would call themselves.
    SmallPtrSet<const Function *, 8> Variants;
    for (const Form &Each : List)
      Variants.insert({Each.Abi, Each.Lanes});
    for (User *U : F->users()) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != F ||
          Variants.contains(Call->getFunction()) ||
          Call->hasFnAttr(VFABI::MappingsAttrName) || Call->isMustTailCall() ||
          Call->getFunction()->hasOptNone())
        continue;
      const unsigned Best = supportedRank(*Call->getFunction());
      SmallVector<std::string, 8> Names;
      SmallVector<VFShape, 8> Seen;
      for (const Form &Each : List) {
        const VFInfo &Info = Each.V.Info;
        // The first of a shape is the best.
        if (!Each.Lanes || !Each.Worthwhile || Each.V.rank() > Best ||
            is_contained(Seen, Info.Shape))
          continue;
        Seen.push_back(Info.Shape);
        // All in the same form: the verifier reads them as one name.
        Names.push_back(
            (Info.VectorName + "(" + Each.Lanes->getName() + ")").str());
      }
      if (Names.empty())
        continue;
      VFABI::setVectorVariantNames(Call, Names);
      ++NumAttached;
    }
  }
}

/// Whether the argument is what the variant expects at the parameter.
static bool fits(LaneShape Argument, LaneShape Parameter, bool IsScalar) {
  return !IsScalar || (Argument.isStrided() && Argument == Parameter);
}

Value *FunctionForms::call(Widener &To, CallBase &Call, Value *Mask) {
  Function *Callee = Call.getCalledFunction();
  auto It = Callee ? Forms.find(Callee) : Forms.end();
  if (It == Forms.end())
    return nullptr;
  IRBuilder<> &Builder = To.builder();
  const unsigned Best = supportedRank(*Builder.GetInsertBlock()->getParent());
  const Form *Found = nullptr;
  for (const Form &Each : It->second) {
    const Variant &V = Each.V;
    if (!Each.Lanes || V.Lanes != To.lanes() || V.rank() > Best ||
        (Mask && !V.Masked))
      continue;
    const auto Shapes = V.shapes();
    bool Fits = true;
    for (unsigned I = 0; I != Shapes.size(); ++I)
      Fits &= fits(To.shapeOf(Call.getArgOperand(I)), Shapes[I], V.isScalar(I));
    // Without a mask where there is a choice.
    if (Fits && (!Found || (Found->V.Masked && !V.Masked && !Mask)))
      Found = &Each;
  }
  if (!Found)
    return nullptr;
  SmallVector<Value *, 8> Arguments;
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    Arguments.push_back(Found->V.isScalar(I)
                            ? To.scalar(Call.getArgOperand(I))
                            : To.vector(Call.getArgOperand(I)));
  if (Found->V.Masked)
    Arguments.push_back(
        Mask ? Mask
             : ConstantVector::getSplat(ElementCount::getFixed(To.lanes()),
                                        Builder.getTrue()));
  CallInst *Result = Builder.CreateCall(Found->Lanes, Arguments);
  Result->setCallingConv(Found->Lanes->getCallingConv());
  return Result;
}

} // namespace accx::vector
