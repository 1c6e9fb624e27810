//===- Directive.h - An OpenACC directive as written ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value that the parser makes of a `#pragma acc` line and that every later
// step of the front end reads: which directive, which clauses, and the tokens
// of each argument, macro-expanded, at their places in the source.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_DIRECTIVE_H
#define ACCX_FRONTEND_PARSE_DIRECTIVE_H

#include "frontend/parse/Table.h"

#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <deque>
#include <set>
#include <string>
#include <vector>

namespace accx::frontend {

using TokenVector = llvm::SmallVector<clang::Token, 16>;
using TokenRange = llvm::ArrayRef<clang::Token>;

/// One dimension of a sub-array, `[Lower:Length]`; an empty range was left out.
struct Section {
  TokenRange Lower;
  TokenRange Length;
  /// Of fcw: Lower is the pivot, Length the elements before it, and these are
  /// those after it.
  TokenRange After;
  /// `[Lower]` behind a section: no colon, one element of this dimension.
  bool IsElement = false;
};

/// A list item of a clause: a variable, a member, an element or a sub-array.
struct Item {
  /// The item as written.
  TokenRange Tokens;
  /// What stands before the first section: `s.p` in `s.p[0:n]`. The whole item
  /// if it has no section. `a[i]` is no section.
  TokenRange Base;
  llvm::SmallVector<Section, 2> Sections;

  /// Its outermost section begins somewhere and does not end.
  bool hasNoLength() const {
    return !Sections.empty() && Sections.front().Length.empty() &&
           !Sections.front().IsElement;
  }
  /// The name if the base is one identifier, empty otherwise.
  llvm::StringRef name() const {
    if (Base.size() != 1 || !Base[0].getIdentifierInfo())
      return {};
    return Base[0].getIdentifierInfo()->getName();
  }
};

/// One argument of gang, worker or vector.
struct KeyedValue {
  /// `num`, `static`, `dim` or `length`, also where the source leaves it out.
  llvm::StringRef Key;
  TokenRange Value;
};

struct Clause {
  ClauseKind Kind;
  clang::SourceLocation Loc;
  clang::SourceLocation EndLoc;
  /// As the source spells it: `pcopyin` and `present_or_copyin` are copyin.
  llvm::StringRef Spelling;
  bool HasArguments = false;
  /// What stands before the colon: `readonly` or `zero` of a data clause, the
  /// operator of a reduction, `num`, `length`, `static`, `dim`, `force`,
  /// `devnum`. Of default: `none` or `present`. Empty if none.
  llvm::StringRef Modifier;
  /// All of them: `always, zero` of a data clause. Modifier is the first.
  llvm::SmallVector<llvm::StringRef, 1> Modifiers;
  /// The value of a modifier that has one: `devnum: 1 : ...`.
  TokenRange ModifierValue;
  /// Everything between the parentheses. Of a clause made of two that name the
  /// same item, `copyin(a) copyout(a)`, that item.
  TokenRange Arguments;
  /// Of clauses that take a list of variables.
  llvm::SmallVector<Item, 4> Items;
  /// Of clauses that take expressions or names: split at the commas.
  llvm::SmallVector<TokenRange, 2> Values;
  /// Of gang, worker and vector: all arguments. Values has `num` or `length`
  /// alone; Modifier is `static`, else `dim`, with its ModifierValue, if there
  /// is one.
  llvm::SmallVector<KeyedValue, 1> Keyed;
  /// Which `device_type` part of the directive it stands in: 0 before the
  /// first one. A device_type clause stands in the part that it begins.
  unsigned DevicePart = 0;

  /// One that no line of the source has.
  static Clause made(ClauseKind Kind, clang::SourceLocation Loc) {
    Clause C{};
    C.Kind = Kind;
    C.Loc = C.EndLoc = Loc;
    C.Spelling = row(Kind).Spelling;
    return C;
  }
  void setModifier(llvm::StringRef Word) {
    Modifier = Word;
    Modifiers = {Word};
  }
  bool hasModifier(llvm::StringRef Word) const {
    return llvm::is_contained(Modifiers, Word);
  }
  /// The argument `Key: value`; nothing if there is none.
  const TokenRange *keyed(llvm::StringRef Key) const {
    for (const KeyedValue &V : Keyed)
      if (V.Key == Key)
        return &V.Value;
    return nullptr;
  }
};

/// Owns its tokens, to which every range above points: never copied or moved.
class Directive {
public:
  Directive() = default;
  Directive(const Directive &) = delete;
  Directive &operator=(const Directive &) = delete;

  DirectiveKind Kind = DirectiveKind::Parallel;
  /// Counts the directives of the translation unit in the order in which the
  /// preprocessor meets them.
  unsigned Ordinal = 0;
  /// The `#` (or `_Pragma`), the directive's first word, and the end of line.
  clang::SourceLocation Begin, Loc, End;
  /// The tokens behind `acc`.
  TokenVector Tokens;
  llvm::SmallVector<Clause, 4> Clauses;
  /// Tokens of items that later steps wrote anew.
  std::deque<TokenVector> Rewritten;
  /// Of `routine(name)`, `cache(list)` and `wait(list)`: the directive's own
  /// argument stands as a clause of kind ClauseKind::Argument.

  /// A combined directive is the compute construct with HasLoop.
  bool HasLoop = false;
  /// It is `#pragma accx`, which OpenMP programs have, too.
  bool IsOwn = false;
  /// Of a distributed loop that runs on one device, and of a loop of steps
  /// that is not tiled: why (frontend/plan/DistributeLoops.h,
  /// frontend/timetile/TimeTiles.h).
  std::string WhyWhole;
  /// Of a tiled loop of steps: what its iterations may reach by pointers or
  /// subscripts, what the steps may assign, its loops' variables, names that
  /// must be integers, and those that must keep their values.
  std::vector<std::string> Arrays, Assigned, Counters, Numbers, Constants;
  /// Its `min` and `max` must be the library's.
  bool HasLeast = false;
  /// The front end wrote it: nobody is told what it became.
  bool IsMade = false;
  /// Of a loop that has no directive in the source
  /// (frontend/plan/PlainLoops.h, frontend/timetile/TimeTiles.h).
  bool Implied = false;

  const Clause *find(ClauseKind K) const {
    for (const Clause &C : Clauses)
      if (C.Kind == K)
        return &C;
    return nullptr;
  }
  bool has(ClauseKind K) const { return find(K) != nullptr; }
};

/// A list item with its place.
struct ListItem {
  const Directive *Of;
  unsigned ClauseIndex, Index;

  const Clause &clause() const { return Of->Clauses[ClauseIndex]; }
  const Item &item() const { return clause().Items[Index]; }
  llvm::StringRef name() const { return item().name(); }
};

/// The items of \p D's clauses of \p Kinds, in order.
inline llvm::SmallVector<ListItem, 8>
itemsOf(const Directive &D, ClauseSet Kinds = ClauseSet::all()) {
  llvm::SmallVector<ListItem, 8> All;
  for (unsigned C = 0; C < D.Clauses.size(); ++C)
    for (unsigned I = 0; I < D.Clauses[C].Items.size(); ++I)
      if (Kinds.contains(D.Clauses[C].Kind))
        All.push_back({&D, C, I});
  return All;
}

/// Their names.
inline std::set<std::string> namesIn(const Directive &D, ClauseSet Kinds) {
  std::set<std::string> Names;
  for (const ListItem &I : itemsOf(D, Kinds))
    Names.insert(I.name().str());
  return Names;
}

/// What puts \p D on a queue: async, or deviceid without it.
inline const Clause *queueClause(const Directive &D) {
  const Clause *Async = D.find(ClauseKind::Async);
  return Async ? Async : D.find(ClauseKind::DeviceId);
}

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_DIRECTIVE_H
