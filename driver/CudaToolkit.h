//===- CudaToolkit.h - The CUDA toolkit on this machine ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang needs ptxas, nvlink and libdevice of one to compile for an NVIDIA GPU.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_CUDATOOLKIT_H
#define ACCX_DRIVER_CUDATOOLKIT_H

#include <optional>
#include <string>
#include <vector>

namespace accx::driver {

struct CudaToolkit {
  std::string Path;
  /// As CUDA_VERSION: 13000 is 13.0. 0 where the toolkit does not say.
  unsigned Version;

  std::string versionText() const;

  /// The path of a program of it. Debian's package has its programs in
  /// /usr/bin, where Clang finds them too.
  std::optional<std::string> tool(const std::string &Name) const;
};

struct CudaSearch {
  std::optional<CudaToolkit> Found;
  /// One line for every place looked at in vain: where, and what is missing.
  std::vector<std::string> InVain;

  /// Looks only at `Given` (the user's --cuda-path) unless that is empty; else
  /// in CUDA_PATH, CUDA_HOME, around the nvcc in PATH, and where distributions
  /// and NVIDIA install.
  static CudaSearch run(const std::string &Given);
};

} // namespace accx::driver

#endif // ACCX_DRIVER_CUDATOOLKIT_H
