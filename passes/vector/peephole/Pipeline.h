//===- Pipeline.h - Where simd-gather, simd-complex run ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their names for -passes=, and their place in the pipelines of -O2 and above:
// behind all vectorizers, LLVM's own included, and what cleans up after these.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_PEEPHOLE_PIPELINE_H
#define ACCX_VECTOR_PEEPHOLE_PIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::vector {

void registerPairs(llvm::PassBuilder &PB);

} // namespace accx::vector

#endif // ACCX_VECTOR_PEEPHOLE_PIPELINE_H
