/*===- spread.h - Programs for one device that become programs for all ----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* ACCX(...) is a directive for several devices; with -DPLAIN=1 it is nothing,
|* and PLAIN_DATA(...) are the directives that put the data on the one device.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_SCALE_SPREAD_H
#define ACCX_BENCH_SCALE_SPREAD_H

#include "scale.h"

#include <omp.h>
#include <openacc.h>

#define SCALE_PRAGMA(...) _Pragma(#__VA_ARGS__)
#ifndef PLAIN
#define PLAIN 0
#endif
#if PLAIN
#define ACCX(...)
#define PLAIN_DATA(...) SCALE_PRAGMA(__VA_ARGS__)
#define SCALE_IMPL "accx-plain"
#else
#define ACCX(...) SCALE_PRAGMA(__VA_ARGS__)
#define PLAIN_DATA(...)
#define SCALE_IMPL "accx-spread"
#endif

static inline int scaleDevices(void) {
  return PLAIN ? 1 : acc_get_num_devices(acc_get_device_type());
}

/** Waits for all that is queued on the devices: a copy from each comes behind
    it. A is present. */
static inline void scaleFinish(const void *A) {
  float First;
  for (int D = 0; D < omp_get_num_devices(); ++D) {
    void *OnDevice = omp_get_mapped_ptr(A, D);
    if (OnDevice)
      omp_target_memcpy(&First, OnDevice, sizeof(First), 0, 0,
                        omp_get_initial_device(), D);
  }
}

#endif /* ACCX_BENCH_SCALE_SPREAD_H */
