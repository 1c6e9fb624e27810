//===- UserEvent.cpp - Events that the program ends -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "event/UserEvent.h"

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <vector>

using namespace accx;

namespace {

/// Never destroyed: events may go while the process ends.
struct UserEvents {
  std::mutex Mutex;
  std::list<UserEvent *> All;

  static UserEvents &get() {
    static UserEvents &Known = *new UserEvents;
    return Known;
  }
};

} // namespace

UserEvent::UserEvent() {
  // Before the program's images go, for which queues are waited.
  [[maybe_unused]] static const int Registered = std::atexit(cancelAll);
  UserEvents &Known = UserEvents::get();
  std::lock_guard Lock(Known.Mutex);
  Place = Known.All.insert(Known.All.end(), this);
}

UserEvent::~UserEvent() {
  UserEvents &Known = UserEvents::get();
  std::lock_guard Lock(Known.Mutex);
  Known.All.erase(Place);
}

void UserEvent::cancelAll() {
  std::vector<EventRef> Left;
  {
    UserEvents &Known = UserEvents::get();
    std::lock_guard Lock(Known.Mutex);
    for (UserEvent *E : Known.All)
      if (E->tryRetain())
        Left.push_back(EventRef::adopt(E));
  }
  for (const EventRef &E : Left)
    E->finish(-ECANCELED, "the program ends, and never completed this event");
}
