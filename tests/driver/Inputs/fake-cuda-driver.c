// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A libcuda.so.1 with three GPUs, sm_90, sm_80 and sm_90, or all of the major
// version FAKE_CUDA_MAJOR. Notes in FAKE_CUDA_LOG that it was asked.

#include <stdio.h>
#include <stdlib.h>

int cuInit(unsigned Flags) {
  (void)Flags;
  const char *Path = getenv("FAKE_CUDA_LOG");
  if (!Path)
    return 0;
  FILE *Log = fopen(Path, "a");
  fputs("asked\n", Log);
  fclose(Log);
  return 0;
}

int cuDeviceGetCount(int *Count) {
  *Count = 3;
  return 0;
}

int cuDeviceGetAttribute(int *Value, int Attribute, int Device) {
  const char *Major = getenv("FAKE_CUDA_MAJOR");
  if (Attribute == 75)
    *Value = Major ? atoi(Major) : Device == 1 ? 8 : 9;
  else if (Attribute == 76)
    *Value = 0;
  else
    return 1;
  return 0;
}
