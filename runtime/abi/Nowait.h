//===- Nowait.h - Deferred target tasks -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `nowait` constructs: the work goes to a queue of the device or to the
// device's worker, libomp keeps the task and asks for its end through an async
// handle.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_NOWAIT_H
#define ACCX_ABI_NOWAIT_H

#include "mapping/Constructs.h"
#include "mapping/Late.h"
#include "report/Source.h"
#include "support/Abi.h"

#include <functional>

namespace accx {

/// If the calling thread runs an OpenMP task that can be asked for its end
/// later, copies \p Arrays, queues \p Run with the copy on the worker of \p D,
/// leaves the handle in the task, and returns true. Otherwise does nothing and
/// returns false: the caller does the work now.
bool deferToTask(Device &D, const Ident *Loc, const MapArrays &Arrays,
                 std::function<Status(const MapArrays &)> Run);

/// The same for a target region whose kernel can be queued at once, by the
/// calling thread: no worker comes between. False: nothing was done.
bool startInTask(Construct C, const void *HostPtr, const KernelArgs &Args);

/// The same for regions that their thread gave away. Waits for them where the
/// task cannot be asked.
void endInTask(std::unique_ptr<late::Detached> Regions);

/// libomp asks whether the work behind \p Handle is over: then the handle is
/// deleted and cleared. Blocks when the thread asked in vain too often. Ends
/// the program if the work failed.
void queryTask(void **Handle);

} // namespace accx

#endif // ACCX_ABI_NOWAIT_H
