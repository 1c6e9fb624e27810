//===- EmitOwn.cpp - What each thread has an element of -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a thread fetches, only reads or only writes the element that its own
// iteration declares, no other thread need know of it: addresses are the
// program's own, a test takes the place of limits, and a register that of a
// note in shared memory.
//
//===----------------------------------------------------------------------===//

#include "smc/Emit.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::smc {

/// First index of dimension \p D that the thread's iteration declares, i64.
static Value *ownIndex(IRBuilderBase &B, const Emission &E, const Copy &C,
                       unsigned D) {
  return B.CreateSExtOrTrunc(E.now(C.Plan.Dims[D].First), B.getInt64Ty());
}

/// Bytes of \p Index rows of \p Pitch, multiplied as the program's own
/// subscripts are, so that one product does for all.
static Value *rowsOf(IRBuilderBase &B, Value *Index, Value *Pitch) {
  Value *Length;
  const APInt *Bytes;
  if (match(Pitch, m_c_Mul(m_Value(Length), m_APInt(Bytes))))
    return B.CreateMul(B.CreateMul(Index, Length),
                       ConstantInt::get(Index->getType(), *Bytes));
  if (match(Pitch, m_Shl(m_Value(Length), m_APInt(Bytes))))
    return B.CreateShl(B.CreateMul(Index, Length),
                       ConstantInt::get(Index->getType(), *Bytes));
  return B.CreateMul(Index, Pitch, "", false, true);
}

Value *ownAddress(IRBuilderBase &B, const Emission &E, const Copy &C) {
  Value *Offset = nullptr;
  for (unsigned D = 0; D < C.Plan.Dims.size(); ++D) {
    Value *Rows = rowsOf(B, ownIndex(B, E, C, D), C.Plan.Dims[D].Pitch);
    Offset = Offset ? B.CreateAdd(Offset, Rows) : Rows;
  }
  return B.CreatePtrAdd(C.Plan.Base, Offset);
}

Value *ownNumber(IRBuilderBase &B, Emission &E, const Copy &C) {
  Value *Number = nullptr;
  for (unsigned D = 0; D < C.Plan.Dims.size(); ++D) {
    Value *Index = distanceOf(E, C.Plan.Dims[D].First, C.First[D]);
    if (!Index)
      Index = B.CreateSub(B.CreateTrunc(ownIndex(B, E, C, D), B.getInt32Ty()),
                          B.CreateTrunc(C.First[D], B.getInt32Ty()));
    Number =
        Number
            ? B.CreateAdd(B.CreateMul(Number, B.getInt32(C.Plan.Dims[D].Span)),
                          Index)
            : Index;
  }
  return Number;
}

/// Whether \p Index is in dimension \p Dim. Arrays have no negative length, but
/// programs may name one.
static Value *isWithin(IRBuilderBase &B, Value *Index, const DimPlan &Dim) {
  if (!match(Dim.Low, m_Zero()))
    return B.CreateAnd(B.CreateICmpSGE(Index, Dim.Low),
                       B.CreateICmpSLT(Index, Dim.High));
  return B.CreateAnd(B.CreateICmpULT(Index, Dim.High),
                     B.CreateICmpSGE(Dim.High, B.getInt64(0)));
}

/// Whether the array has it; null: always.
static Value *hasOwn(IRBuilderBase &B, const Emission &E, const Copy &C) {
  Value *Has = nullptr;
  for (unsigned D = 0; D < C.Plan.Dims.size(); ++D) {
    const DimPlan &Dim = C.Plan.Dims[D];
    if (!Dim.High)
      continue;
    Value *Inside = isWithin(B, ownIndex(B, E, C, D), Dim);
    Has = Has ? B.CreateAnd(Has, Inside) : Inside;
  }
  return Has;
}

/// Bytes of the element in front of what \p Each reads.
static int64_t restOf(const Access &Each, const ArrayPlan &A) {
  int64_t Rest = 0;
  for (const blocks::Term &T : Each.Terms)
    if (T.Dim == A.Dims.size() && !T.V)
      Rest += T.Factor;
  return (Rest % A.Element + A.Element) % A.Element;
}

namespace {

/// A part of the thread's element.
struct OwnLoad {
  Type *T = nullptr;
  int64_t Rest = 0;
  Align By = Align(1);
  Value *V = nullptr;
};

} // namespace

/// Loads \p Loads of \p C before \p Before, where the array has the element.
static void loadOwn(const Emission &E, const Copy &C,
                    MutableArrayRef<OwnLoad> Loads, Instruction &Before) {
  IRBuilder<> B(&Before);
  Instruction *At = &Before;
  Value *Has = hasOwn(B, E, C);
  BasicBlock *Around = nullptr;
  if (Has) {
    At = SplitBlockAndInsertIfThen(Has, &Before, /*Unreachable=*/false);
    Around = At->getParent()->getSinglePredecessor();
  }
  B.SetInsertPoint(At);
  Value *Element = ownAddress(B, E, C);
  for (OwnLoad &Load : Loads)
    Load.V = B.CreateAlignedLoad(
        Load.T, B.CreatePtrAdd(Element, B.getInt64(Load.Rest)), Load.By);
  if (!Has)
    return;
  // The program does not use elements that the array lacks.
  B.SetInsertPoint(Before.getParent(), Before.getParent()->begin());
  for (OwnLoad &Load : Loads) {
    PHINode *Phi = B.CreatePHI(Load.T, 2);
    Phi->addIncoming(Load.V, At->getParent());
    Phi->addIncoming(Constant::getNullValue(Load.T), Around);
    Load.V = Phi;
  }
}

static void readPrivate(const Emission &E, Copy &C, Instruction &Before) {
  SmallVector<OwnLoad, 4> Loads;
  SmallVector<unsigned, 8> Which;
  for (const Access &Each : C.Plan.Accesses) {
    const int64_t Rest = restOf(Each, C.Plan);
    const auto *Found = find_if(Loads, [&](const OwnLoad &Load) {
      return Load.T == Each.type() && Load.Rest == Rest;
    });
    Which.push_back(Found - Loads.begin());
    if (Found == Loads.end())
      Loads.push_back({Each.type(), Rest, Align(1), nullptr});
    OwnLoad &Load = Loads[Which.back()];
    Load.By = std::max(Load.By, getLoadStoreAlignment(Each.At));
  }
  loadOwn(E, C, Loads, Before);
  for (const auto &[Each, Number] : zip_equal(C.Plan.Accesses, Which)) {
    Each.At->replaceAllUsesWith(Loads[Number].V);
    Each.At->eraseFromParent();
  }
}

void fetchOwn(Emission &E, std::list<Copy> &Copies, Instruction &Before) {
  for (Copy &C : Copies) {
    if (C.Plan.IsPrivate) {
      readPrivate(E, C, Before);
    } else if (C.Plan.FetchesOwn) {
      IRBuilder<> B(&Before);
      OwnLoad Load{wordOf(B, C.Plan.Unit), 0, Align(C.Plan.Unit), nullptr};
      loadOwn(E, C, Load, Before);
      B.SetInsertPoint(&Before);
      C.Pieces.push_back({Load.V, ownNumber(B, E, C)});
    }
  }
}

void writeBackOwn(Emission &E, Copy &C) {
  const ArrayPlan &A = C.Plan;
  IRBuilder<> B(A.End);
  Value *Written = B.CreateLoad(B.getInt1Ty(), C.OwnFlag);
  B.SetInsertPoint(
      SplitBlockAndInsertIfThen(Written, A.End, /*Unreachable=*/false));
  Value *From = B.CreatePtrAdd(
      C.Tile, B.CreateMul(B.CreateZExt(ownNumber(B, E, C), B.getInt64Ty()),
                          B.getInt64(A.Element), "", true, true));
  Value *To = ownAddress(B, E, C);
  copyBytes(B, To, From, Align(A.Unit), A.Element);
}

} // namespace accx::smc
