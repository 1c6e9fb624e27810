//===- LoopPlan.h - Whether and how a loop is split -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for one execution of a target region, from its map items, from what
// the compiler says of the kernel, and from what is where on the devices. It
// changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_LOOPPLAN_H
#define ACCX_DISTRIBUTE_LOOPPLAN_H

#include "distribute/Split.h"
#include "distribute/Spread.h"
#include "mapping/Constructs.h"

#include <span>
#include <string>
#include <vector>

namespace accx {

enum class LoopSchedule {
  Owner, ///< Iterations run where what they write lies.
  Block  ///< The same number on each device.
};

/// What is to be split.
struct LoopRequest {
  std::span<Device *const> Devices;
  LoopSchedule Schedule;
  int64_t Iterations;
  /// Variables of which each device has its own.
  std::vector<HostRange> Slots;
  /// Onto a queue of the program's.
  bool Queued;
};

struct LoopPlan {
  /// Owners are indices of the request's devices. Empty: the region runs whole,
  /// on Whole, or where its construct says if that is null, because of Why.
  std::vector<IterationRange> Ranges;
  Device *Whole = nullptr;
  std::string Why;
  /// A device is gone: what it has of the loop's data nobody else has.
  Status Lost;

  /// Which map items are the first and the last iteration, by device.
  struct Numbers {
    int First, Last;
  };
  std::vector<Numbers> NumbersOf;
  /// Map items that the kernel does not write.
  std::vector<int> OnlyRead;
  /// A spread array that each iteration reads through and nothing of the loop
  /// writes: each part may as well read a copy.
  struct Walk {
    int Item;
    SpreadRef Array;
    /// What is mapped of it; all, if only the address is.
    HostRange Range;
  };
  std::vector<Walk> Walks;
  /// Variables with slots that each part touches once.
  std::vector<int> Reduced;
  /// Devices that can see what the loop touches, its own among them.
  std::vector<Device *> Seen;
  /// The caller has to wait: host memory is used meanwhile, or a device does
  /// everything at once.
  bool MustWait = false;
};

LoopPlan planLoop(Construct C, const void *HostPtr, const KernelArgs &Args,
                  const LoopRequest &Request);

/// Says, once for each construct, why the loop of \p C is not split.
void tellWhole(Construct C, const LoopPlan &P);

} // namespace accx

#endif // ACCX_DISTRIBUTE_LOOPPLAN_H
