// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a thread's stack lies is asked once a thread where kernels have checks,
// and never where they have none: for a program's first thread the C library
// reads the list of all memory, which takes longer than most launches.
//
// RUN: %accxcxx -O1 -rdynamic %s -o %t && %run %t | FileCheck %s --check-prefix=NONE
// RUN: %accxcxx -O1 -rdynamic --accx-check %s -o %t.checked && %run %t.checked | FileCheck %s --check-prefix=ONCE
// NONE: 1000 launches, sum 1000, stack asked for 0 times
// ONCE: 1000 launches, sum 1000, stack asked for 1 times

#include <atomic>
#include <cstdio>
#include <dlfcn.h>
#include <pthread.h>

static std::atomic<int> Asked{0};
static pthread_t First;

/// The one that the plugin finds; the first thread's questions count.
extern "C" int pthread_getattr_np(pthread_t Thread, pthread_attr_t *To) {
  using Function = int (*)(pthread_t, pthread_attr_t *);
  static auto Real =
      reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_getattr_np"));
  if (pthread_equal(Thread, First))
    ++Asked;
  return Real(Thread, To);
}

int main() {
  First = pthread_self();
  int Sum = 0;
  for (int I = 0; I < 1000; ++I) {
#pragma omp target map(tofrom : Sum)
    Sum += 1;
  }
  std::printf("1000 launches, sum %d, stack asked for %d times\n", Sum,
              Asked.load());
}
