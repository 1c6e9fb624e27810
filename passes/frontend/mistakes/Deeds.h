//===- Deeds.h - What a construct does with its variables -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first read and the first write of each variable in a statement, in the
// order of the text.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_MISTAKES_DEEDS_H
#define ACCX_FRONTEND_MISTAKES_DEEDS_H

#include "frontend/facts/FlowFacts.h"

#include "llvm/ADT/DenseMap.h"

namespace accx::frontend {

/// What one construct does with one variable, or what it points to.
struct Deeds {
  const clang::Expr *FirstRead = nullptr;     // before any write
  const clang::Expr *FirstWrite = nullptr;    // certain
  const clang::Expr *Followed = nullptr;      // what it points to is used
  const clang::Expr *FollowedUnset = nullptr; // before the pointer is set
  bool IsSet = false;                         // the pointer itself
  bool Lent = false;              // a function may do anything with it
  const char *Operator = nullptr; // of a reduction
  bool OtherUse = false;
};

/// The deeds of a construct's statement, in the order of the text.
class DeedReader final : public FlowWalker {
public:
  explicit DeedReader(const UnitMarks &Marks) : FlowWalker(Marks) {}

  void read(const clang::Stmt *S) { statement(S); }
  const Deeds *find(const clang::ValueDecl *D) const {
    const auto It =
        All.find(llvm::cast<clang::ValueDecl>(D->getCanonicalDecl()));
    return It == All.end() ? nullptr : &It->second;
  }
  const llvm::DenseMap<const clang::ValueDecl *, Deeds> &all() const {
    return All;
  }

private:
  void access(const clang::ValueDecl *D, Use U, bool,
              const clang::Expr *E) override {
    note(D, U, E, D->getType()->isPointerType() ? nullptr : E);
    Deeds &X = All[D];
    X.IsSet |= U != Use::Read;
    if (U == Use::Reduce &&
        (!X.Operator || llvm::StringRef(X.Operator) == Operator))
      X.Operator = Operator;
    else
      X.OtherUse = true;
  }
  void pointee(const clang::ValueDecl *D, Use U,
               const clang::Expr *E) override {
    Deeds &X = All[D];
    X.Followed = E;
    if (!X.IsSet && !X.FollowedUnset)
      X.FollowedUnset = E;
    note(D, U, E, E);
  }
  void note(const clang::ValueDecl *D, Use U, const clang::Expr *E,
            const clang::Expr *Counts) {
    Deeds &X = All[D];
    switch (U) {
    case Use::Read:
    case Use::Update:
    case Use::Reduce:
      if (Counts && !X.FirstWrite && !X.FirstRead && !X.Lent)
        X.FirstRead = E;
      if (U == Use::Read)
        return;
      [[fallthrough]];
    case Use::Write:
      if (Counts && !X.FirstWrite)
        X.FirstWrite = E;
      return;
    default:
      X.Lent = true;
    }
  }

  llvm::DenseMap<const clang::ValueDecl *, Deeds> All;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_MISTAKES_DEEDS_H
