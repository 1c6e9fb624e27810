//===- GatherPairs.cpp - Neighbours gathered as one element ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of GatherPairs.h.
//
//===----------------------------------------------------------------------===//

#include "vector/peephole/GatherPairs.h"

#include "ir/Remark.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/TargetParser/Triple.h"

#include <optional>

#define DEBUG_TYPE "simd-gather"

using namespace llvm;
using namespace llvm::PatternMatch;

STATISTIC(NumJoined, "Number of pairs of gathers that became one");

namespace accx::vector {

namespace {
/// An address of each lane: base + extended index * size + a number.
struct LaneAddress {
  Value *Base = nullptr;
  /// Null if the addresses are those of Base.
  Value *Index = nullptr;
  /// How the index is extended; 0 if not.
  unsigned Extension = 0;
  Type *Element = nullptr;
  int64_t Bytes = 0;

  bool sameButBytes(const LaneAddress &Other) const {
    return Base == Other.Base && Index == Other.Index &&
           Extension == Other.Extension && (!Index || Element == Other.Element);
  }
};

struct Gather {
  IntrinsicInst *Call;
  LaneAddress At;
};
} // namespace

/// The same number in all lanes.
static std::optional<int64_t> splatNumber(Value *V) {
  auto *Number = dyn_cast<ConstantInt>(V);
  if (auto *Vector = dyn_cast<Constant>(V); Vector && !Number)
    Number = dyn_cast_or_null<ConstantInt>(Vector->getSplatValue());
  if (!Number || Number->getValue().getSignificantBits() > 32)
    return std::nullopt;
  return Number->getSExtValue();
}

/// Takes numbers that are added to \p Index, which keep their value when it is
/// extended, out of it.
static int64_t takeOffset(Value *&Index, unsigned &Extension) {
  int64_t Sum = 0;
  Value *Inner = nullptr;
  for (;;) {
    bool Plain = !Extension;
    if (Plain && match(Index, m_SExt(m_Value(Inner)))) {
      Extension = Instruction::SExt;
      Index = Inner;
      continue;
    }
    if (Plain && match(Index, m_ZExt(m_Value(Inner)))) {
      Extension = Instruction::ZExt;
      Index = Inner;
      continue;
    }
    Value *Number = nullptr;
    bool Exact =
        Extension == Instruction::SExt
            ? match(Index, m_NSWAddLike(m_Value(Inner), m_Value(Number)))
        : Extension == Instruction::ZExt
            ? match(Index, m_NUWAddLike(m_Value(Inner), m_Value(Number)))
            : match(Index, m_AddLike(m_Value(Inner), m_Value(Number)));
    std::optional<int64_t> Constant =
        Exact ? splatNumber(Number) : std::nullopt;
    // Zero extension makes a large number of a negative one.
    if (!Constant || (Extension == Instruction::ZExt && *Constant < 0))
      return Sum;
    Sum += *Constant;
    Index = Inner;
  }
}

static LaneAddress addressOf(Value *Pointers, const DataLayout &DL) {
  LaneAddress At;
  At.Base = Pointers;
  while (auto *GEP = dyn_cast<GEPOperator>(At.Base)) {
    if (GEP->getNumIndices() != 1)
      break;
    TypeSize Size = DL.getTypeAllocSize(GEP->getSourceElementType());
    if (Size.isScalable() || Size.getFixedValue() > (1u << 20))
      break;
    auto Bytes = int64_t(Size.getFixedValue());
    Value *Index = *GEP->idx_begin();
    if (std::optional<int64_t> Number = splatNumber(Index)) {
      At.Bytes += *Number * Bytes;
      At.Base = GEP->getPointerOperand();
      continue;
    }
    if (At.Index)
      break;
    // An index of fewer bits than an address would wrap later than its sum.
    bool Whole = Index->getType()->getScalarSizeInBits() ==
                 DL.getIndexTypeSizeInBits(GEP->getType());
    if (Whole)
      At.Bytes += takeOffset(Index, At.Extension) * Bytes;
    At.Index = Index;
    At.Element = GEP->getSourceElementType();
    At.Base = GEP->getPointerOperand();
  }
  return At;
}

static bool isGatherOfHalves(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || Call->getIntrinsicID() != Intrinsic::masked_gather ||
      !isa<UndefValue>(Call->getArgOperand(3)))
    return false;
  auto *Type = dyn_cast<FixedVectorType>(Call->getType());
  return Type && Type->getScalarSizeInBits() == 32 &&
         !Type->getElementType()->isPointerTy() &&
         isPowerOf2_32(Type->getNumElements()) && Type->getNumElements() >= 4;
}

/// Whether what \p Later loads can be loaded at \p Earlier.
static bool canLoadAt(const IntrinsicInst &Earlier,
                      const IntrinsicInst &Later) {
  for (const Instruction &I :
       make_range(std::next(Earlier.getIterator()), Later.getIterator()))
    if (I.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      return false;
  return true;
}

/// Whether \p V is there at \p Where, in whose block it is used.
static bool isThere(Value *V, const Instruction &Where) {
  auto *I = dyn_cast<Instruction>(V);
  return !I || I->getParent() != Where.getParent() || I->comesBefore(&Where);
}

/// Why \p Earlier cannot load for both, from the addresses of \p Low.
static GatherRefusal checkPair(const IntrinsicInst &Earlier,
                               const IntrinsicInst &Later,
                               const IntrinsicInst &Low) {
  if (Earlier.getArgOperand(2) != Later.getArgOperand(2))
    return GatherRefusal::Masks;
  if (!canLoadAt(Earlier, Later))
    return GatherRefusal::Between;
  return isThere(Low.getArgOperand(0), Earlier) ? GatherRefusal::None
                                                : GatherRefusal::LateAddress;
}

static void join(IntrinsicInst &Earlier, IntrinsicInst &Later, bool Upwards) {
  IntrinsicInst &Low = Upwards ? Earlier : Later;
  auto *Type = cast<FixedVectorType>(Earlier.getType());
  unsigned Lanes = Type->getNumElements();
  IRBuilder<> Builder(&Earlier);
  auto *Wide = FixedVectorType::get(Builder.getInt64Ty(), Lanes);
  CallInst *Both = Builder.CreateMaskedGather(
      Wide, Low.getArgOperand(0),
      cast<ConstantInt>(Low.getArgOperand(1))->getAlignValue(),
      Earlier.getArgOperand(2));
  Both->setAAMetadata(Earlier.getAAMetadata().concat(Later.getAAMetadata()));
  // As numbers of floating point also where they are none: shuffles of
  // integers would become shifts and narrowing again.
  Value *Halves = Builder.CreateBitCast(
      Both, FixedVectorType::get(Builder.getFloatTy(), 2 * Lanes));
  for (IntrinsicInst *Call : {&Earlier, &Later}) {
    Value *Half = Builder.CreateShuffleVector(
        Halves, createStrideMask(Call != &Low, 2, Lanes));
    Half = Builder.CreateBitCast(Half, Call->getType());
    Half->takeName(Call);
    Call->replaceAllUsesWith(Half);
  }
  Earlier.eraseFromParent();
  Later.eraseFromParent();
}

bool isJoinedGather(const Instruction &I) {
  return match(&I, m_Intrinsic<Intrinsic::masked_gather>()) &&
         I.getType()->getScalarSizeInBits() == 64 && !I.use_empty() &&
         all_of(I.users(), [](const User *U) {
           auto *Type = dyn_cast<FixedVectorType>(U->getType());
           return isa<BitCastInst>(U) && Type &&
                  Type->getElementType()->isFloatTy();
         });
}

bool joinGathers(BasicBlock &Block, const TargetTransformInfo &TTI,
                 bool Reports) {
  const DataLayout &DL = Block.getDataLayout();
  SmallVector<Gather, 8> Gathers;
  for (Instruction &I : Block)
    if (isGatherOfHalves(I)) {
      auto *Call = cast<IntrinsicInst>(&I);
      auto *Wide = FixedVectorType::get(Type::getInt64Ty(I.getContext()), 4);
      if (TTI.isLegalMaskedGather(Wide, Align(4)))
        Gathers.push_back({Call, addressOf(Call->getArgOperand(0), DL)});
    }
  unsigned Joined = 0;
  for (unsigned I = 0; I < Gathers.size(); ++I) {
    GatherRefusal Why = GatherRefusal::None;
    for (unsigned J = I + 1; Gathers[I].Call && J < Gathers.size(); ++J) {
      IntrinsicInst *A = Gathers[I].Call, *B = Gathers[J].Call;
      if (!B || A->getType() != B->getType() ||
          !Gathers[I].At.sameButBytes(Gathers[J].At))
        continue;
      int64_t Distance = Gathers[J].At.Bytes - Gathers[I].At.Bytes;
      if (Distance != 4 && Distance != -4)
        continue;
      Why = checkPair(*A, *B, Distance > 0 ? *A : *B);
      if (Why != GatherRefusal::None)
        continue;
      join(*A, *B, Distance > 0);
      Gathers[I].Call = Gathers[J].Call = nullptr;
      ++Joined;
    }
    if (Gathers[I].Call && Why != GatherRefusal::None && Reports)
      ir::remarkRefused(DEBUG_TYPE, Why, *Gathers[I].Call,
                        "neighbours are gathered one by one");
  }
  NumJoined += Joined;
  if (Joined && Reports)
    ir::remarkPassed(DEBUG_TYPE, "Joined",
                     {Block.getTerminator()->getDebugLoc(), Block},
                     "neighbours are gathered as one element: ",
                     ir::Counted(Joined, "pair", "Pairs"));
  return Joined;
}

PreservedAnalyses GatherPairsPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  if (!Triple(F.getParent()->getTargetTriple()).isX86() || F.hasOptNone())
    return PreservedAnalyses::all();
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  bool Joined = false;
  for (BasicBlock &Block : F)
    Joined |= joinGathers(Block, TTI, /*Reports=*/true);
  if (!Joined)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::vector
