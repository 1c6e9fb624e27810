//===- Helpers.h - Threads that share a job ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread cannot fill pinned memory as fast as the bus takes it: threads
// that take part in what one of the program's does.
//
//===----------------------------------------------------------------------===//
//
// The caller begins at once; the others join as they wake up, if anything is
// left by then:
//
//   caller     |part 0|part 3|part 5|.|  returns when all have left
//   helper 1      |part 1|part 4|
//   helper 2         |part 2|part 6|
//   helper 3                         too late: does not join
//
// After a job the helpers look for the next one for a moment before they sleep:
// programs that copy one array copy others.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_HELPERS_H
#define ACCX_PLUGIN_CUDA_HELPERS_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <vector>

namespace accx::cuda {

class Helpers {
public:
  /// What is done together. takePart() is called once by each who joins, at the
  /// same time, and takes pieces of the work until none is left.
  class Job {
  public:
    /// \p Member: 0 is the caller; below count().
    virtual void takePart(unsigned Member) = 0;

  protected:
    ~Job() = default;
  };

  /// \p Count threads with the caller's; none is made before the first job.
  /// They run on the processors that the calling thread may use now: by then
  /// the program may have bound it to one.
  explicit Helpers(unsigned Count);
  ~Helpers() { stop(); }
  Helpers(const Helpers &) = delete;

  unsigned count() const { return Count; }
  /// Returns when \p J is done. If the helpers are busy with another thread's,
  /// waits for them or does all of it alone. Thread-safe.
  void share(Job &J, bool Wait = false);
  /// memcpy() by all.
  void copy(void *To, const void *From, size_t Size);
  /// Ends the threads. Not at the same time as other calls.
  void stop();

private:
  struct Thread {
    Helpers *Of;
    unsigned Member;
    pthread_t Handle;
  };
  void start();
  void run(unsigned Member);
  /// The number of a job after \p Seen, or of the end.
  uint32_t awaitNext(uint32_t Seen) const;

  const unsigned Count;
  cpu_set_t Processors;
  bool KnowsProcessors;
  /// Held for a whole job.
  std::mutex Lock;
  bool Started = false;
  std::vector<Thread> Threads;
  /// The job and its number, for those who have joined.
  Job *Now = nullptr;
  uint32_t Number = 0;

  /// The number of the last job; what idle helpers sleep on.
  std::atomic<uint32_t> Generation{0};
  /// Members at work on the job, plus Open while more may join.
  std::atomic<uint32_t> Working{0};
  static constexpr uint32_t Open = 1u << 31;
  std::atomic<bool> Stop{false};
};

/// How many processors the calling thread may use.
unsigned numProcessors();

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_HELPERS_H
