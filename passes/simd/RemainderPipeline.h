//===- RemainderPipeline.h - Where simd-remainder runs ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its names for -passes=, and its places in the pipelines of -O2 and above:
// right before LLVM's own vectorizer, and short loops right before the
// unroller.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SIMD_REMAINDERPIPELINE_H
#define ACCX_SIMD_REMAINDERPIPELINE_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::simd {

void registerRemainder(llvm::PassBuilder &PB);

} // namespace accx::simd

#endif // ACCX_SIMD_REMAINDERPIPELINE_H
