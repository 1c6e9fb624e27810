//===- PairsPipeline.h - Where simd-gather, simd-complex run ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their names for -passes=, and their place in the pipelines of -O2 and above:
// behind all vectorizers, LLVM's own included, and what cleans up after these.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SIMD_PAIRSPIPELINE_H
#define ACCX_SIMD_PAIRSPIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::simd {

void registerPairs(llvm::PassBuilder &PB);

} // namespace accx::simd

#endif // ACCX_SIMD_PAIRSPIPELINE_H
