//===- Arrivals.h - Data that is still on its way ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region's copies in go ahead of its kernel on the same queue, so the region
// need not wait for them. Others who map the same bytes must: an event behind
// the copies tells when, whoever looks first.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_ARRIVALS_H
#define ACCX_DEVICE_ARRIVALS_H

#include "device/Plugin.h"
#include "directory/Directory.h"

#include <vector>

namespace accx {

/// The plans of one device whose copies are on their way. Guarded by the
/// device's map mutex, as the directory is.
class Arrivals {
  struct Arrival {
    accx_event Copied;
    Plan *P;
  };
  Plugin &Owner;
  const accx_device Handle;
  Directory &Maps;
  std::vector<Arrival> Pending;
  std::vector<accx_event> Idle;

  bool passed(accx_event E) const {
    return Owner.api().event_query(E) == ACCX_OK;
  }

public:
  Arrivals(Plugin &Owner, accx_device Handle, Directory &Maps)
      : Owner(Owner), Handle(Handle), Maps(Maps) {}

  bool empty() const { return Pending.empty(); }

  /// An event to record behind copies; null if there is none to be had.
  accx_event takeEvent();
  void giveEvent(accx_event E) { Idle.push_back(E); }

  /// \p P is settled when \p Copied has passed; both stay the caller's.
  void add(accx_event Copied, Plan &P) { Pending.push_back({Copied, &P}); }
  /// Settles the plans whose copies are done; whether there were any.
  bool settlePassed();
  /// Takes \p P back, whose queue was waited for, well or not; it is the
  /// caller's to settle. Whether its copies are known to be done: a queue that
  /// failed may have failed in them.
  bool end(accx_event Copied, Plan &P, bool QueueOk);
};

} // namespace accx

#endif // ACCX_DEVICE_ARRIVALS_H
