//===- LoopEmit.cpp - Outer loops marked omp simd -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of Loop.h.
//
//===----------------------------------------------------------------------===//

#include "vector/functions/Loop.h"

#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "vector/Lanes.h"
#include "vector/Width.h"
#include "vector/whole/Widen.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "simd-function"

using namespace llvm;

STATISTIC(NumLoops, "Number of outer loops widened");

namespace accx::vector {

namespace {

class LoopWidener {
public:
  LoopWidener(const OuterLoop &Plan, FunctionAnalysisManager &FAM,
              VariantCaller &Variants)
      : Plan(Plan), FAM(FAM), Variants(Variants),
        F(*Plan.Cycle->getHeader()->getParent()), Context(F.getContext()) {}

  StringRef run() {
    Function *One = outline();
    Function *All = widened(*One, false);
    Function *Some = Reason.empty() ? widened(*One, true) : nullptr;
    FAM.clear(*One, One->getName());
    One->eraseFromParent();
    if (Reason.empty())
      replace(*All, *Some);
    for (Function *Body : {All, Some})
      if (Body) {
        FAM.clear(*Body, Body->getName());
        Body->eraseFromParent();
      }
    return Reason;
  }

private:
  const OuterLoop &Plan;
  FunctionAnalysisManager &FAM;
  VariantCaller &Variants;
  Function &F;
  LLVMContext &Context;
  StringRef Reason;

  Function *create(ArrayRef<Type *> Types, const Twine &Suffix) {
    Function *New = Function::Create(
        FunctionType::get(Type::getVoidTy(Context), Types, false),
        GlobalValue::InternalLinkage, F.getName() + Suffix, F.getParent());
    AttrBuilder Kept(Context, F.getAttributes().getFnAttrs());
    for (const Attribute::AttrKind Kind :
         {Attribute::AlwaysInline, Attribute::NoInline, Attribute::Memory,
          Attribute::NoReturn})
      Kept.removeAttribute(Kind);
    New->addFnAttrs(Kept);
    return New;
  }

  /// What an accumulator is in memory. Elements of vectors lie bit by bit,
  /// lanes of memory byte by byte.
  Type *inMemory(const OuterLoop::Reduction &R) const {
    Type *Ty = R.Phi->getType();
    const DataLayout &Layout = F.getParent()->getDataLayout();
    return Ty->isIntegerTy()
               ? IntegerType::get(Context,
                                  unsigned(Layout.getTypeAllocSizeInBits(Ty)))
               : Ty;
  }

  /// Vectors of accumulators, stored and loaded.
  void put(IRBuilder<> &Builder, const OuterLoop::Reduction &R, Value *Vector,
           Value *Slot) const {
    auto *Ty = FixedVectorType::get(inMemory(R), Plan.Lanes);
    Builder.CreateStore(Builder.CreateZExtOrBitCast(Vector, Ty), Slot);
  }
  Value *get(IRBuilder<> &Builder, const OuterLoop::Reduction &R,
             Value *Slot) const {
    return Builder.CreateTruncOrBitCast(
        Builder.CreateLoad(FixedVectorType::get(inMemory(R), Plan.Lanes), Slot),
        FixedVectorType::get(R.Phi->getType(), Plan.Lanes));
  }

  /// One iteration, as a function of inductions, accumulators' addresses, and
  /// shared values, in this order.
  Function *outline() {
    SmallVector<Type *, 16> Types;
    for (const auto &I : Plan.Inductions)
      Types.push_back(I.Phi->getType());
    Types.append(Plan.Reductions.size(), PointerType::getUnqual(Context));
    for (const Value *V : Plan.Shared)
      Types.push_back(V->getType());
    Function *One = create(Types, ".iteration");
    auto *Entry = BasicBlock::Create(Context, "entry", One);
    IRBuilder<> Builder(Entry);

    ValueToValueMapTy Map;
    const Argument *Next = One->arg_begin();
    auto Take = [&] { return const_cast<Argument *>(Next++); };
    for (const auto &I : Plan.Inductions)
      Map[I.Phi] = Take();
    SmallVector<Value *, 2> Accumulators;
    SmallVector<Value *, 2> Before;
    for (const auto &R : Plan.Reductions) {
      Accumulators.push_back(Take());
      Before.push_back(Builder.CreateTruncOrBitCast(
          Builder.CreateLoad(inMemory(R), Accumulators.back()),
          R.Phi->getType()));
      Map[R.Phi] = Before.back();
    }
    for (Value *V : Plan.Shared)
      Map[V] = Take();
    for (AllocaInst *Slot : Plan.Private) {
      auto *Own = cast<AllocaInst>(Slot->clone());
      Map[Slot] = Builder.Insert(Own, Slot->getName());
    }

    SmallVector<BasicBlock *, 16> Blocks;
    BasicBlock *Header = Plan.Cycle->getHeader();
    for (BasicBlock *B : Plan.Cycle->blocks()) {
      BasicBlock *Copy = CloneBasicBlock(B, Map, "", One);
      if (B == Header)
        while (auto *Phi = dyn_cast<PHINode>(&Copy->front()))
          Phi->eraseFromParent();
      Map[B] = Copy;
      Blocks.push_back(Copy);
    }
    // CloneBasicBlock maps phis to their copies, which are gone.
    Next = One->arg_begin();
    for (const auto &I : Plan.Inductions)
      Map[I.Phi] = Take();
    for (auto [R, Value] : zip_equal(Plan.Reductions, Before))
      Map[R.Phi] = Value;
    remapInstructionsInBlocks(Blocks, Map);
    Builder.CreateBr(cast<BasicBlock>(Map[Header]));

    auto *Latch = cast<BasicBlock>(Map[Plan.Cycle->getLoopLatch()]);
    Latch->getTerminator()->eraseFromParent();
    Builder.SetInsertPoint(Latch);
    for (auto [R, Address] : zip_equal(Plan.Reductions, Accumulators))
      Builder.CreateStore(
          Builder.CreateZExtOrBitCast(MapValue(R.Next, Map), inMemory(R)),
          Address);
    Builder.CreateRetVoid();
    stripDebugInfo(*One);
    return One;
  }

  /// Several iterations at once.
  Function *widened(Function &One, bool Masked) {
    WidenRequest Request;
    Request.Scalar = &One;
    Request.Lanes = Plan.Lanes;
    Request.Variants = &Variants;
    const DataLayout &Layout = F.getParent()->getDataLayout();
    SmallVector<Type *, 16> Types(One.getFunctionType()->params());
    if (Masked)
      Types.push_back(
          FixedVectorType::get(Type::getInt1Ty(Context), Plan.Lanes));
    Function *Body = create(Types, Masked ? ".some" : ".all");
    Request.Entry = BasicBlock::Create(Context, "entry", Body);
    IRBuilder<> Builder(Request.Entry);
    unsigned Index = 0;
    for (const auto &I : Plan.Inductions) {
      Value *Argument = Body->getArg(Index++);
      Request.Shapes.push_back(I.IsLinear ? LaneShape::strided(I.Step)
                                          : LaneShape::varying());
      Request.Arguments.push_back(
          I.IsLinear ? Argument : spread(Builder, Argument, I.Step));
    }
    for (const auto &R : Plan.Reductions) {
      Request.Shapes.push_back(
          LaneShape::strided(int64_t(Layout.getTypeAllocSize(inMemory(R)))));
      Request.Arguments.push_back(Body->getArg(Index++));
    }
    for (size_t I = 0; I != Plan.Shared.size(); ++I) {
      Request.Shapes.push_back(LaneShape::uniform());
      Request.Arguments.push_back(Body->getArg(Index++));
    }
    if (Masked)
      Request.Mask = Body->getArg(Index);
    Reason = widen(Request, FAM);
    return Body;
  }

  Value *spread(IRBuilder<> &Builder, Value *First, int64_t Step) const {
    return Builder.CreateAdd(Builder.CreateVectorSplat(Plan.Lanes, First),
                             laneNumbers(First->getType(), Plan.Lanes, Step));
  }

  /// What the induction is in iteration `Done`.
  static Value *at(IRBuilder<> &Builder, const OuterLoop::Induction &I,
                   Value *Done) {
    Value *Offset = Builder.CreateMul(Done, Builder.getInt64(I.Step));
    if (I.Phi->getType()->isPointerTy())
      return Builder.CreateGEP(Builder.getInt8Ty(), I.Start, Offset);
    return Builder.CreateAdd(
        I.Start, Builder.CreateZExtOrTrunc(Offset, I.Phi->getType()));
  }

  /// The accumulators of all lanes, one after the other in halves.
  Value *reduced(IRBuilder<> &Builder, const OuterLoop::Reduction &R,
                 Value *Vector) const {
    for (unsigned Half = Plan.Lanes / 2; Half; Half /= 2) {
      Value *Low =
          Builder.CreateShuffleVector(Vector, createSequentialMask(0, Half, 0));
      Value *High = Builder.CreateShuffleVector(
          Vector, createSequentialMask(Half, Half, 0));
      Vector = Builder.CreateBinOp(Instruction::BinaryOps(R.Opcode), Low, High);
    }
    return Builder.CreateExtractElement(Vector, uint64_t(0));
  }

  CallInst *call(IRBuilder<> &Builder, Function &Body, Value *Done,
                 ArrayRef<Value *> Accumulators, Value *Mask) {
    SmallVector<Value *, 16> Arguments;
    for (const auto &I : Plan.Inductions)
      Arguments.push_back(at(Builder, I, Done));
    Arguments.append(Accumulators.begin(), Accumulators.end());
    Arguments.append(Plan.Shared.begin(), Plan.Shared.end());
    if (Mask)
      Arguments.push_back(Mask);
    return Builder.CreateCall(&Body, Arguments);
  }

  /// The loop never ends: what is behind it comes from \p Done.
  void leaveTo(BasicBlock &Done, ArrayRef<Value *> Results) const {
    Loop &L = *Plan.Cycle;
    BasicBlock *Exit = L.getExitBlock();
    BasicBlock *Latch = L.getLoopLatch();
    for (PHINode &Phi : Exit->phis()) {
      const int I = Phi.getBasicBlockIndex(Latch);
      for (auto [R, Result] : zip_equal(Plan.Reductions, Results))
        if (Phi.getIncomingValue(I) == R.Next)
          Phi.setIncomingValue(I, Result);
      Phi.setIncomingBlock(I, &Done);
    }
    auto *Old = cast<BranchInst>(Latch->getTerminator());
    Old->setSuccessor(Old->getSuccessor(0) == Exit ? 0 : 1, L.getHeader());
  }

  /// Puts the two bodies in place of their calls, and lanes' memory into
  /// registers.
  void inlineBodies(CallInst &WideCall, CallInst &MaskedCall) {
    for (CallInst *Call : {&WideCall, &MaskedCall}) {
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info);
    }
    removeUnreachableBlocks(F);
    FAM.invalidate(F, PreservedAnalyses::none());
    FunctionPassManager Passes;
    Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    Passes.addPass(EarlyCSEPass());
    // Others of this function may be next.
    Passes.addPass(LoopSimplifyPass());
    Passes.addPass(LCSSAPass());
    FAM.invalidate(F, Passes.run(F, FAM));
  }

  void replace(Function &All, Function &Some) {
    Loop &L = *Plan.Cycle;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    BasicBlock *Before = L.getLoopPreheader();
    BasicBlock *Exit = L.getExitBlock();
    DebugLoc Location = L.getStartLoc();
    if (DISubprogram *Program = F.getSubprogram(); Program && !Location)
      Location = DILocation::get(Context, 0, 0, Program);
    SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "simd");
    Value *Last = Expander.expandCodeFor(Plan.LastIteration, nullptr,
                                         Before->getTerminator());
    auto *Wide = BasicBlock::Create(Context, "simd.all", &F);
    auto *Rest = BasicBlock::Create(Context, "simd.rest", &F);
    auto *Masked = BasicBlock::Create(Context, "simd.some", &F);
    auto *Done = BasicBlock::Create(Context, "simd.done", &F);

    // The whole vectors' accumulators stay in registers: the masked one has
    // memory of its own.
    IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
    SmallVector<Value *, 2> Slots;
    SmallVector<Value *, 2> LastSlots;
    for (const auto &R : Plan.Reductions) {
      auto *Ty = FixedVectorType::get(inMemory(R), Plan.Lanes);
      Slots.push_back(Builder.CreateAlloca(Ty));
      LastSlots.push_back(Builder.CreateAlloca(Ty));
    }

    Builder.SetInsertPoint(Before->getTerminator());
    Builder.SetCurrentDebugLocation(Location);
    for (auto [R, Slot] : zip_equal(Plan.Reductions, Slots)) {
      Value *First = Builder.CreateVectorSplat(
          Plan.Lanes,
          ConstantExpr::getBinOpIdentity(R.Opcode, R.Phi->getType()));
      put(Builder, R, Builder.CreateInsertElement(First, R.Start, uint64_t(0)),
          Slot);
    }
    // At most 2^64 iterations: the count itself might not fit.
    Last = Builder.CreateZExt(Last, Builder.getInt64Ty());
    Value *Full = Builder.CreateICmpUGE(Last, Builder.getInt64(Plan.Lanes - 1));
    Value *Count = Builder.CreateAdd(Last, Builder.getInt64(1));
    Value *End =
        Builder.CreateAnd(Count, Builder.getInt64(-int64_t(Plan.Lanes)));
    Builder.CreateCondBr(Full, Wide, Rest);
    Before->getTerminator()->eraseFromParent();

    Builder.SetInsertPoint(Wide);
    PHINode *Now = Builder.CreatePHI(Builder.getInt64Ty(), 2);
    Now->addIncoming(Builder.getInt64(0), Before);
    CallInst *WideCall = call(Builder, All, Now, Slots, nullptr);
    Value *Next = Builder.CreateAdd(Now, Builder.getInt64(Plan.Lanes));
    Now->addIncoming(Next, Wide);
    BranchInst *Back =
        Builder.CreateCondBr(Builder.CreateICmpEQ(Next, End), Rest, Wide);
    // No other pass is to make vectors of it.
    ir::renewLoop(*Back, {},
                  {ir::loopOption(Context, "llvm.loop.isvectorized",
                                  {Builder.getInt32(1)})});

    Builder.SetInsertPoint(Rest);
    PHINode *From = Builder.CreatePHI(Builder.getInt64Ty(), 2);
    From->addIncoming(Builder.getInt64(0), Before);
    From->addIncoming(End, Wide);
    SmallVector<Value *, 2> Sums;
    for (auto [R, Slot] : zip_equal(Plan.Reductions, Slots))
      Sums.push_back(get(Builder, R, Slot));
    Value *Left = Builder.CreateSub(Count, From);
    Builder.CreateCondBr(Builder.CreateICmpEQ(Left, Builder.getInt64(0)), Done,
                         Masked);

    Builder.SetInsertPoint(Masked);
    for (auto [R, Sum, Slot] : zip_equal(Plan.Reductions, Sums, LastSlots))
      put(Builder, R, Sum, Slot);
    Value *Mask = Builder.CreateICmpULT(
        laneNumbers(Builder.getInt32Ty(), Plan.Lanes),
        Builder.CreateVectorSplat(
            Plan.Lanes, Builder.CreateTrunc(Left, Builder.getInt32Ty())));
    CallInst *MaskedCall = call(Builder, Some, From, LastSlots, Mask);
    SmallVector<Value *, 2> LastSums;
    for (auto [R, Slot] : zip_equal(Plan.Reductions, LastSlots))
      LastSums.push_back(get(Builder, R, Slot));
    Builder.CreateBr(Done);

    Builder.SetInsertPoint(Done);
    SmallVector<PHINode *, 2> Finals;
    for (auto [Sum, LastSum] : zip_equal(Sums, LastSums)) {
      Finals.push_back(Builder.CreatePHI(Sum->getType(), 2));
      Finals.back()->addIncoming(Sum, Rest);
      Finals.back()->addIncoming(LastSum, Masked);
    }
    SmallVector<Value *, 2> Results;
    for (auto [R, Final] : zip_equal(Plan.Reductions, Finals))
      Results.push_back(reduced(Builder, R, Final));
    Builder.CreateBr(Exit);
    leaveTo(*Done, Results);
    inlineBodies(*WideCall, *MaskedCall);
  }
};

} // namespace

StringRef widenOuterLoop(const OuterLoop &Plan, FunctionAnalysisManager &FAM,
                         VariantCaller &Variants) {
  return LoopWidener(Plan, FAM, Variants).run();
}

/// One loop of the function, as long as there is any.
static bool widenOneLoop(Function &F, FunctionAnalysisManager &FAM,
                         VariantCaller &Variants,
                         SmallPtrSetImpl<BasicBlock *> &Refused) {
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!isOuterSimdLoop(*L) || !Refused.insert(L->getHeader()).second)
      continue;
    OuterLoop Plan;
    StringRef Reason =
        planOuterLoop(*L, FAM.getResult<DominatorTreeAnalysis>(F),
                      FAM.getResult<ScalarEvolutionAnalysis>(F), Plan);
    const DebugLoc Where = L->getStartLoc();
    BasicBlock *Header = L->getHeader();
    if (Reason.empty())
      Reason = widenOuterLoop(Plan, FAM, Variants);
    if (!Reason.empty()) {
      distrustLocals(*L);
      ir::remarkMissed(DEBUG_TYPE, "LoopNotWidened", {Where, *Header},
                       "outer loop not vectorized: ", Reason);
      continue;
    }
    ++NumLoops;
    // Lanes fill such registers; LLVM would take them apart.
    if (wantsFullVectors(F))
      widenLegalVectors(F, 512);
    ir::remarkPassed(DEBUG_TYPE, "LoopWidened", {Where, F.getEntryBlock()},
                     "vectorized outer loop with ",
                     ore::NV("Lanes", Plan.Lanes), " lanes");
    return true;
  }
  return false;
}

bool widenOuterLoops(Module &M, FunctionAnalysisManager &FAM,
                     VariantCaller &Variants) {
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() && !F.hasOptSize())
      Functions.push_back(&F);
  bool Changed = false;
  for (Function *F : Functions) {
    const auto &LI = FAM.getResult<LoopAnalysis>(*F);
    if (none_of(LI.getLoopsInPreorder(),
                [](const Loop *L) { return isOuterSimdLoop(*L); }))
      continue;
    FunctionPassManager Passes;
    Passes.addPass(LoopSimplifyPass());
    Passes.addPass(LCSSAPass());
    FAM.invalidate(*F, Passes.run(*F, FAM));
    SmallPtrSet<BasicBlock *, 4> Refused;
    while (widenOneLoop(*F, FAM, Variants, Refused))
      Changed = true;
  }
  return Changed;
}

} // namespace accx::vector
