// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing is said of memory that is mapped within its block, and freed once it
// is on no device: of malloc and its like, of new, of containers, of libraries.
//
// RUN: %accxcxx -O1 --accx-check %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: %run ACCX_CHECK=2 %t 2>&1 | FileCheck %s
//
// CHECK-NOT: accx
// CHECK: 45 45 45 45 45 45 45 9
// CHECK-NOT: accx
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

static int sum(int *p, int n) {
  int s = 0;
#pragma acc parallel loop copy(p[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    p[i] += i;
    s += p[i];
  }
  return s;
}

struct alignas(64) Wide {
  int v[16];
};

int main() {
  int *a = static_cast<int *>(calloc(10, sizeof(int)));
  const int first = sum(a, 10);
  a = static_cast<int *>(realloc(a, 1000 * sizeof(int)));
  memset(a, 0, 1000 * sizeof(int));
  const int second = sum(a + 990, 10);
  a = static_cast<int *>(realloc(a, 5 * sizeof(int)));
  free(a);
  int *b = new int[10]();
  const int third = sum(b, 10);
  delete[] b;
  void *c = nullptr;
  if (posix_memalign(&c, 64, 40))
    return 1;
  memset(c, 0, 40);
  const int fourth = sum(static_cast<int *>(c), 10);
  free(c);
  std::vector<int> v(3);
  for (int i = 0; i < 100; ++i)
    v.push_back(0);
  const int fifth = sum(v.data() + v.size() - 10, 10);
  auto w = std::make_unique<Wide>();
  memset(w->v, 0, sizeof(w->v));
  const int sixth = sum(w->v, 10);
  int *d = new (std::nothrow) int[10]();
#pragma acc enter data copyin(d[0 : 10])
  const int seventh = sum(d, 10);
#pragma acc exit data delete (d)
  delete[] d;
  // What a library gives and takes.
  char *line = nullptr;
  size_t size = 0;
  FILE *own = fopen("/proc/self/comm", "r");
  const bool read = own && getline(&line, &size, own) > 0;
  if (own)
    fclose(own);
  std::map<std::string, int> names;
  for (int i = 0; i < 1000; ++i)
    names[std::string(50, 'x') + std::to_string(i)] = i;
  int length = 0;
#pragma acc serial copyin(line[0 : size]) copyout(length)
  length = line[0] ? 9 : 0;
  free(line);
  if (read)
    printf("%d %d %d %d %d %d %d %d\n", first, second, third, fourth, fifth,
           sixth, seventh, length);
}
