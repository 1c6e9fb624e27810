//===- InfoLines.h - Lines that --accx-info speaks of -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells info/Info.h which lines functions, constructs and heads of loops
// have.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_AST_INFOLINES_H
#define ACCX_FRONTEND_AST_INFOLINES_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace accx::frontend {

/// Of a source that was read to its end.
void addInfoLines(clang::CompilerInstance &CI);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_AST_INFOLINES_H
