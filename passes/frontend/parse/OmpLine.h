//===- OmpLine.h - A directive of OpenMP, by its tokens ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma omp` in a unit that Clang's parser has not seen yet: its words and
// its clauses.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_OMPLINE_H
#define ACCX_FRONTEND_PARSE_OMPLINE_H

#include "frontend/parse/Reader.h"

namespace accx::frontend {

struct OmpClause {
  llvm::StringRef Name;
  const clang::Token *Begin, *End; // the parentheses included
  TokenRange Arguments;

  /// Of a reduction: the operator, empty if it is none of the language's, and
  /// the list behind it.
  llvm::StringRef reductionOperator() const;
  TokenRange reductionList() const;
};

struct OmpLine {
  OmpLine() = default;
  /// The one whose annotation is at \p I.
  OmpLine(const UnitTokens &Tokens, size_t I);

  /// Of the directives that distribute a loop: `target`, `teams`, `for`.
  llvm::SmallVector<llvm::StringRef, 6> Words;
  /// Other words of the directive's name count as clauses.
  llvm::SmallVector<OmpClause, 8> Clauses;
  size_t End = 0; // past the line's annotation

  bool has(llvm::StringRef Word) const {
    return llvm::is_contained(Words, Word);
  }
  const OmpClause *find(llvm::StringRef Name) const {
    for (const OmpClause &C : Clauses)
      if (C.Name == Name)
        return &C;
    return nullptr;
  }
  /// A loop of a target region in one directive.
  bool isTargetLoop() const {
    return !Words.empty() && Words.front() == "target" &&
           (has("for") || has("distribute") || has("loop") || has("simd"));
  }
};

/// Whether \p T is the directive `accx distribute`.
bool isDistribute(const clang::Token &T);

/// Gives each `distribute` of \p U in front of a directive of OpenMP the
/// reductions of that, as clauses of its own, so that the probe tells their
/// types. A part of reading a unit.
void noteReductions(Unit &U, clang::Preprocessor &PP);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_OMPLINE_H
