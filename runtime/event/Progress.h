//===- Progress.h - The thread that looks after events ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the ends of events that nobody tells of, for those that have callbacks,
// and lets libraries move messages. The thread starts when it is first needed,
// looks again at growing intervals, and sleeps when there is nothing to look
// at.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_EVENT_PROGRESS_H
#define ACCX_EVENT_PROGRESS_H

#include "event/Event.h"
#include "support/Backoff.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace accx {

/// Thread-safe. Never destroyed; stop() ends the thread, the next need starts
/// another.
class Progress {
public:
  /// Makes progress; the argument is 1 on a thread that waits, 0 on that of
  /// this class. Returns one of Found.
  using Function = int (*)(int);
  enum Found { Nothing, UnderWay, GotOn };

  static Progress &get();

  /// Looks at \p E until it has ended.
  void watch(EventRef E);
  void add(Function Fn);
  /// When it returns nobody calls \p Fn any more.
  void remove(Function Fn);
  /// A function has something to do.
  void wake();
  void stop();

  /// Whether the calling thread is the program's and has functions to call
  /// while it waits.
  static bool helps() {
    return NumFunctions.load(std::memory_order_relaxed) != 0 && !IsOwnThread;
  }
  /// Calls the functions, on a thread that waits for something; whether that
  /// got anything on.
  static bool run() { return helps() && get().runFunctions(1) == GotOn; }
  /// How long who waits looks without a pause.
  static std::chrono::microseconds spin() {
    return NumFunctions.load(std::memory_order_relaxed) != 0
               ? Backoff::MessageSpin
               : Backoff::Spin;
  }
  /// The calling thread is one of the runtime's: it calls no functions.
  static void enterOwnThread() { IsOwnThread = true; }

private:
  Progress() = default;
  void start();
  void loop();
  Found lookOnce();
  Found runFunctions(int Waiting);

  static std::atomic<unsigned> NumFunctions;
  static thread_local constinit bool IsOwnThread
      [[gnu::tls_model("initial-exec")]];

  std::mutex Mutex;
  std::condition_variable Wake;
  /// Guarded by Mutex.
  std::vector<EventRef> Watched;
  bool Stop = false;
  bool Sleeping = false;
  std::thread Thread;
  /// Set by who wants the thread to look at once.
  std::atomic<bool> Called{false};
  /// Shared by callers of functions, alone for changes of the list.
  std::mutex FunctionsMutex;
  std::vector<Function> Functions;
  unsigned Running = 0;
  std::condition_variable NoneRuns;
};

} // namespace accx

#endif // ACCX_EVENT_PROGRESS_H
