//===- LaunchGrid.cpp - What the runtime is told of a launch --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the program that computes a grid, and the kernel's descriptor as a
// constant of the module. It is the room's only code that knows the layout
// which the runtime reads. Numbers on the runtime's stack have 64 bits; above
// those of a value's type they are zero.
//
//===----------------------------------------------------------------------===//

#include "gpu/LaunchGrid.h"

#include "accx/kernel_desc.h"
#include "ir/CodeWriter.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <cstring>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gpu {

/// So many words, and numbers at a time, are enough for trip counts.
static constexpr unsigned MaxWords = 256;

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
  return Op && pushResult(*Op, Depth);
}

/// Shifts and masks stand for products, quotients and extensions.
bool LaunchGrid::pushResult(const BinaryOperator &Op, unsigned Depth) {
  const unsigned Bits = Op.getType()->getIntegerBitWidth();
  const APInt *By;
  if (match(&Op, m_And(m_Value(), m_APInt(By))) && By->isMask()) {
    if (!push(Op.getOperand(0), Depth))
      return false;
    add(ACCX_GRID_ZERO_EXTEND, By->popcount());
    return true;
  }
  auto Operation = operationFor(Op.getOpcode());
  const bool IsShift = match(&Op, m_Shift(m_Value(), m_APInt(By))) &&
                       By->ult(std::min(Bits, 63u));
  // An arithmetic shift rounds down, a division towards zero.
  if (IsShift && (Op.getOpcode() != Instruction::AShr || Op.isExact()))
    Operation = Op.getOpcode() == Instruction::Shl    ? ACCX_GRID_MUL
                : Op.getOpcode() == Instruction::LShr ? ACCX_GRID_UDIV
                                                      : ACCX_GRID_SDIV;
  if (!Operation)
    return false;
  const bool IsSigned = *Operation == ACCX_GRID_SDIV && Bits < 64;
  for (unsigned Side = 0; Side < 2; ++Side) {
    if (IsShift && Side == 1) {
      add(ACCX_GRID_CONSTANT);
      Words.push_back(uint64_t(1) << By->getZExtValue());
      break;
    }
    if (!push(Op.getOperand(Side), Depth + Side))
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

bool LaunchGrid::addInner(const Value *Whole, const Value *Part,
                          unsigned Extent) {
  // A quotient; then 1 / (1 + rest), which is no number of iterations where
  // there is a rest.
  if (!push(Whole, 0) || !push(Part, 1))
    return false;
  add(ACCX_GRID_UDIV);
  add(ACCX_GRID_INNER, Extent);
  add(ACCX_GRID_CONSTANT);
  Words.push_back(1);
  add(ACCX_GRID_CONSTANT);
  Words.push_back(1);
  if (!push(Whole, 2) || !push(Whole, 3) || !push(Part, 4))
    return false;
  add(ACCX_GRID_UDIV);
  if (!push(Part, 4))
    return false;
  for (unsigned Operation :
       {ACCX_GRID_MUL, ACCX_GRID_SUB, ACCX_GRID_ADD, ACCX_GRID_UDIV})
    add(Operation);
  add(ACCX_GRID_INNER, 0);
  return true;
}

void LaunchGrid::addOuter(unsigned Extent) { add(ACCX_GRID_OUTER, Extent); }

static void describe(const Function &Kernel, unsigned Threads,
                     unsigned Iterations, const LaunchGrid &Grid,
                     const Function *Variant, bool HasStrips) {
  accx_kernel_desc D = {};
  D.magic = ACCX_KERNEL_DESC_MAGIC;
  D.version = ACCX_KERNEL_DESC_VERSION;
  D.flags = ACCX_DESC_EXACT_BLOCK | (Variant ? ACCX_DESC_WHOLE_GRID : 0) |
            (HasStrips ? ACCX_DESC_STRIPS : 0);
  D.num_chain = Variant ? 1 : 0;
  // The name with its end.
  D.chain_bytes = Variant ? Variant->getName().size() + 1 : 0;
  D.grid_bytes = Grid.words().size() * sizeof(uint64_t);
  D.total_bytes = sizeof(D) + D.chain_bytes + D.grid_bytes;
  D.block[0] = Threads;
  D.block[1] = D.block[2] = 1;
  D.lane_iterations = 1;
  D.iterations_per_block = Iterations;
  SmallVector<uint8_t, 256> All(D.total_bytes);
  std::memcpy(All.data(), &D, sizeof(D));
  if (Variant)
    std::memcpy(All.data() + sizeof(D), Variant->getName().data(),
                Variant->getName().size());
  std::memcpy(All.data() + sizeof(D) + D.chain_bytes, Grid.words().data(),
              D.grid_bytes);
  ir::createTable(Kernel, All, ACCX_KERNEL_DESC_SUFFIX);
}

void describeLaunch(const Function &Kernel, unsigned Threads,
                    unsigned Iterations, const LaunchGrid &Grid) {
  describe(Kernel, Threads, Iterations, Grid, nullptr, /*HasStrips=*/false);
}

void describeWholeGrid(const Function &Kernel, const Function &Variant,
                       unsigned Threads, unsigned Iterations,
                       const LaunchGrid &Grid, bool HasStrips) {
  describe(Kernel, Threads, Iterations, Grid, &Variant, HasStrips);
}

} // namespace accx::gpu
