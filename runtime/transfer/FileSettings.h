//===- FileSettings.h - What the environment says about files ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, pieces and paths of operations on files, and the defaults.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILESETTINGS_H
#define ACCX_TRANSFER_FILESETTINGS_H

#include <cstddef>

namespace accx {

/// How bytes of a file go.
enum class FilePath : unsigned char {
  Pool,    ///< Through the page cache, by several threads.
  Direct,  ///< Past it: O_DIRECT.
  Ordered, ///< One call after the other, by one thread.
  Stream,  ///< Through the buffer of a FILE.
};
constexpr int NumFilePaths = 4;
const char *pathName(FilePath P);

struct FileSettings {
  enum Paths : unsigned char { Measured, PoolOnly, DirectOnly };

  /// Of the pool, and whether the environment says so.
  unsigned Threads = 1;
  bool IsGiven = false;
  /// Of every operation; 0: see pieceFor().
  size_t PieceBytes = 0;
  Paths Path = Measured;
  /// Reads of at least so many bytes that are not cached, and writes, may go
  /// past the page cache; and so many bytes go before a path is chosen anew.
  size_t DirectFrom = size_t(32) << 20;
  size_t DirectWritesFrom = size_t(64) << 20;
  size_t WindowBytes = size_t(64) << 20;

  /// The environment's.
  static const FileSettings &get();
  /// Whether a thread may look for work instead of sleeping.
  static bool hasManyCores();

  /// Largest piece of an operation of \p Size bytes. Copies to and from the
  /// device overlap with reads and writes only if there are several pieces,
  /// and each has to be worth its hand-over.
  size_t pieceFor(size_t Size) const;
  /// Pieces of such an operation that are under way at once: more than threads,
  /// so that none waits for the next.
  unsigned depthFor(size_t Size) const;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILESETTINGS_H
