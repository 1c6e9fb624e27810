//===- Strips.cpp - Places of which bits are the same ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds `place ^ constant` and `place & constant` in a region and computes them
// once a strip. The emitter asks it ahead of each loop over work-items.
//
//===----------------------------------------------------------------------===//

#include "workitems/Strips.h"

using namespace llvm;

namespace accx::workitems {

static constexpr uint64_t MinLength = 8;

static bool isPlace(const Value *V, const Value *Place) {
  if (const auto *Cut = dyn_cast<TruncInst>(V))
    V = Cut->getOperand(0);
  const auto *Load = dyn_cast<LoadInst>(V);
  return Load && Load->getPointerOperand() == Place;
}

Strips::Strips(const LoopPlan &Plan, const Region &R, unsigned Dimension) {
  for (BasicBlock *Block : R.Blocks)
    for (Instruction &I : *Block) {
      auto *Part = dyn_cast<BinaryOperator>(&I);
      const auto *Bits =
          Part ? dyn_cast<ConstantInt>(Part->getOperand(1)) : nullptr;
      if (!Bits || Bits->isZero() ||
          (I.getOpcode() != Instruction::Xor &&
           I.getOpcode() != Instruction::And) ||
          !isPlace(I.getOperand(0), Plan.PlaceOf[Dimension]))
        continue;
      const uint64_t Least = uint64_t(1) << Bits->getValue().countr_zero();
      if (Least < MinLength || Least >= Plan.Block.Size[Dimension])
        continue;
      Parts.push_back(Part);
      Length = Length ? std::min(Length, Least) : Least;
    }
}

void Strips::begin(Code &B, Value *Place) {
  Bases.clear();
  for (BinaryOperator *Part : Parts)
    Bases.push_back(B.CreateBinOp(Part->getOpcode(),
                                  B.CreateSExtOrTrunc(Place, Part->getType()),
                                  Part->getOperand(1)));
}

void Strips::at(Code &B, Value *Place, Given &Values) const {
  for (const auto &[Part, Base] : zip(Parts, Bases))
    Values[Part] =
        Part->getOpcode() == Instruction::And
            ? Base
            : B.CreateAdd(Base, B.CreateSExtOrTrunc(Place, Part->getType()), "",
                          true, true);
}

} // namespace accx::workitems
