//===- Process.h - Finding, asking and becoming other programs  -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few things the driver does with processes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_PROCESS_H
#define ACCX_DRIVER_PROCESS_H

#include <optional>
#include <string>
#include <vector>

namespace accx::driver {

/// The value of an environment variable; an empty one counts as unset.
std::optional<std::string> environment(const char *Name);

/// The path of an executable file: `Name` itself where it has a slash, else the
/// first in PATH.
std::optional<std::string> findProgram(const std::string &Name);

/// What a program writes to its standard output; nothing if it cannot be run or
/// fails.
std::optional<std::string> outputOf(const std::vector<std::string> &Command);

/// What a program writes to its standard error, and how it ended: a negative
/// signal, 127 where it cannot be run, else its exit status.
struct Diagnosed {
  int Status;
  std::string Text;
};
Diagnosed diagnosticsOf(const std::vector<std::string> &Command);

/// Becomes another program.
[[noreturn]] void execute(const std::vector<std::string> &Command);

/// A command as one line that a POSIX shell takes apart again.
std::string shellQuoted(const std::vector<std::string> &Command);

} // namespace accx::driver

#endif // ACCX_DRIVER_PROCESS_H
