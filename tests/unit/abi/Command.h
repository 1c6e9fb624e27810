//===- Command.h - Commands a test runs -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a command and catches what it prints, in a folder that goes away.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_UNIT_ABI_COMMAND_H
#define ACCX_TESTS_UNIT_ABI_COMMAND_H

#include <filesystem>
#include <string>
#include <vector>

/// The lines that shell command \p Text printed on stdout. The test fails here
/// if the command does.
std::vector<std::string> linesOf(const std::string &Text);

/// A new empty folder, removed at the end of the scope.
class TemporaryFolder {
  std::filesystem::path Path;

public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string path() const { return Path.string(); }
};

#endif // ACCX_TESTS_UNIT_ABI_COMMAND_H
