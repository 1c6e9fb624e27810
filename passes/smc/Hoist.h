//===- Hoist.h - Writes of copies where all threads are ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A write of a channel type stands between two barriers, which all threads of
//   a block must reach. A write in code that only some threads run is taken
//   apart. Indices and value stay where they are. The write itself goes to
//   where the threads have met again, with a flag that says which threads
//   write.
//
// ALGORITHM
//   The nearest branch that may lead around the write, and the block where its
//   paths meet, enclose acyclic code. All paths stop at a new block U in front
//   of the meeting place: those that come from the write, and those that miss
//   it. A number says where each path goes on.
//
//         X                          X
//        / \                        / \
//       A   B                      A   B        A sets the flag
//     write  |        =>            \ /
//       C   /                        U          barrier, write if flag, barrier
//        \ /                        / \         (by number)
//         J                        C   |
//                                   \ /
//                                    J
//
//   This is repeated until no branch is left on which threads may part. Loops
//   around the write whose threads leave at different times, or do not all
//   enter, have no such place. Then the write is refused.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_HOIST_H
#define ACCX_SMC_HOIST_H

#include "smc/Plan.h"

namespace accx::smc {

/// Brings \p Kernel's writes of channel types, and barriers of the program in
/// their regions, to where all threads of a block are. The result is a note of
/// kind Write with the indices, a store to the array's base, and notes of kind
/// Barrier around both. False if \p Refuse was called.
bool hoistWrites(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM,
                 RefuseAt Refuse);

} // namespace accx::smc

#endif // ACCX_SMC_HOIST_H
