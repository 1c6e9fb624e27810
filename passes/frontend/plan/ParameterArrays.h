//===- ParameterArrays.h - Parameters declared as arrays --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `double A[100][50]` as a parameter is a pointer to rows, and a data clause
// that names `A` alone would hold the pointer. The declaration says how many
// rows the caller is to hand over: the clause means `A[0:100]`.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_PARAMETERARRAYS_H
#define ACCX_FRONTEND_PLAN_PARAMETERARRAYS_H

#include "frontend/facts/Facts.h"
#include "frontend/parse/Directive.h"

#include <memory>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// Writes items of data clauses and updates that are such parameters as
/// sub-arrays. `present` and `delete` find whatever is there by its address.
void completeParameterArrays(
    const std::vector<std::unique_ptr<Directive>> &Directives, const Facts &F,
    clang::Preprocessor &PP);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_PARAMETERARRAYS_H
