//===- Team.h - Objects of a block, barriers of the program -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions of type Team: a row of the nest is a block of threads as CUDA has
// them. Objects of the body that the block has one of go to shared memory,
// barriers stay where the program has them, and nothing is copied.
//
//     for (gang)                       for (b = block; b < gangs; b += blocks)
//       for (item < 256)                 item = thread
//         float a[16][16];               __shared__ float a[16][16]
//         begin, team(a)
//         a[..] = ..                     a[..] = ..
//         barrier               =>       barrier
//         .. = a[..]                     .. = a[..]
//         end                            barrier
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_TEAM_H
#define ACCX_SMC_TEAM_H

#include "smc/Plan.h"

namespace accx::smc {

/// Whether a region of \p Kernel is of type Team.
bool hasTeam(llvm::Function &Kernel);

/// Puts the objects that team notes name into shared memory, and a barrier at
/// the end of regions, so that the next block finds them free. False if
/// \p Refuse was called.
bool shareTeamObjects(llvm::Function &Kernel, RefuseAt Refuse);

/// Calls \p Refuse where not all threads of a block come to each of \p Kernel's
/// barriers; for nests that are emitted.
void checkTeamBarriers(llvm::Function &Kernel,
                       llvm::FunctionAnalysisManager &FAM, RefuseAt Refuse);

} // namespace accx::smc

#endif // ACCX_SMC_TEAM_H
