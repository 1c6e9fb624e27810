//===- Teams.h - Enough teams for iterations of several threads -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches get as many teams as give each iteration a thread. Where an
// iteration takes a group of threads, that is too few, by a group's size. A
// launch cannot be told so. It can be told a least number of teams, which
// clauses override, as they do its own choice. Teams without iterations end at
// once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_TEAMS_H
#define ACCX_LANES_TEAMS_H

#include "llvm/IR/Function.h"

namespace accx::lanes {

/// Asks for teams in the kernels that \p Region is part of: their teams share
/// its iterations. Small kernels also get registers for many teams at once.
void askForTeams(llvm::Function &Region, bool IsSmall);

/// The same where each team has iterations of its own: asks for more threads.
/// Clauses bound them when a launch is made. They are not so many that
/// registers get scarce, since such kernels call functions. The kernels may
/// become other functions themselves.
void askForThreads(llvm::Function &Region);

} // namespace accx::lanes

#endif // ACCX_LANES_TEAMS_H
