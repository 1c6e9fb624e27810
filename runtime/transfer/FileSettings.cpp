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
#include <bit>
#include <sched.h>
#include <unistd.h>

using namespace accx;

namespace {

constexpr size_t SmallestPiece = size_t(256) << 10;
constexpr size_t LargestPiece = size_t(4) << 20;
/// Of one operation: the first is read, and the last copied, with nothing
/// beside it.
constexpr size_t FewPieces = 8;
/// Disks want several requests at once, however few threads there are.
constexpr unsigned DirectDepth = 8;

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
          : std::clamp(numCores() / 2, 1U, 8U);
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

size_t FileSettings::pieceFor(size_t Size, bool OnHost) const {
  if (PieceBytes)
    return PieceBytes;
  const size_t Parts = OnHost ? Threads : FewPieces;
  return std::clamp(std::bit_ceil(std::max<size_t>(Size / Parts, 1)),
                    SmallestPiece, LargestPiece);
}

unsigned FileSettings::depth(bool MayBeDirect) const {
  return std::max(2 * Threads, MayBeDirect ? DirectDepth : 2U);
}
