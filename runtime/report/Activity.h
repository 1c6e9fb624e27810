//===- Activity.h - What the runtime does, as it does it --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One hook for everything that ACCX_NOTIFY prints, ACCX_TRACE records,
// ACCX_STATS counts and ACCX_TIME sums up. With none of them set, a scope costs
// one relaxed load.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_ACTIVITY_H
#define ACCX_REPORT_ACTIVITY_H

#include "report/Source.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accx {

/// Kinds of activity; the values are the bits of ACCX_NOTIFY.
enum class ActivityKind : uint32_t {
  Launch = 1,     ///< A kernel.
  Transfer = 2,   ///< A copy or fill.
  Wait = 4,       ///< Blocking for a queue, an event or another construct.
  Region = 8,     ///< A whole construct: target, data begin/end, update.
  Allocation = 16 ///< Device memory: allocate, free, reserve, commit, trim.
};

/// What one activity was; unused fields stay at their defaults.
struct ActivityInfo {
  int Device = -1;
  /// Short static text: "target", "data begin", "to device", "allocate", ...
  /// ACCX_STATS counts the allocations called "allocate" and "commit".
  const char *What = "";
  /// Kernel's or variable's record or plain name; null if none.
  const char *Kernel = nullptr;
  const void *ItemName = nullptr;
  const Ident *Loc = nullptr;
  uint64_t Bytes = 0;
  /// The other device of a copy between two.
  int Peer = -1;
  /// Queue the work is on: 0 is the calling thread, 1.. are device queues.
  uint32_t Queue = 0;
  /// Outside: between memory and what is no device, such as a file. Copies
  /// between the device and the host for it are activities of their own.
  enum DirectionTy : uint8_t {
    None,
    ToDevice,
    FromDevice,
    Within,
    ToPeer,
    Outside
  };
  DirectionTy Direction = None;
  /// What else there is to say, for people; "" if nothing. Has to live until
  /// the activity has ended.
  std::string_view Detail;
};

namespace detail {
/// Bits of ActivityKind that anybody listens to.
extern std::atomic<uint32_t> ActivityMask;
} // namespace detail

inline bool activityEnabled(ActivityKind Kind) {
  return detail::ActivityMask.load(std::memory_order_relaxed) &
         static_cast<uint32_t>(Kind);
}
inline bool anyActivityEnabled() {
  return detail::ActivityMask.load(std::memory_order_relaxed) != 0;
}

/// Adds kernels that were started as parts of graphs to the totals.
void countGraphKernels(int Device, uint64_t Number);

/// From construction to destruction is one activity on the calling thread.
class ActivityScope {
  bool Active;
  ActivityKind Kind;
  uint64_t Begin = 0; ///< Nanoseconds, steady clock.
  ActivityInfo Info;

  void start();
  void finish();

public:
  ActivityScope(ActivityKind Kind, const ActivityInfo &What)
      : Active(activityEnabled(Kind)), Kind(Kind) {
    if (Active) [[unlikely]] {
      Info = What;
      start();
    }
  }
  ~ActivityScope() {
    if (Active) [[unlikely]]
      finish();
  }
  /// Sets ActivityInfo::Detail when it is known.
  void detail(std::string_view Text) {
    if (Active) [[unlikely]]
      Info.Detail = Text;
  }
  ActivityScope(const ActivityScope &) = delete;
  ActivityScope &operator=(const ActivityScope &) = delete;
};

/// Reads ACCX_NOTIFY, ACCX_TRACE, ACCX_STATS and ACCX_TIME once; called when
/// the runtime starts. Output is written when the process ends, also through
/// exit(). A process that was forked off neither traces nor counts.
void startActivityListeners();
/// Writes what is pending; called when the runtime stops and before abort().
/// Totals are printed again only if there was activity since the last time.
void flushActivityListeners();

} // namespace accx

#endif // ACCX_REPORT_ACTIVITY_H
