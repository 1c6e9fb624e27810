//===- FileIo.h - Whole reads and writes of descriptors ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system's calls until everything is moved: interruptions and short counts
// are continued, descriptors that do not block are waited for. Knows nothing of
// pieces and devices.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILEIO_H
#define ACCX_TRANSFER_FILEIO_H

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <string>
#include <sys/types.h>

namespace accx {

/// How far it got. Fewer bytes without an error: the file has no more.
struct IoResult {
  size_t Bytes = 0;
  int Error = 0; ///< An errno.
};

IoResult readAt(int Fd, void *To, size_t Size, off_t Offset);
IoResult writeAt(int Fd, const void *From, size_t Size, off_t Offset);
/// At the descriptor's position, or the end for O_APPEND.
IoResult readNext(int Fd, void *To, size_t Size);
IoResult writeNext(int Fd, const void *From, size_t Size);
/// Through a stream's buffer; what is written is with the system then.
IoResult readStream(std::FILE *Stream, void *To, size_t Size);
IoResult writeStream(std::FILE *Stream, const void *From, size_t Size);

/// What \p Fd is, for people: a path, or "descriptor 7".
std::string descriptorName(int Fd);

/// While it lives, SIGPIPE and SIGXFSZ that the calling thread's writes bring
/// about are gone: their errors tell enough, and the program did not ask for
/// that write now.
class NoWriteSignals {
  sigset_t Before;
  bool WasPending[2] = {};

public:
  NoWriteSignals();
  ~NoWriteSignals();
  NoWriteSignals(const NoWriteSignals &) = delete;
  NoWriteSignals &operator=(const NoWriteSignals &) = delete;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILEIO_H
