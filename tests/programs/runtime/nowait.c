// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nowait: dependences between regions, updates, host tasks and memory routines,
// on several devices, with arrays that live in frames that are gone.
//
// RUN: %clang -g %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run OMP_NUM_THREADS=8 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async,delay=20 %t | FileCheck %s

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000

static int wrong;
#define EXPECT(c)                                                              \
  do {                                                                         \
    if (!(c))                                                                  \
      printf("line %d: %s\n", __LINE__, #c), ++wrong;                          \
  } while (0)

/* The map arrays of these constructs are in this function's frame. */
static void queue(int *a, int d, int factor) {
#pragma omp target nowait device(d) map(tofrom : a[0 : N])                     \
    depend(inout : a[0]) firstprivate(factor)
  for (int i = 0; i < N; ++i)
    a[i] = a[i] * factor % 1009 + 1;
}

int main(void) {
  const int devices = omp_get_num_devices();
  int *a[4], expected[N];

#pragma omp parallel num_threads(4)
#pragma omp single
  {
    // A chain a device, all under way together.
    for (int d = 0; d < 4; ++d) {
      a[d] = malloc(N * sizeof(int));
      for (int i = 0; i < N; ++i)
        a[d][i] = i;
    }
    for (int r = 0; r < 50; ++r)
      for (int d = 0; d < 4; ++d)
        queue(a[d], d % devices, r + 2);
#pragma omp taskwait
    for (int i = 0; i < N; ++i) {
      expected[i] = i;
      for (int r = 0; r < 50; ++r)
        expected[i] = expected[i] * (r + 2) % 1009 + 1;
    }
    for (int d = 0; d < 4; ++d)
      for (int i = 0; i < N; ++i)
        EXPECT(a[d][i] == expected[i]);

    // One array that wanders over the devices, with host tasks in between.
    int *b = a[0];
    for (int i = 0; i < N; ++i)
      b[i] = 0;
    for (int r = 0; r < 20; ++r) {
#pragma omp target nowait device(r % devices) map(tofrom : b[0 : N])           \
    depend(inout : b[0])
      for (int i = 0; i < N; ++i)
        b[i] += 1;
#pragma omp task depend(inout : b[0])
      for (int i = 0; i < N; ++i)
        b[i] *= 2;
    }
#pragma omp taskwait
    int value = 0;
    for (int r = 0; r < 20; ++r)
      value = (value + 1) * 2;
    for (int i = 0; i < N; ++i)
      EXPECT(b[i] == value);

    // Unstructured data with nowait, in the order of the dependences.
    int *c = a[1];
    for (int i = 0; i < N; ++i)
      c[i] = i;
#pragma omp target enter data map(to : c[0 : N]) nowait depend(out : c[0])
    for (int r = 0; r < 10; ++r) {
#pragma omp target nowait map(alloc : c[0 : N]) depend(inout : c[0])
      for (int i = 0; i < N; ++i)
        c[i] += 1;
#pragma omp target update from(c[0 : N / 2]) nowait depend(inout : c[0])
    }
#pragma omp target exit data map(from : c[0 : N]) nowait depend(inout : c[0])
#pragma omp taskwait
    for (int i = 0; i < N; ++i)
      EXPECT(c[i] == i + 10);

    // Regions of which everything is there, more than are under way at a time.
#pragma omp target enter data map(to : c[0 : N])
    for (int r = 0; r < 20; ++r)
      for (int i = 0; i < N; i += 10) {
        int *part = c + i;
#pragma omp target nowait map(alloc : c[0 : N]) firstprivate(i, r)             \
    depend(inout : part[0])
        for (int k = i; k < i + 10; ++k)
          c[k] = c[k] % 100003 * 2 + r;
      }
#pragma omp taskwait
#pragma omp target exit data map(from : c[0 : N])
    for (int i = 0; i < N; ++i) {
      int e = i + 10;
      for (int r = 0; r < 20; ++r)
        e = e % 100003 * 2 + r;
      EXPECT(c[i] == e);
    }

    // Memory routines in tasks beside nowait regions.
    int *device_memory = omp_target_alloc(N * sizeof(int), 0);
    int *back = a[2];
    int host = omp_get_initial_device();
    for (int i = 0; i < N; ++i)
      back[i] = i;
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : device_memory[0])
    for (int r = 0; r < 10; ++r) {
#pragma omp task depend(inout : device_memory[0])
      omp_target_memcpy(device_memory, back, N * sizeof(int), 0, 0, 0, host);
#pragma omp target nowait is_device_ptr(device_memory)                         \
    depend(inout : device_memory[0])
      for (int i = 0; i < N; ++i)
        device_memory[i] += 3;
      omp_target_memcpy_async(back, device_memory, N * sizeof(int), 0, 0, host,
                              0, 1, &object);
    }
#pragma omp taskwait
#pragma omp depobj(object) destroy
    for (int i = 0; i < N; ++i)
      EXPECT(back[i] == i + 30);
    omp_target_free(device_memory, 0);
    for (int d = 0; d < 4; ++d)
      free(a[d]);
  }
  printf("%d wrong\n", wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
