//===- Instrumentation.cpp - Sanitizers in device code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device image is a shared object in a program that has the sanitizer's
// run-time. Clang's linker wrapper puts a second one into the image, which
// fails to link; the linker that is named to it here leaves it out.
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "Clang.h"
#include "DriverConfig.h"
#include "Layout.h"
#include "Process.h"

#include <algorithm>
#include <filesystem>

namespace accx::driver {

namespace fs = std::filesystem;

/// Whether the comma-separated List has Name in it.
static bool has(std::string_view List, std::string_view Name) {
  for (size_t Begin = 0; Begin <= List.size();) {
    const size_t End = std::min(List.find(',', Begin), List.size());
    if (List.substr(Begin, End - Begin) == Name)
      return true;
    Begin = End + 1;
  }
  return false;
}

Instrumentation::Instrumentation() {
  const auto Check = environment("ACCX_CHECK");
  Checks = Check && *Check != "0";
}

void Instrumentation::addCompileFlags(std::vector<std::string> &Flags) const {
  // Messages name lines and variables.
  if (Checks)
    Flags.insert(Flags.end(), {"-g", "-fplugin-arg-accx-check"});
}

void Instrumentation::note(std::string_view Option) {
  constexpr std::string_view On = "-fsanitize=", Off = "-fno-sanitize=";
  if (Option.starts_with(On)) {
    Sanitizes = true;
    SanitizesThreads |= has(Option.substr(On.size()), "thread");
  } else if (Option.starts_with("-fprofile-instr-generate") ||
             Option.starts_with("-fprofile-generate")) {
    Counts = true;
  } else if (Option.starts_with(Off)) {
    const std::string_view List = Option.substr(Off.size());
    if (has(List, "all"))
      Sanitizes = SanitizesThreads = false;
    if (has(List, "thread"))
      SanitizesThreads = false;
  }
}

void Instrumentation::addLinkFlags(const Layout &Here, const Clang &Compiler,
                                   std::vector<std::string> &Flags) const {
  // Clang asks for it by name, but of the program alone.
  if (Counts)
    Flags.insert(Flags.end(), {"-Xoffload-linker-" ACCX_HOST_TRIPLE,
                               "-Wl,-u,__llvm_profile_runtime"});
  // A sanitizer knows the program's memory itself.
  if (Checks && !Sanitizes)
    for (const char *Name :
         {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign",
          "free", "_Znwm", "_Znam", "_ZnwmSt11align_val_t",
          "_ZnamSt11align_val_t", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm",
          "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
          "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t"})
      Flags.push_back(std::string("-Wl,--wrap=") + Name);
  if (!Sanitizes)
    return;
  Flags.insert(Flags.end(), {"-Xoffload-linker-" ACCX_HOST_TRIPLE,
                             "--ld-path=" + Here.Lib + "/accx/device-ld"});
  // OpenMP's barriers and tasks are made known to ThreadSanitizer by a tool of
  // LLVM's, which libomp asks only if it is in the program.
  std::error_code Error;
  const std::string Archer = Compiler.libraries() + "/libarcher.so";
  if (SanitizesThreads && fs::exists(Archer, Error))
    Flags.insert(Flags.end(), {Archer, "-Xlinker", "-rpath", "-Xlinker",
                               Compiler.libraries()});
}

} // namespace accx::driver
