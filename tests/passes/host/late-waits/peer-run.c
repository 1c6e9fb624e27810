// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of several devices that exchange what lies at their borders: kernels
// and copies may wait for those of later steps. Whatever looks for them finds
// them, and each comes behind what it needs.
//
// RUN: %program -fopenacc -O2 -pthread %s -o %t -Rpass=late-waits 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LATE
// RUN: %fault ACCX_HOST_DEVICES=2 ACCX_FAULT_OPTIONS=async,hold %t | FileCheck %s
// RUN: %fault ACCX_HOST_DEVICES=2 ACCX_FAULT_OPTIONS=async,hold,delay=50 %t | FileCheck %s
// RUN: %fault ACCX_HOST_DEVICES=3 ACCX_FAULT_OPTIONS=async,hold %t | FileCheck %s
// RUN: %fault ACCX_HOST_DEVICES=2 ACCX_FAULT_OPTIONS=async,hold ACCX_SYNC=1 %t | FileCheck %s
// RUN: %fault ACCX_HOST_DEVICES=2 ACCX_FAULT_OPTIONS=async,hold, %t | FileCheck %s
// LATE: peer-run.c:[[# @LINE + 22]]:{{.*}}: the region may start together
// CHECK: right
#include <openacc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* Each device has Part elements and one of each neighbour's. */
enum { Part = 500, MaxDevices = 3, MaxSize = MaxDevices * Part + 2 };
static int numDevices, size;
static int *a, *b, *want, *next;
static int wrong;

static void fail(const char *what, int at, int got, int wanted) {
  printf("%s: [%d] is %d, not %d\n", what, at, got, wanted);
  ++wrong;
}

static void step(void) {
  for (int d = 0; d < numDevices; ++d) {
    const int begin = d * Part;
#pragma acc parallel loop deviceid(d)                                          \
    present(a[begin : Part + 2], b[begin : Part + 2])
    for (int i = begin + 1; i <= begin + Part; ++i)
      b[i] = a[i - 1] + 3 * a[i] - a[i + 1];
  }
  for (int d = 0; d + 1 < numDevices; ++d) {
    const int cut = (d + 1) * Part;
#pragma acc update peer to(b[cut : 1]) to_device(d + 1) from(b[cut : 1])       \
    from_device(d)
#pragma acc update peer to(b[cut + 1 : 1]) to_device(d) from(b[cut + 1 : 1])   \
    from_device(d + 1)
  }
  int *swap = a;
  a = b;
  b = swap;
}
static void runOnHost(int num) {
  for (int s = 0; s < num; ++s) {
    for (int i = 1; i < size - 1; ++i)
      next[i] = (int)((unsigned)want[i - 1] + 3u * (unsigned)want[i] -
                      (unsigned)want[i + 1]);
    int *swap = want;
    want = next;
    next = swap;
  }
}
static void run(int num) {
  for (int s = 0; s < num; ++s)
    step();
  runOnHost(num);
}
static void look(const char *what) {
  for (int d = 0; d < numDevices; ++d) {
    const int begin = d * Part;
#pragma acc update self(a[begin + 1 : Part]) deviceid(d)
#pragma acc wait device(d)
    for (int i = begin + 1; i <= begin + Part; ++i)
      if (a[i] != want[i]) {
        fail(what, i, a[i], want[i]);
        return;
      }
  }
}

static atomic_int told;
static void *waits(void *result) {
  while (!atomic_load(&told))
    ;
  const int last = numDevices - 1, at = size - 2;
#pragma acc update self(a[at : 1]) deviceid(last)
#pragma acc wait device(last)
  *(int *)result = a[at];
  return 0;
}

int main(void) {
  numDevices = acc_get_num_devices(acc_get_device_type());
  numDevices = numDevices < MaxDevices ? numDevices : MaxDevices;
  size = numDevices * Part + 2;
  static int memory[4][MaxSize];
  a = memory[0], b = memory[1], want = memory[2], next = memory[3];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < size; ++i)
      memory[k][i] = i % 17;
  int *const first = a, *const second = b;
  for (int d = 0; d < numDevices; ++d) {
    const int begin = d * Part;
#pragma acc enter data copyin(a[begin : Part + 2], b[begin : Part + 2])        \
    deviceid(d)
  }
  run(60);
  look("steps");
  /* Rounds that the host ends. */
  for (int round = 0; round < 6; ++round) {
    run(5);
    look("rounds");
  }
  /* A region in between, which waits for none. */
  for (int round = 0; round < 10; ++round) {
    run(3);
#pragma acc parallel loop deviceid(0) present(a[0 : Part + 2])
    for (int i = 1; i <= Part; ++i)
      a[i] += 7;
#pragma acc parallel loop deviceid(0) present(a[0 : Part + 2])
    for (int i = 1; i <= Part; ++i)
      a[i] -= 7;
  }
  look("regions");
  /* More than the borders: copies that touch each other's bytes. */
  for (int round = 0; round < 20 && numDevices > 1; ++round) {
    run(2);
#pragma acc update peer to(a[Part : 2]) to_device(1) from(a[Part : 2])         \
    from_device(0)
#pragma acc update peer to(a[Part : 2]) to_device(0) from(a[Part : 2])         \
    from_device(1)
  }
  look("copies");
  /* Regions that the program waits for are ahead of copies, too. */
  for (int round = 0; round < 10 && numDevices > 1; ++round) {
    acc_set_device_num(0, acc_get_device_type());
#pragma acc wait
#pragma acc parallel loop present(a[0 : Part + 2])
    for (int i = 1; i <= Part; ++i)
      a[i] += 7;
#pragma acc update peer to(a[Part : 1]) to_device(1) from(a[Part : 1])         \
    from_device(0)
    step();
    for (int i = 1; i <= Part; ++i)
      want[i] += 7;
    runOnHost(1);
  }
  look("synchronous regions");
  /* Another thread looks. */
  pthread_t thread;
  int found = 0;
  pthread_create(&thread, 0, waits, &found);
  run(40);
  atomic_store(&told, 1);
  pthread_join(thread, 0);
  if (found != want[size - 2])
    fail("thread", size - 2, found, want[size - 2]);
  run(31);
  for (int d = 0; d < numDevices; ++d) {
    const int begin = d * Part;
#pragma acc exit data copyout(a[begin + 1 : Part]) deviceid(d)
#pragma acc wait device(d)
  }
  for (int i = 1; i < size - 1; ++i)
    if (a[i] != want[i]) {
      fail("end", i, a[i], want[i]);
      break;
    }
  for (int d = 0; d < numDevices; ++d) {
    const int begin = d * Part;
#pragma acc exit data delete (first[begin : Part + 2],                         \
                              second[begin : Part + 2]) deviceid(d)
#pragma acc wait device(d)
  }
  printf(wrong ? "wrong\n" : "right\n");
  return wrong;
}
