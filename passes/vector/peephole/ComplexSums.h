//===- ComplexSums.h - Sums of products of pairs ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `simd-complex`: a sum of products of complex numbers that lie in memory as
//   pairs (re, im). LLVM's vectorizer takes the pairs of both arrays apart,
//   each vector by a permutation of two registers:
//
//     re += even(a) * even(b) - odd(a) * odd(b)
//     im += even(a) * odd(b)  + odd(a) * even(b)
//
//   Of a sum whose lanes are added up behind the loop nothing but the total
//   counts, so that lanes may hold each other's terms. The pairs stay together:
//
//     re += low(a) * low(b);  re += high(a) * high(b)
//     im += low(a) * low(swap(b));  im += high(a) * high(swap(b))
//
//   where swap exchanges the elements of each pair. Terms of real parts lie in
//   even lanes, terms of imaginary parts in odd ones; where the second are
//   subtracted, they are when the lanes are added up.
//
// ALGORITHM
//   1. For each sum of lanes, find the values that flow into it through phis,
//      additions and subtractions, and the products among the terms.
//   2. Pair the products whose elements are those of one pair each.
//   3. Drop pairs of vectors that are taken apart for others, too: nothing
//      would be saved.
//   4. Rewrite the products; subtract odd lanes in the sum of lanes, if asked.
//
// LEGALITY
//   Sums of floating point must all be `reassoc`, and `nsz` where signs change
//   place. Each product is computed as before.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_PEEPHOLE_COMPLEXSUMS_H
#define ACCX_VECTOR_PEEPHOLE_COMPLEXSUMS_H

#include "llvm/IR/PassManager.h"

namespace accx::vector {

class ComplexSumsPass : public llvm::PassInfoMixin<ComplexSumsPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-complex";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_PEEPHOLE_COMPLEXSUMS_H
