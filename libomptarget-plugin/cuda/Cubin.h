//===- Cubin.h - Reading machine code images --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header and the symbol names of a cubin. Reads no byte outside the image,
// whatever the image says.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_CUBIN_H
#define ACCX_PLUGIN_CUDA_CUBIN_H

#include "Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accx::cuda {

/// A cubin in memory. Two forms exist, told apart by the ELF header:
///
///   toolkit   EI_OSABI   architecture        sm_90a and the like
///   <= 12     0x33       e_flags bits 0..7   e_flags 0x800
///   >= 13     0x41       e_flags bits 8..15  e_flags 0x8
class Cubin {
  const char *Data;
  size_t Size;

public:
  Cubin(const void *Data, size_t Size)
      : Data(static_cast<const char *>(Data)), Size(Size) {}

  /// Whether the image starts as an ELF file does.
  bool isElf() const;
  /// Checks the header and the tables it refers to.
  accx_status check() const;

  /// After check(): the architecture, e.g. 90.
  unsigned architecture() const;
  /// After check(): whether the code runs on exactly that architecture only.
  bool isArchitectureSpecific() const;
  /// After check(): names of all symbols that begin with \p Prefix.
  std::vector<std::string> symbolsWith(const char *Prefix) const;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_CUBIN_H
