//===- Policy.h - What entry points do before and after ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device selection, OMP_TARGET_OFFLOAD, and what happens to a failure at the
// ABI edge.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_POLICY_H
#define ACCX_ABI_POLICY_H

#include "device/AsyncQueue.h"
#include "device/Device.h"
#include "device/HeldLaunches.h"
#include "mapping/Late.h"
#include "report/Source.h"
#include "support/Error.h"

/// Entry points are C functions that the version script exports.
#define ACCX_ABI extern "C" [[gnu::visibility("default")]]

namespace accx {

enum class OffloadPolicy { Disabled, Mandatory };
/// OMP_TARGET_OFFLOAD as libomp read it; the default is mandatory as soon as
/// there are devices.
OffloadPolicy offloadPolicy();

/// Ends the calling thread's late regions; see mapping/Late.h.
[[gnu::cold]] void settleRegions();
inline void settleLate() {
  if (late::any()) [[unlikely]]
    settleRegions();
}

/// The device that a construct's number means: -1 is the default one.
int64_t deviceNumber(int64_t DeviceId);
/// constructDevice() for a region that may be late: it leaves late ones alone.
Device *regionDevice(int64_t DeviceId, const Ident *Loc);

/// Starts launches of asynchronous constructs that the calling thread has put
/// off, as what it does now takes a while. One more such construct does not.
inline void startHeld() {
  if (held::any() && asyncScope::current() == asyncScope::None) [[unlikely]]
    held::start();
}

/// The device construct \p Loc asked for by \p DeviceId (-1: the default
/// device), with all images loaded; null if the construct runs on the host.
/// Late regions have ended.
/// Fatal if there is no such device or its images do not load.
Device *constructDevice(int64_t DeviceId, const Ident *Loc);

/// The device an API routine asked for; fatal if there is none.
Device &routineDevice(int64_t DeviceId);

/// Ends the program if \p Result failed: with devices there is no way back to
/// the host, whose data may be stale. \p Loc names the construct.
void handleOutcome(const Status &Result, const Ident *Loc);

/// The collective number of the host.
int initialDevice();

} // namespace accx

#endif // ACCX_ABI_POLICY_H
