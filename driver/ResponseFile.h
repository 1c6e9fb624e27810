//===- ResponseFile.h - Arguments in files ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// @file arguments, read as Clang reads them. The driver only looks into them:
// Clang gets them as they were given.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_RESPONSEFILE_H
#define ACCX_DRIVER_RESPONSEFILE_H

#include <string>
#include <vector>

namespace accx::driver {

/// `Arguments` with every readable @file, nested ones too, replaced by what it
/// holds. One that cannot be read stays, as in Clang.
std::vector<std::string> expanded(const std::vector<std::string> &Arguments);

} // namespace accx::driver

#endif // ACCX_DRIVER_RESPONSEFILE_H
