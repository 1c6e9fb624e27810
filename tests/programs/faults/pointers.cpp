// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure whose device copy holds device pointers: whatever fails on the
// way back, the host's pointers stay the host's, bit by bit.
//
// RUN: %clangxx -g %s -o %t
// RUN: bash -c 'for n in 1 2 3 4; do %fault ACCX_FAULT=copy_from:$n not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: bash -c 'for n in 1 2 3; do %fault ACCX_FAULT=copy_from:$n ACCX_FAULT_OPTIONS=async,delay=100 not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: bash -c 'for n in 1 2 3 4; do %fault ACCX_FAULT=copy_from:$n ACCX_DIRECTORY=fused not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: %fault %t 2>&1 | FileCheck %s --check-prefix=CHECK-OK

#include <csignal>
#include <cstdio>
#include <cstdlib>

struct Node {
  long Before;
  int *Data;
  long After;
};

static int First[64], Second[64];
static Node Nodes[2];

static bool pointersIntact() {
  return Nodes[0].Data == First && Nodes[1].Data == Second;
}

static void look(int) {
  std::fprintf(stderr,
               pointersIntact() ? "pointers intact\n" : "pointers DAMAGED\n");
}

int main() {
  std::signal(SIGABRT, look);
  Nodes[0] = {1, First, 2};
  Nodes[1] = {3, Second, 4};
#pragma omp target enter data map(to : Nodes)
#pragma omp target enter data map(to : Nodes[0].Data[0 : 64])                  \
    map(to : Nodes[1].Data[0 : 64])
#pragma omp target map(alloc : Nodes)
  {
    Nodes[0].Before = 10;
    Nodes[1].After = 40;
    for (int I = 0; I < 64; ++I) {
      Nodes[0].Data[I] = I;
      Nodes[1].Data[I] = -I;
    }
  }
#pragma omp target update from(Nodes)
  if (!pointersIntact() || Nodes[0].Before != 10 || Nodes[0].After != 2 ||
      Nodes[1].Before != 3 || Nodes[1].After != 40)
    return 1;
#pragma omp target exit data map(from : Nodes[0].Data[0 : 64])                 \
    map(from : Nodes[1].Data[0 : 64])
#pragma omp target exit data map(from : Nodes)
  for (int I = 0; I < 64; ++I)
    if (First[I] != I || Second[I] != -I)
      return 2;
  std::fprintf(stderr, pointersIntact() ? "done\n" : "pointers DAMAGED\n");
  return 0;
}

// CHECK: omptarget error: {{.*}}injected: copy_from
// CHECK: pointers.cpp:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
// CHECK: pointers intact
// CHECK-OK-NOT: error
// CHECK-OK: done
