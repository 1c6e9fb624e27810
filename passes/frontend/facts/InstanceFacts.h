//===- InstanceFacts.h - Facts of templates by instance ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template's directives are planned once, as tokens, for all of its
// instances. What depends on its parameters is known in the instances: a fact
// counts where all of the unit's agree.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_INSTANCEFACTS_H
#define ACCX_FRONTEND_FACTS_INSTANCEFACTS_H

#include "frontend/facts/Facts.h"

#include "llvm/ADT/ArrayRef.h"

namespace accx::frontend {

/// Completes \p Pattern, a statement of a template, by the same statement of
/// all \p Instances.
void addInstances(StatementFacts &Pattern,
                  llvm::ArrayRef<StatementFacts> Instances);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_INSTANCEFACTS_H
