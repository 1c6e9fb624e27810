//===- Matrix.cpp - Small matrices in registers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of Matrix.h.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Matrix.h"

#include "ir/Remark.h"
#include "vector/Loops.h"
#include "vector/Width.h"
#include "vector/matrix/Emit.h"
#include "vector/matrix/Plan.h"
#include "vector/matrix/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <optional>

#define DEBUG_TYPE "simd-matrix"

using namespace llvm;

STATISTIC(NumProducts, "Number of products of small matrices in registers");
STATISTIC(NumTransposes, "Number of transposed small matrices in registers");
STATISTIC(NumChecked, "Number of nests whose arrays are compared");
STATISTIC(NumRefused, "Number of operations on small matrices left as loops");

static cl::opt<unsigned> MaxChecks(
    "accx-simd-matrix-max-checks", cl::Hidden, cl::init(4),
    cl::desc("Most comparisons of arrays for a nest that simd-matrix widens"));

/// Marks loops that were looked at: they come by again in later places of the
/// pipeline, and the loops of arrays that overlap stay.
static constexpr const char Mark[] = "accx.simd.matrix";

namespace accx::vector {

namespace {
struct Overlap {
  unsigned X, Y;
};

class Matrices {
public:
  Matrices(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {}

  bool run();

private:
  bool isNest(const Loop &L);
  bool runOn(Loop &L);
  StringRef widen(Loop &L);
  std::optional<StringRef> findOverlaps(const MatrixTrace &Trace,
                                        SmallVectorImpl<Overlap> &Overlaps);
  BasicBlock *emitCheapest(const Loop &L, const MatrixTrace &Trace,
                           const SmallVectorImpl<MatrixShape> &Shapes,
                           ArrayRef<Value *> Bases, unsigned &Cost);
  void insert(Loop &L, const MatrixTrace &Trace, BasicBlock *Vector,
              ArrayRef<Value *> Bases, ArrayRef<Overlap> Overlaps);
  void report(DebugLoc Where, const MatrixKinds &Kinds, unsigned Checks);

  Function &F;
  FunctionAnalysisManager &FAM;
};
} // namespace

/// The trip counts of a nest if all of them are those of small matrices.
static std::optional<SmallVector<unsigned, 4>> tripCounts(const Loop &L,
                                                          ScalarEvolution &SE) {
  SmallVector<unsigned, 4> Counts;
  for (const Loop *Inner : L.getLoopsInPreorder()) {
    // A loop that is not rotated tests once more than its body runs.
    unsigned Count = SE.getSmallConstantMaxTripCount(Inner);
    BasicBlock *Exiting = Inner->getExitingBlock();
    if (Exiting && Exiting != Inner->getLoopLatch() && Count > 0)
      --Count;
    if (Count < 1 || Count > 8)
      return std::nullopt;
    if (!is_contained(Counts, Count))
      Counts.push_back(Count);
  }
  sort(Counts);
  return Counts;
}

static Value *expand(IRBuilder<> &Builder, const MatrixTrace &Trace,
                     const LinearForm &Form) {
  return Form.Sum.empty() ? Form.Root
                          : Builder.CreatePtrAdd(
                                Form.Root, Trace.Atoms.emit(Builder, Form.Sum));
}

/// Which pairs of arrays have to be compared at run time.
std::optional<StringRef>
Matrices::findOverlaps(const MatrixTrace &Trace,
                       SmallVectorImpl<Overlap> &Overlaps) {
  AAResults &AA = FAM.getResult<AAManager>(F);
  auto Location = [](const TracedArray &Array) {
    return MemoryLocation::getBeforeOrAfter(Array.Base.Root, Array.Tags);
  };
  for (unsigned X = 0; X < Trace.Arrays.size(); ++X)
    for (unsigned Y = X + 1; Y < Trace.Arrays.size(); ++Y) {
      const TracedArray &A = Trace.Arrays[X], &B = Trace.Arrays[Y];
      if ((A.Written || B.Written) && !AA.isNoAlias(Location(A), Location(B)))
        Overlaps.push_back({X, Y});
    }
  if (Overlaps.size() > MaxChecks)
    return "too many pairs of its arrays may overlap";
  return std::nullopt;
}

/// Tries all shapes in blocks of their own.
BasicBlock *Matrices::emitCheapest(const Loop &L, const MatrixTrace &Trace,
                                   const SmallVectorImpl<MatrixShape> &Shapes,
                                   ArrayRef<Value *> Bases, unsigned &Cost) {
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  const unsigned Bits = registerBits(TTI);
  BasicBlock *Best = nullptr;
  auto Drop = [](BasicBlock *Block) {
    // The last uses first.
    while (!Block->empty())
      Block->back().eraseFromParent();
    Block->eraseFromParent();
  };
  for (MatrixShape Shape : Shapes) {
    auto *Block = BasicBlock::Create(F.getContext(), "simd.matrix", &F);
    unsigned NewCost = ~0u;
    if (MatrixEmitter(Trace, Bases, TTI, *Block)
            .emit(cutStores(Trace, Shape, Bits)))
      NewCost = costOf(*Block, TTI);
    ir::printPlan(L, [&](raw_ostream &OS) {
      OS << "rows of " << Shape.Columns << ", " << Shape.Rows << " a vector: ";
      if (NewCost == ~0u)
        OS << "different expressions";
      else
        OS << "cost " << NewCost;
    });
    if (NewCost < Cost) {
      std::swap(Best, Block);
      Cost = NewCost;
    }
    if (Block)
      Drop(Block);
  }
  return Best;
}

void Matrices::insert(Loop &L, const MatrixTrace &Trace, BasicBlock *Vector,
                      ArrayRef<Value *> Bases, ArrayRef<Overlap> Overlaps) {
  Instruction *Entry = L.getLoopPreheader()->getTerminator();
  IRBuilder<> Builder(Vector);
  Builder.SetCurrentDebugLocation(L.getStartLoc());
  SmallVector<Value *, 4> Handed;
  for (const TracedLiveOut &Out : Trace.LiveOuts)
    Handed.push_back(Out.Fixed ? Out.Fixed
                               : expand(Builder, Trace, Out.Linear));
  Builder.CreateBr(Trace.Exit);
  for (size_t Index = 0; Index < Handed.size(); ++Index)
    Trace.LiveOuts[Index].Phi->addIncoming(Handed[Index], Vector);
  Vector->moveBefore(L.getHeader());

  // Two ranges overlap if one begins less than the other's length before it.
  Builder.SetInsertPoint(Entry);
  Value *Any = nullptr;
  for (Overlap Pair : Overlaps) {
    const TracedArray &A = Trace.Arrays[Pair.X], &B = Trace.Arrays[Pair.Y];
    auto Begin = [&](unsigned Index, const TracedArray &Of) {
      return Builder.CreatePtrToInt(
          Builder.CreatePtrAdd(Bases[Index],
                               Builder.getInt64(uint64_t(Of.low()))),
          Builder.getInt64Ty());
    };
    auto LengthA = uint64_t(A.high() - A.low());
    auto LengthB = uint64_t(B.high() - B.low());
    Value *Distance = Builder.CreateSub(Begin(Pair.X, A), Begin(Pair.Y, B));
    Distance = Builder.CreateAdd(Distance, Builder.getInt64(LengthA - 1));
    Value *Touch = Builder.CreateICmpULT(
        Distance, Builder.getInt64(LengthA + LengthB - 1), "overlap");
    Any = Any ? Builder.CreateOr(Any, Touch) : Touch;
  }
  if (Any)
    Builder.CreateCondBr(Any, L.getHeader(), Vector);
  else
    Builder.CreateBr(Vector);
  Entry->eraseFromParent();
}

/// Whether products of 64-bit integers are an instruction or a few.
static bool multiplies(const MatrixTrace &Trace,
                       const TargetTransformInfo &TTI) {
  return none_of(Trace.Arrays, [&](const TracedArray &Array) {
    return Array.Element->isIntegerTy(64) &&
           TTI.getArithmeticInstrCost(
               Instruction::Mul, FixedVectorType::get(Array.Element, 4)) > 3;
  });
}

/// Returns why the nest stays, nothing where that needs no word, or "done".
StringRef Matrices::widen(Loop &L) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  std::optional<SmallVector<unsigned, 4>> Counts = tripCounts(L, SE);
  if (!Counts)
    return "";
  bringIntoForm(L, F, FAM);
  if (!L.getLoopPreheader() ||
      !isa<BranchInst>(L.getLoopPreheader()->getTerminator()))
    return "";
  MatrixTrace Trace(F.getContext());
  StringRef Why = traceNest(L, Trace);
  if (!Why.empty())
    return Why;
  MatrixKinds Kinds = findKinds(Trace);
  if (!Kinds.Products && !Kinds.Transposes)
    return "";
  SmallVector<Overlap, 4> Overlaps;
  if (std::optional<StringRef> No = findOverlaps(Trace, Overlaps))
    return *No;

  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  if (Kinds.Products && !multiplies(Trace, TTI))
    return "the target does not multiply vectors of its type";
  SmallVector<MatrixShape, 8> Shapes =
      findShapes(Trace, *Counts, registerBits(TTI));
  IRBuilder<> Builder(L.getLoopPreheader()->getTerminator());
  Builder.SetCurrentDebugLocation(L.getStartLoc());
  SmallVector<Value *, 4> Bases;
  for (const TracedArray &Array : Trace.Arrays)
    Bases.push_back(expand(Builder, Trace, Array.Base));
  unsigned Cost = ~0u, Scalar = countScalar(Trace) + 3 * Overlaps.size();
  ir::printPlan(L, [&](raw_ostream &OS) {
    OS << ir::Counted(Trace.Arrays.size(), "array") << ", "
       << ir::Counted(Overlaps.size(), "pair") << " to compare; loops cost "
       << Scalar;
  });
  BasicBlock *Vector = emitCheapest(L, Trace, Shapes, Bases, Cost);
  if (!Vector)
    return "its elements have different expressions";
  for (Instruction &I : *Vector)
    I.setDebugLoc(L.getStartLoc());
  if (Cost >= Scalar) {
    DeleteDeadBlock(Vector);
    return "vectors would cost no less";
  }
  DebugLoc Where = L.getStartLoc();
  insert(L, Trace, Vector, Bases, Overlaps);
  NumProducts += Kinds.Products;
  NumTransposes += Kinds.Transposes;
  NumChecked += !Overlaps.empty();
  report(Where, Kinds, unsigned(Overlaps.size()));
  return "done";
}

void Matrices::report(DebugLoc Where, const MatrixKinds &Kinds,
                      unsigned Checks) {
  ir::remarkPassed(DEBUG_TYPE, "Matrix", {Where, F.getEntryBlock()},
                   "small matrices in registers: ",
                   ir::Counted(Kinds.Products, "product", "Products"), ", ",
                   ir::Counted(Kinds.Transposes, "transpose", "Transposes"),
                   Checks ? ", if their memory does not overlap" : "");
}

bool Matrices::runOn(Loop &L) {
  addStringMetadataToLoop(&L, Mark, 1);
  StringRef Why = widen(L);
  if (Why == "done") {
    removeUnreachableBlocks(F);
    FAM.invalidate(F, PreservedAnalyses::none());
    return true;
  }
  if (Why.empty())
    return false;
  ++NumRefused;
  ir::remarkMissed(DEBUG_TYPE, "Refused", L,
                   "nest of short loops stays: ", Why);
  return false;
}

/// Whether \p L is a nest to look at.
bool Matrices::isNest(const Loop &L) {
  return !L.isInnermost() && !getBooleanLoopAttribute(&L, Mark) &&
         tripCounts(L, FAM.getResult<ScalarEvolutionAnalysis>(F));
}

bool Matrices::run() {
  auto IsNest = [this](const Loop *L) { return isNest(*L); };
  if (none_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(), IsNest))
    return false;
  FullVectors Wide(F, FAM);
  if (takeLoops(F, FAM, [&](Loop &L) { return isNest(L) && runOn(L); }))
    Wide.keep();
  // A loop that was looked at has a mark.
  return true;
}

PreservedAnalyses MatrixPass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (!mayBeVectors(F))
    return PreservedAnalyses::all();
  return Matrices(F, FAM).run() ? PreservedAnalyses::none()
                                : PreservedAnalyses::all();
}

} // namespace accx::vector
