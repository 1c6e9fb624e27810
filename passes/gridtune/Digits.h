//===- Digits.h - Digits of a loop's number ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quotient or a remainder of a grid-stride loop's number, counted from one
// iteration to the next, and the class that finds and replaces them; see
// IndexRecovery.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_DIGITS_H
#define ACCX_GRIDTUNE_DIGITS_H

#include "gridtune/Coarsen.h"
#include "gridtune/IndexRecovery.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

#include <deque>

namespace accx::gridtune {

/// Whether \p Division is one of numbers with a sign.
inline bool isSigned(const llvm::BinaryOperator &Division) {
  return Division.getOpcode() == llvm::Instruction::SDiv ||
         Division.getOpcode() == llvm::Instruction::SRem;
}

/// Quotient and remainder of one dividend by one divisor.
struct Digit {
  llvm::Value *Dividend = nullptr;
  llvm::Value *Divisor = nullptr;
  /// Above zero; before the loop, of the remainder's type.
  llvm::Value *Magnitude = nullptr;
  /// What a step adds to the remainder, and how it starts.
  llvm::Value *StepRemainder = nullptr;
  llvm::Value *StartRemainder = nullptr;
  /// The same of a quotient that only grows, else null.
  llvm::Value *StepQuotient = nullptr;
  llvm::Value *StartQuotient = nullptr;
  /// The quotient as a value of the dividend's type.
  llvm::Value *Quotient = nullptr;
  llvm::PHINode *Remainder = nullptr;
  /// The remainder as a value of the dividend's type.
  llvm::Value *Wide = nullptr;
  /// In the latch: the remainder wrapped.
  llvm::Value *Carry = nullptr;
  bool IsSigned = false;
  /// The remainder may also be set back: it is no dividend for further digits.
  bool MayBorrow = false;

  /// The phi that counts the quotient, which may be its extension.
  llvm::PHINode &counter() const {
    return *llvm::cast<llvm::PHINode>(offload::stripExtensions(Quotient));
  }
};

/// What a digit's dividend comes from.
struct Source {
  llvm::Value *Start = nullptr;
  llvm::Value *Step = nullptr;
  /// The digit whose remainder it is. Its divisor is Parts times this one, and
  /// Excess, which is null where the program says that nothing is left.
  const Digit *Whole = nullptr;
  llvm::Value *Parts = nullptr;
  llvm::Value *Excess = nullptr;
  /// The digit whose quotient it is: a step adds its carry, too.
  const Digit *Lower = nullptr;
};

class Recovery {
  const gridloop::GridIv &Grid;
  llvm::ScalarEvolution &SE;
  llvm::BasicBlock *const Header;
  llvm::Instruction *const Before;
  llvm::Instruction *const After;
  const llvm::DataLayout &Layout;
  const bool CountsCheap;
  // Digits refer to each other.
  std::deque<Digit> Digits;
  llvm::SmallVectorImpl<CountedIndex> &Counted;
  llvm::SmallVector<llvm::WeakTrackingVH> Old;
  unsigned Replaced = 0;
  /// The division at hand is not done in each iteration.
  bool MayBeSkipped = false;

public:
  /// \p CountsCheap: digits that cost more than their divisions, too.
  Recovery(const gridloop::GridIv &Grid, llvm::ScalarEvolution &SE,
           llvm::SmallVectorImpl<CountedIndex> &Counted, bool CountsCheap)
      : Grid(Grid), SE(SE), Header(Grid.Nest->getHeader()),
        Before(Grid.Nest->getLoopPreheader()->getTerminator()),
        After(Grid.Nest->getLoopLatch()->getTerminator()),
        Layout(Header->getModule()->getDataLayout()), CountsCheap(CountsCheap),
        Counted(Counted) {}

  unsigned run();
  const std::deque<Digit> &digits() const { return Digits; }

private:
  // IndexRecovery.cpp: which divisions go, and what replaces them.
  llvm::SmallVector<llvm::Instruction *> divisions();
  bool replace(llvm::BinaryOperator &Division);
  Digit *digitOf(llvm::BinaryOperator &Division);
  llvm::Value *quotientInSteps(const llvm::BinaryOperator &Division);
  bool covers(const Digit &D, const llvm::BinaryOperator &Division);
  bool isNumber(const llvm::Value &V) const;
  Refusal whyLeft(const llvm::Instruction &Division) const;
  bool findSource(llvm::BinaryOperator &Division, Source &From);
  void replaceUses(llvm::Value *Dividend, llvm::Value *Divisor, const Digit &D);

  // DivisionFacts.cpp: what is known of operands and uses.
  bool isPositiveOrZero(llvm::Value *V);
  bool isPositiveByBound(llvm::Value *V);
  llvm::Value *cofactor(const Digit &Parent, llvm::Value *Divisor);
  bool isExtensionOf(const llvm::Value *V, llvm::Value *Full);
  bool isProduct(const llvm::Value *V, const llvm::Value *Quotient,
                 const llvm::Value *Divisor);
  bool needsLowHalfOnly(const Digit &D);

  // Digits.cpp: the code that counts.
  llvm::Value *divisorBefore(llvm::IRBuilderBase &B, llvm::Value *Divisor);
  llvm::Value *narrowed(llvm::IRBuilderBase &B, llvm::Value *V) const;
  Digit *makeDigit(llvm::BinaryOperator &Division, const Source &From);
  const llvm::SCEV *limitOf(const Digit &D);
  void noteCounts(const Digit &D, const Source &From, llvm::PHINode &Quotient,
                  bool IsNarrowCount);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_DIGITS_H
