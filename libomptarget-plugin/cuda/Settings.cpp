//===- Settings.cpp - Environment variables of the CUDA plugin ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing of the variables; see Settings.h.
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "Helpers.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

using namespace accx;
using namespace accx::cuda;

/// A decimal or 0x number from \p Least to \p Most into \p Value; unset or
/// empty leaves it.
static accx_status readNumber(const char *Name, uint64_t Least, uint64_t Most,
                              uint64_t &Value) {
  const char *Text = std::getenv(Name);
  if (!Text || !*Text)
    return ACCX_OK;
  const char *End = Text + std::strlen(Text);
  const bool Hex = Text[0] == '0' && (Text[1] == 'x' || Text[1] == 'X');
  uint64_t Read = 0;
  auto [Stop, Error] =
      std::from_chars(Text + (Hex ? 2 : 0), End, Read, Hex ? 16 : 10);
  if (Error != std::errc() || Stop != End || Read < Least || Read > Most)
    return fail(ACCX_ERROR_INVALID, "%s=%s: must be a number from %llu to %llu",
                Name, Text, static_cast<unsigned long long>(Least),
                static_cast<unsigned long long>(Most));
  Value = Read;
  return ACCX_OK;
}

/// A variable of OpenMP's, whose mistakes libomp reports.
static void readBound(const char *Name, uint32_t &Value) {
  const char *Text = std::getenv(Name);
  uint32_t Read = 0;
  if (!Text)
    return;
  const char *End = Text + std::strlen(Text);
  auto [Stop, Error] = std::from_chars(Text, End, Read);
  if (Error == std::errc() && Stop == End && Read)
    Value = Read;
}

accx_status Settings::read() {
  *this = Settings();
  readBound("OMP_NUM_TEAMS", MaxTeams);
  readBound("OMP_TEAMS_THREAD_LIMIT", MaxTeamThreads);
  if (const char *Text = std::getenv("ACCX_CUDA_DRIVER"))
    DriverPath = Text;
  CopyThreads = std::min(numProcessors() / 2, 8u);

  const struct {
    const char *Name;
    uint64_t Least, Most;
    uint64_t &Value;
  } Numbers[] = {
      {"ACCX_CUDA_SPIN", 0, 1000000, SpinMicroseconds},
      {"ACCX_CUDA_COPY_THREADS", 0, 64, CopyThreads},
      {"ACCX_CUDA_STAGED_IN", 1 << 16, UINT64_MAX, StagedIn},
      {"ACCX_CUDA_STAGED_OUT", 1 << 16, UINT64_MAX, StagedOut},
      {"ACCX_CUDA_PIECE_BYTES", 0, 64 << 10, PieceBytes},
      {"ACCX_CUDA_WAVES", 1, 1 << 16, Waves},
      {"ACCX_GRAPH", 0, 1 << 16, GraphAfter},
      {"ACCX_GRAPH_GAP", 0, 1000000000, GraphGap},
      {"ACCX_CUDA_SHARE", 1, 64, Share},
      {"LIBOMPTARGET_STACK_SIZE", 0, UINT64_MAX, StackBytes},
      {"LIBOMPTARGET_HEAP_SIZE", 0, UINT64_MAX, HeapBytes},
      {"LIBOMPTARGET_DEVICE_RTL_DEBUG", 0, UINT32_MAX, DeviceDebug},
  };
  for (const auto &N : Numbers)
    if (accx_status S = readNumber(N.Name, N.Least, N.Most, N.Value))
      return S;
  return ACCX_OK;
}
