//===- OpenMPState.h - Internal control variables ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The internal control variables that a thread can change, and the values that
// a device's initial task starts with.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_OPENMPSTATE_H
#define ACCX_PLUGIN_HOST_OPENMPSTATE_H

#include "Status.h"

#include <cstdint>

namespace accx::host {

/// Internal control variables of one data environment. libomp keeps the number
/// of teams and the teams' thread limit once for the whole process, and the
/// default device is the host program's to choose: neither belongs here.
struct OpenMPState {
  enum : uint8_t {
    NumThreadsBit = 1,
    DynamicBit = 2,
    LevelsBit = 4,
    ScheduleBit = 8,
    AllocatorBit = 16,
    AllBits = 31
  };

  int NumThreads = 0;
  int Dynamic = 0;
  int MaxActiveLevels = 0;
  int Schedule = 0;
  int Chunk = 0;
  uintptr_t Allocator = 0;

  bool operator==(const OpenMPState &) const = default;

  /// Those of the calling thread.
  static OpenMPState current() {
    OpenMPState S;
    S.readCurrent(AllBits);
    return S;
  }
  /// Reads only some of them from the calling thread.
  void readCurrent(uint8_t Which);
  /// Those of a thread that OpenMP has not met before. Null if it could not be
  /// asked; last_error() says why.
  static const OpenMPState *initial();

  /// Gives the calling thread these values; it has \p Now.
  void applyOver(const OpenMPState &Now) const;
};

/// Limits the threads of the calling thread's next parallel regions for its
/// lifetime: thread_limit on a target construct without teams, which the code
/// that Clang generates leaves to the runtime.
class ThreadLimit {
  int Before = 0;

public:
  explicit ThreadLimit(uint32_t Limit) {
    if (Limit)
      set(Limit);
  }
  ~ThreadLimit() {
    if (Before)
      reset();
  }
  ThreadLimit(const ThreadLimit &) = delete;
  ThreadLimit &operator=(const ThreadLimit &) = delete;

private:
  void set(uint32_t Limit);
  void reset();
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_OPENMPSTATE_H
