//===- Subscripts.cpp - Addresses as subscripts of an array ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits an address into terms by array dimension, from its GEPs and the
// array's pitches, and reads what a region's marker says of its array. It
// decides nothing about copies.
//
//===----------------------------------------------------------------------===//

#include "smc/Accesses.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::smc {

namespace {

/// Takes addresses apart.
class Splitter {
  const ArrayPlan &A;
  const DataLayout &Layout;
  SmallVector<Term, 4> Terms;

public:
  Splitter(const ArrayPlan &A, const DataLayout &Layout)
      : A(A), Layout(Layout) {}

  bool split(Value *Address) {
    while (Address != A.Base) {
      if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Address)) {
        Address = Cast->getPointerOperand();
        continue;
      }
      auto *Step = dyn_cast<GEPOperator>(Address);
      if (!Step || Step->getType()->isVectorTy() || !splitStep(*Step))
        return false;
      Address = Step->getPointerOperand();
    }
    return true;
  }
  SmallVector<Term, 4> take() { return std::move(Terms); }

private:
  bool splitStep(GEPOperator &Step) {
    for (auto I = gep_type_begin(Step), E = gep_type_end(Step); I != E; ++I) {
      if (StructType *Struct = I.getStructTypeOrNull()) {
        const uint64_t Field =
            cast<ConstantInt>(I.getOperand())->getZExtValue();
        Terms.push_back(
            {A.Rank, nullptr,
             int64_t(Layout.getStructLayout(Struct)->getElementOffset(Field))});
        continue;
      }
      const TypeSize Stride = I.getSequentialElementStride(Layout);
      if (Stride.isScalable() || !addIndex(I.getOperand(), Stride))
        return false;
    }
    return true;
  }

  bool addIndex(Value *Index, int64_t Stride) {
    const auto *C = dyn_cast<ConstantInt>(Index);
    if (C && C->isZero())
      return true;
    if (A.Rank == 1) {
      if (C)
        Terms.push_back({1, nullptr, C->getSExtValue() * Stride});
      else
        Terms.push_back({1, Index, Stride});
      return true;
    }
    for (unsigned D = 0; D < A.Rank; ++D) {
      const auto *Pitch = dyn_cast<ConstantInt>(A.Dims[D].Pitch);
      Value *Times = nullptr;
      if (Pitch ? Pitch->getSExtValue() == Stride
                : isTimesPitch(Index, Stride, *A.Dims[D].Pitch, Times)) {
        // Rows times their length, in a form that is not known.
        Value *L, *R;
        if (Pitch && match(Index, m_Mul(m_Value(L), m_Value(R))) &&
            !isa<ConstantInt>(L) && !isa<ConstantInt>(R))
          return false;
        if (C && Pitch)
          Terms.push_back({D, nullptr, C->getSExtValue()});
        else
          Terms.push_back({D, Pitch ? Index : Times, 1});
        return true;
      }
    }
    // Bytes of one element.
    if (C && Stride <= A.Element) {
      Terms.push_back({A.Rank, nullptr, C->getSExtValue() * Stride});
      return true;
    }
    return false;
  }

  /// Whether \p Index * \p Stride is \p Times * \p Pitch: rows of an array
  /// whose length is a variable.
  static bool isTimesPitch(Value *Index, int64_t Stride, Value &Pitch,
                           Value *&Times) {
    Value *L, *R;
    if (!match(Index, m_Mul(m_Value(L), m_Value(R))))
      return false;
    for (unsigned Side = 0; Side < 2; ++Side, std::swap(L, R)) {
      const APInt *Factor = nullptr;
      if ((Stride == 1 && R == &Pitch) ||
          (match(&Pitch, m_c_Mul(m_Specific(R), m_APInt(Factor))) &&
           *Factor == Stride) ||
          (match(&Pitch, m_Shl(m_Specific(R), m_APInt(Factor))) &&
           Factor->ult(32) &&
           (int64_t(1) << Factor->getZExtValue()) == Stride)) {
        Times = L;
        return true;
      }
    }
    return false;
  }
};

} // namespace

std::optional<SmallVector<Term, 4>>
splitAddress(Value *Address, const ArrayPlan &A, const DataLayout &Layout) {
  Splitter S(A, Layout);
  if (!S.split(Address))
    return std::nullopt;
  return S.take();
}

bool mayBeIn(const Value *Address, const ArrayPlan &A) {
  const Value *Array = getUnderlyingObject(A.Base, /*MaxLookup=*/0);
  const auto *Pointer = dyn_cast<LoadInst>(Array);
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/0);
  return any_of(Objects, [&](const Value *Object) {
    // The same pointer variable, read again.
    const auto *Other = dyn_cast<LoadInst>(Object);
    return Object == Array ||
           (Pointer && Other &&
            Pointer->getPointerOperand() == Other->getPointerOperand());
  });
}

bool readArray(CallInst &Begin, ArrayPlan &A) {
  if (!A.read(Begin))
    return false;
  A.Unit = std::min<int64_t>(A.Align, 16);
  if (!isPowerOf2_64(A.Unit) || A.Element % A.Unit)
    A.Unit = 1;
  for (unsigned D = 0; D < A.Rank; ++D)
    A.Dims.emplace_back(A.dimension(D));
  return true;
}

} // namespace accx::smc
