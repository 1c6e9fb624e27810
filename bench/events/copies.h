/*===- copies.h - Copies by hand, for rivals ------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Pinned memory, streams and copies of the CUDA driver, which is opened with
|* dlopen and used in the device's primary context, that of accx; addresses of
|* accx may be used. Without a GPU: memory of the host and memcpy.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_EVENTS_COPIES_H
#define ACCX_BENCH_EVENTS_COPIES_H

#include "measure.h"

#include <dlfcn.h>
#include <openacc.h>

typedef struct CopyStream_ *CopyStream;
typedef struct CopyMark_ *CopyMark;

static struct {
  int OnGpu;
  void *Context;
  int (*setCurrent)(void *);
  int (*hostAlloc)(void **, size_t, unsigned);
  int (*freeHost)(void *);
  int (*streamCreate)(CopyStream *, unsigned);
  int (*streamDestroy)(CopyStream);
  int (*streamSynchronize)(CopyStream);
  int (*toDevice)(uintptr_t, const void *, size_t, CopyStream);
  int (*toHost)(void *, uintptr_t, size_t, CopyStream);
  int (*eventCreate)(CopyMark *, unsigned);
  int (*eventDestroy)(CopyMark);
  int (*eventRecord)(CopyMark, CopyStream);
  int (*eventSynchronize)(CopyMark);
} Copies;

#define COPIED(call) copiesMust((call), #call)
static inline void copiesMust(int Code, const char *Call) {
  if (!Code)
    return;
  fprintf(stderr, "%s: CUDA error %d\n", Call, Code);
  exit(2);
}

static inline void *copiesFind(void *Library, const char *Name) {
  void *F = dlsym(Library, Name);
  if (!F) {
    fprintf(stderr, "no %s in libcuda\n", Name);
    exit(2);
  }
  return F;
}

/** For device number Device; the calling thread may copy then. */
static inline void copiesBegin(int Device) {
  if (acc_get_device_type() != acc_device_nvidia)
    return;
  void *L = dlopen("libcuda.so.1", RTLD_NOW);
  if (!L) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  int (*Init)(unsigned), (*Get)(int *, int), (*Retain)(void **, int), Number;
  *(void **)&Init = copiesFind(L, "cuInit");
  *(void **)&Get = copiesFind(L, "cuDeviceGet");
  *(void **)&Retain = copiesFind(L, "cuDevicePrimaryCtxRetain");
  *(void **)&Copies.setCurrent = copiesFind(L, "cuCtxSetCurrent");
  *(void **)&Copies.hostAlloc = copiesFind(L, "cuMemHostAlloc");
  *(void **)&Copies.freeHost = copiesFind(L, "cuMemFreeHost");
  *(void **)&Copies.streamCreate = copiesFind(L, "cuStreamCreate");
  *(void **)&Copies.streamDestroy = copiesFind(L, "cuStreamDestroy_v2");
  *(void **)&Copies.streamSynchronize = copiesFind(L, "cuStreamSynchronize");
  *(void **)&Copies.toDevice = copiesFind(L, "cuMemcpyHtoDAsync_v2");
  *(void **)&Copies.toHost = copiesFind(L, "cuMemcpyDtoHAsync_v2");
  *(void **)&Copies.eventCreate = copiesFind(L, "cuEventCreate");
  *(void **)&Copies.eventDestroy = copiesFind(L, "cuEventDestroy_v2");
  *(void **)&Copies.eventRecord = copiesFind(L, "cuEventRecord");
  *(void **)&Copies.eventSynchronize = copiesFind(L, "cuEventSynchronize");
  COPIED(Init(0));
  COPIED(Get(&Number, Device));
  COPIED(Retain(&Copies.Context, Number));
  COPIED(Copies.setCurrent(Copies.Context));
  Copies.OnGpu = 1;
}

/** Any other thread calls this first. */
static inline void copiesThread(void) {
  if (Copies.OnGpu)
    COPIED(Copies.setCurrent(Copies.Context));
}

static inline void *copiesPinned(size_t Bytes) {
  void *P = NULL;
  if (!Copies.OnGpu)
    return measureAlloc(Bytes);
  COPIED(Copies.hostAlloc(&P, Bytes, 1 /* portable */));
  memset(P, 0, Bytes);
  return P;
}

static inline void copiesFree(void *P) {
  if (Copies.OnGpu)
    COPIED(Copies.freeHost(P));
  else
    free(P);
}

static inline CopyStream copiesStream(void) {
  CopyStream S = NULL;
  if (Copies.OnGpu)
    COPIED(Copies.streamCreate(&S, 1 /* non-blocking */));
  return S;
}

static inline void copiesEnd(CopyStream S) {
  if (Copies.OnGpu)
    COPIED(Copies.streamDestroy(S));
}

static inline CopyMark copiesMark(void) {
  CopyMark M = NULL;
  if (Copies.OnGpu)
    COPIED(Copies.eventCreate(&M, 2 /* no timing */));
  return M;
}

static inline void copiesForget(CopyMark M) {
  if (Copies.OnGpu)
    COPIED(Copies.eventDestroy(M));
}

static inline void copyIn(void *Device, const void *Host, size_t Bytes,
                          CopyStream S) {
  if (Copies.OnGpu)
    COPIED(Copies.toDevice((uintptr_t)Device, Host, Bytes, S));
  else
    memcpy(Device, Host, Bytes);
}

static inline void copyOut(void *Host, const void *Device, size_t Bytes,
                           CopyStream S) {
  if (Copies.OnGpu)
    COPIED(Copies.toHost(Host, (uintptr_t)Device, Bytes, S));
  else
    memcpy(Host, Device, Bytes);
}

static inline void copyMark(CopyMark M, CopyStream S) {
  if (Copies.OnGpu)
    COPIED(Copies.eventRecord(M, S));
}

static inline void copyWaitMark(CopyMark M) {
  if (Copies.OnGpu)
    COPIED(Copies.eventSynchronize(M));
}

static inline void copyWait(CopyStream S) {
  if (Copies.OnGpu)
    COPIED(Copies.streamSynchronize(S));
}

#endif /* ACCX_BENCH_EVENTS_COPIES_H */
