//===- Loop.cpp - Outer loops marked omp simd -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of Loop.h.
//
//===----------------------------------------------------------------------===//

#include "vector/functions/Loop.h"

#include "vector/Loops.h"
#include "vector/functions/Variants.h"
#include "vector/loops/Columns.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::vector {

/// LoopVectorize takes no call that may read what its arguments point to.
static bool hasCallOnMemory(const Loop &L) {
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      const auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || !Call->mayReadFromMemory() || !Call->getCalledFunction() ||
          !hasVariants(*Call->getCalledFunction()))
        continue;
      if (any_of(Call->args(),
                 [](const Value *V) { return V->getType()->isPointerTy(); }))
        return true;
    }
  return false;
}

static const AllocaInst *localOf(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  return Address ? dyn_cast<AllocaInst>(getUnderlyingObject(Address, 0))
                 : nullptr;
}

/// A private array is one variable for all iterations in the IR, and its
/// accesses are marked as independent all the same: LoopVectorize believes it.
static bool writesLocals(const Loop &L) {
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (isa<StoreInst>(I) && localOf(I))
        return true;
  return false;
}

void distrustLocals(Loop &L) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (localOf(I))
        I.setMetadata(LLVMContext::MD_access_group, nullptr);
}

bool isOuterSimdLoop(const Loop &L) {
  if (isColumnsLoop(L))
    return true;
  if (!getBooleanLoopAttribute(&L, "llvm.loop.vectorize.enable") ||
      getBooleanLoopAttribute(&L, "llvm.loop.isvectorized"))
    return false;
  return !L.isInnermost() || hasCallOnMemory(L) || writesLocals(L);
}

//--- What is carried on -----------------------------------------------------

/// The operation by which the instruction continues a chain that comes in as
/// `Operand`, or 0.
static unsigned chainOpcode(const Instruction &I, const Use &Operand) {
  const bool First = Operand.getOperandNo() == 0;
  if (const auto *Op = dyn_cast<BinaryOperator>(&I)) {
    // The chain must not meet itself.
    if (I.getOperand(0) == I.getOperand(1))
      return 0;
    if (Op->getOpcode() == Instruction::Sub && First)
      return Instruction::Add;
    if (Op->getOpcode() == Instruction::FSub && First)
      return Instruction::FAdd;
    return Op->isCommutative() ? Op->getOpcode() : 0;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call && Operand.getOperandNo() == 2 &&
      Call->getArgOperand(0) != Operand.get() &&
      Call->getArgOperand(1) != Operand.get() &&
      (Call->getIntrinsicID() == Intrinsic::fmuladd ||
       Call->getIntrinsicID() == Intrinsic::fma))
    return Instruction::FAdd;
  return 0;
}

/// Whether all that becomes of the phi is a chain of one operation, of which
/// nobody sees a part.
static bool isReduction(PHINode &Header, const Loop &L,
                        OuterLoop::Reduction &Result) {
  Value *Next = Header.getIncomingValueForBlock(L.getLoopLatch());
  // Lanes that lie in memory as a vector's elements do.
  const DataLayout &Layout = Header.getModule()->getDataLayout();
  Type *Ty = Header.getType();
  if (!Ty->isIntegerTy() &&
      Layout.getTypeSizeInBits(Ty) != Layout.getTypeAllocSizeInBits(Ty))
    return false;
  SmallPtrSet<Value *, 16> Chain{&Header};
  SmallVector<Value *, 8> Work{&Header};
  Result = {&Header, Header.getIncomingValueForBlock(L.getLoopPreheader()),
            Next, 0};
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    for (const Use &U : V->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (!L.contains(I)) {
        if (V != Next || !isa<PHINode>(I) || I->getParent() != L.getExitBlock())
          return false;
        continue;
      }
      if (I == &Header)
        continue;
      if (!isa<PHINode>(I)) {
        const unsigned Opcode = chainOpcode(*I, U);
        if (!Opcode || (Result.Opcode && Result.Opcode != Opcode))
          return false;
        Result.Opcode = Opcode;
      }
      if (Chain.insert(I).second)
        Work.push_back(I);
    }
  }
  if (!Result.Opcode || !Chain.contains(Next))
    return false;
  // What comes in from the side must not be of the chain, nor a phi's value be
  // anything else.
  for (Value *V : Chain) {
    auto *I = cast<Instruction>(V);
    if (I == &Header)
      continue;
    const unsigned OfChain = count_if(
        I->operands(), [&](const Value *Op) { return Chain.contains(Op); });
    if (OfChain != (isa<PHINode>(I) ? I->getNumOperands() : 1))
      return false;
  }
  return true;
}

static bool isInduction(PHINode &Phi, const Loop &L, ScalarEvolution &SE,
                        OuterLoop::Induction &Result) {
  if (!SE.isSCEVable(Phi.getType()))
    return false;
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  if (!Step || Step->getAPInt().getSignificantBits() > 64)
    return false;
  Result.Phi = &Phi;
  Result.Start = Phi.getIncomingValueForBlock(L.getLoopPreheader());
  Result.Step = Step->getAPInt().getSExtValue();
  Result.IsLinear = Phi.getType()->isPointerTy() ||
                    Phi.getType()->isIntegerTy(64) || Rec->hasNoSignedWrap();
  return true;
}

static StringRef planPhis(const Loop &L, ScalarEvolution &SE, OuterLoop &Plan) {
  for (PHINode &Phi : L.getHeader()->phis()) {
    OuterLoop::Induction Induction{};
    OuterLoop::Reduction Reduction{};
    if (isInduction(Phi, L, SE, Induction))
      Plan.Inductions.push_back(Induction);
    else if (isReduction(Phi, L, Reduction))
      Plan.Reductions.push_back(Reduction);
    else
      return "a value is carried from one iteration to the next";
  }
  for (const PHINode &Phi : L.getExitBlock()->phis()) {
    const Value *V = Phi.getIncomingValueForBlock(L.getExitingBlock());
    const auto *I = dyn_cast<Instruction>(V);
    if (I && L.contains(I) &&
        none_of(Plan.Reductions,
                [&](const OuterLoop::Reduction &R) { return R.Next == V; }))
      return "a value of its last iteration is used behind it";
  }
  return {};
}

//--- Memory ------------------------------------------------------------------

/// Local variables must belong to one iteration.
static StringRef planLocals(const Loop &L, OuterLoop &Plan) {
  // Of those iterations have elements of their own.
  if (isColumnsLoop(L))
    return {};
  SmallPtrSet<AllocaInst *, 8> Seen;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (Value *Operand : I.operands()) {
        if (!Operand->getType()->isPointerTy() || isa<Constant>(Operand))
          continue;
        auto *Slot = dyn_cast<AllocaInst>(getUnderlyingObject(Operand, 0));
        if (!Slot || !Seen.insert(Slot).second)
          continue;
        if (L.contains(Slot))
          return "it has an array of variable length";
        const bool Only = all_of(Slot->users(), [&](const User *U) {
          const auto *User = cast<Instruction>(U);
          return L.contains(User) || User->isLifetimeStartOrEnd();
        });
        if (!Only)
          return "a local variable is also used outside of it";
        Plan.Private.push_back(Slot);
      }
  return {};
}

static unsigned bitsOf(const Type *Ty) {
  return Ty->isPointerTy() ? 0 : unsigned(Ty->getScalarSizeInBits());
}

/// The widest type that matters: integers of addresses do not.
static unsigned widestBits(const Loop &L) {
  unsigned Bits = 8;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (const auto *Store = dyn_cast<StoreInst>(&I))
        Bits = std::max(Bits, bitsOf(Store->getValueOperand()->getType()));
      else if (isa<LoadInst>(I) || I.getType()->isFloatingPointTy())
        Bits = std::max(Bits, bitsOf(I.getType()));
    }
  return Bits;
}

static StringRef planLanes(const Loop &L, ScalarEvolution &SE,
                           OuterLoop &Plan) {
  const Function &F = *L.getHeader()->getParent();
  const auto Width =
      getOptionalIntLoopAttribute(&L, "llvm.loop.vectorize.width");
  // A width alone promises nothing: `safelen` looks like a pragma that only
  // asks for that width.
  if (!L.isAnnotatedParallel())
    return "its accesses are not known to be independent";
  if (Width) {
    Plan.Lanes = std::min(64U, unsigned(bit_floor(unsigned(*Width))));
    return Plan.Lanes < 2 ? "its pragma asks for one lane" : StringRef();
  }
  unsigned Bits = 128U << std::min(2U, (supportedRank(F) + 1) / 2);
  unsigned Preferred = 0;
  if (!F.getFnAttribute("prefer-vector-width")
           .getValueAsString()
           .getAsInteger(10, Preferred) &&
      Preferred >= 128)
    Bits = std::min(Bits, Preferred);
  Plan.Lanes = Bits / widestBits(L);
  if (Plan.Lanes < 2)
    return "its types are as wide as a register";
  Plan.Lanes = std::min(64U, Plan.Lanes * registersPerValue(L, SE));
  return !isColumnsLoop(L) && hasBetterInnerLoops(L, SE)
             ? "its inner loops' accesses are in one piece, its own are not"
             : StringRef();
}

StringRef planOuterLoop(Loop &L, const DominatorTree &DT, ScalarEvolution &SE,
                        OuterLoop &Plan) {
  Plan.Cycle = &L;
  if (!endsAtLatch(L))
    return "it has an exit other than its last branch";
  if (!L.isLCSSAForm(DT))
    return "a value of its last iteration is used behind it";
  Plan.LastIteration = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Plan.LastIteration) ||
      SE.getTypeSizeInBits(Plan.LastIteration->getType()) > 64)
    return "its trip count is unknown";
  if (StringRef Reason = planLanes(L, SE, Plan); !Reason.empty())
    return Reason;
  if (StringRef Reason = planLocals(L, Plan); !Reason.empty())
    return Reason;
  // No lanes that never have an iteration.
  const unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  while (Most && Plan.Lanes > 2 && Plan.Lanes / 2 >= Most)
    Plan.Lanes /= 2;
  if (StringRef Reason = planPhis(L, SE, Plan); !Reason.empty())
    return Reason;

  SmallPtrSet<Value *, 16> Seen;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (Value *V : I.operands()) {
        const auto *Def = dyn_cast<Instruction>(V);
        if ((Def && !L.contains(Def) && !is_contained(Plan.Private, Def)) ||
            isa<Argument>(V))
          if (Seen.insert(V).second)
            Plan.Shared.push_back(V);
      }
  // The starts of phis are the vector loop's affair.
  return {};
}

} // namespace accx::vector
