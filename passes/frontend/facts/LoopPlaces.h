//===- LoopPlaces.h - The memory that a loop accesses -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every access of a loop to memory, taken apart into the array or pointer and
// its subscripts.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_LOOPPLACES_H
#define ACCX_FRONTEND_FACTS_LOOPPLACES_H

#include "frontend/facts/Independence.h"
#include "frontend/facts/LoopValues.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>

namespace accx::frontend {

/// What an access begins at: a variable, or a member that is reached from one,
/// or from `this`, through members and pointers to structures alone (`s->a`,
/// `g.b.c`). A loop has one of these for all accesses that begin alike.
struct Object {
  /// Null for `this`.
  const clang::ValueDecl *Root = nullptr;
  /// Members, and classes that are bases; whether through a pointer.
  llvm::SmallVector<std::pair<const clang::NamedDecl *, bool>, 2> Path;
  /// What the member points to, not the member itself. Of a variable that is
  /// a pointer nothing else is accessed.
  bool Behind = false;
  /// Of the variable or the member.
  clang::QualType Type;
  std::string Name;

  bool isVariable() const { return Path.empty(); }
  bool isThroughPointer() const {
    return Behind || llvm::any_of(Path, [](const auto &P) { return P.second; });
  }
  /// Memory of a variable, which is not reached through any address.
  bool isStored() const;
  bool operator==(const Object &O) const {
    return Root == O.Root && Path == O.Path && Behind == O.Behind;
  }
};

/// Whether the two are different memory, whatever addresses are.
bool areApart(const Object &A, const Object &B);

/// An access to memory: an element of Base, or, if Base is null, something
/// whose place is not known.
struct Place {
  const clang::Expr *E = nullptr; // as written
  const Object *Base = nullptr;
  const clang::Expr *BaseName = nullptr; // of its root
  bool Writes = false;
  bool Atomic = false;
  clang::QualType Type;
  /// Expressions, and which are subtracted.
  using Sum = llvm::SmallVector<std::pair<const clang::Expr *, bool>, 2>;
  /// By dimension, the one next to the base first.
  llvm::SmallVector<Sum, 3> Subscripts;
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
  std::vector<std::unique_ptr<Object>> Objects;
  LoopValues Values;
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

#endif // ACCX_FRONTEND_FACTS_LOOPPLACES_H
