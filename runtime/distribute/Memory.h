//===- Memory.h - Device memory of spread arrays ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates what Spread.cpp spreads, and copies it in and back.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_MEMORY_H
#define ACCX_DISTRIBUTE_MEMORY_H

#include "distribute/Spread.h"

namespace accx {

/// A spread array with what its memory has to be given back as.
struct SpreadMemory : SpreadArray {
  /// What the plugin gave, in the order of Addresses.
  std::vector<void *> Blocks;
  /// Blocks are one of Plugin::spreadAlloc().
  bool IsCommon = false;

  /// Finds memory for Host on Devices and sets everything that says where the
  /// array lies. Without a common range the first device holds it alone.
  Status allocate();
  void release();
  /// All owners at once; returns when all are done, with the first failure.
  Status copyIn(const void *Name);
  Status copyBack(const void *Name);

private:
  Status allocateOn(size_t Index, size_t Lead, size_t Bytes);
  Status allocateCommon(size_t Lead, size_t Page);
  Status copyParts(accx_direction Direction, const void *Name);
};

} // namespace accx

#endif // ACCX_DISTRIBUTE_MEMORY_H
