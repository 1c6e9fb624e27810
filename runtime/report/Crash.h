//===- Crash.h - Which kernel a fatal signal ended --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a host device is code of this process: a division by zero or a
// wrong address in it ends the program with a signal that names nothing. While
// a CrashScope lives, one line names the construct first.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_CRASH_H
#define ACCX_REPORT_CRASH_H

#include "report/Activity.h"

namespace accx {

namespace detail {
/// What one thread is doing; null between activities.
struct CrashSlot {
  std::atomic<const ActivityInfo *> Doing{nullptr};
  std::atomic<bool> Taken{false};
};
extern constinit thread_local CrashSlot *OwnCrashSlot;
/// This thread's slot, from its first scope on. The process's first installs
/// handlers for the fatal signals that the program has left alone.
CrashSlot *takeCrashSlot();
} // namespace detail

/// From construction to destruction the calling thread does \p Info, which must
/// live as long. Scopes nest; the innermost is told.
class CrashScope {
  detail::CrashSlot *Slot;
  const ActivityInfo *Before;

public:
  explicit CrashScope(const ActivityInfo &Info) : Slot(detail::OwnCrashSlot) {
    if (!Slot) [[unlikely]]
      Slot = detail::takeCrashSlot();
    Before = Slot->Doing.load(std::memory_order_relaxed);
    Slot->Doing.store(&Info, std::memory_order_release);
  }
  ~CrashScope() { Slot->Doing.store(Before, std::memory_order_release); }
  CrashScope(const CrashScope &) = delete;
  CrashScope &operator=(const CrashScope &) = delete;
};

} // namespace accx

#endif // ACCX_REPORT_CRASH_H
