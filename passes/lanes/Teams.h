//===- Teams.h - Enough teams for iterations of several threads -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches get as many teams as give each iteration a thread. Where an
// iteration takes a group of threads that is too few, by as many as a group
// has; a launch cannot be told so. What it can be told is a least number of
// teams, which clauses override, as they do its own choice. Teams without
// iterations end at once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_TEAMS_H
#define ACCX_LANES_TEAMS_H

#include "llvm/IR/Function.h"

namespace accx::lanes {

/// For the kernels that \p Region is part of: their teams share its iterations.
/// Small ones also get registers for many teams at once.
void askForTeams(llvm::Function &Region, bool IsSmall);

/// The same where each team has iterations of its own: more threads. Clauses
/// bound them when a launch is made. Not so many that registers get scarce:
/// such kernels call functions. They may become other functions themselves.
void askForThreads(llvm::Function &Region);

} // namespace accx::lanes

#endif // ACCX_LANES_TEAMS_H
