//===- UserEvent.h - Events that the program ends ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known all, so that a program that ends without having ended one does not wait
// for it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_EVENT_USEREVENT_H
#define ACCX_EVENT_USEREVENT_H

#include "event/Event.h"

#include <list>

namespace accx {

class UserEvent final : public Event {
  std::list<UserEvent *>::iterator Place;

public:
  UserEvent();
  ~UserEvent() override;
  bool isUsers() const override { return true; }

  /// Ends all that are under way, with a failure.
  static void cancelAll();
};

} // namespace accx

#endif // ACCX_EVENT_USEREVENT_H
