//===- Function.h - Bodies for the variants of declare simd -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   For a function with `declare simd`, Clang 19 emits names of vector variants
//   and nothing else: no variant is defined, none is called. `simd-function`
//   defines them, by widening the whole function (vector/whole/Widen.h), and
//   tells LoopVectorize of them at the calls.
//
// ALGORITHM
//   simd-function-keep, before inlining: functions with variants that have
//     loops are not inlined, because a loop in a loop is what LoopVectorize
//     cannot do; local ones keep their parameters.
//   simd-function, after simplification and before LoopVectorize: for each
//     function with variants, declare their lanes forms; define them; define
//     the ABI forms, with the scalar function's linkage; attach to each call
//     the variants that its caller's target may execute.
//   simd-function-finish, at the end: inline the wrappers that calls go
//     through.
//
// WHICH VARIANTS
//   All that the attributes name, for functions other translation units may
//   call: they cannot know for which target this one is compiled, and GCC does
//   the same. Each is compiled for its ISA and what the scalar function's own
//   target has. Of local functions only those that a call may use. A variant
//   that cannot be widened calls the scalar function lane by lane, with a
//   remark, and is not offered to LoopVectorize. For functions that are only
//   declared, their definition's translation unit has the variants; in case it
//   has none, a weak one here calls the function lane by lane.
//   -accx-simd-extern=false leaves such functions alone.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_FUNCTIONS_FUNCTION_H
#define ACCX_VECTOR_FUNCTIONS_FUNCTION_H

#include "llvm/IR/PassManager.h"

namespace accx::vector {

class SimdFunctionKeepPass : public llvm::PassInfoMixin<SimdFunctionKeepPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-function-keep";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

class SimdFunctionPass : public llvm::PassInfoMixin<SimdFunctionPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-function";

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

class SimdFunctionFinishPass
    : public llvm::PassInfoMixin<SimdFunctionFinishPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-function-finish";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_FUNCTIONS_FUNCTION_H
