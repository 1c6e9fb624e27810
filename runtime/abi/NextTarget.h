//===- NextTarget.h - The queue of a thread's next construct ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What accx_next_target() asked for.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_NEXTTARGET_H
#define ACCX_ABI_NEXTTARGET_H

#include "device/AsyncQueue.h"

namespace accx {

namespace detail {
extern thread_local constinit bool HasNextTarget
    [[gnu::tls_model("initial-exec")]];
} // namespace detail

/// The calling thread's next target construct goes onto \p Queue, of number
/// \p Number; \p Point, a QueuePoint or null, is its end.
void setNextTarget(AsyncQueue &Queue, int64_t Number, EventRef Point);

/// The construct runs on the host, after everything on the queue.
[[gnu::cold]] void dropNextTarget();
inline void nextTargetOnHost() {
  if (detail::HasNextTarget) [[unlikely]]
    dropNextTarget();
}

/// Around a target construct on \p D.
class NextTargetScope {
  bool Active;
  int64_t Outer = 0;
  void begin(Device &D);
  void end();

public:
  explicit NextTargetScope(Device &D) : Active(detail::HasNextTarget) {
    if (Active) [[unlikely]]
      begin(D);
  }
  ~NextTargetScope() {
    if (Active) [[unlikely]]
      end();
  }
  NextTargetScope(const NextTargetScope &) = delete;
  NextTargetScope &operator=(const NextTargetScope &) = delete;
  /// The construct is queued: it is no task of its own.
  bool active() const { return Active; }
};

} // namespace accx

#endif // ACCX_ABI_NEXTTARGET_H
