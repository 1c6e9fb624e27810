//===- FileChoice.h - Through the page cache or past it ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which path each piece of one operation takes, and why. Reads: what is cached
// comes from the cache; the rest, if it is much, by the path that was faster on
// this file system, chosen anew every few pieces. Writes keep to one path, as
// pages must not be written in both ways at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILECHOICE_H
#define ACCX_TRANSFER_FILECHOICE_H

#include "transfer/FileDirect.h"
#include "transfer/FileRates.h"

#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>

namespace accx {

/// Whether at most half of a few pages of the range are cached. True where
/// nobody can tell.
bool isCold(int Fd, off_t Offset, size_t Size);

class FileChoice {
public:
  /// Of an operation on the open file \p Fd, whose \p Stat is known.
  FileChoice(const FileSettings &Settings, int Fd, const struct stat &Stat,
             bool Out, off_t Offset, size_t Size);

  /// Null: everything goes through the page cache.
  const DirectFile *direct() const { return Direct.get(); }
  /// Pieces with the mover at once.
  unsigned depth() const;
  /// The path of a piece that can go either way. Thread-safe, as all that
  /// follows.
  FilePath take(off_t Offset, size_t Size);
  /// O_DIRECT turned out not to work.
  void giveUp(int Error);
  /// \p Bytes by \p P took so long. Those of cached reads do not count.
  void measured(FilePath P, size_t Bytes, uint64_t Nanoseconds);
  /// One line.
  std::string reason();

private:
  bool wants(off_t Offset);
  FilePath next(size_t Size);

  const FileSettings &Settings;
  const int Fd;
  const bool Out;
  const size_t Size;
  const off_t FileSize;
  const FileRates::System System;
  const FileRates::File File;
  std::unique_ptr<DirectFile> Direct;

  std::mutex Mutex;
  /// Guarded by Mutex.
  std::string Why;
  bool GaveUp = false;
  FilePath Current = FilePath::Pool;
  size_t WindowLeft = 0;
  size_t Cached = 0, Cold = 0;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILECHOICE_H
