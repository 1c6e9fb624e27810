//===- LocalNames.h - Names of local types ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is found by its name, in which its function's stands, in which the
// types of template arguments stand. Lambdas and other types that are local to
// a function which is not inline have no names of their own: Clang numbers
// them in the order in which it first mangles them. The host's compilation and
// a device's emit different functions, so one type gets two numbers, and a
// launch finds another type's kernel, or none. Here such types get names that
// depend on the source alone, before code is generated: a lambda its number
// among those of its context, as CUDA has it; an unnamed type, and the second
// of a name in one function, a name with a number.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_AST_LOCALNAMES_H
#define ACCX_FRONTEND_AST_LOCALNAMES_H

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace accx::frontend {

/// For all that \p Top, which has been parsed, contains.
void nameLocalTypes(clang::Decl *Top, clang::ASTContext &Context);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_AST_LOCALNAMES_H
