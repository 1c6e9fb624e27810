/*===- many.h - What the programs for several devices share ---------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Each program computes the same in two forms, which are those of Xu, Tian,
|* Chandrasekaran and Chapman, "Multi-GPU Support on Single Node Using
|* Directive-Based Programming Model", 2015: `hybrid` has a host thread of
|* OpenMP for each device and standard OpenACC in it; `deviceid` has one host
|* thread, accx's directives, and waits once (docs/many-devices.md).
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_EXAMPLES_MANY_H
#define ACCX_EXAMPLES_MANY_H

#include "../openacc/demo_acc.h"

#include <omp.h>

/** Devices to use: argument number Index, or all there are. */
static inline int manyDevices(int Argc, char **Argv, int Index) {
  int Count = demoDevices(), Wanted = demoSize(Argc, Argv, Index, Count);
  if (Wanted > Count) {
    fprintf(stderr, "demo: there are %d devices, not %d\n", Count, Wanted);
    exit(2);
  }
  return Wanted;
}

/** Makes device D the calling thread's, one of Threads. */
static inline void manyEnter(int D, int Threads) {
  if (omp_get_num_threads() != Threads) {
    fprintf(stderr, "demo: %d host threads instead of %d\n",
            omp_get_num_threads(), Threads);
    exit(2);
  }
  acc_set_device_num(D, acc_get_device_type());
}

/** Prints the RESULT line of one form; returns whether it is wrong. */
static inline int manyReport(const char *Name, const char *Form,
                             const char *Size, int Devices, double *Times,
                             int Good) {
  char Full[64];
  snprintf(Full, sizeof(Full), "many-%s-%s", Name, Form);
  return demoReport(Full, Size, demoMedianMs(Times, DemoRepeats),
                    demoPlace(Devices), Good);
}

#endif /* ACCX_EXAMPLES_MANY_H */
