//===- Settings.cpp - What the environment says of messages ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that is not accepted gives one line, and the default is used. The
// rows in runtime/support/OtherVariables.def describe them for users.
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace accx::mpi;

namespace {

constexpr size_t DefaultChunk = size_t(4) << 20;
/// Where two processes share a GPU, what one does there may wait for the other:
/// smaller messages are sooner there through pinned memory.
constexpr size_t DefaultShare = size_t(1) << 20;
constexpr double SmallestChunk = 16384, LargestChunk = 1 << 30;

const char *lookUp(const char *Name) {
  const char *Text = std::getenv(Name);
  return Text && *Text ? Text : nullptr;
}

void complain(const char *Name, const char *Text, const char *Accepted) {
  std::fprintf(stderr, "accx: %s=%s: not %s; the default is used\n", Name, Text,
               Accepted);
}

/// A number of bytes with K, M or G; negative if it is something else.
double readBytes(const char *Text) {
  char *End = nullptr;
  const double Number = std::strtod(Text, &End);
  const std::string_view Suffix = End;
  if (End == Text)
    return -1;
  if (Suffix == "K" || Suffix == "k")
    return Number * (1 << 10);
  if (Suffix == "M" || Suffix == "m")
    return Number * (1 << 20);
  if (Suffix == "G" || Suffix == "g")
    return Number * (1 << 30);
  return Suffix.empty() ? Number : -1;
}

size_t readChunk() {
  const char *Text = lookUp("ACCX_MPI_CHUNK");
  if (!Text)
    return DefaultChunk;
  const double Bytes = readBytes(Text);
  if (Bytes >= SmallestChunk && Bytes <= LargestChunk)
    return static_cast<size_t>(Bytes);
  complain("ACCX_MPI_CHUNK", Text, "16K to 1G bytes");
  return DefaultChunk;
}

std::chrono::nanoseconds readTimeout() {
  const char *Text = lookUp("ACCX_MPI_TIMEOUT");
  if (!Text)
    return {};
  char *End = nullptr;
  const double Seconds = std::strtod(Text, &End);
  if (End != Text && !*End && Seconds >= 0 && Seconds < 1e9)
    return std::chrono::nanoseconds(static_cast<int64_t>(Seconds * 1e9));
  complain("ACCX_MPI_TIMEOUT", Text, "a number of seconds");
  return {};
}

size_t readShare() {
  const char *Text = lookUp("ACCX_MPI_SHARE");
  if (!Text)
    return DefaultShare;
  const double Bytes = readBytes(Text);
  if (Bytes == 0)
    return SIZE_MAX;
  if (Bytes >= 1 && Bytes < 1e18)
    return static_cast<size_t>(Bytes);
  complain("ACCX_MPI_SHARE", Text, "a number of bytes");
  return DefaultShare;
}

} // namespace

Settings &Settings::get() {
  static Settings All = {readChunk(), readTimeout(), readShare()};
  return All;
}
