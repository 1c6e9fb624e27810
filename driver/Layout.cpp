//===- Layout.cpp - The prefix the driver lies in -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Layout.h.
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "DriverConfig.h"
#include "Message.h"

#include <filesystem>

namespace accx::driver {

namespace fs = std::filesystem;

/// The folder `Name` under the prefix; one installed elsewhere is absolute.
static fs::path under(const fs::path &Prefix, const char *Name) {
  return (Prefix / Name).lexically_normal();
}

Layout Layout::ofThisProgram() {
  std::error_code Error;
  const fs::path Self = fs::read_symlink("/proc/self/exe", Error);
  if (Error)
    fail("/proc/self/exe: " + Error.message());
  const fs::path Bin = Self.parent_path();
  const fs::path Prefix = Bin.parent_path();
  // A build tree always says lib; an installation may have a multiarch folder.
  fs::path Lib = under(Prefix, ACCX_LIBDIR);
  if (!fs::exists(Lib / "libomptarget.so", Error))
    if (fs::path Plain = under(Prefix, "lib");
        fs::exists(Plain / "libomptarget.so", Error))
      Lib = Plain;
  fs::path Include = under(Prefix, ACCX_INCLUDEDIR);
  if (!fs::exists(Include, Error))
    Include = under(Prefix, "include");
  return {Bin.string(), Lib.string(), Include.string()};
}

} // namespace accx::driver
