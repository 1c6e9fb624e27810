//===- Widen.cpp - Whole-function vectorization ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps on a copy of the function, brings the copy into the form that
// they need, and refuses what has none. No step is here.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Widen.h"

#include "vector/whole/Divergence.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;

namespace accx::vector {

/// The scalar function with one parameter more: the lane's mask.
static Function *copyOf(Function &F) {
  SmallVector<Type *, 8> Types(F.getFunctionType()->params());
  Types.push_back(Type::getInt1Ty(F.getContext()));
  auto *Ty = FunctionType::get(F.getReturnType(), Types, false);
  Function *Copy = Function::Create(Ty, GlobalValue::InternalLinkage,
                                    F.getName() + ".lanes", F.getParent());
  ValueToValueMapTy Map;
  for (auto [From, To] : zip_first(F.args(), Copy->args())) {
    To.setName(From.getName());
    Map[&From] = &To;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  // Nobody outside sees it, whatever the original is.
  Copy->setComdat(nullptr);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDSOLocal(true);
  stripDebugInfo(*Copy);
  return Copy;
}

static StringRef canonicalize(Function &F, FunctionAnalysisManager &FAM) {
  for (BasicBlock &B : F) {
    Instruction *End = B.getTerminator();
    // No lane comes here, or none gets beyond what stands before.
    if (isa<UnreachableInst>(End)) {
      Type *Ty = F.getReturnType();
      ReturnInst::Create(F.getContext(),
                         Ty->isVoidTy() ? nullptr : PoisonValue::get(Ty),
                         End->getIterator());
      End->eraseFromParent();
    } else if (!isa<BranchInst, SwitchInst, ReturnInst>(End)) {
      return isa<InvokeInst>(End) ? "it catches exceptions"
                                  : "it has an indirect branch";
    }
  }
  removeUnreachableBlocks(F);
  FunctionPassManager Passes;
  Passes.addPass(LowerSwitchPass());
  Passes.addPass(UnifyFunctionExitNodesPass());
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  FAM.invalidate(F, Passes.run(F, FAM));

  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  const ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, LI))
    return "its control flow is irreducible";
  for (const Loop *L : LI.getLoopsInPreorder()) {
    if (L->hasNoExitBlocks())
      return "it has a loop without an end";
    if (!L->isLoopSimplifyForm())
      return "it has a loop of an unusual form";
  }
  if (count_if(F, [](const BasicBlock &B) {
        return isa<ReturnInst>(B.getTerminator());
      }) != 1)
    return "it does not return";
  return {};
}

/// Whether the block may be executed for some of the function's lanes only.
static bool isForSome(const BasicBlock *B, const Regions &All,
                      const Divergence &Ways) {
  for (const Region *R = &All.around(B); R; R = R->Parent)
    if (Ways.isPartial(R->Nodes[R->indexOf(B)]) ||
        (R->Cycle && Ways.isDivergent(R->Cycle)))
      return true;
  return false;
}

/// In code for some lanes, an overflow that only the others have would be
/// inherited by what is computed from lane 0. Returns whether there was any
/// promise to take back.
static bool dropFlags(Function &F, const Regions &All, const Divergence &Ways,
                      const LaneShapes &Shapes, bool Masked) {
  bool Changed = false;
  for (BasicBlock &B : F) {
    if (!Masked && !isForSome(&B, All, Ways))
      continue;
    for (Instruction &I : B) {
      const LaneShape Shape = Shapes.of(&I);
      if (!Shape.isStrided() || Shape.isUniform() || !isa<BinaryOperator>(I) ||
          !I.hasPoisonGeneratingFlags())
        continue;
      I.dropPoisonGeneratingFlags();
      Changed = true;
    }
  }
  return Changed;
}

/// Emits into the request's function what `Copy` does.
static StringRef widenCopy(Function &Copy, const WidenRequest &Request,
                           FunctionAnalysisManager &FAM) {
  if (StringRef Reason = canonicalize(Copy, FAM); !Reason.empty())
    return Reason;
  SmallVector<LaneShape, 8> Shapes(Request.Shapes);
  Shapes.push_back(Request.Mask ? LaneShape::varying() : LaneShape::uniform());
  Argument *MaskArgument = Copy.getArg(Copy.arg_size() - 1);
  Value *Mask = MaskArgument;
  if (!Request.Mask)
    Mask = ConstantInt::getTrue(Copy.getContext());

  BlockMasks Masks;
  {
    const Regions All(Copy, FAM.getResult<DominatorTreeAnalysis>(Copy),
                      FAM.getResult<LoopAnalysis>(Copy));
    LaneShapes Before(Copy, Shapes);
    std::optional<Divergence> Found;
    Found.emplace(All, Before);
    while (dropFlags(Copy, All, *Found, Before, Request.Mask != nullptr)) {
      Before = LaneShapes(Copy, Shapes);
      Found.emplace(All, Before);
    }
    const Divergence &Ways = *Found;
    for (const BasicBlock &B : Copy)
      for (const Instruction &I : B)
        if (StringRef Reason = unwidenable(I, Before.of(&I), Before);
            !Reason.empty())
          return Reason;
    if (StringRef Reason = linearize(Copy, Mask, All, Ways, Before, Masks);
        !Reason.empty())
      return Reason;
  }
  FAM.invalidate(Copy, PreservedAnalyses::none());
  if (verifyFunction(Copy))
    return "its control flow cannot be linearized";

  LaneShapes After(Copy, Shapes);
  After.propagate();
  SmallVector<Value *, 8> Arguments(Request.Arguments);
  Arguments.push_back(Request.Mask ? Request.Mask
                                   : ConstantInt::getTrue(Copy.getContext()));
  const auto &Library = FAM.getResult<TargetLibraryAnalysis>(*Request.Scalar);
  Widener Emitter(After, Masks, Request.Lanes, &Library, Request.Variants);
  if (StringRef Reason = Emitter.run(Copy, Request.Entry, Arguments);
      !Reason.empty())
    return Reason;
  return {};
}

/// Nothing may be executed for no lane: one address may be that of no object.
static void returnWithoutLanes(const WidenRequest &Request) {
  Instruction *End = Request.Entry->getTerminator();
  BasicBlock *Body = End->getSuccessor(0);
  Function *F = Request.Entry->getParent();
  auto *None = BasicBlock::Create(F->getContext(), "none", F);
  IRBuilder<> Builder(End);
  Value *Bits =
      Builder.CreateBitCast(Request.Mask, Builder.getIntNTy(Request.Lanes));
  Builder.CreateCondBr(
      Builder.CreateICmpNE(Bits, Builder.getIntN(Request.Lanes, 0)), Body,
      None);
  End->eraseFromParent();
  Builder.SetInsertPoint(None);
  if (F->getReturnType()->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(Constant::getNullValue(F->getReturnType()));
}

StringRef widen(const WidenRequest &Request, FunctionAnalysisManager &FAM) {
  Function *Copy = copyOf(*Request.Scalar);
  StringRef Reason = widenCopy(*Copy, Request, FAM);
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  if (!Reason.empty())
    return Reason;
  if (Request.Mask)
    returnWithoutLanes(Request);
  if (verifyFunction(*Request.Entry->getParent()))
    return "the widened function would not be valid";
  return {};
}

} // namespace accx::vector
