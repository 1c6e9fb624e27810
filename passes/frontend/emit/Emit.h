//===- Emit.h - A plan as tokens --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the translation unit anew with every directive replaced by what its
// plan says.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_EMIT_EMIT_H
#define ACCX_FRONTEND_EMIT_EMIT_H

#include "frontend/plan/Plan.h"

namespace accx::frontend {

/// The unit's tokens without a directive left in them. Tokens of new text
/// seem to be expanded at the directive, which is where diagnostics point.
UnitTokens emit(const Tree &T, const Plan &P, clang::Preprocessor &PP);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_EMIT_EMIT_H
