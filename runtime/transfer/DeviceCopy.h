//===- DeviceCopy.h - Rectangles between any two devices --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies a rectangle of bytes from anywhere to anywhere: within the host, to
// and from a device, within a device, and between two of them. Devices of one
// plugin copy directly. Others copy through pinned host memory, a piece at a
// time, and one piece arrives while the next one leaves.
//
// Behind queues, devices of one plugin wait for one another by events. Between
// others the queues' threads meet, and one of them copies.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_DEVICECOPY_H
#define ACCX_TRANSFER_DEVICECOPY_H

#include "device/AsyncQueue.h"
#include "transfer/Rectangle.h"

namespace accx {

/// Copies between addresses of \p To and \p From, where null is the host, and
/// returns when that is done. Thread-safe.
Status copyRectangle(const Rectangle &R, Device *To, Device *From);

/// The same behind everything on both queues, which are one or belong to two
/// devices; later work of both comes after it. The caller goes on at once. The
/// queues' Order is held.
Status queueRectangle(const Rectangle &R, AsyncQueue &To, AsyncQueue &From);

} // namespace accx

#endif // ACCX_TRANSFER_DEVICECOPY_H
