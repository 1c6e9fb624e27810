//===- UnitHash.h - What a unit can be told by ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target regions of functions that a unit has of its own get names of their
// own (markers/UnitNames.h), for which passes need notes in the modules.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_EMIT_UNITHASH_H
#define ACCX_FRONTEND_EMIT_UNITHASH_H

#include "frontend/parse/Tree.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace accx::frontend {

/// In the host's compilation leaves a hash of all files and macros of the unit,
/// in a device's the names that follow from the host's. Not where nothing is
/// offloaded, and not where passes of ours do not run on both sides.
void noteUnit(const UnitTokens &Tokens, clang::CompilerInstance &CI);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_EMIT_UNITHASH_H
