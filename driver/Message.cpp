//===- Message.cpp - Messages to the user ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Message.h.
//
//===----------------------------------------------------------------------===//

#include "Message.h"

#include <cstdio>
#include <cstdlib>

namespace accx::driver {

static std::string Program = "accxcc";

void setProgramName(std::string Name) { Program = std::move(Name); }

const std::string &programName() { return Program; }

void fail(const std::string &What) {
  std::fprintf(stderr, "%s: error: %s\n", Program.c_str(), What.c_str());
  std::exit(1);
}

void warn(const std::string &What) {
  std::fprintf(stderr, "%s: warning: %s\n", Program.c_str(), What.c_str());
}

void note(const std::string &What) {
  std::fprintf(stderr, "%s: note: %s\n", Program.c_str(), What.c_str());
}

} // namespace accx::driver
