//===- Walks.h - Arrays that each iteration reads through -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A loop inside of a distributed one may read the same elements for each of
//   its iterations: all bodies for each body, all of a vector for each row of a
//   matrix. A device that runs a part of the iterations then reads what the
//   others have again and again, and is better off with a copy.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_WALKS_H
#define ACCX_DISTRIBUTE_WALKS_H

#include "llvm/Analysis/ScalarEvolution.h"

namespace accx::distribute {

/// Whether \p Load goes through memory of a kernel's argument with loops around
/// it, from where and to where no iteration of the distributed loop has a say.
bool isWalk(llvm::LoadInst &Load, llvm::ScalarEvolution &SE);

} // namespace accx::distribute

#endif // ACCX_DISTRIBUTE_WALKS_H
