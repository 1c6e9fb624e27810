/*===- accx/thread_order.h - Order that ThreadSanitizer cannot see --------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Kernels of host devices run in the program's process, and with
|* -fsanitize=thread ThreadSanitizer looks at what they read and write. The
|* threads on which they run belong to the runtime and to the plugin, which are
|* built without it: ThreadSanitizer knows of their mutexes, but not of their
|* atomic operations. Whoever hands work or its result to another thread by an
|* atomic operation calls the functions below, or correct programs get reports.
|*
|* Where the program has no ThreadSanitizer each costs one load and a branch.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_THREAD_ORDER_H
#define ACCX_THREAD_ORDER_H

#ifdef __cplusplus
extern "C" {
#endif

/* ThreadSanitizer's run-time, which is in the program or nowhere. */
__attribute__((weak, visibility("default"))) void
AnnotateHappensBefore(const char *file, int line, const volatile void *what);
__attribute__((weak, visibility("default"))) void
AnnotateHappensAfter(const char *file, int line, const volatile void *what);

/** What the calling thread did until now comes before what other threads do
    after accx_order_after() of the same address. To be called before the atomic
    operation. */
static inline void accx_order_before(const volatile void *what) {
  if (AnnotateHappensBefore)
    AnnotateHappensBefore(__FILE__, __LINE__, what);
}

/** See accx_order_before(). To be called after the atomic operation. */
static inline void accx_order_after(const volatile void *what) {
  if (AnnotateHappensAfter)
    AnnotateHappensAfter(__FILE__, __LINE__, what);
}

#ifdef __cplusplus
}
#endif

#endif /* ACCX_THREAD_ORDER_H */
