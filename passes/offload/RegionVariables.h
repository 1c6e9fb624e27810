//===- RegionVariables.h - Gang variables that a region uses ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables of a gang, in memory that Clang's runtime lends, the code of
// a parallel region in it names by its own arguments, and what it does to them
// before its reduction and behind that.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_REGIONVARIABLES_H
#define ACCX_OFFLOAD_REGIONVARIABLES_H

#include "offload/TeamNest.h"

#include "llvm/ADT/DenseMap.h"

namespace accx::offload {

/// What a region does to a variable of the gang.
struct VariableUse {
  bool IsWritten = false;
  /// Written by the thread that ends a reduction.
  bool IsReduced = false;
  /// Its address goes where it cannot be followed, or does so for that thread.
  bool Escapes = false;
  bool EscapesAtEnd = false;

  bool any() const { return IsWritten || IsReduced || Escapes || EscapesAtEnd; }
};

struct RegionVariables {
  /// All that the region captures, and at least reads. In an SPMD kernel they
  /// are variables of the thread, of which each has one.
  llvm::DenseMap<llvm::Instruction *, VariableUse> Uses;
  /// The region's loop writes other memory; the thread that ends a reduction
  /// does.
  bool WritesOther = false;
  bool EndWritesOther = false;

  /// Sets \p R's Reduces and ReadOnly, too. \p Tree is that of its body.
  NestRefusal read(NestRegion &R, const llvm::DominatorTree &Tree,
                   bool IsSpmd = false);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_REGIONVARIABLES_H
