//===- Targets.h - What a program is compiled for ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The offload targets of one invocation: the user's --accx-targets, else the
// host and whatever GPU this machine can both run and compile for.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_TARGETS_H
#define ACCX_DRIVER_TARGETS_H

#include "CudaToolkit.h"

#include <optional>
#include <string>
#include <vector>

namespace accx::driver {

struct Clang;

struct Targets {
  bool Host = true;
  std::vector<std::string> Gpus;
  std::optional<CudaToolkit> Cuda;
  /// Why a GPU of this machine is left out of the default.
  std::string LeftOut;
  /// Architectures that a makefile asks for and nothing here compiles for,
  /// each with the reason.
  std::vector<std::string> Refused;

  /// The targets that `List` names. Ends the program where the list makes no
  /// sense, or where this machine cannot compile for one of them.
  static Targets named(const std::string &List, const std::string &CudaPath,
                       const Clang &Compiler);

  /// The host and GPUs of these architectures; "every" and "major" stand for
  /// all that LLVM and the toolkit know, and for those of them that begin a
  /// generation. What cannot be compiled for is refused; where nothing is
  /// left, it is as ofThisMachine(). Ends the program without a toolkit.
  static Targets ofArchitectures(const std::vector<std::string> &Names,
                                 const std::string &CudaPath,
                                 const Clang &Compiler);

  static Targets ofThisMachine(const std::string &CudaPath,
                               const Clang &Compiler);
};

/// The toolkit of a command line that asks for GPU code. Ends the program,
/// saying where it looked, if there is none.
CudaToolkit requireCuda(const std::string &CudaPath, const std::string &For);

} // namespace accx::driver

#endif // ACCX_DRIVER_TARGETS_H
