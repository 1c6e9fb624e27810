//===- Operations.h - Calls that queue an operation of the host -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of accx/event.h and accx/channel.h share: queue, wait list
// and event of a call; whose memory an address is.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_OPERATIONS_H
#define ACCX_ABI_OPERATIONS_H

#include "abi/Acc.h"
#include "event/Event.h"
#include "mapping/Tail.h"
#include "transfer/Pipeline.h"

#include <functional>
#include <vector>

namespace accx::acc {

/// The last arguments of a function that queues an operation, and its name.
struct OperationCall {
  const Routine &Self;
  int Queue;
  int NumWait;
  const accx_event_t *Wait;
  accx_event_t *Event;

  /// 0, or -EINVAL if they make no sense.
  int check() const;
  /// The queue of the call on \p D, made if it was never used; null where the
  /// call waits, or all is the host's. 0, or the error number for the program.
  int findQueue(Device *D, AsyncQueue *&Found) const;
};

/// Where memory of the program is: addresses of the device, or of the host.
struct PlacedSections {
  std::vector<Section> Sections;
  /// The host reaches them.
  bool OnHost = true;
  /// What is present stays on the device while this lives.
  std::shared_ptr<ConstructTail> Pins;
};

/// Finds out whose memory the rows are, on the calling thread's device \p D
/// (null: the host's): all present, all the device's, or all the host's.
/// False: partly present. Who queues an operation keeps \p Out in it.
bool place(Device *D, const accx_section *Rows, int Num, PlacedSections &Out);

/// What an operation does, on some thread: \p D and \p Queue are null where all
/// is the host's. Code 0, or a negative error number with one line of text.
using OperationFn = std::function<MoveResult(Device *D, accx_queue Queue)>;

/// Queues \p Op on the calling thread's device \p D (see currentDevice()), or
/// carries it out now where there is none or Queue is acc_async_sync. 0 or a
/// negative error number, which the call returns; the event is the call's.
/// \p What names the operation in traces ("read"); a literal. \p AtEnd is
/// called when it has ended, also if \p Op did not run.
int queueOperation(const OperationCall &Call, Device *D, const char *What,
                   OperationFn Op, Event::Callback AtEnd = nullptr);

/// The source record of the directive that the calling thread's call stands
/// for; null if the program calls by itself.
const char *operationPlace();
/// What is queued next on \p Q, by the holder of its Order, is of this call.
void setPlace(AsyncQueue &Q, const Routine &Self);

/// References to the events; false if one is null or the list is.
bool takeEvents(int Num, const accx_event_t *Events,
                std::vector<EventRef> &Out);
inline Event *eventOf(accx_event_t E) { return static_cast<Event *>(E); }
/// \p Status is what the program is told of \p E: its queue need not tell
/// again.
int tell(Event &E, int Status);
/// Waits and tells. 0, or the status of the first that failed.
int waitAndTell(const std::vector<EventRef> &Events);

} // namespace accx::acc

#endif // ACCX_ABI_OPERATIONS_H
