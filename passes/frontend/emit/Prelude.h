//===- Prelude.h - Declarations in front of every unit ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the declarations that the code made from directives refers to.
// The preprocessor reads it in front of every unit.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_EMIT_PRELUDE_H
#define ACCX_FRONTEND_EMIT_PRELUDE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace accx::frontend {

/// The predefined text that declares what directives become. More declarations
/// with C linkage may follow it, and then preludeEnd().
std::string preludeText();
llvm::StringRef preludeEnd();

} // namespace accx::frontend

#endif // ACCX_FRONTEND_EMIT_PRELUDE_H
