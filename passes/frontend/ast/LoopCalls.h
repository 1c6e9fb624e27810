//===- LoopCalls.h - Teams loops that call functions ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations of `target teams loop` may run at the same time (OpenMP 5.2,
// 11.7), so that Clang gives them to all threads. Where the loop calls a
// function it does not: that might have a `loop` of its own, which binds to the
// threads of the team. One thread of each team then does all. Here the loop is
// given to all threads where the bodies of all functions called are at hand and
// have no directives, before code is generated.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_AST_LOOPCALLS_H
#define ACCX_FRONTEND_AST_LOOPCALLS_H

namespace clang {
class Decl;
class Sema;
} // namespace clang

namespace accx::frontend {

/// For all loops in \p Top, which has been parsed. Templates that they call are
/// instantiated.
void shareCallingLoops(clang::Decl *Top, clang::Sema &S);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_AST_LOOPCALLS_H
