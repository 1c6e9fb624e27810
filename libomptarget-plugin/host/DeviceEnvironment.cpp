//===- DeviceEnvironment.cpp - getenv() of device code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DeviceEnvironment.h.
//
//===----------------------------------------------------------------------===//

#include "DeviceEnvironment.h"

#include <cstdlib>
#include <string>
#include <string_view>

using namespace accx;

/// `a/b.profraw` becomes `a/b.device-%m.profraw`; a pattern that tells programs
/// apart serves as it is.
static std::string forDevices(std::string_view Pattern) {
  for (size_t At = 0; (At = Pattern.find('%', At)) != Pattern.npos; ++At) {
    const size_t Letter = Pattern.find_first_not_of("0123456789", At + 1);
    if (Letter != Pattern.npos && Pattern[Letter] == 'm')
      return std::string(Pattern);
  }
  const size_t Folder = Pattern.rfind('/') + 1; // 0 if there is none
  const size_t Dot = Pattern.rfind('.');
  const size_t End =
      Dot == Pattern.npos || Dot <= Folder ? Pattern.size() : Dot;
  return std::string(Pattern.substr(0, End)) + ".device-%m" +
         std::string(Pattern.substr(End));
}

char *host::deviceEnvironment(const char *Name) {
  char *Value = std::getenv(Name);
  if (!Value || !*Value || std::string_view(Name) != "LLVM_PROFILE_FILE")
    return Value;
  // For good, as the environment's own strings are.
  static std::string &Pattern = *new std::string(forDevices(Value));
  return Pattern.data();
}
