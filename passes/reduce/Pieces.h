//===- Pieces.h - What threads hand to each other ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of any type, as values that fit a register. Numbers, pointers,
// complex numbers and arrays of these travel as what they are, so that they
// stay in registers; other structures as bytes, for they may have unions
// inside.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_PIECES_H
#define ACCX_REDUCE_PIECES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

#include <cstdint>

namespace accx::reduce {

/// The most elements of an array of which each is a piece of its own, and so
/// may stay in registers. Code loops over more.
constexpr uint64_t MaxSplitElements = 16;

/// Count values of type T, one after the other, in a variable. More than one:
/// so many that code loops over them.
struct Piece {
  unsigned Variable = 0;
  uint64_t Offset = 0;
  llvm::Type *T = nullptr;
  uint64_t Size = 0;
  uint64_t Count = 1;
  /// T is no type that the variable has there.
  bool IsBytes = false;
};

/// All of \p Variables, in pieces whose type has at most \p MaxSize bytes, a
/// power of two up to 8.
llvm::SmallVector<Piece, 8> splitIntoPieces(llvm::ArrayRef<llvm::Type *> Types,
                                            const llvm::DataLayout &Layout,
                                            uint64_t MaxSize);

} // namespace accx::reduce

#endif // ACCX_REDUCE_PIECES_H
