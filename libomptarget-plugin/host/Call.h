//===- Call.h - Calling a kernel with its arguments -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls a C function of pointer-size arguments whose number is known only at
// run time.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_CALL_H
#define ACCX_PLUGIN_HOST_CALL_H

#include <cstdint>

namespace accx::host {

constexpr uint32_t MaxKernelArgs = 256;

/// Calls \p Code with \p NumArgs <= MaxKernelArgs slots.
void callKernel(void *Code, void *const *Args, uint32_t NumArgs);

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_CALL_H
