/*===- accx/late.h - Regions whose waits come later -----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A pass over host code finds synchronous target regions of which the code
|* behind them sees nothing for a while. It sets ACCX_KERNEL_LATE in the flags
|* of such a region's arguments, and calls __accx_settle(), if the runtime has
|* it, before the first thing that may see a difference. A runtime that does not
|* know the bit waits for the region at once.
|*
|* The same pass finds target tasks (`nowait`) that a function makes: it has
|* __accx_target_task_alloc() and __accx_target_task() called for libomp's two
|* functions. The runtime queues such a task where it is made if the device does
|* what it depends on first anyway. Otherwise it makes it a task of libomp's, at
|* the latest in __accx_settle(ACCX_SETTLE_ALL).
|*
|* Of asynchronous constructs it finds those whose launch may be put off until
|* others come, to start together with them: these have the bit, too.
|*
|* What the runtime promises: a region that it leaves under way concerns no
|* memory of the host's. Entry points of constructs settle by themselves before
|* they do anything else, and __tgt_target_kernel before it returns non-zero.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_LATE_H
#define ACCX_LATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A bit of the flags in __tgt_kernel_arguments. */
#define ACCX_KERNEL_LATE (1ull << 32)

/** What comes behind __accx_settle(). */
enum {
  /** Anything. */
  ACCX_SETTLE_ALL = 0,
  /** Stores to memory of which nobody knows where it lies. */
  ACCX_SETTLE_STORES = 1,
  /** Loads from such memory. */
  ACCX_SETTLE_LOADS = 2,
  /** `taskwait`: the thread has no target task left behind it. */
  ACCX_SETTLE_TASKS = 3,
  /** Added to one of these: a loop without constructs comes, during which the
      device is to be busy. */
  ACCX_SETTLE_LOOP = 4
};

/** Waits for the calling thread's regions that are under way, as far as what
    comes next may see them, and starts asynchronous ones that have been put
    off. A failure ends the program with the region's line. */
void __accx_settle(int Before);

/** As libomp's __kmpc_omp_target_task_alloc(). The task goes to
    __accx_target_task() of the same thread. */
void *__accx_target_task_alloc(void *Place, int32_t Thread, int32_t Flags,
                               size_t TaskBytes, size_t SharedBytes,
                               void *Routine, int64_t Device);

/** As libomp's __kmpc_omp_task_with_deps(), which it calls if the task is
    libomp's. */
int32_t __accx_target_task(void *Place, int32_t Thread, void *Task,
                           int32_t NumDependences, void *Dependences,
                           int32_t NumNoAlias, void *NoAlias);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_LATE_H */
