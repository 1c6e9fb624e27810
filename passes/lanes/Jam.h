//===- Jam.h - Several iterations of a lane at a time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Without a promise that arrays do not overlap a load cannot pass a store, so
//   unrolling gets only one iteration's loads under way. But iterations of a
//   vector loop are independent: in front of a loop of one block that stores
//   comes one that does four iterations of the lane, all loads first.
//
//     before -> four left? -no-> loop -> exit
//                |   ^ |          ^
//                |   +-+          |
//                +---- at the end-+
//
//   Loops whose iterations load what they may have stored are left alone.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_JAM_H
#define ACCX_LANES_JAM_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace accx::lanes {

/// Puts such a loop before \p L, whose counter is \p Lane, below \p Trip, and
/// moves by \p Lanes. False where it is not of that kind.
bool jam(llvm::Loop &L, llvm::PHINode &Lane, llvm::Value &Trip, unsigned Lanes);

} // namespace accx::lanes

#endif // ACCX_LANES_JAM_H
