//===- Subscripts.cpp - Addresses as subscripts of an array ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits an address into terms by array dimension, from its GEPs and the
// array's pitches. Rows may have a length that is a variable: then an index is
// a product with that length. It decides nothing about copies.
//
//===----------------------------------------------------------------------===//

#include "blocks/Region.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::blocks {

namespace {

class Splitter {
  const Array &A;
  const DataLayout &Layout;
  const bool IsStrict;
  SmallVector<Term, 4> Terms;

public:
  Splitter(const Array &A, const DataLayout &Layout, bool IsStrict)
      : A(A), Layout(Layout), IsStrict(IsStrict) {}

  bool split(Value *Address, const Value &Base) {
    while (Address != &Base) {
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
        addBytes(Layout.getStructLayout(Struct)->getElementOffset(Field));
        continue;
      }
      const TypeSize Stride = I.getSequentialElementStride(Layout);
      if (Stride.isScalable() || !addIndex(I.getOperand(), Stride))
        return false;
    }
    return true;
  }

  /// Whole rows and elements, and what is within an element.
  void addBytes(int64_t Bytes) {
    for (unsigned D = 0; D < A.Rank && A.Rank > 1; ++D)
      if (const auto *Pitch = dyn_cast<ConstantInt>(A.dimension(D).Pitch);
          Pitch && !Pitch->isZero() && Bytes / Pitch->getSExtValue() != 0) {
        Terms.push_back({D, nullptr, Bytes / Pitch->getSExtValue()});
        Bytes %= Pitch->getSExtValue();
      }
    if (Bytes != 0)
      Terms.push_back({A.Rank, nullptr, Bytes});
  }

  bool addIndex(Value *Index, int64_t Stride) {
    const auto *C = dyn_cast<ConstantInt>(Index);
    if (C && C->isZero())
      return true;
    const auto Add = [&](unsigned D, int64_t Factor) {
      if (C)
        Terms.push_back({D, nullptr, C->getSExtValue() * Factor});
      else
        Terms.push_back({D, Index, Factor});
      return true;
    };
    if (A.Rank == 1)
      return Add(1, Stride);
    for (unsigned D = 0; D < A.Rank; ++D) {
      Value *Pitch = A.dimension(D).Pitch;
      if (const auto *Bytes = dyn_cast<ConstantInt>(Pitch)) {
        if (Bytes->isZero() || Stride % Bytes->getSExtValue() != 0)
          continue;
        return !(IsStrict && isProduct(Index)) &&
               Add(D, Stride / Bytes->getSExtValue());
      }
      const auto [Length, Unit] = lengthOf(Pitch);
      Value *Times = nullptr;
      if (Index == Length ||
          match(Index, m_c_Mul(m_Specific(Length), m_Value(Times)))) {
        Terms.push_back({D, Times, Unit == 0 ? 0 : Stride / Unit});
        return Unit != 0 && Stride % Unit == 0;
      }
      // An index of several dimensions at once.
      if (multiplies(Index, Length))
        return false;
    }
    if (C && (!IsStrict || Stride <= A.Element)) {
      addBytes(C->getSExtValue() * Stride);
      return true;
    }
    // A rest that is no whole element must not be more than one.
    return !IsStrict && Stride < A.Element && Add(A.Rank, Stride);
  }

  /// \p Pitch as a length times a number.
  static std::pair<Value *, int64_t> lengthOf(Value *Pitch) {
    Value *Length = nullptr;
    const APInt *By = nullptr;
    if (match(Pitch, m_c_Mul(m_APInt(By), m_Value(Length))))
      return {Length, By->getSExtValue()};
    if (match(Pitch, m_Shl(m_Value(Length), m_APInt(By))) && By->ult(32))
      return {Length, int64_t(1) << By->getZExtValue()};
    return {Pitch, 1};
  }

  /// Whether it may be rows times their length, in a form that is not known.
  static bool isProduct(const Value *Index) {
    const Value *L, *R;
    return match(Index, m_Mul(m_Value(L), m_Value(R))) &&
           !isa<ConstantInt>(L) && !isa<ConstantInt>(R);
  }

  static bool multiplies(const Value *V, const Value *Length,
                         unsigned Depth = 0) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth > 8 || isa<LoadInst, PHINode, CallBase>(I))
      return false;
    return (I->getOpcode() == Instruction::Mul &&
            is_contained(I->operands(), Length)) ||
           any_of(I->operands(), [&](const Use &U) {
             return multiplies(U, Length, Depth + 1);
           });
  }
};

} // namespace

std::optional<SmallVector<Term, 4>>
splitAddress(Value *Address, const Value &Base, const Array &A,
             const DataLayout &Layout, bool IsStrict) {
  Splitter S(A, Layout, IsStrict);
  if (!S.split(Address, Base))
    return std::nullopt;
  return S.take();
}

} // namespace accx::blocks
