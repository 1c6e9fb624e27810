//===- Table.h - The table of OpenACC directives and clauses ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Directives.def says, as types: the one place that knows which
// directives and clauses exist, which clause may stand on which directive and
// what its argument looks like. The parser, its diagnostics and the support
// table of docs/openacc.md are made from it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_TABLE_H
#define ACCX_FRONTEND_PARSE_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace accx::frontend {

/// `parallel loop` and its like are the first part with Directive::HasLoop.
enum class DirectiveKind : uint8_t {
#define ACC_DIRECTIVE(Name, Spelling, ...) Name,
#include "frontend/parse/Directives.def"
};

enum class ClauseKind : uint8_t {
#define ACC_CLAUSE(Name, Spelling, ...) Name,
#include "frontend/parse/Directives.def"
};

/// What stands between a clause's parentheses.
enum class ArgumentForm : uint8_t {
  None,          // no parentheses: seq, finalize
  Variables,     // [modifier:] list of variables and sub-arrays: copy, private
  Reduction,     // operator ':' list
  Expression,    // one expression: if, num_workers
  OptionalExpr,  // no parentheses or one expression: async, self
  Expressions,   // one to three: num_gangs(1, 2)
  Values,        // a list of expressions: device of wait
  Sizes,         // a list of expressions or '*': tile
  GangLevel,     // gang with its keyed arguments, or without
  GangDimension, // gang of routine: dim, or without
  Level,         // worker, vector: one argument with or without key, or none
  Wait,          // nothing or [devnum: e :] [queues:] list
  Collapse,      // [force:] constant
  DefaultKind,   // none or present; of schedule its modifiers
  DeviceTypes,   // '*' or a list of names
  Name,          // a function's name or a string: bind
  Function,      // a function's name: routine
  Ranges,        // arrays with pivot, before and after: fcw
  FilePlace,     // a file and an offset, or a file: file
  MessagePeer,   // rank, tag, communicator: to of send, from of recv
};

/// What a directive is followed by.
enum class Association : uint8_t {
  None,        // stands alone: update, wait
  Statement,   // any statement: parallel, data
  Loop,        // a for statement: loop
  Expression,  // the statements of atomic
  Declaration, // a function, or nothing if it names one: routine; declare
};

/// Properties of a clause, or-ed.
enum ClauseFlag : uint8_t {
  Once = 0,
  Repeats = 1,    // may be repeated on one directive
  PerDevice = 2,  // may stand behind device_type, once for each of them
  Positive = 4,   // integer literals in it are 1 or more
  Mapping = 8,    // gives data a place: a variable is named by one of these
  NoSections = 16 // its variables are whole
};

struct DirectiveRow {
  DirectiveKind Kind;
  llvm::StringRef Spelling; // words separated by one blank
  Association Follows;
  llvm::StringRef Becomes; // for the support table
};

struct ClauseRow {
  ClauseKind Kind;
  llvm::StringRef Spelling;
  ArgumentForm Form;
  uint8_t Flags;
  llvm::StringRef Becomes;
};

/// Another spelling of a clause.
struct AliasRow {
  llvm::StringRef Spelling;
  ClauseKind Kind;
  std::optional<DirectiveKind> Only; // where it is one
};

/// A set of clauses.
class ClauseSet {
public:
  static constexpr unsigned Most = 128;

  constexpr ClauseSet() = default;
  constexpr ClauseSet(std::initializer_list<ClauseKind> Kinds) {
    for (ClauseKind K : Kinds)
      Words[word(K)] |= bit(K);
  }
  static constexpr ClauseSet all() {
    ClauseSet Every;
    Every.Words[0] = Every.Words[1] = ~uint64_t(0);
    return Every;
  }
  constexpr bool contains(ClauseKind K) const {
    return Words[word(K)] & bit(K);
  }
  constexpr bool empty() const { return !Words[0] && !Words[1]; }

private:
  static constexpr unsigned word(ClauseKind K) {
    return static_cast<unsigned>(K) / 64;
  }
  static constexpr uint64_t bit(ClauseKind K) {
    return uint64_t(1) << static_cast<unsigned>(K) % 64;
  }
  uint64_t Words[Most / 64] = {};
};

struct ClauseSetRow {
  DirectiveKind Directive;
  ClauseSet Clauses;
};

llvm::ArrayRef<DirectiveRow> directiveRows();
llvm::ArrayRef<ClauseRow> clauseRows();
llvm::ArrayRef<AliasRow> aliasRows();
/// At least one clause of each row must stand on its directive.
llvm::ArrayRef<ClauseSetRow> requiredRows();
/// At most one clause of each row may stand on its directive (in each
/// device_type part).
llvm::ArrayRef<ClauseSetRow> exclusiveRows();
const DirectiveRow &row(DirectiveKind K);
const ClauseRow &row(ClauseKind K);

/// `parallel loop` if \p WithLoop, else as row(K).Spelling.
llvm::StringRef spelling(DirectiveKind K, bool WithLoop);

/// Whether \p K begins a kernel, and may be joined with loop.
bool isCompute(DirectiveKind K);

/// By spelling, aliases (`pcopy`, `present_or_copy`, `host` for `self` of an
/// update) included. Nothing if the word is unknown.
std::optional<ClauseKind> findClause(llvm::StringRef Spelling);

/// Whether clause \p C may stand on \p D; \p WithLoop for combined directives.
bool allows(DirectiveKind D, bool WithLoop, ClauseKind C);

/// Whether \p C may be repeated on one directive; on \p D, where lists of
/// variables always may.
bool repeatable(ClauseKind C);
bool repeatable(DirectiveKind D, ClauseKind C);

/// Whether the directive's own argument must be there.
bool needsArgument(DirectiveKind K);

/// Whether \p K is a directive of `#pragma accx` alone.
bool isOwn(DirectiveKind K);
/// Whether \p K reads, writes, sends or receives.
bool isOperation(DirectiveKind K);
/// Whether \p C's values have a meaning for \p D that depends on their types.
bool hasTypedValues(DirectiveKind D, ClauseKind C);
/// How \p C, which operation \p D needs, is written; empty for others.
llvm::StringRef usage(DirectiveKind D, ClauseKind C);
/// Whether \p K spreads arrays over devices, or puts a copy on each.
bool spreads(DirectiveKind K);

inline bool has(ClauseKind C, ClauseFlag F) { return row(C).Flags & F; }

/// The form of \p C's argument on \p D.
ArgumentForm form(DirectiveKind D, ClauseKind C);

/// The words that may stand before a colon in \p C, or a reduction's operators.
llvm::ArrayRef<llvm::StringRef> modifiers(ClauseKind C);
/// On \p D.
llvm::ArrayRef<llvm::StringRef> modifiers(DirectiveKind D, ClauseKind C);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_TABLE_H
