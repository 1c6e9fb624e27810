//===- DriverFlags.h - The flags that the driver adds -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile flags where something is compiled, link flags where something is
// linked, and none that this invocation has no use for: Clang warns of those.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_DRIVERFLAGS_H
#define ACCX_DRIVER_DRIVERFLAGS_H

#include <string>
#include <vector>

namespace accx::driver {

struct Clang;
struct CommandLine;
struct Layout;

/// What is said beside the flags.
enum class Notes { Quiet, Said };

/// The flags for this command line. Ends the program where a file they name is
/// not there.
std::vector<std::string> flagsFor(const CommandLine &Line, const Layout &Here,
                                  const Clang &Compiler, Notes Said);

/// Changes what Clang would get wrong: it emits device code for preprocessed
/// text only under the name of the language it was made from.
void rewritePreprocessed(CommandLine &Line, bool IsCxx);

} // namespace accx::driver

#endif // ACCX_DRIVER_DRIVERFLAGS_H
