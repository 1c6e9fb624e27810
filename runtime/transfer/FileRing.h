//===- FileRing.h - Reads and writes that no thread waits for ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One io_uring of the process and the thread that takes what is done. Kernels
// may refuse it, as containers often have them do, and builds may be without
// liburing: then available() says why, and threads have to wait.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILERING_H
#define ACCX_TRANSFER_FILERING_H

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>

namespace accx {

/// Thread-safe.
class FileRing {
public:
  /// Gets the number of bytes or a negative error number, on the ring's thread.
  using Done = std::function<void(ssize_t)>;

  /// The process's; never destroyed.
  static FileRing &get();

  FileRing();
  ~FileRing();
  FileRing(const FileRing &) = delete;
  FileRing &operator=(const FileRing &) = delete;

  bool available();
  /// Why it is not.
  std::string whyNot();
  /// Starts moving \p Size bytes; false if it cannot now. Call it on a thread
  /// that lives long and takes no signals: the kernel ends what a thread
  /// submitted with the thread, and may interrupt it.
  bool start(bool Out, int Fd, void *Data, size_t Size, off_t Offset,
             Done Then);
  /// Ends the thread; nothing may be under way.
  void stop();

private:
  struct Impl;
  std::unique_ptr<Impl> Ring;
  std::string Why;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILERING_H
