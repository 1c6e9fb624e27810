//===- LoopValues.cpp - What a loop's temporaries hold --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a variable to the one assignment in a loop that it has its value
// from. Pointers, subscripts and bounds are all read through it.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/LoopValues.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace accx::frontend {

void LoopValues::noteWrite(const ValueDecl *D, const Expr *Name) {
  const auto [It, New] = Writes.try_emplace(D, Name);
  if (!New && It->second != Name)
    It->second = nullptr;
}

void LoopValues::readParents(const Stmt *Loop) {
  for (const Stmt *Child : Loop->children())
    if (Child && Parents.try_emplace(Child, Loop).second)
      readParents(Child);
}

bool LoopValues::isInside(const Stmt *S, const Stmt *Of) const {
  while (S && S != Of)
    S = Parents.lookup(S);
  return S != nullptr;
}

const Expr *LoopValues::valueOf(const DeclRefExpr *Name) const {
  const auto *V = dyn_cast<VarDecl>(Name->getDecl());
  if (!V || V->hasGlobalStorage() || V->getType()->isReferenceType() ||
      V->getType().isVolatileQualified())
    return nullptr;
  const auto It = Writes.find(cast<ValueDecl>(V->getCanonicalDecl()));
  if (It != Writes.end())
    return It->second ? assigned(Name, It->second) : nullptr;
  // Its declaration is in the loop, and so ahead of all its uses.
  const Expr *Init = V->getInit();
  return Init && Parents.contains(Init) ? Init : nullptr;
}

/// Of the assignment that \p Where is the left side of.
const Expr *LoopValues::assigned(const DeclRefExpr *Name,
                                 const Expr *Where) const {
  const auto *Assignment =
      dyn_cast_or_null<BinaryOperator>(Parents.lookup(Where));
  if (!Assignment || Assignment->getOpcode() != BO_Assign ||
      Assignment->getLHS() != Where)
    return nullptr;
  const auto *Block =
      dyn_cast_or_null<CompoundStmt>(Parents.lookup(Assignment));
  if (!Block)
    return nullptr;
  // The statement of the same block that the use is in.
  const Stmt *User = Name;
  while (User && Parents.lookup(User) != Block)
    User = Parents.lookup(User);
  // Cases of a switch lead past assignments.
  for (const Stmt *S = Block; S; S = Parents.lookup(S))
    if (isa<SwitchStmt>(S))
      return nullptr;
  bool IsAssigned = false;
  for (const Stmt *S : Block->body()) {
    if (S == User)
      return IsAssigned ? Assignment->getRHS() : nullptr;
    IsAssigned |= S == Assignment;
  }
  return nullptr;
}

} // namespace accx::frontend
