//===- FilePool.h - Threads that read and write files -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few threads for all operations on files. They start when there is work that
// no thread waits for, look for more for a moment and then sleep, and take no
// signals. Work must
// not wait for other work: what can block until somebody else does something,
// such as a read of a pipe, does not belong here.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILEPOOL_H
#define ACCX_TRANSFER_FILEPOOL_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace accx {

/// Starts a thread with a name (up to 15 characters) and without signals; false
/// if the system has none. -fno-exceptions makes std::thread end the program.
bool startThread(const char *Name, std::function<void()> Body, pthread_t &Out);

/// Thread-safe.
class FilePool {
public:
  using Job = std::function<void()>;

  /// The process's; never destroyed.
  static FilePool &get();

  explicit FilePool(unsigned Limit) : Limit(Limit) {}
  ~FilePool() { stop(); }

  /// Runs \p J on one of the threads; here, if there is none. A thread prefers
  /// jobs with \p Memory that it had lately: its core's cache may hold it.
  void run(Job J, const void *Memory = nullptr);
  /// Ends the threads when all work is done; the next work starts others.
  void stop();

  unsigned limit() const { return Limit; }

private:
  struct Waiting {
    Job Run;
    const void *Memory;
  };
  class Recent;

  void loop();
  void look(std::unique_lock<std::mutex> &Lock);
  Job take(Recent &Own);

  const unsigned Limit;
  std::mutex Mutex;
  std::condition_variable Wake;
  /// Guarded by Mutex.
  std::deque<Waiting> Jobs;
  /// How often others were preferred to the oldest job.
  unsigned PassedOver = 0;
  std::vector<pthread_t> Threads;
  unsigned Idle = 0;
  /// Of them, those that look.
  unsigned Looking = 0;
  /// Jobs.size(), for them.
  std::atomic<size_t> NumJobs{0};
  bool Stop = false;
};

} // namespace accx

#endif // ACCX_TRANSFER_FILEPOOL_H
