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

void LinearForm::add(const LinearForm &Other, int64_t Factor) {
  Constant += Other.Constant * Factor;
  for (const Term &New : Other.Terms) {
    auto *Found = find_if(Terms, [&](const Term &Old) {
      return Old.Of == New.Of && Old.Extended == New.Extended;
    });
    if (Found == Terms.end()) {
      Terms.push_back({New.Of, New.Extended, New.Times * Factor});
      continue;
    }
    Found->Times += New.Times * Factor;
    if (Found->Times == 0)
      Terms.erase(Found);
  }
  // Sums of the same terms are equal in whatever order they were made.
  sort(Terms, [](const Term &X, const Term &Y) {
    return std::pair(X.Of, X.Extended) < std::pair(Y.Of, Y.Extended);
  });
}

std::optional<int64_t> Known::asInteger() const {
  const auto *C = Kind == Number ? dyn_cast<ConstantInt>(Fixed) : nullptr;
  if (!C || C->getBitWidth() > 64)
    return std::nullopt;
  return C->getSExtValue();
}

Known Tracer::executePointer(GEPOperator &GEP) {
  Known Sum = known(GEP.getPointerOperand());
  if (Sum.Kind != Known::Linear)
    return refuse("an address is not known");
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
       ++It) {
    Known Index = known(It.getOperand());
    std::optional<int64_t> Number = Index.asInteger();
    if (StructType *Struct = It.getStructTypeOrNull()) {
      Sum.Form.Constant +=
          DL.getStructLayout(Struct)->getElementOffset(unsigned(*Number));
      continue;
    }
    TypeSize Stride = It.getSequentialElementStride(DL);
    if (Stride.isScalable())
      return refuse("an address is not known");
    auto Step = int64_t(Stride.getFixedValue());
    if (Number) {
      Sum.Form.Constant += Step * *Number;
      continue;
    }
    if (Index.Kind != Known::Linear)
      return refuse("an address is not known");
    // An index is extended with its sign.
    if (It.getOperand()->getType()->getIntegerBitWidth() < 64) {
      if (!Index.NoWrap)
        return refuse("an index may wrap");
      for (LinearForm::Term &Term : Index.Form.Terms) {
        if (Term.Extended != LinearForm::None)
          return refuse("an address is not known");
        Term.Extended = LinearForm::Signed;
      }
    }
    Sum.Form.add(Index.Form, Step);
  }
  return Sum;
}

/// Integers that depend on what comes from outside.
Known Tracer::executeLinear(Instruction &I) {
  Known X = known(I.getOperand(0));
  auto *Wraps = dyn_cast<OverflowingBinaryOperator>(&I);
  auto Widen = [&](LinearForm::Extension Kind) {
    if (I.getType()->getIntegerBitWidth() != 64)
      return refuse("an address is not known");
    for (LinearForm::Term &Term : X.Form.Terms) {
      if (Term.Extended != LinearForm::None)
        return refuse("an address is not known");
      Term.Extended = Kind;
    }
    X.NoWrap = false;
    return X;
  };
  if (isa<SExtInst>(I) || (isa<ZExtInst>(I) && I.hasNonNeg()))
    return X.NoWrap ? Widen(LinearForm::Signed) : refuse("an index may wrap");
  if (isa<ZExtInst>(I)) {
    bool Plain = !X.Form.Constant && X.Form.Terms.size() == 1 &&
                 X.Form.Terms[0].Times == 1;
    return Plain ? Widen(LinearForm::Unsigned) : refuse("an index may wrap");
  }
  auto *Disjoint = dyn_cast<PossiblyDisjointInst>(&I);
  bool IsSum = I.getOpcode() == Instruction::Add ||
               I.getOpcode() == Instruction::Sub ||
               (Disjoint && Disjoint->isDisjoint());
  bool IsProduct =
      I.getOpcode() == Instruction::Mul || I.getOpcode() == Instruction::Shl;
  if (!IsSum && !IsProduct)
    return refuse("an address is not known");
  Known Y = known(I.getOperand(1));
  auto AsLinear = [](Known &K) {
    if (std::optional<int64_t> Number = K.asInteger()) {
      K.Kind = Known::Linear;
      K.Form.Constant = *Number;
    }
    return K.Kind == Known::Linear;
  };
  Known Result;
  Result.Kind = Known::Linear;
  Result.NoWrap =
      X.NoWrap && Y.NoWrap && (Disjoint || (Wraps && Wraps->hasNoSignedWrap()));
  if (IsSum) {
    if (!AsLinear(X) || !AsLinear(Y) || X.Form.Root || Y.Form.Root)
      return refuse("an address is not known");
    Result.Form = X.Form;
    Result.Form.add(Y.Form, I.getOpcode() == Instruction::Sub ? -1 : 1);
    return Result;
  }
  std::optional<int64_t> Times = Y.asInteger();
  if (!Times && I.getOpcode() == Instruction::Mul) {
    std::swap(X, Y);
    Times = Y.asInteger();
  }
  if (!Times || X.Kind != Known::Linear || X.Form.Root)
    return refuse("an address is not known");
  if (I.getOpcode() == Instruction::Shl) {
    if (*Times < 0 || *Times > 31)
      return refuse("an address is not known");
    Times = int64_t(1) << *Times;
  }
  if (*Times == 0)
    return Known::number(Constant::getNullValue(I.getType()));
  Result.Form.add(X.Form, *Times);
  return Result;
}

std::optional<Place> Tracer::access(Instruction &I, Type *Ty) {
  Known Address = known(getLoadStorePointerOperand(&I));
  if (Address.Kind != Known::Linear || !Address.Form.Root ||
      Address.Form.Root->getType()->getPointerAddressSpace() != 0) {
    refuse("an address is not known");
    return std::nullopt;
  }
  int64_t Offset = std::exchange(Address.Form.Constant, 0);
  auto Found = find_if(Trace.Arrays, [&](const TracedArray &Array) {
    return Array.Base.differsByConstant(Address.Form);
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
