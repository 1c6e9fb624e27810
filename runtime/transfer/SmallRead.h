//===- SmallRead.h - Reads that need no thread ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in the page cache is read in less time than a thread takes to wake.
// The caller reads it into pinned memory and queues the copy to the device, as
// any copy is queued.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_SMALLREAD_H
#define ACCX_TRANSFER_SMALLREAD_H

#include "device/AsyncQueue.h"

#include <cstddef>
#include <memory>
#include <sys/types.h>

namespace accx {

/// Reads of at most so many bytes may be done so.
constexpr size_t SmallReadBytes = size_t(128) << 10;

/// Queues a read of \p Size bytes to the device address \p To, by the holder of
/// \p Q's Order. \p Keeps goes when the queue has passed. False, and nothing
/// was done: the bytes are not all there at once, or operations of the host on
/// the queue come first.
bool readAtOnce(AsyncQueue &Q, void *To, size_t Size, int Fd, off_t Offset,
                std::shared_ptr<void> Keeps);

} // namespace accx

#endif // ACCX_TRANSFER_SMALLREAD_H
