//===- Activity.cpp - What the runtime does, as it does it ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides who listens, measures activities and hands them on.
//
//===----------------------------------------------------------------------===//

#include "report/Activity.h"

#include "report/Listeners.h"
#include "report/PeerBytes.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <cerrno>
#include <chrono>
#include <mutex>
#include <pthread.h>

using namespace accx;

constinit std::atomic<uint32_t> accx::detail::ActivityMask{0};

namespace {

constexpr uint32_t AllKinds = 31;

/// Who listens; written before ActivityMask lets anybody in.
constinit std::atomic<uint32_t> NotifyMask{0};
constinit std::atomic<bool> Tracing{false};
constinit std::atomic<bool> Counting{false};
constinit std::atomic<bool> Timing{false};

uint64_t now() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

/// NVIDIA's bits: 1 launches, 2 transfers, 4 regions, 8 waits, 16 allocations.
uint32_t ofNvidia(int64_t Bits) {
  constexpr uint32_t Same = 1 | 2 | 16;
  return (static_cast<uint32_t>(Bits) & Same) |
         (Bits & 4 ? static_cast<uint32_t>(ActivityKind::Region) : 0) |
         (Bits & 8 ? static_cast<uint32_t>(ActivityKind::Wait) : 0);
}

/// A child shares the file with its parent and has copies of its counters;
/// both belong to the parent.
void continueInChild() {
  if (Tracing.exchange(false, std::memory_order_relaxed))
    abandonTrace();
  Counting.store(false, std::memory_order_relaxed);
  Timing.store(false, std::memory_order_relaxed);
  detail::ActivityMask.store(NotifyMask.load(std::memory_order_relaxed),
                             std::memory_order_relaxed);
}

void flush(bool Last) {
  const int SavedErrno = errno;
  if (Tracing.load(std::memory_order_relaxed))
    flushTrace(Last);
  if (Counting.load(std::memory_order_relaxed))
    printStats();
  if (Timing.load(std::memory_order_relaxed))
    printTimes();
  errno = SavedErrno;
}

/// Runs after the program's exit handlers and static destructors, which may
/// still use devices.
[[gnu::destructor]] void finishAtExit() { endActivityListeners(); }

} // namespace

void ActivityScope::start() { Begin = now(); }

void ActivityScope::finish() {
  // Scopes lie inside calls that a program may make between an operation and
  // its look at errno.
  const int SavedErrno = errno;
  FinishedActivity Activity{Kind, Info, Begin, now() - Begin};
  if (Info.Peer >= 0)
    Activity.PeerBytes = addPeerBytes(Info.Device, Info.Peer, Info.Bytes);
  if (NotifyMask.load(std::memory_order_relaxed) & static_cast<uint32_t>(Kind))
    notifyActivity(Activity);
  if (Tracing.load(std::memory_order_relaxed))
    traceActivity(Activity);
  if (Counting.load(std::memory_order_relaxed))
    countActivity(Activity);
  if (Timing.load(std::memory_order_relaxed))
    timeActivity(Activity);
  errno = SavedErrno;
}

void accx::startActivityListeners() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    const Environment &Env = Environment::get();
    uint32_t Mask = static_cast<uint32_t>(Env.Notify) & AllKinds;
    Mask |= ofNvidia(Env.NvidiaNotify) | ofNvidia(Env.PgiNotify);
    NotifyMask.store(Mask, std::memory_order_relaxed);
    if (!Env.Trace.empty() &&
        openTrace(Env.Trace, static_cast<uint64_t>(Env.TraceLimit) << 20)) {
      Tracing.store(true, std::memory_order_relaxed);
      Mask = AllKinds;
    }
    if (Env.Stats) {
      Counting.store(true, std::memory_order_relaxed);
      Mask = AllKinds;
    }
    if (Env.timing()) {
      Timing.store(true, std::memory_order_relaxed);
      Mask = AllKinds;
    }
    if (Mask != 0)
      pthread_atfork(nullptr, nullptr, continueInChild);
    detail::ActivityMask.store(Mask, std::memory_order_release);
  });
}

void accx::flushActivityListeners() { flush(/*Last=*/false); }

void accx::endActivityListeners() { flush(/*Last=*/true); }

std::string_view accx::kindName(ActivityKind Kind) {
  switch (Kind) {
  case ActivityKind::Launch:
    return "launch";
  case ActivityKind::Transfer:
    return "transfer";
  case ActivityKind::Wait:
    return "wait";
  case ActivityKind::Region:
    return "region";
  case ActivityKind::Allocation:
    return "allocation";
  }
  return "activity";
}

std::string_view accx::whatName(const ActivityInfo &Info) {
  if (Info.What && *Info.What) {
    const std::string_view What = Info.What;
    return What == "target" && openAccProgram() ? "compute" : What;
  }
  switch (Info.Direction) {
  case ActivityInfo::None:
    return "";
  case ActivityInfo::ToDevice:
    return "to device";
  case ActivityInfo::FromDevice:
    return "from device";
  case ActivityInfo::Within:
    return "within device";
  case ActivityInfo::ToPeer:
    return "to peer";
  case ActivityInfo::Outside:
    return "outside";
  }
  return "";
}
