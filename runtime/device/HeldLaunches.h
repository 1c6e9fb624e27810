//===- HeldLaunches.h - Launches that a thread has put off ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The asynchronous queues on which the calling thread may have put launches
// off, until others come that they start together with. Compiled code says
// where they have to start at the latest (accx/late.h); whatever else is asked
// of a queue starts its own.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_HELDLAUNCHES_H
#define ACCX_DEVICE_HELDLAUNCHES_H

namespace accx {

class AsyncQueue;

namespace held {

namespace detail {
extern thread_local constinit unsigned Num [[gnu::tls_model("initial-exec")]];
} // namespace detail

inline bool any() { return detail::Num != 0; }
/// \p Q may hold launches of the calling thread from now on.
void add(AsyncQueue &Q);
/// Starts them on all queues.
void start();

} // namespace held
} // namespace accx

#endif // ACCX_DEVICE_HELDLAUNCHES_H
