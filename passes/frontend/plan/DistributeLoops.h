//===- DistributeLoops.h - Loops that devices share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop behind `accx distribute` runs from the iteration `first` to the one
// before `last`, both of which the runtime sets on each device:
//
//   { T low = init; const auto high = bound, step = s;
//     const long count = ...; long first = 0, last = count;
//     #pragma accx distribute
//     #pragma omp target teams ... firstprivate(first, last, ...)
//     for (T v = low + step * first;
//          v < (last < count ? low + step * last : high); v += step) {
//       marker(first, last); body } }
//
// Distribute.cpp has the calls around it. With `first` and `last` as they
// are the loop is what it was.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_DISTRIBUTELOOPS_H
#define ACCX_FRONTEND_PLAN_DISTRIBUTELOOPS_H

#include "frontend/parse/Reader.h"

namespace accx::frontend {

/// Rewrites the loops. Where a loop stays whole its directive says why
/// (Directive::WhyWhole). Reports what `distribute` may not stand in front of,
/// and leaves such a directive out.
void distributeLoops(Unit &U, clang::Preprocessor &PP);

/// The name of a variable that distributeLoops() declares: `first`, `last`.
std::string partName(const Directive &D, llvm::StringRef What);

/// Where the body of the \p Depth th loop begins, of those nested from the
/// `for` at \p For on with nothing but braces and directives between them.
std::optional<size_t> bodyOfNest(const UnitTokens &Tokens, size_t For,
                                 unsigned Depth);

/// The call that tells passes what the iterations are.
std::string partMarker(const Directive &D);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_DISTRIBUTELOOPS_H
