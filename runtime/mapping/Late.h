//===- Late.h - Regions whose waits come later ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See accx/late.h for what compiled code promises and is promised.
//
//===----------------------------------------------------------------------===//
//
// A late region is one that takes longer than its call: it holds its entries,
// with counts and pins, until its thread settles. So other threads find what
// they would find while the region runs; only its own thread could tell, and
// does not ask before it settles. All late regions of a thread are on one queue
// of one device.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_LATE_H
#define ACCX_MAPPING_LATE_H

#include "mapping/Constructs.h"

namespace accx::late {

namespace detail {
extern thread_local constinit bool Some [[gnu::tls_model("initial-exec")]];
} // namespace detail

/// Whether regions of the calling thread are under way.
inline bool any() { return detail::Some; }

/// What became of late regions: the first failure and its region's place.
struct Outcome {
  Status Result;
  const Ident *Loc = nullptr;
};

/// Queues the region and returns true if everything it uses is on the device
/// and nothing of the host's is concerned. Otherwise nothing was done, or, if
/// \p Failed says so, it or an earlier one failed.
bool start(Construct C, const void *HostPtr, const KernelArgs &Args,
           Outcome &Failed);

/// Waits for all of them and ends them in order. Failures have been printed.
Outcome settle();

} // namespace accx::late

#endif // ACCX_MAPPING_LATE_H
