//===- ImageKind.h - Which images a GPU can run -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells cubins and PTX from other images, and whether a GPU of some compute
// capability runs them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_IMAGEKIND_H
#define ACCX_PLUGIN_CUDA_IMAGEKIND_H

#include "Cubin.h"

#include <string_view>

namespace accx::cuda {

enum class ImageKind { Cubin, Ptx };

/// The image's kind if a GPU of compute capability \p Major.\p Minor can run
/// it: machine code of the same major and no higher minor number, PTX of no
/// higher architecture.
accx_status checkImage(const void *Data, size_t Size, unsigned Major,
                       unsigned Minor, ImageKind &Kind);

/// The names in PTX text that begin with \p Prefix.
std::vector<std::string> ptxNamesWith(std::string_view Text,
                                      std::string_view Prefix);

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_IMAGEKIND_H
