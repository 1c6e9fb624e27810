//===- TripCounts.h - Products of trip counts do not wrap -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang numbers the iterations of collapsed loops in 64 bits where these may be
// needed, but what it divides a number by, to find the counters, are products
// of the inner loops' trip counts in the counters' own type. Inner loops of
// `int` counters with 2^31 iterations or more together get counters that no
// loop has. Here these products are made in the number's type, before code is
// generated: constants have been folded afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_AST_TRIPCOUNTS_H
#define ACCX_FRONTEND_AST_TRIPCOUNTS_H

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace accx::frontend {

/// For all collapsed loops in \p Top, which has been parsed.
void widenTripCounts(clang::Decl *Top, clang::ASTContext &Context);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_AST_TRIPCOUNTS_H
