//===- Report.cpp - Messages to the user ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prefixes LLVM's runtime uses, before texts that are written in one piece.
//
//===----------------------------------------------------------------------===//

#include "report/Report.h"

#include "report/Listeners.h"
#include "support/Environment.h"
#include "support/Output.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace accx;

constinit std::atomic<uint32_t> accx::detail::InfoLevel{0};

/// The front end defines it where directives of OpenACC are.
extern "C" [[gnu::weak]] const char __accx_openacc;

namespace {

/// The level must be there before the first construct asks for it, which may
/// be in a constructor of the program.
[[gnu::constructor]] void readInfoLevel() {
  setInfoLevel(static_cast<uint32_t>(Environment::get().InfoLevel));
}

std::string infoPrefix(int Device) {
  return "omptarget device " + std::to_string(Device) + " info: ";
}

std::string prefix(const char *Kind) {
  return (openAccProgram() ? "accx" : "omptarget") + std::string(Kind);
}

} // namespace

bool accx::openAccProgram() { return &__accx_openacc != nullptr; }

void accx::setInfoLevel(uint32_t Level) {
  detail::InfoLevel.store(Level, std::memory_order_relaxed);
}

void accx::info(int Device, const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  writeText(STDERR_FILENO, infoPrefix(Device), LineEnd::IfMissing, Format,
            Args);
  va_end(Args);
}

void accx::infoToOutput(int Device, const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  flockfile(stdout);
  fputs(infoPrefix(Device).c_str(), stdout);
  vfprintf(stdout, Format, Args);
  funlockfile(stdout);
  va_end(Args);
}

void accx::message(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  writeText(STDERR_FILENO, prefix(" message: "), LineEnd::IfMissing, Format,
            Args);
  va_end(Args);
}

void accx::error(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  writeText(STDERR_FILENO, prefix(" error: "), LineEnd::IfMissing, Format,
            Args);
  va_end(Args);
}

void accx::fatal(int Number, const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  writeText(STDERR_FILENO,
            prefix(" fatal error ") + std::to_string(Number) + ": ",
            LineEnd::IfMissing, Format, Args);
  va_end(Args);
  endActivityListeners();
  abort();
}

void accx::plain(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  writeText(STDERR_FILENO, {}, LineEnd::AsIs, Format, Args);
  va_end(Args);
}
