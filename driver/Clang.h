//===- Clang.h - The Clang that does the work -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's clang-19 or clang++-19, or another Clang 19 that the environment
// names.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_CLANG_H
#define ACCX_DRIVER_CLANG_H

#include <string>

namespace accx::driver {

struct Layout;

struct Clang {
  std::string Path;

  /// The folder of LLVM's own libraries, OpenMP's for devices among them.
  std::string libraries() const;

  /// Ends the program where there is none, or one of another version.
  static Clang find(bool IsCxx, const Layout &Here);
};

} // namespace accx::driver

#endif // ACCX_DRIVER_CLANG_H
