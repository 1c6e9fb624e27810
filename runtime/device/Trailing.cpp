//===- Trailing.cpp - Copies that end after their construct ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trailing.h.
//
//===----------------------------------------------------------------------===//

#include "device/Trailing.h"

#include "report/Source.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace accx;

Status Trailing::open(accx_device Device) {
  const accx_plugin &Api = Owner.api();
  if (!Queue)
    if (Status S = Owner.check(Api.queue_create(Device, &Queue)); S.failed())
      return S;
  return End ? Status() : Owner.check(Api.event_create(Device, &End));
}

/// Lets the event tell of all copies.
accx_status Trailing::mark() {
  const accx_status Code =
      IsMarked ? ACCX_OK : Owner.api().event_record(End, Queue);
  IsMarked = Code == ACCX_OK;
  return Code;
}

void Trailing::forget() {
  Followers.clear();
  IsMarked = false;
  Some.store(false, std::memory_order_release);
}

/// A queue that failed does not say in what.
QueueOutcome Trailing::failure(Status S) {
  forget();
  return {std::move(S).within("copying '" + itemName(Name) +
                              "' to the device, or what came after it"),
          Source};
}

Status Trailing::copy(accx_device Device, const accx_copy &Copy,
                      const void *ItemName, const char *Place) {
  std::lock_guard Lock(Mutex);
  if (Status S = open(Device); S.failed())
    return S;
  if (Status S = Owner.check(Owner.api().copy(Device, Queue, &Copy));
      S.failed())
    return S;
  IsMarked = false;
  Followers.clear();
  if (!any()) {
    Name = ItemName;
    Source = Place;
  }
  Some.store(true, std::memory_order_release);
  return Status();
}

QueueOutcome Trailing::follow(accx_queue Other) {
  const accx_plugin &Api = Owner.api();
  std::lock_guard Lock(Mutex);
  if (!any() || follows(Other))
    return {};
  accx_status Code = mark();
  if (Code == ACCX_OK) {
    Code = Api.event_query(End);
    if (Code == ACCX_OK) {
      forget();
      return {};
    }
  }
  if (Code == ACCX_NOT_READY)
    Code = Other ? Api.event_wait(End, Other) : ACCX_OK;
  if (Status S = Owner.check(Code); S.failed())
    return failure(std::move(S));
  if (Other)
    Followers.push_back(Other);
  return {};
}

QueueOutcome Trailing::ended(accx_queue Other) {
  std::lock_guard Lock(Mutex);
  if (!follows(Other))
    return {};
  if (Status S = Owner.check(Owner.api().event_query(End)); S.failed())
    return failure(std::move(S));
  forget();
  return {};
}

void Trailing::settle() {
  // A failure is an end, of which who follows is told.
  auto Ended = [this] {
    std::lock_guard Lock(Mutex);
    return !any() || mark() != ACCX_OK ||
           Owner.api().event_query(End) != ACCX_NOT_READY;
  };
  // They are short and on their way.
  constexpr int Spins = 1000;
  for (int I = 0; any() && !Ended(); ++I)
    if (I > Spins)
      std::this_thread::sleep_for(std::chrono::microseconds(10));
}
