//===- TraceAddresses.cpp - Integers and addresses of a traced nest -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear forms of Trace.h, and the places of memory that accesses are of.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Tracer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"

using namespace llvm;

namespace accx::vector {

std::optional<int64_t> Known::asInteger() const {
  const auto *C = Kind == Number ? dyn_cast<ConstantInt>(Fixed) : nullptr;
  if (!C || C->getBitWidth() > 64)
    return std::nullopt;
  return C->getSExtValue();
}

/// Extends each value that \p Form is made of. False if one already is
/// extended.
bool Tracer::extend(LinearForm &Form, affine::Atoms::Extension How) {
  affine::Polynomial Sum;
  for (const auto &[Factors, Times] : Form.Sum) {
    affine::Polynomial Term = Trace.Atoms.constant(Times);
    for (unsigned Factor : Factors) {
      const affine::Atoms::Atom Of = Trace.Atoms[Factor];
      if (Of.How != affine::Atoms::Extension::None)
        return false;
      Term = Trace.Atoms.multiply(Term, Trace.Atoms.atom(Of.V, How));
    }
    Trace.Atoms.add(Sum, Term);
  }
  Form.Sum = std::move(Sum);
  return true;
}

Known Tracer::executePointer(GEPOperator &GEP) {
  Known Sum = known(GEP.getPointerOperand());
  if (Sum.Kind != Known::Linear)
    return refuse("an address is not known");
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
       ++It) {
    Known Index = known(It.getOperand());
    uint64_t Step = 1;
    if (StructType *Struct = It.getStructTypeOrNull()) {
      const StructLayout *Layout = DL.getStructLayout(Struct);
      Index = Known::linear(Trace.Atoms.constant(
          Layout->getElementOffset(unsigned(*Index.asInteger()))));
    } else {
      TypeSize Stride = It.getSequentialElementStride(DL);
      if (Stride.isScalable() || !asLinear(Index))
        return refuse("an address is not known");
      Step = Stride.getFixedValue();
      // An index is extended with its sign.
      const bool IsWide = It.getOperand()->getType()->isIntegerTy(64);
      if (!IsWide && !Index.NoWrap)
        return refuse("an index may wrap");
      if (!IsWide && !extend(Index.Form, affine::Atoms::Extension::Sign))
        return refuse("an address is not known");
    }
    Trace.Atoms.add(Sum.Form.Sum, Index.Form.Sum, Step);
  }
  return Sum;
}

/// Makes a linear form of a number. False where \p K is neither.
bool Tracer::asLinear(Known &K) {
  if (std::optional<int64_t> Number = K.asInteger())
    K = Known::linear(Trace.Atoms.constant(uint64_t(*Number)));
  return K.Kind == Known::Linear && !K.Form.Root;
}

/// Integers that depend on what comes from outside.
Known Tracer::executeLinear(Instruction &I) {
  Known X = known(I.getOperand(0));
  if (isa<SExtInst, ZExtInst>(I)) {
    const bool IsSigned = isa<SExtInst>(I) || I.hasNonNeg();
    if (IsSigned ? !X.NoWrap : !Trace.Atoms.single(X.Form.Sum))
      return refuse("an index may wrap");
    X.NoWrap = false;
    return I.getType()->isIntegerTy(64) &&
                   extend(X.Form, IsSigned ? affine::Atoms::Extension::Sign
                                           : affine::Atoms::Extension::Zero)
               ? X
               : refuse("an address is not known");
  }
  const unsigned Opcode = I.getOpcode();
  const auto *Disjoint = dyn_cast<PossiblyDisjointInst>(&I);
  const bool IsSum = Opcode == Instruction::Add || Opcode == Instruction::Sub ||
                     (Disjoint && Disjoint->isDisjoint());
  if (!IsSum && Opcode != Instruction::Mul && Opcode != Instruction::Shl)
    return refuse("an address is not known");
  Known Y = known(I.getOperand(1));
  const auto *Wraps = dyn_cast<OverflowingBinaryOperator>(&I);
  const bool NoWrap =
      X.NoWrap && Y.NoWrap && (Disjoint || (Wraps && Wraps->hasNoSignedWrap()));
  std::optional<int64_t> Times = Y.asInteger();
  if (IsSum) {
    Times = Opcode == Instruction::Sub ? -1 : 1;
  } else if (!Times && Opcode == Instruction::Mul) {
    std::swap(X, Y);
    Times = Y.asInteger();
  }
  if (!Times || !asLinear(X) || !asLinear(Y))
    return refuse("an address is not known");
  if (Opcode == Instruction::Shl) {
    if (*Times < 0 || *Times > 31)
      return refuse("an address is not known");
    Times = int64_t(1) << *Times;
  }
  if (*Times == 0)
    return Known::number(Constant::getNullValue(I.getType()));
  Known Result = IsSum ? X : Known::linear({});
  Trace.Atoms.add(Result.Form.Sum, IsSum ? Y.Form.Sum : X.Form.Sum,
                  uint64_t(*Times));
  Result.NoWrap = NoWrap;
  return Result;
}

std::optional<Place> Tracer::access(Instruction &I, Type *Ty) {
  Known Address = known(getLoadStorePointerOperand(&I));
  if (Address.Kind != Known::Linear || !Address.Form.Root ||
      Address.Form.Root->getType()->getPointerAddressSpace() != 0) {
    refuse("an address is not known");
    return std::nullopt;
  }
  const auto Fixed = Address.Form.Sum.extract(affine::Monomial());
  const int64_t Offset = Fixed ? int64_t(Fixed.mapped()) : 0;
  auto Found = find_if(Trace.Arrays, [&](const TracedArray &Array) {
    return Array.Base == Address.Form;
  });
  if (Found == Trace.Arrays.end()) {
    TracedArray New;
    New.Base = Address.Form;
    New.Element = Ty;
    New.Size = int64_t(DL.getTypeStoreSize(Ty).getFixedValue());
    New.Tags = I.getAAMetadata();
    Trace.Arrays.push_back(New);
    Found = std::prev(Trace.Arrays.end());
  }
  if (Found->Element != Ty) {
    refuse("an array is accessed by several types");
    return std::nullopt;
  }
  auto [Slot, New] = Found->Accesses.insert({Offset, {}});
  if (New) {
    Found->Tags = Found->Tags.merge(I.getAAMetadata());
    bool Overlaps = (Slot != Found->Accesses.begin() &&
                     std::prev(Slot)->first + Found->Size > Offset) ||
                    (std::next(Slot) != Found->Accesses.end() &&
                     Offset + Found->Size > std::next(Slot)->first);
    if (Overlaps) {
      refuse("elements of an array overlap");
      return std::nullopt;
    }
  }
  Slot->second.Alignment =
      std::max(Slot->second.Alignment, getLoadStoreAlignment(&I));
  (isa<StoreInst>(I) ? Slot->second.Written : Slot->second.Read) = true;
  return Place{unsigned(Found - Trace.Arrays.begin()), Offset};
}

} // namespace accx::vector
