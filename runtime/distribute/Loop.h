//===- Loop.h - A loop that several devices share ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One target region whose outermost loop is split over devices: whether that
// may be done, where which iterations run, and in which order with what comes
// before and after; docs/internals/distribute.md.
//
//===----------------------------------------------------------------------===//
//
// A region may be split if no iteration can tell: what it writes lies in spread
// arrays, which all devices share, or in a reduction variable, of which each
// device gets a slot; what else it reads has the same value everywhere. A
// region for which that is not proven runs whole, on one device.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_LOOP_H
#define ACCX_DISTRIBUTE_LOOP_H

#include "device/AsyncQueue.h"
#include "distribute/LoopPlan.h"

#include <functional>
#include <memory>
#include <vector>

namespace accx {

/// Belongs to one thread.
class DistributedLoop {
public:
  using RunRegion = std::function<Status(Construct, const KernelArgs &)>;

  /// For a loop of \p Iterations on \p Devices, which may be none: then the
  /// region runs where its construct says.
  DistributedLoop(std::vector<Device *> Devices, LoopSchedule Schedule,
                  int64_t Iterations)
      : Devices(std::move(Devices)), Schedule(Schedule),
        Iterations(Iterations) {}

  /// Copies of a reduction variable that a split region may use; at least one.
  unsigned numSlots() const {
    return std::max<unsigned>(1, static_cast<unsigned>(Devices.size()));
  }
  /// That many copies of \p Variable, one behind the other, for the devices'
  /// partial results. Null if there is no memory. They live as long as this.
  void *addSlots(const void *Variable, size_t Bytes);
  /// How many slots hold a partial result once run() has returned; 0: the
  /// variable itself has the result.
  unsigned usedSlots() const { return NumUsed; }

  /// Runs the region of \p C with \p Run, split if that is right. What it did
  /// on devices is behind what comes next there, not over, unless something
  /// comes back to the host.
  Status run(Construct C, const void *HostPtr, const KernelArgs &Args,
             const RunRegion &Run);

private:
  struct Slots {
    uintptr_t Variable;
    size_t Bytes;
    std::unique_ptr<std::byte[]> Copies;
  };

  std::vector<HostRange> slotRanges() const;
  Status runParts(Construct C, const KernelArgs &Args, const RunRegion &Run,
                  const LoopPlan &P);

  std::vector<Device *> Devices;
  LoopSchedule Schedule;
  int64_t Iterations;
  std::vector<Slots> AllSlots;
  unsigned NumUsed = 0;
};

} // namespace accx

#endif // ACCX_DISTRIBUTE_LOOP_H
