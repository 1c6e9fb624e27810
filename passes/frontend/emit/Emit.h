//===- Emit.h - A plan as tokens --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the translation unit anew with every directive replaced by what its
// plan says, and what stands in front of it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_EMIT_EMIT_H
#define ACCX_FRONTEND_EMIT_EMIT_H

#include "frontend/plan/Plan.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace accx::frontend {

/// The unit's tokens without a directive left in them. Tokens of new text
/// seem to be expanded at the directive, which is where diagnostics point.
UnitTokens emit(const Tree &T, const Plan &P, clang::Preprocessor &PP);

/// The predefined text that declares what directives become. More declarations
/// with C linkage may follow it, and then preludeEnd().
std::string preludeText();
llvm::StringRef preludeEnd();

/// In the host's compilation leaves a hash of all files and macros of the unit,
/// in a device's the names that follow from the host's. Not where nothing is
/// offloaded, and not where passes of ours do not run on both sides.
void noteUnit(const UnitTokens &Tokens, clang::CompilerInstance &CI);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_EMIT_EMIT_H
