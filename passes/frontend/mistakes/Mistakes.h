//===- Mistakes.h - What looks wrong in a program ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that obeys the grammar and does something else than it says: an array
// that is written and never copied back, a private variable that is read before
// it is set, a function that no device has. Found in the probe's syntax tree,
// told by the compiler that the user sees.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_MISTAKES_MISTAKES_H
#define ACCX_FRONTEND_MISTAKES_MISTAKES_H

#include "frontend/facts/FlowFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>
#include <vector>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace accx::frontend {

/// One finding. Its place is a file's offset: the probe has a source manager of
/// its own.
struct Mistake {
  clang::OptionalFileEntryRef File; // none: the main file
  unsigned Offset = 0;
  std::string Text;
  bool IsError = false;
};

/// A clause's list item, as the probe's tree has it.
struct ClauseItem {
  unsigned Clause = 0, Item = 0;
  /// `a` of `a`, `a[0:n]`, `a.b` and `a->b`; null if it is none of these.
  const clang::VarDecl *Root = nullptr;
  /// The item is this member of Root.
  const clang::ValueDecl *Member = nullptr;
  clang::SourceLocation Loc;
};

/// What the searches share: the unit with its directives, and the findings.
class MistakeUnit {
public:
  MistakeUnit(clang::ASTContext &Context, const UnitMarks &Marks);

  clang::ASTContext &Context;
  const UnitMarks &Marks;
  /// By ordinal.
  std::map<unsigned, std::vector<ClauseItem>> Items;
  /// Variables that some directive of the unit names.
  std::set<const clang::VarDecl *> Named;
  /// And members.
  std::set<const clang::ValueDecl *> NamedMembers;
  /// Functions behind a `routine` directive, or named by one.
  std::set<const clang::FunctionDecl *> Routines;
  /// Functions with a body, in the order of the source.
  std::vector<const clang::FunctionDecl *> Functions;

  /// \p Format is one of formatv().
  template <typename... Types>
  void warn(clang::SourceLocation Loc, const char *Format, Types &&...Values) {
    tell(Loc, llvm::formatv(Format, std::forward<Types>(Values)...), false);
  }
  template <typename... Types>
  void error(clang::SourceLocation Loc, const char *Format, Types &&...Values) {
    tell(Loc, llvm::formatv(Format, std::forward<Types>(Values)...), true);
  }
  /// Of \p D's clauses.
  llvm::ArrayRef<ClauseItem> items(const Directive &D) const {
    const auto It = Items.find(D.Ordinal);
    return It == Items.end() ? llvm::ArrayRef<ClauseItem>()
                             : llvm::ArrayRef(It->second);
  }
  unsigned line(clang::SourceLocation Loc) const;
  /// Whether \p Loc is in a header of the system.
  bool isForeign(clang::SourceLocation Loc) const;
  /// Whether a data directive other than \p Here gives \p V a place: then what
  /// a compute construct's clause says of copies has no effect.
  bool isHeldElsewhere(const Directive &Here, const clang::VarDecl *V) const;
  /// Whether the program changes its current device by itself.
  bool SetsDevice = false;
  std::vector<Mistake> take() { return std::move(Found); }

private:
  void tell(clang::SourceLocation Loc, const std::string &Text, bool IsError);

  std::vector<Mistake> Found;
  std::set<std::pair<unsigned, std::string>> Told;
};

/// The argument of deviceid, if it is one word: `1`, `d`. Empty if there is no
/// such clause, "?" if it is longer.
std::string deviceOf(const Directive &D);
/// The same of an argument.
std::string wordOf(TokenRange Tokens);

/// Its name; empty if there is none.
llvm::StringRef nameOf(const clang::FunctionDecl *F);
/// The function that \p E calls; null if \p E is no call, or of a pointer.
const clang::FunctionDecl *calleeOf(const clang::Expr *E);
/// `a` of `&a`; casts away, \p E of others.
const clang::Expr *withoutAddress(const clang::Expr *E);

/// Whether \p I is all of a variable, or a section from its first element on.
bool beginsAtFirst(const Item &I);

/// The variable whose part \p E is: `a` of `a[i].b`, `a->b`, `*a`.
const clang::VarDecl *rootVariable(const clang::Expr *E);

/// The searches; each looks at all functions of \p U.
void findDataMistakes(MistakeUnit &U);  // clauses against uses
void findOrderMistakes(MistakeUnit &U); // host and device in turns
void findLoopMistakes(MistakeUnit &U);  // counters, bounds, levels
void findCallMistakes(MistakeUnit &U);  // what no device can run
void findQueueMistakes(MistakeUnit &U); // queues that nobody waits for

std::vector<Mistake> findMistakes(clang::ASTContext &Context,
                                  const UnitMarks &Marks);

/// Shows \p All to the user of \p CI.
void reportMistakes(const std::vector<Mistake> &All,
                    clang::CompilerInstance &CI);

/// Omp.cpp: programs with OpenMP's directives alone have no probe. Warns of the
/// target constructs in \p D, if it is a function with a body, in the syntax
/// tree that Clang compiles: scalars whose new value is lost with the device's
/// copy, and loops that every team or thread runs whole.
void reportOmpMistakes(const clang::Decl *D, clang::ASTContext &Context,
                       clang::DiagnosticsEngine &Diags);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_MISTAKES_MISTAKES_H
