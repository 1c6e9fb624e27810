// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory that is in no clause: the message names line, construct and
// variable, and the program ends before it computes with what a GPU would not
// have.
//
// RUN: %accxcxx -O0 --accx-check %s -o %t
// RUN: %run not --crash %t member 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: %run not --crash %t global 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: %run not --crash %t stack 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: %run not --crash %t write 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: %run not --crash %t list 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %run not --crash %t device 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %run not --crash %t thread 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: %run not --crash %t present 2>&1 | FileCheck %s --check-prefix=PRESENT
//
// With optimization, in two steps, and by the environment.
// RUN: env ACCX_CHECK=1 %accxcxx -O2 -c %s -o %t.o
// RUN: %accxcxx %t.o -o %t.2
// RUN: %run not --crash %t.2 member 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: %run not --crash %t.2 write 2>&1 | FileCheck %s --check-prefix=WRITE
//
// All mistakes, each once, and none.
// RUN: %run ACCX_CHECK=2 %t.2 all > %t.all 2>&1
// RUN: FileCheck %s --check-prefix=ALL < %t.all
// RUN: grep -c 'accx: error' %t.all | FileCheck %s --check-prefix=COUNT
// RUN: %run ACCX_CHECK=0 %t all 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %accxcxx -O1 %s -o %t.plain
// RUN: %run ACCX_CHECK=1 %t.plain list 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %run ACCX_CHECK=3 not --crash %t.plain list 2>&1 | FileCheck %s --check-prefix=LEVEL
//
// ALL: done
// The list has two: its value and the next link.
// COUNT: {{^}}7
// NONE-NOT: accx
// NONE: done
// PLAIN: accx: warning: ACCX_CHECK=1: device code of this program has no checks
// PLAIN-NOT: {{^}}accx
// PLAIN: done
// LEVEL: ACCX_CHECK=3: must be 0, 1 or 2

#include <cstdio>
#include <cstring>

struct Mesh {
  int n;
  double *v;
};
struct Node {
  int value;
  Node *next;
};

int table[64];
#pragma omp begin declare target
int *reference;
#pragma omp end declare target

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "all";
  auto wanted = [&](const char *name) {
    return !std::strcmp(what, name) || !std::strcmp(what, "all");
  };
  const int n = 64;
  Mesh m = {n, new double[n]};
  double *w = new double[n];
  int local[64] = {0}, x = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    m.v[i] = w[i] = i;

  if (wanted("member")) {
    // MEMBER: missing.cpp:[[#@LINE+6]]: the device code of the construct
    // MEMBER-SAME: at line [[#@LINE+3]] of main reads host memory
    // MEMBER-SAME: through 'm.v': 8 bytes at 0x
    // MEMBER: it is on no device: add it to a clause
#pragma acc parallel loop copyin(m) reduction(+ : sum)
    for (int i = 0; i < n; ++i)
      sum += m.v[i];
  }
  if (wanted("global")) {
    reference = table;
#pragma omp target update to(reference)
    // GLOBAL: missing.cpp:[[#@LINE+3]]: {{.*}} through 'reference'
    // GLOBAL-SAME: 4 bytes at {{.*}}, in {{a global|the program's}} variable
#pragma omp target map(tofrom : x)
    x += reference[3];
  }
  if (wanted("stack")) {
    int *p = local;
    // STACK: missing.cpp:[[#@LINE+2]]: {{.*}}reads host memory through 'p'
#pragma omp target map(tofrom : x) firstprivate(p)
    x += p[5];
  }
  if (wanted("write")) {
    // WRITE: missing.cpp:[[#@LINE+3]]: {{.*}}writes {{.*}} through 'w'
#pragma omp target teams distribute parallel for firstprivate(w)
    for (int i = 0; i < n; ++i)
      w[i] = i;
  }
  if (wanted("list")) {
    Node second = {2, nullptr}, first = {1, &second};
    // LIST: missing.cpp:[[#@LINE+3]]: {{.*}}reads {{.*}} through 'p'
#pragma omp target map(to : first) map(tofrom : x)
    for (Node *p = &first; p; p = p->next)
      x += p->value;
  }
  if (!std::strcmp(what, "device")) {
    // DEVICE: missing.cpp:[[#@LINE+3]]: {{.*}} through 'm.v'
#pragma omp target map(to : m) map(tofrom : sum) device(3)
    for (int i = 0; i < n; ++i)
      sum += m.v[i];
  }
  if (!std::strcmp(what, "thread")) {
#pragma omp parallel num_threads(2) firstprivate(m)
    {
      double s = 0;
      // THREAD: missing.cpp:[[#@LINE+2]]: {{.*}} through 'm.v'
#pragma omp target map(to : m) map(tofrom : s)
      s += m.v[1];
    }
  }
  if (wanted("present")) {
    double *v = m.v;
#pragma omp target enter data map(to : v[0 : n])
    // PRESENT: missing.cpp:[[#@LINE+3]]: {{.*}}reads {{.*}} through 'm.v'
    // PRESENT: it is present on device 0 at 0x{{.*}}, but the pointer
#pragma omp target map(tofrom : x) map(to : m)
    x += int(m.v[5]);
#pragma omp target exit data map(delete : v[0 : n])
  }
  std::printf("done\n");
  delete[] m.v;
  delete[] w;
  return 0;
}
