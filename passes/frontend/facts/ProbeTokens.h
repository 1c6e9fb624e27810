//===- ProbeTokens.h - A unit in the form that the probe parses -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives become attributes and static assertions: forms that every
// standard's parser accepts, that generate nothing, and that the syntax tree
// keeps, so that the facts can be found again by the directive's ordinal.
//
//   #pragma acc parallel loop copy(a[0:n])    [[clang::suppress("accx:7")]] {
//   for (...) _Static_assert(sizeof((void)(a),
//     ...                                         1), "accx:7:0:0");
//                                               _Static_assert(..(n)..,
//                                               "accx:7:0"); for (...)
//                                                 ...
//                                             }
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_PROBETOKENS_H
#define ACCX_FRONTEND_FACTS_PROBETOKENS_H

#include "frontend/parse/Tree.h"

#include <optional>

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// What a string of the probe form names: a directive's statement, an
/// expression in a clause, or a clause's list item. Values whose types count
/// (hasTypedValues()) are numbered like items; their clauses have none.
struct ProbeMark {
  unsigned Ordinal = 0;
  std::optional<unsigned> Clause, Item;
  /// Of a section of the item: ItemFacts::Bounds.
  std::optional<unsigned> Bound;
};

/// Nothing if \p Text is none of ours.
std::optional<ProbeMark> parseProbeMark(llvm::StringRef Text);

/// The tokens of \p T's unit with each directive in probe form.
UnitTokens makeProbeTokens(clang::Preprocessor &PP, const Tree &T);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_PROBETOKENS_H
