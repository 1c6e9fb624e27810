//===- ThreadOwned.h - An object of each thread's ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constructs may run when the thread's variables are gone, in handlers of
// atexit(). A plain pointer tells them:
//
//   static thread_local constinit T *Own = nullptr;
//   ...
//   static thread_local ThreadOwned Thread(Own); // Where one is needed.
//   if (!Own) ...                                // It is gone.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_THREADOWNED_H
#define ACCX_SUPPORT_THREADOWNED_H

#include <utility>

namespace accx {

/// Makes an object behind the thread's pointer, and takes whatever is there
/// away when the thread's variables go.
template <typename T> class ThreadOwned {
  T *&Own;

public:
  explicit ThreadOwned(T *&Own) : Own(Own) { Own = new T; }
  ~ThreadOwned() { delete std::exchange(Own, nullptr); }
  ThreadOwned(const ThreadOwned &) = delete;
  ThreadOwned &operator=(const ThreadOwned &) = delete;
};

} // namespace accx

#endif // ACCX_SUPPORT_THREADOWNED_H
