//===- Status.cpp - Error codes with a text -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The per-thread text of the last failure.
//
//===----------------------------------------------------------------------===//

#include "Status.h"

#include <cstdarg>
#include <cstdio>

using namespace accx;

/// A plain array, so that it needs no destructor and works in threads that are
/// already running their own.
static thread_local char LastError[1024];

accx_status host::fail(accx_status Code, const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(LastError, sizeof(LastError), Format, Args);
  va_end(Args);
  // Texts of the system's may carry newlines; the contract is one line.
  for (char &C : LastError)
    if (C == '\n')
      C = ' ';
  return Code;
}

const char *host::lastError() { return LastError; }
