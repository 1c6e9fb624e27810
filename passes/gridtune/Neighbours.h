//===- Neighbours.h - What neighbouring iterations share --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guesses, from the addresses of a nest whose digits were found, at what
// neighbours in each dimension load alike. The last digit's remainder counts
// columns, its quotient rows. Nothing follows from them but what pays.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_NEIGHBOURS_H
#define ACCX_GRIDTUNE_NEIGHBOURS_H

#include "gridtune/Digits.h"

#include "llvm/Analysis/LoopInfo.h"

#include <deque>

namespace accx::gridtune {

/// Whether neighbours of the innermost loop of \p Nest access what lies far
/// apart, and neighbours of another one what is near: threads of a row share
/// nothing, those of a block do.
bool crosses(const llvm::Loop &Nest, const std::deque<Digit> &Digits);

/// Whether iterations of neighbouring rows load what is the same: addresses of
/// one array lie one or two rows apart.
bool sharesRows(const llvm::Loop &Nest, const std::deque<Digit> &Digits);

/// Whether a loop in an iteration loads what all rows load in its column.
bool rereads(const llvm::Loop &Nest, const std::deque<Digit> &Digits);

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_NEIGHBOURS_H
