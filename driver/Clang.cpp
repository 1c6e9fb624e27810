//===- Clang.cpp - The Clang that does the work ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Clang.h.
//
//===----------------------------------------------------------------------===//

#include "Clang.h"
#include "Layout.h"
#include "Message.h"
#include "Process.h"

#include <filesystem>

namespace accx::driver {

namespace fs = std::filesystem;

static fs::path resolved(const std::string &Path) {
  std::error_code Error;
  fs::path Real = fs::canonical(Path, Error);
  return Error ? fs::path(Path) : Real;
}

std::string Clang::libraries() const {
  return (resolved(Path).parent_path().parent_path() / "lib").string();
}

/// The one that `Variable` names; asking it for its version is worth the time
/// only where the user named it.
static Clang named(const char *Variable, const std::string &Name,
                   const Layout &Here) {
  const std::string Named = Name + ", which " + Variable + " names, ";
  const auto Path = findProgram(Name);
  if (!Path)
    fail(Named + "is not a program; it is one program's name or path");
  // It would ask itself, and so on.
  if (const fs::path Real = resolved(*Path);
      Real.parent_path() == Here.Bin &&
      Real.filename().string().starts_with("accxc"))
    fail(Named + "is this driver; name a Clang 19, or unset " + Variable);
  const std::string Version = outputOf({*Path, "--version"}).value_or("");
  if (Version.find("clang version 19.") == std::string::npos)
    fail(Named + "is not Clang 19: " +
         (Version.empty() ? "it has no --version"
                          : Version.substr(0, Version.find('\n'))));
  return {*Path};
}

Clang Clang::find(bool IsCxx, const Layout &Here) {
  const char *Variable = IsCxx ? "ACCX_CXX" : "ACCX_CC";
  if (auto Name = environment(Variable))
    return named(Variable, *Name, Here);
  const std::string Name = IsCxx ? "clang++-19" : "clang-19";
  if (auto Path = findProgram(Name))
    return {*Path};
  if (auto Path = findProgram("/usr/lib/llvm-19/bin/" +
                              std::string(IsCxx ? "clang++" : "clang")))
    return {*Path};
  fail("no " + Name +
       " in PATH or /usr/lib/llvm-19/bin; install it (Debian: "
       "apt-get install clang-19 lld-19 libomp-19-dev) or name a Clang 19 in " +
       Variable);
}

} // namespace accx::driver
