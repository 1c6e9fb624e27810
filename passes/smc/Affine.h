//===- Affine.h - Expressions in a block's indices --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of an expression for the threads of one block: its value for the
// block's first iteration, and a constant factor for each of the block's
// dimensions. `(i & 15) + l` is 1 * (place of i in the block) + l where blocks
// have 16 iterations of i, and `i >> 4` is the same for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_AFFINE_H
#define ACCX_SMC_AFFINE_H

#include "affine/Slope.h"
#include "smc/BlockNest.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"

#include <optional>

namespace accx::smc {

struct Affine {
  affine::Slope Factors;
  /// A power of two that divides the value of the block's first iteration.
  uint64_t Alignment = 1;
  bool IsNonNegative = false;

  bool isUniform() const { return Factors.isFlat(); }
  /// By how much it grows from the block's first iteration to its last.
  int64_t growth(const BlockShape &Shape) const {
    const auto [Least, Most] = Factors.reach(Shape);
    return Least + Most;
  }
};

class AffineForms {
  // Plans move.
  const BlockNest N;
  const BlockShape Shape;
  const llvm::UniformityInfo &Uniformity;
  llvm::DenseMap<const llvm::Value *, std::optional<Affine>> Known;
  /// The same for all threads as they stand.
  llvm::DenseSet<const llvm::Value *> Uniform;

  std::optional<Affine> compute(llvm::Value *V);
  std::optional<Affine> bitsOf(const Affine &Of, unsigned Bits,
                               bool IsLow) const;

public:
  AffineForms(const BlockNest &N, const BlockShape &Shape,
              const llvm::UniformityInfo &Uniformity)
      : N(N), Shape(Shape), Uniformity(Uniformity) {}

  /// The form of \p V, before the nest is rewritten; nothing if it has none.
  std::optional<Affine> of(llvm::Value *V);

  /// \p V, which has a form, for the first iteration of the block, after the
  /// nest was rewritten.
  llvm::Value *
  atOrigin(llvm::IRBuilderBase &B, llvm::Value *V,
           const llvm::DenseMap<llvm::Value *, llvm::Value *> &Origins) const;
};

} // namespace accx::smc

#endif // ACCX_SMC_AFFINE_H
