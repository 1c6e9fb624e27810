//===- SelectEmitter.h - Vectors that remember an iteration -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class that writes what Select.h describes, for its sources.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_SELECTEMITTER_H
#define ACCX_VECTOR_REMAINDER_SELECTEMITTER_H

#include "vector/Lanes.h"
#include "vector/remainder/Select.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace accx::vector {

class SelectEmitter {
public:
  SelectEmitter(llvm::Loop &L, llvm::ScalarEvolution &SE,
                const RemainderPlan &Plan, const SelectPlan &Select)
      : L(L), SE(SE), Plan(Plan), Select(Select),
        Preheader(L.getLoopPreheader()),
        Expander(SE, Preheader->getDataLayout(), "select"),
        Builder(Preheader->getTerminator()) {}

  void emit();

private:
  /// What a vector's lanes remember: the iteration, counted from one, or zero,
  /// and the best so far. Processors make zeros without waiting for what was in
  /// the register before; for other constants of 512 bits they wait, and so
  /// would a call for the one before it.
  struct Chain {
    llvm::Value *At;
    llvm::Value *Best;
  };
  using Widened = llvm::DenseMap<llvm::Value *, llvm::Value *>;

  // SelectVectors.cpp: one vector of iterations, and what lanes agree on.
  llvm::Value *splat(llvm::Value *V) {
    return Builder.CreateVectorSplat(Select.Lanes, V);
  }
  llvm::Value *isBetter(llvm::Value *X, llvm::Value *Y,
                        llvm::CmpInst::Predicate How) {
    return Builder.CreateCmp(How, X, Y);
  }
  llvm::CmpInst::Predicate strictly() const {
    return llvm::CmpInst::getStrictPredicate(Select.Better);
  }
  bool isStrict() const {
    return Select.Best && llvm::CmpInst::isStrictPredicate(Select.Better);
  }
  Chain start();
  /// Of the first vector's iterations.
  llvm::Constant *numbers() {
    return laneNumbers(Builder.getInt32Ty(), Select.Lanes, 1, 1);
  }
  llvm::Value *widen(llvm::Value *V, llvm::Value *Done, llvm::Value *Numbers,
                     llvm::Value *Mask, Widened &Known);
  llvm::Value *widenLoad(llvm::LoadInst &Load, llvm::Value *Done,
                         llvm::Value *Mask);
  Chain step(const Chain &Before, llvm::Value *Done, llvm::Value *Numbers,
             llvm::Value *Mask);
  Chain merge(const Chain &X, const Chain &Y);
  llvm::Value *reduce(llvm::Value *Vector, llvm::CmpInst::Predicate Better);
  llvm::Value *agree(const Chain &Last);

  // SelectEmit.cpp: the loops, and what the chosen iteration gives.
  llvm::BasicBlock *newBlock(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(L.getHeader()->getContext(), Name,
                                    L.getHeader()->getParent(), L.getHeader());
  }
  void emitTurns(unsigned Vectors, const llvm::Twine &Name, llvm::Value *Whole,
                 llvm::Value *Goes);
  void emitMasked();
  llvm::Value *meet(llvm::BasicBlock *Entry, llvm::Value *Skipped,
                    llvm::BasicBlock *Body, llvm::Value *Passed);
  Chain meet(llvm::BasicBlock *Entry, const Chain &Skipped,
             llvm::BasicBlock *Body, const Chain &Passed);
  bool isExact() const;
  bool isNumber() const;
  llvm::Value *recompute(llvm::Value *V, llvm::Value *At, Widened &Known);
  void emitFound(llvm::Value *At);

  llvm::Loop &L;
  llvm::ScalarEvolution &SE;
  const RemainderPlan &Plan;
  const SelectPlan &Select;
  llvm::BasicBlock *Preheader;
  llvm::SCEVExpander Expander;
  llvm::IRBuilder<> Builder;
  llvm::Value *Trips = nullptr;
  /// Base addresses and starts of inductions, in front of all.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Starts;
  Chain Initial = {nullptr, nullptr};
  Chain Now = {nullptr, nullptr};
  /// What the lanes agree on, of the kind "best".
  llvm::Value *Best = nullptr;
  /// What the parts so far have done, and the numbers behind that.
  llvm::Value *Done = nullptr;
  llvm::Value *LeftNumbers = nullptr;
};

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_SELECTEMITTER_H
