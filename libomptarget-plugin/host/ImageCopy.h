//===- ImageCopy.h - A copy of an image made for one device -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits a copy of an image so that what it defines and what it uses belong to
// one device.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_IMAGECOPY_H
#define ACCX_PLUGIN_HOST_IMAGECOPY_H

#include "ElfView.h"

namespace accx::host {

/// A copy of an image's file. The loader keeps one name space for the whole
/// process; these edits make it behave as if each device had its own:
///
///   program:  g, f      device 0:  g, f      device 1:  g, f
///                            ^ image A             ^ image A
///                            | image B uses g      | image B uses g
class ImageCopy {
public:
  /// \p Elf is a checked view; both must outlive the copy.
  ImageCopy(const ElfView &Elf, const void *Data, size_t Size);

  /// Makes the image prefer its own definitions to the program's and to other
  /// images', lets no other object be bound to it, and lets it be unloaded.
  accx_status isolate();

  /// Binds undefined symbol \p Index to \p Address for good.
  void bind(uint64_t Index, uint64_t Address);

  const std::vector<uint8_t> &bytes() const { return Bytes; }

private:
  template <typename T> void put(uint64_t Offset, const T &Value) {
    std::memcpy(Bytes.data() + Offset, &Value, sizeof(T));
  }

  const ElfView &Elf;
  std::vector<uint8_t> Bytes;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_IMAGECOPY_H
