//===- FaultPlugin.h - What the fault plugin is made of ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin behind the fault plugin, its options, and the functions that stand
// in the table of the fault plugin, as accx/plugin.h describes them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_FAULT_FAULTPLUGIN_H
#define ACCX_TESTS_FAULT_FAULTPLUGIN_H

#include "AsyncQueue.h"
#include "Control.h"

#include "accx/plugin.h"

namespace fault {

/// The plugin that is wrapped.
extern const accx_plugin *Base;

/// ACCX_FAULT_OPTIONS; see FaultPlugin.cpp.
struct FaultOptions {
  bool Async = false;
  bool NoVA = false;
  bool NoSpread = false;
  bool NoPeer = false;
  bool Pinned = false;
  bool Hold = false;
  bool Record = false;
  bool NoReach = false;
  bool Share = false;
  unsigned Delay = 0;
  unsigned Staged = 0;
};
extern FaultOptions Options;

/// The text of the last failure on this thread.
const char *lastError();

inline AsyncQueue *toQueue(accx_queue Queue) {
  return reinterpret_cast<AsyncQueue *>(Queue);
}
inline AsyncEvent *toEvent(accx_event Event) {
  return reinterpret_cast<AsyncEvent *>(Event);
}

/// \name Memory: FaultMemory.cpp
/// @{
/// Whether the bytes are in one block, of the device or pinned.
bool isInBlock(const Bytes &B);
accx_status allocate(accx_device Device, size_t Size, accx_memory_kind Kind,
                     void **Address);
accx_status release(accx_device Device, void *Address, accx_memory_kind Kind);
accx_status vaReserve(accx_device Device, size_t Size, void *Hint,
                      void **Address);
accx_status vaRelease(accx_device Device, void *Address, size_t Size);
accx_status vaCommit(accx_device Device, void *Address, size_t Size);
accx_status vaDecommit(accx_device Device, void *Address, size_t Size);
accx_status spreadAlloc(const accx_device *Devices, uint32_t NumDevices,
                        const accx_spread_part *Parts, uint32_t NumParts,
                        size_t Size, void **Address);
accx_status spreadFree(accx_device First, void *Address);
accx_status pin(accx_device Device, void *Host, size_t Size, void **Address);
accx_status unpin(accx_device Device, void *Host);
/// @}

/// \name Queues and events: FaultQueues.cpp
/// @{
accx_status queueCreate(accx_device Device, accx_queue *Queue);
void queueDestroy(accx_queue Queue);
accx_status queueWait(accx_queue Queue);
accx_status queueQuery(accx_queue Queue);
accx_status queueStart(accx_queue Queue);
accx_status queuesMeet(const accx_queue *Queues, uint32_t Num);
accx_status queueCheck(accx_queue Queue);
accx_status eventCreate(accx_device Device, accx_event *Event);
void eventDestroy(accx_event Event);
accx_status eventRecord(accx_event Event, accx_queue Queue);
accx_status eventWait(accx_event Event, accx_queue Queue);
accx_status eventSync(accx_event Event);
accx_status eventQuery(accx_event Event);
/// Gives the calls since the last call; see Control.h.
accx_fault_event_calls takeEventCalls();
/// @}

/// \name Work on queues: FaultWork.cpp
/// @{
accx_status copy(accx_device Device, accx_queue Queue, const accx_copy *Copy);
accx_status copyLater(accx_device Device, accx_queue Queue,
                      const accx_copy *Copy);
accx_status fill(accx_device Device, accx_queue Queue, void *Address,
                 uint64_t Pattern, uint32_t Width, size_t Count);
accx_status launch(accx_device Device, accx_queue Queue, accx_kernel Kernel,
                   const accx_launch *Launch);
accx_status nativeHandles(accx_device Device, accx_queue Queue,
                          void **NativeDevice, void **NativeContext,
                          void **NativeQueue);
accx_status queueAdopt(accx_device, void *NativeQueue, accx_queue *Queue);
/// Gives the launches since the last call; see Control.h.
unsigned takeLaunches(accx_launch *Out, unsigned Max);
/// @}

} // namespace fault

#endif // ACCX_TESTS_FAULT_FAULTPLUGIN_H
