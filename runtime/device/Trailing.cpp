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

Trailing::Iterator Trailing::remove(Iterator T) {
  Idle.push_back(T->End);
  T = Trails.erase(T);
  Some.store(!Trails.empty(), std::memory_order_release);
  return T;
}

/// A queue that failed does not say in what.
QueueOutcome Trailing::failure(Iterator T, Status S) {
  QueueOutcome Outcome = {
      std::move(S).within("copying '" + itemName(T->Name) +
                          "' to the device, or what came after it"),
      T->Source};
  remove(T);
  return Outcome;
}

bool Trailing::leave(accx_device Device, accx_queue Queue, const void *Name,
                     const char *Source) {
  const accx_plugin &Api = Owner.api();
  std::lock_guard Lock(Mutex);
  auto T = std::find_if(Trails.begin(), Trails.end(),
                        [=](const Trail &T) { return T.Queue == Queue; });
  if (T == Trails.end()) {
    accx_event End = nullptr;
    if (!Idle.empty()) {
      End = Idle.back();
      Idle.pop_back();
    } else if (Api.event_create(Device, &End) != ACCX_OK) {
      return false;
    }
    T = Trails.insert(T, {Queue, End, {}, Name, Source});
  }
  if (Api.event_record(T->End, Queue) != ACCX_OK) {
    remove(T);
    return false;
  }
  T->Followers.clear();
  T->Name = Name;
  T->Source = Source;
  Some.store(true, std::memory_order_release);
  return true;
}

QueueOutcome Trailing::follow(accx_queue Queue) {
  const accx_plugin &Api = Owner.api();
  std::lock_guard Lock(Mutex);
  for (auto T = Trails.begin(); T != Trails.end();) {
    if (T->Queue == Queue || T->follows(Queue)) {
      ++T;
      continue;
    }
    accx_status Code = Api.event_query(T->End);
    if (Code == ACCX_OK) {
      T = remove(T);
      continue;
    }
    if (Code == ACCX_NOT_READY)
      Code = Queue ? Api.event_wait(T->End, Queue) : ACCX_OK;
    if (Status S = Owner.check(Code); S.failed())
      return failure(T, std::move(S));
    if (Queue)
      T->Followers.push_back(Queue);
    ++T;
  }
  return {};
}

QueueOutcome Trailing::ended(accx_queue Queue) {
  std::lock_guard Lock(Mutex);
  for (auto T = Trails.begin(); T != Trails.end();) {
    if (T->Queue != Queue && !T->follows(Queue)) {
      ++T;
      continue;
    }
    if (Status S = Owner.check(Owner.api().event_query(T->End)); S.failed())
      return failure(T, std::move(S));
    T = remove(T);
  }
  return {};
}

void Trailing::settle() {
  auto AllEnded = [this] {
    std::lock_guard Lock(Mutex);
    return std::none_of(Trails.begin(), Trails.end(), [this](const Trail &T) {
      return Owner.api().event_query(T.End) == ACCX_NOT_READY;
    });
  };
  // They are short and on their way.
  constexpr int Spins = 1000;
  for (int I = 0; any() && !AllEnded(); ++I)
    if (I > Spins)
      std::this_thread::sleep_for(std::chrono::microseconds(10));
}
