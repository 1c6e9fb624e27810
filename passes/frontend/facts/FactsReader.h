//===- FactsReader.h - Facts from the probe's syntax tree -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the marks of the probe form in the syntax tree and records what the
// code around them does.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_FACTSREADER_H
#define ACCX_FRONTEND_FACTS_FACTSREADER_H

#include "frontend/facts/Facts.h"
#include "frontend/facts/FlowFacts.h"

#include <memory>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace accx::frontend {

/// Another reader of the probe's syntax tree, which lives no longer.
using TreeReader =
    llvm::function_ref<void(clang::ASTContext &, const UnitMarks &)>;

/// Facts of \p Directives, which \p Context holds in probe form.
Facts readFacts(clang::ASTContext &Context,
                const std::vector<std::unique_ptr<Directive>> &Directives,
                bool StrictAliasing, TreeReader Others);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_FACTSREADER_H
