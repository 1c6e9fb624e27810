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

#include "smc/LaunchGrid.h"

#include "accx/kernel_desc.h"
#include "ir/CodeWriter.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <cstring>
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

void describeLaunch(const Function &Kernel, unsigned Threads,
                    unsigned Iterations, const LaunchGrid &Grid) {
  accx_kernel_desc D = {};
  D.magic = ACCX_KERNEL_DESC_MAGIC;
  D.version = ACCX_KERNEL_DESC_VERSION;
  D.flags = ACCX_DESC_EXACT_BLOCK;
  D.grid_bytes = Grid.words().size() * sizeof(uint64_t);
  D.total_bytes = sizeof(D) + D.grid_bytes;
  D.block[0] = Threads;
  D.block[1] = D.block[2] = 1;
  D.lane_iterations = 1;
  D.iterations_per_block = Iterations;
  SmallVector<uint8_t, 256> All(D.total_bytes);
  std::memcpy(All.data(), &D, sizeof(D));
  std::memcpy(All.data() + sizeof(D), Grid.words().data(), D.grid_bytes);
  ir::createTable(Kernel, All, ACCX_KERNEL_DESC_SUFFIX);
}

} // namespace accx::smc
