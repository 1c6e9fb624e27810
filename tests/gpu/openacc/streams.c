/*===- streams.c - CUDA's own calls on the program's queues ---------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Work that the program queues through the CUDA driver on a queue's stream is
|* in order with its constructs, for small and large arrays; a queue takes a
|* stream of the program. Ends with 1 and the line of what is wrong.
|*
|* Needs a GPU: scripts/gpu-bundle.sh DIR, then DIR/run.sh tests acc-streams.
|*
\*===----------------------------------------------------------------------===*/

#include <dlfcn.h>
#include <openacc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #Condition);                  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { Rounds = 20 };

/* CUresult, CUstream, CUcontext and CUdeviceptr as the numbers they are. */
typedef int OfHandle(void *handle);
typedef int Create(void **stream, unsigned flags);
typedef int Fill(uint64_t address, unsigned value, size_t count, void *stream);
static OfHandle *setContext, *synchronize;
static Create *createStream;
static Fill *fill;

static void *driver(const char *name) {
  static void *library;
  if (!library)
    library = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(library);
  void *found = dlsym(library, name);
  CHECK(found);
  return found;
}

/* The driver fills, the construct adds, the driver's stream is waited for. */
static void mix(int queue, void *stream, int n) {
  unsigned *a = malloc(n * sizeof(*a));
  for (int i = 0; i < n; ++i)
    a[i] = 1;
#pragma acc enter data copyin(a[0 : n]) async(queue)
  for (unsigned round = 0; round < Rounds; ++round) {
    /* After the copy, or the kernel before. */
#pragma acc parallel loop present(a[0 : n]) async(queue)
    for (int i = 0; i < n; ++i)
      a[i] += 1;
#pragma acc update self(a[0 : n]) async(queue)
    CHECK(synchronize(stream) == 0);
    for (int i = 0; i < n; ++i)
      CHECK(a[i] == (round ? 100 + round : 2));
    CHECK(fill((uintptr_t)acc_deviceptr(a), 100 + round, n, stream) == 0);
  }
#pragma acc exit data copyout(a[0 : n]) async(queue)
#pragma acc wait(queue)
  for (int i = 0; i < n; ++i)
    CHECK(a[i] == 100 + Rounds - 1);
  free(a);
}

int main(void) {
  setContext = (OfHandle *)driver("cuCtxSetCurrent");
  createStream = (Create *)driver("cuStreamCreate");
  synchronize = (OfHandle *)driver("cuStreamSynchronize");
  fill = (Fill *)driver("cuMemsetD32Async");

  CHECK(acc_get_current_cuda_device());
  CHECK(*(int *)acc_get_current_cuda_device() == 0);
  void *context = acc_get_current_cuda_context();
  CHECK(context);
  CHECK(setContext(context) == 0);

  CHECK(acc_get_cuda_stream(acc_async_sync) == NULL);
  void *stream = acc_get_cuda_stream(1);
  CHECK(stream && acc_get_cuda_stream(1) == stream);
  CHECK(acc_get_cuda_stream(2) != stream);
  for (int n = 1; n <= 1 << 20; n *= 32)
    mix(1, stream, n);

  void *own = NULL;
  CHECK(createStream(&own, 1) == 0);
  CHECK(acc_set_cuda_stream(acc_async_sync, own) == 0);
  CHECK(acc_set_cuda_stream(1, own) == 1);
  CHECK(acc_get_cuda_stream(1) == own);
  for (int n = 1; n <= 1 << 20; n *= 32)
    mix(1, own, n);
  puts("right");
  return 0;
}
