//===- Factors.h - What products are made of --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisors of collapsed loops are products of trip counts, each a multiple of
// the next: n * m * k, m * k, k. Which of them is how many times another one
// shows where products are taken apart, as far as they do not wrap: a program's
// own n * m may be anything modulo 2^64, and then neither n nor m divides it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_AFFINE_FACTORS_H
#define ACCX_AFFINE_FACTORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace accx::affine {

/// How many times \p Divisor \p Whole is, which is not negative either, in
/// \p Int, or null where that does not come out even, or is not known.
llvm::Value *
emitCofactor(llvm::IRBuilderBase &B, llvm::Value &Whole, llvm::Value &Divisor,
             llvm::Type &Int,
             llvm::function_ref<bool(llvm::Value *)> IsPositiveOrZero);

/// Whether \p Whole is \p Divisor times something, both being products of
/// numbers that are not negative.
bool isMultipleOf(llvm::Value &Whole, llvm::Value &Divisor);

/// Whether \p V is what \p Division leaves: `x % d`, or `x - x / d * d`, as the
/// counters of collapsed loops are computed.
bool isRestOf(llvm::Value &V, llvm::Instruction &Division);

} // namespace accx::affine

#endif // ACCX_AFFINE_FACTORS_H
