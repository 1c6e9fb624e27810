//===- Transfer.h - Copies and fills ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving bytes between host and devices, on a queue.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_TRANSFER_H
#define ACCX_PLUGIN_CUDA_TRANSFER_H

#include "Queue.h"

namespace accx::cuda {

/// The context of the queue's device is current in copy() and fill().
accx_status copy(Queue &Q, const accx_copy &Copy);
/// The same of a copy that may wait; launches that do are on the queue yet.
accx_status copyLater(Queue &Q, const accx_copy &Copy);
/// Whether copy() of so many bytes to the device has read them when it returns.
bool readsAtOnce(const Device &D, const void *Host, size_t Size);
/// Writes \p Count times the low \p Width bytes of \p Pattern.
accx_status fill(Queue &Q, void *Address, uint64_t Pattern, uint32_t Width,
                 size_t Count);

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_TRANSFER_H
