//===- LeafCode.h - Code that calls nothing ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves of a kernel's machine code that control never leaves it before it
// returns: such a kernel cannot call OpenMP, whatever else its image holds.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_LEAFCODE_H
#define ACCX_PLUGIN_HOST_LEAFCODE_H

#include <cstddef>
#include <cstdint>
#include <span>

namespace accx::host {

/// Code in memory, [Begin, End).
struct CodeRange {
  uintptr_t Begin;
  uintptr_t End;
  bool contains(uintptr_t A) const { return Begin <= A && A < End; }
};

/// The executable segments of the loaded object that \p Address lies in, from
/// the first to the last; empty if there is none.
CodeRange codeAround(uintptr_t Address);

/// Whether the function whose bytes are \p Function calls or jumps nowhere
/// outside of itself. \p Text is all code of its image: a target elsewhere
/// cannot be one. False where it cannot be told; always on processors whose
/// code is not known here.
bool callsNothing(std::span<const uint8_t> Function, CodeRange Text);

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_LEAFCODE_H
