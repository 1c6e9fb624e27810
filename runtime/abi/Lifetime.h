//===- Lifetime.h - Start and end of the runtime ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime starts with the first library that registers and ends with the
// last that goes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_LIFETIME_H
#define ACCX_ABI_LIFETIME_H

namespace accx {

/// Counts a user; the first one connects tools and listeners.
void retainRuntime();
/// The last user's leave finishes queued work and tells tools that the devices
/// go. Devices and plugins stay: a library may be opened again.
void releaseRuntime();

} // namespace accx

#endif // ACCX_ABI_LIFETIME_H
