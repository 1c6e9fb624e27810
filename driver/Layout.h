//===- Layout.h - The prefix the driver lies in -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bin/accxcc looks for all that belongs to accx beside itself, so that a prefix
// may be moved. A build tree has the same layout.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_LAYOUT_H
#define ACCX_DRIVER_LAYOUT_H

#include <string>

namespace accx::driver {

struct Layout {
  std::string Bin;
  /// Holds libomptarget.so, its device plugins and libaccx.so.
  std::string Lib;
  std::string Include;

  std::string plugin() const { return Lib + "/libaccx.so"; }
  std::string ptxas() const { return Lib + "/accx/accx-ptxas"; }

  /// The layout around the running executable.
  static Layout ofThisProgram();
};

} // namespace accx::driver

#endif // ACCX_DRIVER_LAYOUT_H
