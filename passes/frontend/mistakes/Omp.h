//===- Omp.h - What looks wrong with OpenMP's constructs --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with OpenMP's directives alone have no probe: what is found here is
// found in the syntax tree that Clang compiles.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_MISTAKES_OMP_H
#define ACCX_FRONTEND_MISTAKES_OMP_H

namespace clang {
class ASTContext;
class Decl;
class DiagnosticsEngine;
} // namespace clang

namespace accx::frontend {

/// Warns of the target constructs in \p D, if it is a function with a body:
/// scalars whose new value is lost with the device's copy, and loops that every
/// team or thread runs whole.
void reportOmpMistakes(const clang::Decl *D, clang::ASTContext &Context,
                       clang::DiagnosticsEngine &Diags);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_MISTAKES_OMP_H
