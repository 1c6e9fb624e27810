//===- PlainLoops.h - Loops of kernels without a directive ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a kernels construct loops need no directive: each gets one of its own
// before anything else looks at the unit, and keeps it where its iterations
// are proven independent.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_PLAINLOOPS_H
#define ACCX_FRONTEND_PLAN_PLAINLOOPS_H

#include "frontend/facts/Facts.h"
#include "frontend/parse/Reader.h"

namespace accx::frontend {

/// Takes the directives of markKernelLoops() away again that \p F does not
/// prove, says why in a remark if \p Remarks, and adds the reductions to loops
/// of kernels constructs that make them independent, to \p F's knowledge, too.
void settlePlainLoops(Unit &U, Facts &F, clang::Preprocessor &PP, bool Remarks);

/// Adds `reduction(Operator: Name)` to \p D.
void addReduction(Directive &D, const MissingReduction &R,
                  clang::Preprocessor &PP);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_PLAINLOOPS_H
