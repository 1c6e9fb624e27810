//===- Constructors.h - Constructors of device code -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs constructors and destructors of a device image's global objects.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_CONSTRUCTORS_H
#define ACCX_PLUGIN_CUDA_CONSTRUCTORS_H

#include "Image.h"

namespace accx::cuda {

/// The compiler cannot collect the functions of an NVIDIA image in a table as
/// other linkers do. It leaves, for each, a constant
/// `__init_array_object_<name>_<priority>` that holds its address, and a kernel
/// that calls all functions between two pointers. The table is ours to make.
class Constructors {
public:
  static constexpr const char *InitPrefix = "__init_array_object_";
  static constexpr const char *FiniPrefix = "__fini_array_object_";

  /// \p Names: the constants' names. No kernel of that name: nothing to do.
  static accx_status run(Image &I, const std::vector<std::string> &Names,
                         bool Init);
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_CONSTRUCTORS_H
