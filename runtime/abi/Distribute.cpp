//===- Distribute.cpp - Loops that several devices share ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The brackets around a distributed loop. The thread's target regions between
// them are the loop's; of usual programs that is one.
//
//===----------------------------------------------------------------------===//

#include "abi/Distribute.h"

#include "abi/Acc.h"
#include "abi/Listed.h"
#include "report/Report.h"

#include <accx/devices.h>

#include <memory>

using namespace accx;

namespace {

/// A loop between its brackets.
struct Bracket {
  DistributedLoop Loop;
  std::unique_ptr<Bracket> Outer;
};

thread_local constinit std::unique_ptr<Bracket> Current;
/// The last one, whose slots the program still combines.
thread_local constinit std::unique_ptr<Bracket> Ended;

} // namespace

DistributedLoop *accx::currentLoop() {
  return Current ? &Current->Loop : nullptr;
}

ACCX_ABI int __accx_distribute_begin(const int *Devices, int NumDevices,
                                     unsigned Schedule, long Iterations,
                                     const char *Source) {
  const Ident Loc = {0, 0, 0, 0, Source};
  std::vector<Device *> Listed =
      listedDevices({"distribute", &Loc, Devices, NumDevices,
                     (Schedule & ACCX_DEVICES_OF_TYPE) != 0});
  Current.reset(
      new Bracket{{std::move(Listed),
                   (Schedule & ACCX_DISTRIBUTE_BLOCK) ? LoopSchedule::Block
                                                      : LoopSchedule::Owner,
                   Iterations},
                  std::move(Current)});
  return static_cast<int>(Current->Loop.numSlots());
}

ACCX_ABI void *__accx_distribute_slots(const void *Variable,
                                       unsigned long Bytes, const char *Name) {
  void *Slots = Current ? Current->Loop.addSlots(Variable, Bytes) : nullptr;
  if (!Slots)
    fatal(1, "distribute: no memory for the devices' copies of '%s', %lu bytes",
          itemName(Name).c_str(), Bytes);
  return Slots;
}

ACCX_ABI int __accx_distribute_end(void) {
  if (!Current)
    return 0;
  Ended = std::move(Current);
  Current = std::move(Ended->Outer);
  return static_cast<int>(Ended->Loop.usedSlots());
}
