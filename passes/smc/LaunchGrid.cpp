//===- LaunchGrid.cpp - Blocks of several dimensions ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LaunchGrid.h. Numbers on the runtime's stack have 64 bits; above those of
// a value's type they are zero.
//
//===----------------------------------------------------------------------===//

#include "smc/LaunchGrid.h"

#include "accx/kernel_desc.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <optional>

using namespace llvm;

namespace accx::smc {

/// So many words, and numbers at a time, are enough for trip counts.
static constexpr unsigned MaxWords = 64;

static std::optional<unsigned> operationFor(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::Add:
    return ACCX_GRID_ADD;
  case Instruction::Sub:
    return ACCX_GRID_SUB;
  case Instruction::Mul:
    return ACCX_GRID_MUL;
  case Instruction::UDiv:
    return ACCX_GRID_UDIV;
  case Instruction::SDiv:
    return ACCX_GRID_SDIV;
  default:
    return std::nullopt;
  }
}

bool LaunchGrid::push(const Value *V, unsigned Depth) {
  if (Depth == ACCX_GRID_MAX_STACK || Words.size() > MaxWords ||
      !V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return false;
  const unsigned Bits = V->getType()->getIntegerBitWidth();
  if (const auto *C = dyn_cast<ConstantInt>(V)) {
    add(ACCX_GRID_CONSTANT);
    Words.push_back(C->getZExtValue());
    return true;
  }
  // Kernels have arguments of 64 bits.
  if (const auto *A = dyn_cast<Argument>(V)) {
    add(ACCX_GRID_ARGUMENT, A->getArgNo());
    return Bits == 64;
  }
  if (const auto *Cast = dyn_cast<CastInst>(V)) {
    if (!isa<ZExtInst, SExtInst, TruncInst>(Cast) ||
        !push(Cast->getOperand(0), Depth))
      return false;
    const unsigned From = Cast->getSrcTy()->getIntegerBitWidth();
    if (isa<SExtInst>(Cast))
      add(ACCX_GRID_SIGN_EXTEND, From);
    if (!isa<ZExtInst>(Cast) && Bits < 64)
      add(ACCX_GRID_ZERO_EXTEND, Bits);
    return true;
  }
  const auto *Op = dyn_cast<BinaryOperator>(V);
  const auto Operation =
      Op ? operationFor(Op->getOpcode()) : std::optional<unsigned>();
  if (!Operation)
    return false;
  const bool IsSigned = *Operation == ACCX_GRID_SDIV && Bits < 64;
  for (unsigned Side = 0; Side < 2; ++Side) {
    if (!push(Op->getOperand(Side), Depth + Side))
      return false;
    if (IsSigned)
      add(ACCX_GRID_SIGN_EXTEND, Bits);
  }
  add(*Operation);
  if (Bits < 64)
    add(ACCX_GRID_ZERO_EXTEND, Bits);
  return true;
}

bool LaunchGrid::addInner(const Value *Count, unsigned Extent) {
  if (!push(Count, 0))
    return false;
  add(ACCX_GRID_INNER, Extent);
  return true;
}

void LaunchGrid::addOuter(unsigned Extent) { add(ACCX_GRID_OUTER, Extent); }

} // namespace accx::smc
