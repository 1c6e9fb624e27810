//===- Walks.cpp - Arrays that each iteration reads through ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Walks.h"

#include "offload/Origins.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace accx::distribute {

/// A number or an address that the kernel is given.
static bool isGiven(const Value *V) {
  unsigned Bits = 64;
  bool IsUnsigned = false;
  return isa<Constant>(V) ||
         offload::argumentOf(const_cast<Value *>(V), Bits, IsUnsigned);
}

bool isWalk(LoadInst &Load, ScalarEvolution &SE) {
  const SCEV *Address = SE.getSCEV(Load.getPointerOperand());
  // Numbers of threads and blocks, and what is read from memory, are no leaves
  // of it. Counters of loops that are dealt out begin with such numbers.
  return SCEVExprContains(
             Address, [](const SCEV *S) { return isa<SCEVAddRecExpr>(S); }) &&
         !SCEVExprContains(Address, [](const SCEV *S) {
           const auto *Leaf = dyn_cast<SCEVUnknown>(S);
           return Leaf && !isGiven(Leaf->getValue());
         });
}

} // namespace accx::distribute
