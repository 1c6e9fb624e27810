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

#include <memory>
#include <span>
#include <vector>

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

/// What a region is to its thread.
enum class Role : uint8_t {
  /// Its thread goes on as if it had ended.
  Region,
  /// A target task: nothing of the program's waits for it but what says so.
  Task
};

/// Whether late regions on \p D run on threads of the host, beside their own.
bool needThread(const Device &D);

/// Queues the region and returns true if everything it uses is on the device
/// and nothing of the host's is concerned. Otherwise nothing was done, or, if
/// \p Failed says so, it or an earlier one failed. A task does not wait for
/// regions of another device.
bool start(Construct C, const void *HostPtr, const KernelArgs &Args, Role Is,
           Outcome &Failed);

/// \name Data constructs beside them
/// @{
/// The device on which they are; null if there are none.
Device *device();
/// The entries that they count, one for each count; false if they are many, or
/// hold some.
bool counts(std::vector<const Entry *> &Held);
/// Entries have come, or \p Gone, which they use, has left: what is called as a
/// region under way was is not that region.
void lookUpAgain(std::span<const HostRange> Gone = {});
/// What has left.
std::span<const HostRange> gone();
/// @}

/// Waits for all of them and ends them in order. Failures have been printed.
Outcome settle();

/// Whether loads of the host's may see something of them: what kernels write
/// that is not the device's alone.
bool seenByLoads();

/// Whether some are under way, all of them tasks.
bool onlyTasks();

/// Regions that their thread has given away.
class Detached {
public:
  virtual ~Detached() = default;
  /// Whether they are over; does not block. Any thread may ask.
  virtual bool done() = 0;
  /// settle() for them, once, on any thread.
  virtual Outcome settle() = 0;
};

/// Gives away what onlyTasks() tells of.
std::unique_ptr<Detached> detach();

} // namespace accx::late

#endif // ACCX_MAPPING_LATE_H
