//===- KernelParts.h - What a kernel does to its arguments ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of accx/kernel_parts.h, checked.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IMAGE_KERNELPARTS_H
#define ACCX_IMAGE_KERNELPARTS_H

#include "accx/kernel_parts.h"
#include "support/Error.h"

#include <cstddef>
#include <span>
#include <vector>

namespace accx {

class KernelParts {
public:
  struct Access {
    unsigned Arg;
    bool IsWrite;
    std::vector<accx_parts_term> Start, Step;
  };
  /// In bytes behind what the argument points to.
  struct Place {
    int64_t Start, Step;
  };

  /// The size that the header at \p Bytes says; 0 if it is none.
  static size_t totalBytes(std::span<const char> Bytes);
  /// Checks every field.
  static Expected<KernelParts> parse(std::span<const char> Bytes);

  /// Whether there is a loop that can be split, with a first and a last
  /// iteration.
  bool hasLoop() const { return !(Flags & ACCX_PARTS_NO_LOOP); }
  /// \name Numbers of the kernel's arguments
  /// @{
  unsigned firstArg() const { return First; }
  unsigned lastArg() const { return Last; }
  /// Whether the kernel may write what argument \p Arg points to.
  bool writes(unsigned Arg) const {
    return Arg >= Uses.size() || Uses[Arg] & ACCX_PARTS_WRITES;
  }
  /// Whether one thread touches it, once.
  bool touchesOnce(unsigned Arg) const {
    return Arg < Uses.size() && Uses[Arg] & ACCX_PARTS_ONCE;
  }
  /// Whether each iteration may read all of it, and only reads it.
  bool walksThrough(unsigned Arg) const {
    return Arg < Uses.size() && Uses[Arg] & ACCX_PARTS_WALKS;
  }
  /// @}
  bool writesThroughLoadedPointers() const {
    return Flags & ACCX_PARTS_WRITES_LOADED;
  }
  bool writesUnknown() const { return Flags & ACCX_PARTS_WRITES_UNKNOWN; }

  const std::vector<Access> &accesses() const { return Accesses; }
  /// Where \p A is with arguments \p Args; wraps as the kernel's numbers do.
  static Place evaluate(const Access &A, std::span<void *const> Args);

private:
  unsigned First = 0, Last = 0, Flags = 0;
  std::vector<uint8_t> Uses;
  std::vector<Access> Accesses;
};

} // namespace accx

#endif // ACCX_IMAGE_KERNELPARTS_H
