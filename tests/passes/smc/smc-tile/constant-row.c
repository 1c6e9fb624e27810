// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a variable length, of which one is a constant: the product of row 1
// and the length is the length alone, and still a row of the copy, which has 66
// columns.
//
// RUN: %accxcc-device -O2 %s -o - | FileCheck %s
// RUN: %host -O1 -DMAIN %s -o %t && env OMP_NUM_THREADS=2 %t

// CHECK: define {{.*}}rows
// CHECK: getelementptr i8, ptr addrspace(3) %{{.*}}, i64 268
// CHECK: getelementptr i8, ptr addrspace(3) %{{.*}}, i64 4
void rows(int m, const float a[restrict 2][m], float *restrict b) {
#pragma omp target teams distribute parallel for map(to : a[0 : 2][0 : m])     \
    map(from : b[0 : m])
  for (int j = 0; j < m; ++j)
#pragma accx smc FETCH_CHANNEL(a[0 : 0 : 1][j : 1 : 1]) block(64)
    b[j] = a[1][j] + 2 * a[0][j];
}

#ifdef MAIN
int main(void) {
  enum { M = 150 };
  static float a[2][M], b[M];
  for (int j = 0; j < M; ++j) {
    a[0][j] = (float)j;
    a[1][j] = (float)(1000 * j);
  }
  rows(M, a, b);
  int bad = 0;
  for (int j = 0; j < M; ++j)
    bad |= b[j] != (float)(1002 * j);
  return bad;
}
#endif
