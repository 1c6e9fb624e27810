// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop with a thread for each iteration in a full block is not worth copies:
// a block of 256 threads loads and stores a tile of 256. One of 257 has more.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

// CHECK: [[@LINE+9]]:1: {{.*}}one iteration at a time: there are no more than threads that share it
// CHECK: [[@LINE+11]]:1: {{.*}}one iteration at a time: there are no more than threads that share it
// CHECK: [[@LINE+21]]:1: {{.*}}one iteration at a time: there are no more than threads that share it
// CHECK: [[@LINE+23]]:1: {{.*}}iterations at a time
void tile(int n, const int *restrict a, int *restrict b) {
#pragma omp target teams distribute thread_limit(256) map(to : a[ : n])        \
    map(from : b[ : n])
  for (int i = 0; i < n; i += 256) {
    int t[256];
#pragma omp parallel for
    for (int j = 0; j < 256; j++)
      t[j] = a[i + j];
#pragma omp parallel for
    for (int j = 0; j < 256; j++)
      b[i + j] = t[j] + t[255 - j];
  }
}

void more(int n, const int *restrict a, int *restrict b) {
#pragma omp target teams distribute thread_limit(256) map(to : a[ : n])        \
    map(from : b[ : n])
  for (int i = 0; i < n; i += 257) {
    int t[257];
#pragma omp parallel for
    for (int j = 0; j < 256; j++)
      t[j] = a[i + j];
#pragma omp parallel for
    for (int j = 0; j < 257; j++)
      b[i + j] = t[j];
  }
}
