//===- AccProf.h - OpenACC's profiling interface ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts the tools of acc_prof.h before the first device, and tells them of
// devices that are made ready.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_ACCPROF_H
#define ACCX_ABI_ACCPROF_H

#include "device/AsyncQueue.h"
#include "image/Registry.h"

#include <openacc.h>

namespace accx {

enum class Caller { Construct, Routine };

/// Asks the tools; does nothing from the second call on.
void startProfiling();

/// acc_init of the host, which needs nothing but is an event.
void tellOfHostInit();

[[gnu::cold]] Status prepareSlow(Device &D, Caller From);
/// Registry::prepare(), which tools see.
inline Status prepareDevice(Device &D, Caller From) {
  if (Registry::get().isPrepared(D)) [[likely]]
    return Status();
  return prepareSlow(D, From);
}

/// The calling thread's queue as tools see it.
inline int64_t currentAsync() {
  const int64_t Number = asyncScope::current();
  return Number == asyncScope::None ? acc_async_sync : Number;
}

} // namespace accx

#endif // ACCX_ABI_ACCPROF_H
