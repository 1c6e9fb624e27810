//===- DirectTask.h - Target tasks without libomp ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target task of libomp's costs several times what its region's launch does.
// One that continues a chain needs none: what it depends on is under way on the
// same queue.
//
//===----------------------------------------------------------------------===//
//
//  - A direct task is run by the thread that makes it, in place: its region is
//    a late one (mapping/Late.h). So is the first of a chain, which depends on
//    nothing that is under way.
//  - The next one is direct if it conflicts with the one before. Any other may
//    run beside the chain, and is libomp's. So are those in parallel regions,
//    where a thread has better things to do than to wait for the tasks of
//    others, and those that have something to free.
//  - A chain ends where others may want to depend on it: it is published then,
//    as one task of libomp's that has all of its dependences and waits for the
//    queue. From there on all are libomp's, until the thread waits for its
//    tasks.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_DIRECTTASK_H
#define ACCX_ABI_DIRECTTASK_H

#include <cstdint>

namespace accx::directTask {

enum class State : uint8_t { None, Runs, Refused };

namespace detail {
extern thread_local constinit State Now [[gnu::tls_model("initial-exec")]];
} // namespace detail

/// Whether the calling thread runs a task in place.
inline bool runs() { return detail::Now == State::Runs; }

/// Its region cannot be started in place. False if there is none.
inline bool refuse() {
  if (detail::Now == State::None)
    return false;
  detail::Now = State::Refused;
  return true;
}

/// __accx_settle().
void settle(int Before);

} // namespace accx::directTask

#endif // ACCX_ABI_DIRECTTASK_H
