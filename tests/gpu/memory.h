/*===- memory.h - What the driver says of the device's memory -------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Asked through the driver itself, past the runtime. Device 0; after the first
|* construct.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_TESTS_GPU_MEMORY_H
#define ACCX_TESTS_GPU_MEMORY_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void deviceMemory(size_t *available, size_t *total) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  int (*retain)(void **, int) = 0;
  int (*push)(void *) = 0, (*pop)(void **) = 0;
  int (*info)(size_t *, size_t *) = 0;
  void *context = 0;
  if (driver) {
    *(void **)&retain = dlsym(driver, "cuDevicePrimaryCtxRetain");
    *(void **)&push = dlsym(driver, "cuCtxPushCurrent_v2");
    *(void **)&pop = dlsym(driver, "cuCtxPopCurrent_v2");
    *(void **)&info = dlsym(driver, "cuMemGetInfo_v2");
  }
  if (!retain || !push || !pop || !info || retain(&context, 0) ||
      push(context) || info(available, total) || pop(&context)) {
    fprintf(stderr, "the driver does not tell of its memory\n");
    exit(2);
  }
}

static inline size_t usedDeviceBytes(void) {
  size_t available = 0, total = 0;
  deviceMemory(&available, &total);
  return total - available;
}

#endif /* ACCX_TESTS_GPU_MEMORY_H */
