//===- FileSettings.cpp - What the environment says about files -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileSettings.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileSettings.h"

#include "support/Environment.h"

#include <algorithm>
#include <sched.h>
#include <span>
#include <unistd.h>

using namespace accx;

namespace {

/// Pieces of operations up to so many bytes, for files in the page cache.
/// Pieces that are larger than these leave the cores' caches before they are
/// copied.
struct Step {
  size_t UpTo, Piece;
};
/// Where threads look for work a hand-over costs little.
constexpr Step Looking[] = {{size_t(256) << 10, size_t(256) << 10},
                            {size_t(1) << 20, size_t(128) << 10},
                            {size_t(8) << 20, size_t(512) << 10},
                            {size_t(512) << 20, size_t(1) << 20}};
/// Two hand-overs to a thread that sleeps take longer than to read 1 MiB.
constexpr Step Sleeping[] = {{size_t(1) << 20, size_t(1) << 20},
                             {size_t(8) << 20, size_t(512) << 10},
                             {size_t(512) << 20, size_t(1) << 20}};
constexpr size_t LargestPiece = size_t(2) << 20;
constexpr unsigned ManyCores = 8;
/// Threads beyond some get in each other's way until there is much to do.
constexpr unsigned FewThreads = 8, MostThreads = 12;
constexpr size_t MuchBytes = size_t(64) << 20;

unsigned numCores() {
  cpu_set_t Set;
  if (sched_getaffinity(0, sizeof(Set), &Set) == 0)
    return static_cast<unsigned>(CPU_COUNT(&Set));
  return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

FileSettings ofEnvironment() {
  const Environment &Env = Environment::get();
  FileSettings S;
  S.Threads =
      Env.FileThreads
          ? static_cast<unsigned>(std::min<int64_t>(Env.FileThreads, 256))
          : std::clamp(numCores() * 3 / 4, 1U, MostThreads);
  S.IsGiven = Env.FileThreads != 0;
  S.PieceBytes = static_cast<size_t>(Env.FilePiece);
  S.Path = Env.FilePath == "pool"     ? FileSettings::PoolOnly
           : Env.FilePath == "direct" ? FileSettings::DirectOnly
                                      : FileSettings::Measured;
  return S;
}

} // namespace

const char *accx::pathName(FilePath P) {
  constexpr const char *Names[NumFilePaths] = {"pool", "direct", "ordered",
                                               "stream"};
  return Names[static_cast<int>(P)];
}

const FileSettings &FileSettings::get() {
  static const FileSettings Settings = ofEnvironment();
  return Settings;
}

unsigned FileSettings::depthFor(size_t Size) const {
  return IsGiven || Size >= MuchBytes || Threads <= FewThreads
             ? std::max(2 * Threads, 2U)
             : FewThreads + 2;
}

bool FileSettings::hasManyCores() {
  static const bool Has = numCores() >= ManyCores;
  return Has;
}

size_t FileSettings::pieceFor(size_t Size) const {
  if (PieceBytes)
    return PieceBytes;
  const std::span<const Step> Steps = hasManyCores()
                                          ? std::span<const Step>(Looking)
                                          : std::span<const Step>(Sleeping);
  for (const Step &S : Steps)
    if (Size <= S.UpTo)
      return S.Piece;
  return LargestPiece;
}
