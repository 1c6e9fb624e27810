//===- StandardInput.h - Source that comes through a pipe -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offloading compiles one source twice, for the host and for the device, and
// Clang would find a pipe empty the second time: the image would have no
// kernels. The text is put where it can be read again.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_STANDARDINPUT_H
#define ACCX_DRIVER_STANDARDINPUT_H

namespace accx::driver {

struct CommandLine;

/// Makes `Line` name a file in memory instead of `-`, where source is compiled
/// from there. The file lives as long as the program that takes this one's
/// place.
void spoolStandardInput(CommandLine &Line);

} // namespace accx::driver

#endif // ACCX_DRIVER_STANDARDINPUT_H
