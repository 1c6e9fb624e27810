//===- Work.cpp - How much a function does --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates the cycles of a function as an expression of its arguments, from
// the target's costs, LLVM's block frequencies and the loops' trip counts.
//
//===----------------------------------------------------------------------===//

#include "processor/Work.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace accx::processor {

namespace {

/// Beyond it nothing is small, and sums and products do not overflow.
constexpr uint64_t Most = uint64_t(1) << 30;
constexpr uint64_t MostRounds = uint64_t(1) << 20;
/// Bytes of a cache's line that a core gets in a cycle.
constexpr uint64_t BytesACycle = 16;
constexpr uint64_t LibraryCall = 40, RuntimeCall = 100, MemoryCall = 300;
constexpr unsigned MostCalls = 3, MostChoices = 3;

/// Divisions that cannot trap: the result is not used where the divisor is 0.
class WithoutTraps : public SCEVRewriteVisitor<WithoutTraps> {
public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;
  const SCEV *visitUDivExpr(const SCEVUDivExpr *Division) {
    const SCEV *By = visit(Division->getRHS());
    return SE.getUDivExpr(visit(Division->getLHS()),
                          SE.getUMaxExpr(By, SE.getOne(By->getType())));
  }
};

} // namespace

Work::Work(Function &F, FunctionAnalysisManager &FAM, Value *Iterations,
           unsigned Depth)
    : F(F), FAM(FAM), Loops(FAM.getResult<LoopAnalysis>(F)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      TTI(FAM.getResult<TargetIRAnalysis>(F)),
      Frequencies(FAM.getResult<BlockFrequencyAnalysis>(F)),
      Iterations(Iterations), Depth(Depth) {}

const SCEV *Work::number(uint64_t N) const {
  return SE.getConstant(Type::getInt64Ty(F.getContext()), N);
}

const SCEV *Work::atMost(const SCEV *Amount) const {
  return SE.getUMinExpr(Amount, number(Most));
}

uint64_t Work::ofBytes(Value *Length) {
  const APInt Bytes = SE.getUnsignedRangeMax(SE.getSCEV(Length));
  return LibraryCall + Bytes.getLimitedValue(Most) / BytesACycle;
}

uint64_t Work::ofCall(CallBase &Call) {
  if (auto *Copy = dyn_cast<MemIntrinsic>(&Call))
    return ofBytes(Copy->getLength());
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isInterposable())
    return Most;
  if (Callee->isIntrinsic() || Callee->doesNotReturn())
    return 0;
  const StringRef Name = Callee->getName();
  if (Name.starts_with("_ZGV"))
    return LibraryCall;
  if (Name.starts_with("__kmpc_"))
    return RuntimeCall;
  if (Name == "malloc" || Name == "free" || Name == "dprintf")
    return MemoryCall;
  if (!Callee->isDeclaration()) {
    if (Depth == MostCalls)
      return Most;
    const auto *Amount = dyn_cast<SCEVConstant>(
        Work(*Callee, FAM, nullptr, Depth + 1).estimate());
    return !Amount ? Most : Amount->getAPInt().getLimitedValue(Most);
  }
  LibFunc Known;
  // A library function of mathematics.
  if (Callee->getReturnType()->isFloatingPointTy() &&
      FAM.getResult<TargetLibraryAnalysis>(F).getLibFunc(*Callee, Known))
    return LibraryCall;
  return Most;
}

uint64_t Work::of(Instruction &I) {
  uint64_t Own = 0;
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    Own = ofCall(*Call);
    if (!isa<IntrinsicInst>(Call) || isa<MemIntrinsic>(Call))
      return Own;
  }
  const InstructionCost Cost =
      TTI.getInstructionCost(&I, TargetTransformInfo::TCK_RecipThroughput);
  if (!Cost.isValid())
    return Most;
  Own += uint64_t(std::max<InstructionCost::CostType>(*Cost.getValue(), 0));
  Type *Moved = isa<StoreInst>(I)  ? I.getOperand(0)->getType()
                : isa<LoadInst>(I) ? I.getType()
                                   : nullptr;
  if (Moved)
    Own += F.getDataLayout().getTypeStoreSize(Moved).getKnownMinValue() /
           BytesACycle;
  return Own;
}

/// \p Amount, 64 bits, as an expression of arguments alone, or null. Where the
/// ways to a loop meet a value is one of \p Choices.
const SCEV *Work::fromArguments(const SCEV *Amount, unsigned Choices) {
  // The first value that is no argument.
  Value *Inner = nullptr;
  if (SCEVExprContains(Amount, [&](const SCEV *S) {
        if (const auto *Unknown = dyn_cast<SCEVUnknown>(S);
            Unknown && !isa<Argument, Constant>(Unknown->getValue()) && !Inner)
          Inner = Unknown->getValue();
        return isa<SCEVAddRecExpr>(S);
      }))
    return nullptr;
  if (!Inner)
    return WithoutTraps(SE).visit(Amount);
  auto *Choice = dyn_cast<PHINode>(Inner);
  if (!Choice || Choices == 0 || Loops.isLoopHeader(Choice->getParent()))
    return nullptr;
  const SCEV *Largest = nullptr;
  for (Value *Incoming : Choice->incoming_values()) {
    ValueToSCEVMapTy Chosen;
    Chosen[Choice] = SE.getSCEV(Incoming);
    const SCEV *With = fromArguments(
        SCEVParameterRewriter::rewrite(Amount, SE, Chosen), Choices - 1);
    if (!With)
      return nullptr;
    Largest = Largest ? SE.getUMaxExpr(Largest, With) : With;
  }
  return Largest;
}

/// One at least: what is large in each round is never small.
const SCEV *Work::someRounds(const SCEV *Count, uint64_t Limit) const {
  return SE.getUMinExpr(SE.getUMaxExpr(Count, number(1)), number(Limit));
}

const SCEV *Work::rounds(const Loop &L) {
  Type *I64 = Type::getInt64Ty(F.getContext());
  const SCEV *Exact = SE.getBackedgeTakenCount(&L);
  if (!isa<SCEVCouldNotCompute>(Exact) &&
      SE.getTypeSizeInBits(Exact->getType()) <= 64) {
    const SCEV *Count = SE.getTripCountFromExitCount(Exact, I64, &L);
    if (const SCEV *Known = fromArguments(Count, MostChoices))
      return someRounds(Known, MostRounds);
  }
  uint64_t Limit = MostRounds;
  if (const auto *Number =
          dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(&L)))
    Limit = std::min(Number->getAPInt().getLimitedValue(Limit) + 1, Limit);
  const SCEV *All = Iterations && L.isOutermost()
                        ? fromArguments(SE.getSCEV(Iterations), MostChoices)
                        : nullptr;
  return All ? someRounds(All, Limit) : number(Limit);
}

/// The share of \p Amount that counts for \p Block each time that \p Whole is
/// run.
const SCEV *Work::part(const SCEV *Amount, BasicBlock *Block,
                       BasicBlock *Whole) {
  const double All = double(Frequencies.getBlockFreq(Whole).getFrequency());
  const double Own = double(Frequencies.getBlockFreq(Block).getFrequency());
  if (Own <= 0)
    return number(0);
  const double Less = std::min(std::floor(All / Own), double(Most));
  return Less > 1 ? SE.getUDivExpr(Amount, number(uint64_t(Less))) : Amount;
}

const SCEV *Work::ofRound(Loop *L) {
  BasicBlock *Whole = L ? L->getHeader() : &F.getEntryBlock();
  const SCEV *Sum = number(0);
  for (BasicBlock &Block : F) {
    if (Loops.getLoopFor(&Block) != L)
      continue;
    uint64_t Own = 0;
    for (Instruction &I : Block)
      Own = std::min(Own + of(I), Most);
    Sum = SE.getAddExpr(Sum, part(number(Own), &Block, Whole));
  }
  for (Loop *Inner : L ? L->getSubLoops() : Loops.getTopLevelLoops()) {
    const SCEV *Own = atMost(SE.getMulExpr(rounds(*Inner), ofRound(Inner)));
    BasicBlock *Before = Inner->getLoopPredecessor();
    Sum = SE.getAddExpr(Sum, L && Before ? part(Own, Before, Whole) : Own);
  }
  return atMost(Sum);
}

const SCEV *Work::estimate() { return ofRound(nullptr); }

} // namespace accx::processor
