/*===- accx/spread.h - Questions about spread arrays ----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Routines for programs with `#pragma accx spread` (docs/many-devices.md).
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_SPREAD_H
#define ACCX_SPREAD_H

#ifdef __cplusplus
extern "C" {
#endif

/** The device that holds the byte at `ptr`, a host address in a spread array or
    a device address of one, as omp_get_num_devices counts; -1 if it is in none.
    Each device has the whole of a replicated array: for a host address the
    answer is the first. Any thread may ask at any time. */
int accx_owner_of(const void *ptr);

#ifdef __cplusplus
}
#endif

#endif /* ACCX_SPREAD_H */
