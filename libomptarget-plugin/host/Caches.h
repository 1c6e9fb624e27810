//===- Caches.h - How much the machine's caches hold ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels write large arrays past the cache (passes/processor/StreamStores.h),
// and ask the plugin what is large.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_CACHES_H
#define ACCX_PLUGIN_HOST_CACHES_H

#include <cstdint>
#include <vector>

namespace accx::host {

/// Bytes of which data caches of \p Cores keep so little that arrays are better
/// written past them; 0 if the system does not say how large caches are.
uint64_t streamBytes(const std::vector<int> &Cores);

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_CACHES_H
