//===- ImageUse.h - What an image uses of OpenMP ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells from an image's undefined symbols how much of the OpenMP state its
// kernels can see and change; the launch path does no more than that needs.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_IMAGEUSE_H
#define ACCX_PLUGIN_HOST_IMAGEUSE_H

#include "ElfView.h"

namespace accx::host {

struct ImageUse {
  /// Kernels may call OpenMP: they can tell whose thread they run on.
  bool OpenMP = false;
  /// Kernels may start parallel regions.
  bool Forks = false;
  /// Internal control variables that kernels may change: OpenMPState's bits.
  uint8_t Changes = 0;

  /// Nothing is known: everything is possible.
  static ImageUse unknown() { return {true, true, 0xff}; }
  void add(const ImageUse &Other) {
    OpenMP |= Other.OpenMP;
    Forks |= Other.Forks;
    Changes |= Other.Changes;
  }
};

/// What the undefined symbols of a loaded image amount to. \p Handle is the
/// loader's. Symbols that \p IsBound says are bound to other images do not
/// count; the caller adds those images' use.
/// Whether the file at a path is a library of the system or of the compiler,
/// which does not call OpenMP unless it is called through its names.
bool isSystemLibrary(std::string_view Path);

ImageUse findUse(const ElfView &Elf, void *Handle,
                 const std::vector<bool> &IsBound);

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_IMAGEUSE_H
