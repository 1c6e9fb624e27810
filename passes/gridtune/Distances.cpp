//===- Distances.cpp - How far apart iterations access memory -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gridtune/Distances.h"

#include "offload/DeviceCalls.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

Distances::Distances(LLVMContext &C, View Known)
    : Atoms(IntegerType::get(C, 64),
            [this](Value &V, Extension How) { return view(V, How); }),
      Known(std::move(Known)) {}

std::optional<affine::Polynomial> Distances::view(Value &V, Extension How) {
  if (Known)
    if (std::optional<affine::Polynomial> P = Known(V))
      return P;
  Value *From = nullptr;
  const APInt *Left = nullptr, *Right = nullptr;
  if (match(&V, m_AShr(m_Shl(m_Value(From), m_APInt(Left)), m_APInt(Right))) &&
      Left->uge(*Right))
    return Atoms.multiply(
        of(*From),
        Atoms.constant(uint64_t(1) << (*Left - *Right).getZExtValue()));
  // The low bits of a number that has no others.
  if (match(&V, m_And(m_Value(From), m_APInt(Right))) && Right->isMask() &&
      Right->countr_one() >= 31)
    return of(*From);
  if (isa<TruncInst>(V) || (How == None && isa<ZExtInst, SExtInst>(V)))
    return of(*cast<CastInst>(V).getOperand(0));
  if (How != None)
    return isa<BinaryOperator>(V) ? of(V) : atom(V);
  return std::nullopt;
}

affine::Polynomial Distances::ofAddress(Value &Pointer, const Loop &L,
                                        Value *&Base) {
  affine::Polynomial Bytes;
  Base = Atoms.ofAddress(&Pointer, Bytes, &L);
  if (!Base)
    Bytes.clear();
  return Bytes;
}

const Value *Distances::valueOf(unsigned Number) const {
  return offload::stripExtensions(Atoms[Number].V);
}

} // namespace accx::gridtune
