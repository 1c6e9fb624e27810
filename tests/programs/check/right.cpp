// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing is said of what belongs to kernels: variables of theirs on any
// thread's stack, tasks, globals of the device, memory that they allocate, data
// of the C library, mapped and attached data, blocks of the program, and host
// memory where it is the device's, too.
//
// RUN: %accxcxx -O0 --accx-check %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t 2>&1 | FileCheck %s
// RUN: %run ACCX_HOST_UNIFIED=1 %t 2>&1 | FileCheck %s
// RUN: %accxcxx -O2 --accx-check %s -o %t.2
// RUN: %run %t.2 2>&1 | FileCheck %s
// RUN: %run ACCX_CHECK=2 OMP_NUM_THREADS=5 %t.2 2>&1 | FileCheck %s
//
// CHECK-NOT: accx
// CHECK: sum 4500 device global 30
// CHECK: shared 28 nested 12 tasks 10
// CHECK: heap 10 new 6 vector 45 text 5
// CHECK: attached 45 block 9 team 90
// CHECK: inside 36 locked 7
// CHECK-NOT: accx

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <vector>

extern "C" {
void *llvm_omp_target_lock_mem(void *, size_t, int);
void llvm_omp_target_unlock_mem(void *, int);
}

#pragma omp begin declare target
int global = 3;
static int twice(const int *p) { return *p * 2; }
struct Pair {
  int a, b;
};
#pragma omp end declare target

struct Mesh {
  int n;
  int *v;
};

int main() {
  const int n = 100;
  int *a = new int[n], sum = 0, isGlobal = 0;
  for (int i = 0; i < n; ++i)
    a[i] = i % 10 * 5;
#pragma acc parallel loop copyin(a[0 : n]) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    int t[4] = {a[i], a[i], 0, 0};
    sum += twice(t) - t[1] + t[i % 2 + 2];
  }
  sum *= 2;
#pragma omp target map(from : isGlobal)
  {
    global *= 10;
    isGlobal = global;
  }
  std::printf("sum %d device global %d\n", sum, isGlobal);

  int shared = 0, nested = 0, tasks = 0;
#pragma omp target map(tofrom : shared, nested, tasks)
  {
    int mine[8] = {0, 1, 2, 3, 4, 5, 6, 7};
#pragma omp parallel for reduction(+ : shared)
    for (int i = 0; i < 8; ++i)
      shared += mine[i];
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : nested)
    {
      int inner = 3;
#pragma omp parallel num_threads(2) reduction(+ : nested)
      nested += inner;
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 5; ++i) {
      Pair p = {i, i};
#pragma omp task firstprivate(p) shared(tasks)
      {
#pragma omp atomic
        tasks += p.a;
      }
    }
  }
  std::printf("shared %d nested %d tasks %d\n", shared, nested, tasks);

  int heap = 0, made = 0, vector = 0, text = 0;
#pragma omp target map(tofrom : heap, made, vector, text)
  {
    int *p = static_cast<int *>(std::calloc(4, sizeof(int)));
    p = static_cast<int *>(std::realloc(p, 1000 * sizeof(int)));
#pragma omp parallel for
    for (int i = 0; i < 1000; ++i)
      p[i] = i;
    heap = p[4] + p[6];
    std::free(p);
    Pair *q = new Pair{2, 4};
    made = q->a + q->b;
    delete q;
    std::vector<int> v;
    for (int i = 0; i < 10; ++i)
      v.push_back(i);
    for (int x : v)
      vector += x;
    char word[16];
    std::snprintf(word, sizeof(word), "%d", 12345);
    text = int(std::strlen(word));
  }
  std::printf("heap %d new %d vector %d text %d\n", heap, made, vector, text);

  Mesh m = {10, new int[10]};
  for (int i = 0; i < 10; ++i)
    m.v[i] = i;
  int attached = 0, block = 0, team = 0;
#pragma acc parallel loop copyin(m, m.v[0 : 10]) reduction(+ : attached)
  for (int i = 0; i < m.n; ++i)
    attached += m.v[i];
  int *d = static_cast<int *>(omp_target_alloc(10 * sizeof(int), 1));
#pragma omp target is_device_ptr(d) map(from : block) device(1)
  {
    d[9] = 9;
    block = d[9];
  }
  omp_target_free(d, 1);
#pragma omp target teams num_teams(2) map(tofrom : team) reduction(+ : team)
  {
    int local[10];
#pragma omp parallel for
    for (int i = 0; i < 10; ++i)
      local[i] = i;
    for (int i = 0; i < 10; ++i)
      team += local[i];
  }
  std::printf("attached %d block %d team %d\n", attached, block, team);

  int inside = 0;
#pragma omp parallel for reduction(+ : inside) num_threads(3)
  for (int t = 0; t < 4; ++t) {
    int x = 0;
#pragma omp target map(tofrom : x) map(to : a[0 : n]) device(t)
    for (int i = 0; i < 4; ++i)
      x += a[i] / 5 + (i == 0 ? t : 0) - (i == 1 ? t : 0);
    inside += x + 3;
  }
  int *locked = static_cast<int *>(llvm_omp_target_lock_mem(a, sizeof(int), 0));
#pragma omp target is_device_ptr(locked)
  *locked = 7;
  std::printf("inside %d locked %d\n", inside, a[0]);
  llvm_omp_target_unlock_mem(a, 0);
  delete[] a;
  delete[] m.v;
  return 0;
}
