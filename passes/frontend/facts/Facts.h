//===- Facts.h - What the front end knows of the code -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenACC's data rules depend on types and uses: a scalar is firstprivate, an
// array is copied, a variable that an iteration assigns is private to it. The
// tokens do not tell; these facts do, one record a directive.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_FACTS_H
#define ACCX_FRONTEND_FACTS_FACTS_H

#include "frontend/parse/Directive.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace accx::frontend {

enum class TypeClass : uint8_t {
  Unknown, // not resolved, or depends on a template parameter
  Scalar,  // arithmetic, enumeration, complex
  Pointer,
  Array,  // of known or variable length
  Record, // struct, union, class
};

/// A variable that a directive's statement uses and that is declared outside.
struct Variable {
  /// As an expression valid at the directive: `x`, `ns::x`.
  std::string Name;
  TypeClass Class = TypeClass::Unknown;
  /// A reference of C++; Class is that of what it refers to.
  bool IsReference = false;
  /// Declared at namespace scope or static.
  bool IsGlobal = false;
  bool IsConst = false;
  /// Its type has a length known at run time only.
  bool HasVariableLength = false;
  /// Assigned, incremented, or its address or a non-const reference taken.
  bool Written = false;
  /// Its value is used otherwise than to assign it anew.
  bool Read = false;
  /// Assigned from its own value, and not under an `acc atomic`.
  bool Updated = false;
  /// Every write stands under an `acc atomic`.
  bool WrittenAtomically = false;
  /// Only updated in the form of a reduction, `x += e`, `x = max(x, e)` or an
  /// `if` of that meaning, and not read otherwise.
  bool ReducedOnly = false;
  /// Assigned by a plain `=` somewhere in the statement (a reset, as in
  /// `s = 0` in front of an inner loop), not by a loop inside that reduces it.
  bool Assigned = false;
  /// Written by the statement itself, not at most by a function that gets its
  /// address or, as far as a template tells, may get it.
  bool SurelyWritten = false;
  /// Every use is preceded by an assignment inside the same execution of the
  /// statement (for a loop: of its body): private suffices, and the value is
  /// not carried from one iteration to the next.
  bool WrittenFirst = false;
  /// Of a loop: every iteration assigns it, however it ends.
  bool AlwaysAssigned = false;
  /// Read in the function after the statement, or may be (global, address
  /// taken, reference, the statement is in a loop that reads it again).
  bool LiveAfter = true;
  /// Of a pointer: what it points to is assigned, or may be.
  bool PointeeWritten = false;
  /// If ReducedOnly: `+` (`-=` too), `*`, `&`, `|`, `^`, `&&`, `||`, `max` or
  /// `min`.
  std::string ReductionOperator;
  /// If ReducedOnly: partial results, combined in the end, give the same value,
  /// rounding apart. `int s; s += 0.5` cuts off in each step.
  bool ReducesExactly = false;
  /// Some path through the statement (of a loop: its body) reads it before it
  /// has assigned it.
  bool ReadFirst = false;
  unsigned Line = 0;      // of the declaration
  unsigned WriteLine = 0; // of the first write
};

/// A variable that a loop reduces without saying so.
struct MissingReduction {
  std::string Name, Operator;
};

/// A loop is independent where these ranges of memory do not overlap.
struct RangeCheck {
  /// Pairs of pointers or arrays, by name.
  std::vector<std::pair<std::string, std::string>> Apart;
  /// Statements that move `__accx_low_P` and `__accx_high_P`, of each such P,
  /// around what the loop accesses through it. They read no memory but members
  /// of structures.
  std::string Code;
  bool ReadsMembers = false;
  /// The variables in them.
  std::vector<std::string> Names;

  bool empty() const { return Apart.empty(); }
};

/// A clause's list item.
struct ItemFacts {
  bool Resolved = false;
  /// Of the base: `a` in `a[0:n]`.
  TypeClass Class = TypeClass::Unknown;
  bool IsReference = false;
  /// A pointer to pointers: the second dimension of a sub-array would lie
  /// behind them.
  bool PointsToPointers = false;
  /// And those point to pointers, too.
  bool PointsToTables = false;
  /// A pointer that is `restrict`, or an array: no other name means it.
  bool IsUnaliased = false;
  /// An array whose length its type tells.
  bool HasLength = false;
  /// Of a parameter declared as an array, and so a pointer: how many elements
  /// the declaration says; 0 if it names no constant.
  uint64_t ParameterLength = 0;
  /// Of an array: the lengths of its dimensions, as far as they are constants.
  std::vector<uint64_t> Extents;
  /// Of an array, and of a pointer to arrays: those of the inner dimensions,
  /// the second one's first; 0 where it is no constant.
  std::vector<uint64_t> InnerExtents;
  /// Constants in the sections: 2 * d of the first element in dimension d,
  /// 2 * d + 1 of the length.
  std::map<unsigned, int64_t> Bounds;
  /// A member of the class, named without `this->`.
  bool IsMember = false;
  bool IsGlobal = false;
  bool IsFunction = false;
  /// What the base is, holds or points to may not be assigned.
  bool IsConst = false;
  /// It has a destructor, or virtual functions: its bytes are not its value.
  bool HasHiddenParts = false;

  /// Of the section in dimension \p Dim, where they are constants.
  std::optional<int64_t> first(unsigned Dim) const { return bound(2 * Dim); }
  std::optional<int64_t> length(unsigned Dim) const {
    return bound(2 * Dim + 1);
  }

private:
  std::optional<int64_t> bound(unsigned Which) const {
    const auto It = Bounds.find(Which);
    return It == Bounds.end() ? std::nullopt : std::optional(It->second);
  }
};

/// A value in a clause of an operation, as hasTypedValues() says.
struct ValueFacts {
  /// Parsed, and of a type that depends on no template parameter.
  bool Resolved = false;
  /// A class of C++ may become anything.
  bool IsClass = false;
  bool IsInteger = false; // or an enumerator of an unscoped enumeration
  bool IsStream = false;  // FILE *
  bool IsEvent = false;   // accx_event_t
  bool IsAssignable = false;
  std::string Type;
};

/// What is known of the statement behind a directive.
struct StatementFacts {
  /// Whether the statement was found; everything below is void otherwise.
  bool Known = false;
  std::vector<Variable> Outer;
  /// Members of the class are used, or `this` itself.
  bool UsesThis = false;
  /// Members of structures may be assigned, other than elements of arrays.
  bool WritesMembers = false;
  /// For a `for` statement: whether its iterations (of the number of loops
  /// that `collapse` names) are independent, proven; else why not.
  bool Independent = false;
  std::string Dependence;
  /// If not empty: the iterations are independent once these are reduced.
  std::vector<MissingReduction> Missing;
  /// If not empty: and where this holds at run time.
  RangeCheck Ranges;
  /// A dependence between iterations that is there for certain; empty if none
  /// is known.
  std::string Certain;
  /// The array or pointer of that.
  std::string CertainName;
  /// Of a tiled loop of steps: why its steps must stay apart; empty if they
  /// need not.
  std::string Obstacle;
  /// Loops nested tightly from here on that are canonical.
  unsigned CanonicalDepth = 0;

  const Variable *find(llvm::StringRef Name) const {
    for (const Variable &V : Outer)
      if (V.Name == Name)
        return &V;
    return nullptr;
  }
};

/// Facts of a translation unit, by Directive::Ordinal, clause and item.
class Facts {
public:
  struct Record {
    StatementFacts Statement;
    /// Items[c][i]: item i of clause c, in the order of Directive::Clauses.
    std::vector<std::vector<ItemFacts>> Items;
    /// Values[c][v], likewise.
    std::vector<std::vector<ValueFacts>> Values;
  };

  const StatementFacts &statement(unsigned Ordinal) const {
    static const StatementFacts None;
    return Ordinal < Records.size() ? Records[Ordinal].Statement : None;
  }
  ItemFacts item(unsigned Ordinal, unsigned Clause, unsigned Item) const {
    return find(&Record::Items, Ordinal, Clause, Item);
  }
  ItemFacts item(const ListItem &I) const {
    return item(I.Of->Ordinal, I.ClauseIndex, I.Index);
  }
  /// Of value \p Index of \p C, a clause of \p D.
  ValueFacts value(const Directive &D, const Clause &C, unsigned Index) const {
    return find(&Record::Values, D.Ordinal, &C - D.Clauses.data(), Index);
  }

  std::vector<Record> Records;

private:
  template <typename T>
  T find(std::vector<std::vector<T>> Record::*All, unsigned Ordinal,
         size_t Clause, size_t Index) const {
    if (Ordinal >= Records.size() || Clause >= (Records[Ordinal].*All).size() ||
        Index >= (Records[Ordinal].*All)[Clause].size())
      return {};
    return (Records[Ordinal].*All)[Clause][Index];
  }
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_FACTS_H
