//===- LoopChecks.h - What is left to the run, or is a mistake --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of loops that are not proven: a test at run time whether the ranges behind
// two pointers overlap, and dependences that are there for certain.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_LOOPCHECKS_H
#define ACCX_FRONTEND_FACTS_LOOPCHECKS_H

#include "frontend/facts/LoopPlaces.h"
#include "frontend/facts/Subscripts.h"

namespace accx::frontend {

using ObjectPair = std::pair<const Object *, const Object *>;

/// Code that finds the bytes between the first and the last that the loop
/// accesses through each of \p Pairs; nothing where that takes the loop's own
/// values. Subscripts are linear in the loops' variables, so their extremes are
/// where each variable has its first or its last value.
std::optional<RangeCheck> makeRangeCheck(const LoopReading &Reading,
                                         const LoopScope &Scope,
                                         llvm::ArrayRef<ObjectPair> Pairs);

/// Says which element two iterations of \p Scope's loop access, one of them to
/// write it, whatever the data are, and of which array; empty if there is none
/// for certain.
/// \p Named: what clauses make private, or reduce.
std::pair<std::string, const Object *>
findCertainDependence(const LoopReading &Reading, const LoopScope &Scope,
                      llvm::ArrayRef<const clang::ValueDecl *> Named);

/// `'a[i]' (line 3)`
std::string quote(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_LOOPCHECKS_H
