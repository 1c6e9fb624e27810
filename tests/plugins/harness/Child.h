//===- Child.h - A test case in a process of its own ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a hidden test case of the same test program with an environment of its
// own, and keeps what it printed and how it ended: for failures that end the
// process, and for what the runtime reads once when it is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_HARNESS_CHILD_H
#define ACCX_TESTS_HARNESS_CHILD_H

#include <map>
#include <string>

namespace harness {

struct Child {
  std::string Out;
  std::string Err;
  int ExitCode = -1; ///< -1 if a signal ended it.
  int Signal = 0;
  bool TimedOut = false;

  bool has(const std::string &Text) const {
    return Err.find(Text) != std::string::npos;
  }
};

/// Runs the test case called \p Name (which is tagged as hidden) with \p
/// Variables added to the environment. Ends it after two minutes.
Child runCase(const std::string &Name,
              const std::map<std::string, std::string> &Variables = {});

} // namespace harness

#endif // ACCX_TESTS_HARNESS_CHILD_H
