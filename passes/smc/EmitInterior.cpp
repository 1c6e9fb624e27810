//===- EmitInterior.cpp - Blocks that no border goes through --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Most blocks have all of their iterations, and their indices are so far from
//   the ends of arrays and loops that every thread finds the same when it
//   compares them: `y >= 0 && y < n` is true, `y == 0` is not. Those blocks get
//   a copy of the body in which that is known, chosen by what all threads of a
//   block have in common, so that barriers may stand in both.
//
// ALGORITHM
//   A comparison of an index that is affine in the thread's place with what the
//   block has in common is taken to be one with an end: a small constant is a
//   lower one, all else an upper one. With `first` of the block and what the
//   block adds to it, one unsigned comparison an index tells whether all of it
//   is between the ends:
//
//          lower              first ... first + growth           upper
//            |------------------|--------------|-------------------|
//
//        header                        header
//          |                             | are all between?
//        body (clamped, guarded)  =>   body       body (inside)
//          |                              \       /
//        latch                             latch
//
//   The decision is a guess only as to which blocks get there: what the copy
//   takes for true or false follows from the test.
//
//===----------------------------------------------------------------------===//

#include "ir/LoopCopy.h"
#include "smc/Emit.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

static cl::opt<bool>
    HasInterior("accx-smc-interior", cl::init(true), cl::Hidden,
                cl::desc("Give blocks that no border goes through a body of "
                         "their own"));

namespace accx::smc {

/// More code is not worth having twice.
static constexpr unsigned MaxBody = 2000;
/// A multiprocessor has few larger blocks at a time. They wait for each other's
/// test longer than they gain.
static constexpr unsigned MaxThreads = 512;

namespace {

/// An index and the ends that it is compared with.
struct Range {
  Value *Index = nullptr;
  Value *First = nullptr;
  /// What the block's iterations add to the first, at least and at most.
  int64_t Least = 0, Most = 0;
  /// All of the block is at least Lower, and below all of Uppers.
  int64_t Lower = 0;
  SmallVector<Value *, 4> Uppers;
};

class InteriorWriter {
  Emission &E;
  BasicBlock *Header, *Latch, *Body;
  SmallSetVector<BasicBlock *, 32> Blocks;
  /// Where the choice is made, and what is computed for it.
  BasicBlock *Test = nullptr;
  DenseMap<Value *, Value *> Ahead;
  /// Values of the header that go on from block to block may be each thread's
  /// own.
  bool TakesHeader = false;
  MapVector<Value *, Range> Ranges;
  /// What comparisons come to inside.
  MapVector<ICmpInst *, bool> Known;
  ValueToValueMapTy Map;

public:
  InteriorWriter(Emission &E)
      : E(E), Header(E.P.Nest.Iv->getParent()), Latch(E.P.Nest.Latch),
        Body(E.P.Nest.Body) {}

  void write() {
    if (!findBlocks())
      return;
    Test = BasicBlock::Create(Header->getContext(), "place",
                              Header->getParent(), Body);
    IRBuilder<> B(Test);
    TakesHeader = true;
    Value *IsInside = B.getTrue();
    for (unsigned D = 0; D < E.P.Shape.size(); ++D) {
      Value *Rest = ahead(E.Place.Rest[D]);
      Value *Origin = ahead(E.Place.Origin[D]);
      if (!Rest || !Origin)
        return giveUp();
      B.SetInsertPoint(Test);
      IsInside = B.CreateAnd(
          IsInside, B.CreateICmpEQ(Rest, B.getInt32(E.P.Shape[D] - 1)));
    }
    TakesHeader = false;
    for (BasicBlock *Block : Blocks)
      for (Instruction &I : *Block)
        if (auto *Compare = dyn_cast<ICmpInst>(&I))
          decide(*Compare);
    if (Known.empty())
      return giveUp();
    decideEnds();
    B.SetInsertPoint(Test);
    for (auto &[Index, R] : Ranges)
      IsInside = B.CreateAnd(IsInside, isWithin(B, R));
    copy();
    B.CreateCondBr(IsInside, cast<BasicBlock>(Map.lookup(Body)), Body);
    simplify();
  }

private:
  void giveUp() {
    for (Instruction &I : reverse(*Test))
      I.replaceAllUsesWith(PoisonValue::get(I.getType()));
    Test->eraseFromParent();
  }

  /// Finds the blocks of an iteration. They are left to the latch only.
  bool findBlocks() {
    BasicBlock *End = Latch->getSinglePredecessor();
    if (!End || Body->getSinglePredecessor() != Header)
      return false;
    SmallVector<BasicBlock *, 16> Work = {End};
    while (!Work.empty()) {
      BasicBlock *Block = Work.pop_back_val();
      if (Block != Header && Blocks.insert(Block))
        append_range(Work, predecessors(Block));
    }
    // Blocks that end the program belong to it too.
    unsigned Size = 0;
    for (unsigned I = 0; I < Blocks.size(); ++I) {
      for (BasicBlock *Next : successors(Blocks[I]))
        if (Next != Latch)
          Blocks.insert(Next);
      Size += Blocks[I]->size();
    }
    return Size <= MaxBody && Blocks.contains(Body) &&
           !Blocks.contains(Header) && all_of(Blocks, [&](BasicBlock *Block) {
             return Block == Body ||
                    all_of(predecessors(Block), [&](BasicBlock *From) {
                      return Blocks.contains(From);
                    });
           });
  }

  bool isInBody(const Value *V) const {
    const auto *I = dyn_cast<Instruction>(V);
    return I && Blocks.contains(const_cast<BasicBlock *>(I->getParent()));
  }

  /// \p V of all of the block, computed ahead of its iterations; null if it is
  /// not known to be the same for all or may not be computed there.
  Value *ahead(Value *V, unsigned Depth = 0) {
    if (Value *Found = Ahead.lookup(V))
      return Found;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !isInBody(V)) {
      if (I && I->getParent() == Header && isa<PHINode>(I) && !TakesHeader)
        return nullptr;
      return Ahead[V] = V;
    }
    constexpr unsigned MaxDepth = 32;
    if (Depth > MaxDepth || !I->getType()->isIntegerTy() ||
        !isSafeToSpeculativelyExecute(I))
      return nullptr;
    const auto *Call = dyn_cast<IntrinsicInst>(I);
    if (!isa<BinaryOperator, CastInst, ICmpInst, SelectInst>(I) &&
        !(Call && isa<MinMaxIntrinsic>(Call)))
      return nullptr;
    Instruction *Copy = ir::copyWith(
        *I, [&](Value &Operand) { return ahead(&Operand, Depth + 1); });
    if (!Copy)
      return nullptr;
    // The program may compute it under other conditions only.
    Copy->dropPoisonGeneratingAnnotations();
    Copy->insertInto(Test, Test->end());
    return Ahead[V] = Copy;
  }

  /// The index that \p V is an extension of, as indices inside are not
  /// negative.
  Range *rangeOf(Value *V) {
    while (isa<SExtInst, ZExtInst>(V))
      V = cast<CastInst>(V)->getOperand(0);
    if (auto *Found = Ranges.find(V); Found != Ranges.end())
      return &Found->second;
    Range R;
    R.Index = V;
    const auto Factors = E.PlaceFactors.find(V);
    Value *Origin = E.Origins.lookup(V);
    if (Factors == E.PlaceFactors.end() || !Origin || Factors->second.isFlat())
      return nullptr;
    std::tie(R.Least, R.Most) = Factors->second.reach(E.P.Shape);
    constexpr int64_t MaxGrowth = 1 << 28;
    if (R.Least < -MaxGrowth || R.Most > MaxGrowth ||
        V->getType()->getIntegerBitWidth() < 32 ||
        V->getType()->getIntegerBitWidth() > 64)
      return nullptr;
    R.First = ahead(Origin);
    // A start that is the same in all blocks parts the threads of each block.
    if (!R.First ||
        computeKnownBits(R.First, Header->getDataLayout()).isConstant())
      return nullptr;
    return &Ranges.insert({V, R}).first->second;
  }

  void decide(ICmpInst &Compare) {
    for (const bool Swaps : {false, true}) {
      Value *Other = Compare.getOperand(Swaps ? 0 : 1);
      CmpInst::Predicate How =
          Swaps ? Compare.getSwappedPredicate() : Compare.getPredicate();
      if (!Other->getType()->isIntegerTy() ||
          Other->getType()->getIntegerBitWidth() > 64)
        return;
      Range *R = rangeOf(Compare.getOperand(Swaps ? 1 : 0));
      if (!R)
        continue;
      const auto *C = dyn_cast<ConstantInt>(Other);
      if (C && C->isNegative() && CmpInst::isUnsigned(How))
        return;
      if (CmpInst::isUnsigned(How))
        How = ICmpInst::getSignedPredicate(How);
      const bool IsGreater =
          How == CmpInst::ICMP_SGT || How == CmpInst::ICMP_SGE;
      const bool IsLess = How == CmpInst::ICMP_SLT || How == CmpInst::ICMP_SLE;
      if (C && C->getSExtValue() <= R->Most - R->Least) {
        const bool IsEnough =
            How == CmpInst::ICMP_SGE || How == CmpInst::ICMP_SLT;
        R->Lower = std::max(R->Lower, C->getSExtValue() + (IsEnough ? 0 : 1));
        Known[&Compare] = IsGreater || How == CmpInst::ICMP_NE;
        return;
      }
      Value *Upper = ahead(Other);
      if (!Upper)
        continue;
      R->Uppers.push_back(Upper);
      Known[&Compare] = IsLess || How == CmpInst::ICMP_NE;
      return;
    }
  }

  /// An end that something is below is no negative number.
  void decideEnds() {
    SmallPtrSet<const Value *, 8> Ends;
    for (const auto &[Index, R] : Ranges)
      Ends.insert(R.Uppers.begin(), R.Uppers.end());
    for (BasicBlock *Block : Blocks)
      for (Instruction &I : *Block) {
        CmpInst::Predicate How;
        Value *End;
        if (match(&I, m_ICmp(How, m_Value(End), m_Zero())) &&
            How == CmpInst::ICMP_SGE && Ends.contains(Ahead.lookup(End)))
          Known[cast<ICmpInst>(&I)] = true;
      }
  }

  /// Keeps of the ends that are sums of one number only the least, which takes
  /// fewer operations than comparing with each: of an index below `n` and `n -
  /// 1`, the latter is enough.
  static void addUpper(MapVector<Value *, uint64_t> &Ends, Value *V) {
    Value *Of;
    const APInt *C;
    uint64_t Less = 0;
    if (match(V, m_Add(m_Value(Of), m_APInt(C))) && C->isNegative())
      V = Of, Less = C->abs().getZExtValue();
    else if (match(V, m_Sub(m_Value(Of), m_APInt(C))) &&
             C->isStrictlyPositive())
      V = Of, Less = C->getZExtValue();
    uint64_t &Most = Ends[V];
    Most = std::max(Most, Less);
  }

  /// Whether all of the block is between the ends.
  static Value *isWithin(IRBuilderBase &B, const Range &R) {
    auto *T = cast<IntegerType>(R.First->getType());
    const auto Zero = [](Value *V) {
      return Constant::getNullValue(V->getType());
    };
    MapVector<Value *, uint64_t> Ends;
    for (Value *V : R.Uppers)
      addUpper(Ends, V);
    Value *Upper = nullptr;
    for (const auto &[V, Less] : Ends) {
      if (V->getType() != T)
        continue;
      Value *End = B.CreateBinaryIntrinsic(Intrinsic::smax, V, Zero(V));
      if (Less)
        End = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, End,
                                      ConstantInt::get(T, Less));
      Upper =
          Upper ? B.CreateBinaryIntrinsic(Intrinsic::umin, Upper, End) : End;
    }
    const bool IsOther = !Upper;
    if (IsOther)
      Upper = ConstantInt::get(T, APInt::getSignedMaxValue(T->getBitWidth()));
    // Ends of more bits are mostly arrays' lengths, and mostly no smaller.
    for (const auto &[V, Less] : Ends) {
      if (V->getType() == T)
        continue;
      Value *End =
          Less ? B.CreateSub(V, ConstantInt::get(V->getType(), Less)) : V;
      if (IsOther) {
        End = B.CreateSelect(B.CreateICmpSGE(V, Zero(V)), End, Zero(V));
        End = B.CreateBinaryIntrinsic(Intrinsic::smax, End, Zero(V));
        Upper = B.CreateTrunc(
            B.CreateBinaryIntrinsic(Intrinsic::umin, End,
                                    B.CreateZExt(Upper, V->getType())),
            T);
        continue;
      }
      Value *IsEnough = B.CreateICmpSGE(End, B.CreateZExt(Upper, V->getType()));
      if (Less)
        IsEnough = B.CreateAnd(IsEnough, B.CreateICmpSGE(V, Zero(V)));
      Upper = B.CreateSelect(IsEnough, Upper, Zero(Upper));
    }
    // The range starts at `Lower - Least`, which is not negative, and its
    // largest value is below the end. So nothing wraps.
    const int64_t From = R.Lower - R.Least;
    Value *Room = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Upper,
                                          ConstantInt::get(T, From + R.Most));
    return B.CreateICmpULT(B.CreateSub(R.First, ConstantInt::get(T, From)),
                           Room, "inside");
  }

  void copy() {
    Function &F = *Header->getParent();
    BasicBlock *End = Latch->getSinglePredecessor();
    SmallVector<BasicBlock *, 32> Copies;
    for (BasicBlock *Block : Blocks) {
      BasicBlock *Own = CloneBasicBlock(Block, Map, ".inside", &F);
      Map[Block] = Own;
      Copies.push_back(Own);
      Own->moveBefore(Body);
    }
    remapInstructionsInBlocks(Copies, Map);
    SmallVector<MDNode *, 8> Scopes;
    identifyNoAliasScopesToClone(Blocks.getArrayRef(), Scopes);
    cloneAndAdaptNoAliasScopes(Scopes, Copies, F.getContext(), "inside");
    Header->getTerminator()->replaceSuccessorWith(Body, Test);
    Body->replacePhiUsesWith(Header, Test);
    cast<BasicBlock>(Map.lookup(Body))->replacePhiUsesWith(Header, Test);
    // Values used behind the loop come from either copy.
    for (BasicBlock *Block : Blocks)
      for (Instruction &I : *Block) {
        PHINode *Phi = nullptr;
        for (Use &U : make_early_inc_range(I.uses())) {
          if (isInBody(U.getUser()))
            continue;
          if (!Phi) {
            Phi = PHINode::Create(I.getType(), 2, "", Latch->begin());
            Phi->addIncoming(&I, End);
            Phi->addIncoming(Map.lookup(&I), cast<BasicBlock>(Map.lookup(End)));
          }
          if (U.getUser() != Phi)
            U.set(Phi);
        }
      }
  }

  void simplify() {
    LLVMContext &Context = Header->getContext();
    const auto Become = [&](Value *Old, Value *New) {
      if (Value *Copy = Map.lookup(Old))
        Copy->replaceAllUsesWith(New);
    };
    for (const auto &[Compare, Result] : Known)
      Become(Compare, ConstantInt::getBool(Context, Result));
    for (unsigned D = 0; D < E.P.Shape.size(); ++D) {
      Become(E.Place.Offset[D], copyOf(E.Place.Mine[D]));
      for (Value *Number : {E.Place.Rest[D], E.Place.Count[D]})
        Become(Number,
               ConstantInt::get(Number->getType(),
                                E.P.Shape[D] - (Number == E.Place.Rest[D])));
    }
    Become(E.Place.Active, E.Place.InShape ? copyOf(E.Place.InShape)
                                           : ConstantInt::getTrue(Context));
  }

  Value *copyOf(Value *V) const {
    Value *Copy = Map.lookup(V);
    return Copy ? Copy : V;
  }
};

} // namespace

void splitInterior(Emission &E) {
  if (HasInterior && E.Threads <= MaxThreads)
    InteriorWriter(E).write();
}

} // namespace accx::smc
