//===- Transfer.h - Copies and fills ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving bytes between host memory and host devices.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_TRANSFER_H
#define ACCX_PLUGIN_HOST_TRANSFER_H

#include "Status.h"

namespace accx::host {

/// All directions are copies in one address space.
accx_status copy(const accx_copy &Copy);

/// Writes \p Count times the low \p Width bytes of \p Pattern.
accx_status fill(void *Address, uint64_t Pattern, uint32_t Width, size_t Count);

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_TRANSFER_H
