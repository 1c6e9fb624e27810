//===- Rig.h - What the tests of queues share -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_OPENACC_RIG_H
#define ACCX_TESTS_OPENACC_RIG_H

#include "harness/Program.h"
#include "harness/Variant.h"

#include <accx/async.h>
#include <openacc.h>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <vector>

namespace rig {

/// A construct of the calling thread is on the queue while it lives.
class OnQueue {
  static inline thread_local bool Now = false;
  const bool Before = Now;

public:
  explicit OnQueue(long Queue) {
    Now = __accx_async_begin(Queue) != acc_async_sync;
  }
  ~OnQueue() {
    __accx_async_end();
    Now = Before;
  }
  static bool any() { return Now; }
};

constexpr uint64_t Implicit = accx::MapTargetParam | accx::MapImplicit;
constexpr uint64_t Both = accx::MapTo | accx::MapFrom;

/// The kernels of images/arrays.c.
class Program {
  harness::Library Lib{harness::readFile(ACCX_TEST_PLUGINS "/arrays.img")};
  void *Add, *Sum, *Spin;

  /// Launches on queues may start late. Catch2's own checks are for one
  /// thread.
  static void run(harness::Arguments &Args, int Device, void *Kernel,
                  const char *Source) {
    if ((OnQueue::any() ? Args.late(Device, Kernel, Source)
                        : Args.target(Device, Kernel, 0, Source)) != 0)
      std::abort();
  }

public:
  Program()
      : Add(Lib.kernel("add")), Sum(Lib.kernel("sum")),
        Spin(Lib.kernel("spin")) {
    Lib.registerNow();
    acc_set_device_num(0, acc_device_not_host);
  }

  /// A[0..N) += Value, with map type \p Type.
  void add(int Device, std::vector<int64_t> &A, int64_t Value,
           uint64_t Type = Both | Implicit,
           const char *Source = ";queues.c;add;11;3;;") {
    harness::Arguments Args;
    Args.map(A.data(), A.size() * 8, Type, ";A;queues.c;11;3;;");
    Args.literal(A.size()).literal(static_cast<uintptr_t>(Value));
    run(Args, Device, Add, Source);
  }
  /// Begin[0..N) += Value.
  void addTo(int Device, int64_t *Begin, size_t N, int64_t Value) {
    harness::Arguments Args;
    Args.map(Begin, N * 8, Both | Implicit);
    Args.literal(N).literal(static_cast<uintptr_t>(Value));
    run(Args, Device, Add, ";queues.c;add;11;3;;");
  }
  /// Out = the sum of A.
  void sum(int Device, int64_t &Out, std::vector<int64_t> &A) {
    harness::Arguments Args;
    Args.map(&Out, 8, accx::MapFrom | accx::MapTargetParam);
    Args.map(A.data(), A.size() * 8, accx::MapTo | Implicit);
    Args.literal(A.size());
    run(Args, Device, Sum, ";queues.c;sum;22;3;;");
  }
  void spin(int Device, uint64_t Rounds) {
    harness::Arguments Args;
    Args.literal(Rounds);
    run(Args, Device, Spin, ";queues.c;spin;33;3;;");
  }
};

/// A program that is never unregistered: for what ends with the process.
inline Program &program() {
  static Program *P = new Program;
  return *P;
}

} // namespace rig

#endif // ACCX_TESTS_OPENACC_RIG_H
