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
#include <unistd.h>

using namespace accx;

namespace {

/// Pieces of operations up to so many bytes. On 16 cores and an H100, files in
/// the page cache: two hand-overs take longer than to read 1 MiB; 4 MiB take
/// two thirds of the time if all threads have a part; pieces that are larger
/// than these leave the cores' caches before they are copied.
struct Step {
  size_t UpTo, Piece;
};
constexpr Step Steps[] = {{size_t(1) << 20, size_t(1) << 20},
                          {size_t(8) << 20, size_t(512) << 10},
                          {size_t(512) << 20, size_t(1) << 20}};
constexpr size_t LargestPiece = size_t(2) << 20;

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
          : std::clamp(numCores() * 3 / 4, 1U, 12U);
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

size_t FileSettings::pieceFor(size_t Size) const {
  if (PieceBytes)
    return PieceBytes;
  for (const Step &S : Steps)
    if (Size <= S.UpTo)
      return S.Piece;
  return LargestPiece;
}
