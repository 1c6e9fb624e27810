//===- LoopPlaces.h - The memory that a loop accesses -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every access of a loop to memory, taken apart into the array or pointer and
// its subscripts.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_LOOPPLACES_H
#define ACCX_FRONTEND_LOOPPLACES_H

#include "frontend/Independence.h"

#include "llvm/ADT/DenseSet.h"

namespace accx::frontend {

/// An access to memory: an element of Base, or, if Base is null, something
/// whose place is not known.
struct Place {
  const clang::Expr *E = nullptr; // as written
  const clang::ValueDecl *Base = nullptr;
  const clang::Expr *BaseName = nullptr;
  bool Writes = false;
  bool Atomic = false;
  clang::QualType Type;
  /// By dimension, the one next to the base first; each is a sum.
  llvm::SmallVector<llvm::SmallVector<std::pair<const clang::Expr *, bool>, 2>,
                    3>
      Subscripts;
  std::vector<CanonicalLoop> Around;
  /// Some subscripts are computed at a pointer's declaration, not here.
  bool Deferred = false;
  /// It is a part of the element that the subscripts name.
  bool IsMember = false;
};

/// What a loop does.
struct LoopReading {
  /// Variables that it assigns, and those that it declares.
  llvm::DenseSet<const clang::ValueDecl *> Written, Inner;
  std::vector<Place> Places;
  const clang::Expr *Impure = nullptr, *Volatile = nullptr;
  /// There are jumps that could not be followed.
  bool Unseen = false;
};
LoopReading readLoop(const clang::ForStmt *F, const UnitMarks &Marks,
                     clang::ASTContext &Context);

/// What cannot stand in a loop whose iterations are to be independent; null if
/// nothing of the kind is in \p S.
const char *findObstacle(const clang::Stmt *S, bool InInnerLoop, bool InSwitch);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_LOOPPLACES_H
