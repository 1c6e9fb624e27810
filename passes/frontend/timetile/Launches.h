//===- Launches.h - Writes launches of several steps ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_TIMETILE_LAUNCHES_H
#define ACCX_FRONTEND_TIMETILE_LAUNCHES_H

#include "frontend/parse/Reader.h"
#include "frontend/timetile/TimeLoop.h"

namespace accx::frontend::timetile {

/// What is made of a loop of steps.
struct Tiling {
  Directive *D = nullptr;
  TimeLoop Loop;
  /// Of a launch, and cells of a block by dimension.
  long Steps = 0, Block[2] = {0, 0};
  /// The clauses of the construct that launches have, too.
  std::string Kept;
};

/// Appends a directive of the front end's own to \p Out, as if the program had
/// it at \p Loc; null if it is none.
Directive *addDirective(Unit &U, clang::Preprocessor &PP, llvm::StringRef Line,
                        clang::SourceLocation Loc, UnitTokens &Out);

/// Appends the launches of \p T, whose loop is in \p U, and the program's own
/// loop behind them; tells T.D what the tree is to be asked.
void writeLaunches(Unit &U, clang::Preprocessor &PP, const Tiling &T,
                   UnitTokens &Out);

} // namespace accx::frontend::timetile

#endif // ACCX_FRONTEND_TIMETILE_LAUNCHES_H
