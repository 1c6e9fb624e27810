//===- Probe.h - Learns what a unit's variables are -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the translation unit once more, with each directive replaced by a
// marked statement, and reads the facts off the syntax tree.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_PROBE_H
#define ACCX_FRONTEND_FACTS_PROBE_H

#include "frontend/facts/FactsReader.h"
#include "frontend/parse/Reader.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace accx::frontend {

using UnitReader = llvm::function_ref<Unit(clang::Preprocessor &)>;

/// Facts of the unit that \p CI compiles, as \p Read reads it. Reports nothing:
/// errors in the program leave facts unknown, and the real parse reports them.
Facts gatherFacts(clang::CompilerInstance &CI, UnitReader Read,
                  TreeReader Others = nullptr);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_PROBE_H
