//===- DeclareSimd.h - declare simd of a prototype --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang names the vector variants of a function (OpenMP 5.2, 7.7) where it
// emits a declaration that carries the directive itself. A definition behind a
// prototype that has it inherits nothing, and so has no variants, although
// callers elsewhere, who see the prototype only, count on them. Here it gets
// the prototype's directives, before code is generated. A directive that only
// comes behind the definition is too late for that, and is warned of.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_AST_DECLARESIMD_H
#define ACCX_FRONTEND_AST_DECLARESIMD_H

namespace clang {
class Decl;
} // namespace clang

namespace accx::frontend {

/// For all definitions in \p Top, which has been parsed.
void inheritDeclareSimd(clang::Decl *Top);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_AST_DECLARESIMD_H
