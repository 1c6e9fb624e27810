// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// requires unified_shared_memory: host addresses work on the device without a
// copy, except where `close` asks for one.
//
// RUN: %clang -g %s -o %t
// RUN: %run ACCX_STATS=1 %t 2>&1 | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run ACCX_HOST_UNIFIED=1 %t unified | FileCheck %s

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory

static int wrong;
#define EXPECT(c)                                                              \
  do {                                                                         \
    if (!(c))                                                                  \
      printf("line %d: %s\n", __LINE__, #c), ++wrong;                          \
  } while (0)

int global = 3;
#pragma omp declare target to(global)

int main(int argc, char **argv) {
  const int unified = argc > 1;
  int *heap = malloc(100 * sizeof(int));
  int stack[100];
  (void)argv;
  for (int i = 0; i < 100; ++i)
    heap[i] = stack[i] = i;
  void *seen_heap, *seen_stack;

  // Without any map.
#pragma omp target map(from : seen_heap, seen_stack)
  {
    seen_heap = heap;
    seen_stack = stack;
    heap[1] = 100;
    stack[1] = 200;
    global += 1;
  }
  EXPECT(seen_heap == heap);
  EXPECT(seen_stack == stack);
  EXPECT(heap[1] == 100);
  EXPECT(stack[1] == 200);
  EXPECT(global == 4);

  // A map copies nothing.
#pragma omp target map(tofrom : heap[0 : 100])
  heap[2] = 300;
  EXPECT(heap[2] == 300);

  // close: the device has its own until the end of the region.
  int close_there = 0;
#pragma omp target data map(close, tofrom : heap[0 : 100])
  {
#pragma omp target map(from : seen_heap, close_there)
    {
      seen_heap = heap;
      heap[3] = 400;
      close_there = 1;
    }
    EXPECT(unified || seen_heap != heap);
    EXPECT(unified || heap[3] == 3);
  }
  EXPECT(heap[3] == 400);
  EXPECT(close_there == 1);
  free(heap);
  printf("%d wrong\n", wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
