//===- FileRates.h - How fast files were so far -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What earlier operations of the process measured, for the choice of paths: by
// file system and direction, and which files were read past the page cache.
// Thread-safe.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILERATES_H
#define ACCX_TRANSFER_FILERATES_H

#include "transfer/FileSettings.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <sys/types.h>
#include <utility>

namespace accx {

class FileRates {
public:
  /// The process's; never destroyed.
  static FileRates &get();

  using System = std::pair<dev_t, bool>; ///< And whether it is written.
  using File = std::pair<dev_t, ino_t>;

  struct Rates {
    /// Bytes a nanosecond; 0: not known.
    double Pool = 0, Direct = 0;
    /// Choices since the slower one was tried last.
    unsigned Since = 0;
  };

  /// The path to take next, and why: the faster one, now and then the other.
  FilePath choose(System Of, const char *&Why);
  Rates rates(System Of);
  void add(System Of, FilePath P, size_t Bytes, uint64_t Nanoseconds);

  /// Bytes that were read past the page cache.
  uint64_t readDirectly(File F);
  void addReadDirectly(File F, size_t Bytes);

private:
  std::mutex Mutex;
  std::map<System, Rates> Systems;
  std::map<File, uint64_t> Files;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILERATES_H
