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
|* What the runtime promises: a region that it leaves under way concerns no
|* memory of the host's. Entry points of constructs settle by themselves before
|* they do anything else, and __tgt_target_kernel before it returns non-zero.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_LATE_H
#define ACCX_LATE_H

#ifdef __cplusplus
extern "C" {
#endif

/** A bit of the flags in __tgt_kernel_arguments. */
#define ACCX_KERNEL_LATE (1ull << 32)

/** What comes behind __accx_settle(). */
enum {
  /** Anything. */
  ACCX_SETTLE_ALL = 0,
  /** Loads from memory of which nobody knows where it lies. */
  ACCX_SETTLE_LOADS = 1
};

/** Waits for the calling thread's regions that are under way, as far as what
    comes next may see them. A failure ends the program with the region's line.
 */
void __accx_settle(int Before);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_LATE_H */
