//===- Instrumentation.h - Sanitizers in device code ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Clang leaves out when it links instrumented code for host devices.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_INSTRUMENTATION_H
#define ACCX_DRIVER_INSTRUMENTATION_H

#include <string>
#include <string_view>
#include <vector>

namespace accx::driver {

struct Clang;
struct Layout;

/// Which instrumentation the options ask for.
struct Instrumentation {
  /// Any that has a run-time in the program.
  bool Sanitizes = false;
  bool SanitizesThreads = false;
  /// Counters of Clang's, which need a run-time in each image.
  bool Counts = false;
  /// --accx-check: kernels of host devices ask about what they access.
  bool Checks = false;

  /// With what the environment asks for.
  Instrumentation();

  /// Takes note of an option that concerns it.
  void note(std::string_view Option);

  /// The flags that a compilation needs.
  void addCompileFlags(std::vector<std::string> &Flags) const;

  /// The flags that a link of code for this machine needs.
  void addLinkFlags(const Layout &Here, const Clang &Compiler,
                    std::vector<std::string> &Flags) const;
};

} // namespace accx::driver

#endif // ACCX_DRIVER_INSTRUMENTATION_H
