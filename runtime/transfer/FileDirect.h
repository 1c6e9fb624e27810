//===- FileDirect.h - A file past the page cache ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second descriptor of a regular file, with O_DIRECT: the program's keeps its
// flags. What of a piece can go that way is a middle part at whole pages of the
// file:
//
//   piece    | head |  pages  pages  pages  | tail |
//                   ^ Begin                 ^ End
//
// Pages, not the disk's blocks: a page that is written half past the cache and
// half through it would lose a half.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILEDIRECT_H
#define ACCX_TRANSFER_FILEDIRECT_H

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace accx {

class DirectFile {
  int Fd = -1;
  size_t Unit = 4096;
  size_t MemoryUnit = 4096;
  std::string Why;

public:
  DirectFile() = default;
  /// Of the regular file behind \p Program, to be read, or written up to
  /// \p End. See isOpen() and whyNot().
  DirectFile(int Program, bool Out, off_t End);
  ~DirectFile();
  DirectFile(const DirectFile &) = delete;
  DirectFile &operator=(const DirectFile &) = delete;

  bool isOpen() const { return Fd >= 0; }
  const std::string &whyNot() const { return Why; }
  int descriptor() const { return Fd; }
  /// The file's positions that are multiples of it begin pages.
  size_t unit() const { return Unit; }

  /// Offsets in a piece.
  struct Middle {
    size_t Begin = 0;
    size_t End = 0;
    bool empty() const { return Begin == End; }
  };
  /// Empty: the piece is too small, or \p Data has the wrong address.
  Middle middleOf(const void *Data, size_t Size, off_t Offset) const;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILEDIRECT_H
