//===- Corrections.h - Of Clang's syntax tree -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Clang 19 gets wrong, or leaves to its parser alone, is corrected in the
// syntax tree of a declaration that has been parsed, before code is generated:
// in IR it is too late. Each source of this room says why.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_AST_CORRECTIONS_H
#define ACCX_FRONTEND_AST_CORRECTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class Sema;
} // namespace clang

namespace accx::frontend {

/// LoopCalls.cpp: calls \p Do for each function in \p Top that has its body
/// there and is no template's pattern.
void forFunctions(clang::Decl *Top,
                  llvm::function_ref<void(clang::FunctionDecl &)> Do);

/// DeclareSimd.cpp: gives definitions the `declare simd` of their prototypes.
void inheritDeclareSimd(clang::Decl *Top);

/// LocalNames.cpp: names local types and lambdas alike in all compilations.
void nameLocalTypes(clang::Decl *Top, clang::ASTContext &Context);

/// LoopCalls.cpp: gives `teams loop` that call functions to all threads, where
/// that is right. Templates that they call are instantiated.
void shareCallingLoops(clang::Decl *Top, clang::Sema &S);

/// RestrictPointers.cpp: lets kernels know which pointers are `restrict`.
void keepRestrict(clang::Decl *Top);

/// TripCounts.cpp: makes products of trip counts in a type that holds them.
void widenTripCounts(clang::Decl *Top, clang::ASTContext &Context);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_AST_CORRECTIONS_H
