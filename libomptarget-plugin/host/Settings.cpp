//===- Settings.cpp - Environment variables of the host plugin ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing of the ACCX_HOST_* variables.
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

using namespace accx;
using namespace accx::host;

/// Decimal digits only: no sign, no blanks. False on overflow too.
static bool parseNumber(std::string_view Text, uint64_t &Value) {
  if (Text.empty())
    return false;
  Value = 0;
  for (char C : Text) {
    if (C < '0' || C > '9')
      return false;
    if (__builtin_mul_overflow(Value, uint64_t(10), &Value) ||
        __builtin_add_overflow(Value, uint64_t(C - '0'), &Value))
      return false;
  }
  return true;
}

/// A number of bytes with an optional suffix K, M or G (powers of 1024).
static bool parseBytes(std::string_view Text, uint64_t &Value) {
  unsigned Shift = 0;
  if (!Text.empty()) {
    switch (Text.back()) {
    case 'k':
    case 'K':
      Shift = 10;
      break;
    case 'm':
    case 'M':
      Shift = 20;
      break;
    case 'g':
    case 'G':
      Shift = 30;
      break;
    }
    if (Shift)
      Text.remove_suffix(1);
  }
  return parseNumber(Text, Value) &&
         !__builtin_mul_overflow(Value, uint64_t(1) << Shift, &Value);
}

/// 0 or 1 into \p Value; unset leaves it.
static accx_status readSwitch(const char *Name, bool &Value) {
  const char *Text = std::getenv(Name);
  if (!Text)
    return ACCX_OK;
  if (std::strcmp(Text, "0") != 0 && std::strcmp(Text, "1") != 0)
    return fail(ACCX_ERROR_INVALID, "%s=%s: must be 0 or 1", Name, Text);
  Value = Text[0] == '1';
  return ACCX_OK;
}

/// Whether the user placed OpenMP threads; ours then follow the same rules.
static bool userPlacesThreads() {
  for (const char *Name :
       {"OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY", "GOMP_CPU_AFFINITY"})
    if (const char *Text = std::getenv(Name); Text && *Text)
      return true;
  return false;
}

accx_status Settings::read() {
  *this = Settings();

  if (const char *Text = std::getenv("ACCX_HOST_DEVICES")) {
    uint64_t Count = 0;
    if (!parseNumber(Text, Count) || Count > 1024)
      return fail(ACCX_ERROR_INVALID,
                  "ACCX_HOST_DEVICES=%s: must be a number from 0 to 1024",
                  Text);
    NumDevices = uint32_t(Count);
    DevicesGiven = true;
  }

  if (accx_status S = readSwitch("ACCX_HOST_UNIFIED", Unified))
    return S;

  MemoryBytes =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  if (const char *Text = std::getenv("ACCX_HOST_MEMORY"))
    if (!parseBytes(Text, MemoryBytes) || MemoryBytes == 0)
      return fail(ACCX_ERROR_INVALID,
                  "ACCX_HOST_MEMORY=%s: must be a number of bytes above 0, "
                  "with an optional suffix K, M or G",
                  Text);

  if (const char *Text = std::getenv("ACCX_HOST_STREAM")) {
    uint64_t Bytes = 0;
    if (!parseBytes(Text, Bytes))
      return fail(ACCX_ERROR_INVALID,
                  "ACCX_HOST_STREAM=%s: must be a number of bytes, with an "
                  "optional suffix K, M or G",
                  Text);
    StreamBytes = Bytes;
  }

  if (const char *Text = std::getenv("ACCX_CHECK"); Text && *Text) {
    uint64_t Level = 0;
    if (!parseNumber(Text, Level) || Level > 2)
      return fail(ACCX_ERROR_INVALID, "ACCX_CHECK=%s: must be 0, 1 or 2", Text);
    Check = uint32_t(Level);
  }

  Bind = !userPlacesThreads();
  return readSwitch("ACCX_HOST_BIND", Bind);
}
