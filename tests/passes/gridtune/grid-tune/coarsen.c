// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four neighbouring iterations at a time where bases are aligned, all loads
// before all stores; else four that follow each other; then single ones.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

// CHECK: a grid-stride loop does 4 neighbouring iterations at a time
// CHECK: a grid-stride loop does 4 iterations at a time
void add(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] += x[i];
}
// CHECK: a grid-stride loop does 4 neighbouring iterations at a time
double sum(unsigned long n, const double *x) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (unsigned long i = 0; i < n; i++)
    s += x[i];
  return s;
}
// CHECK: a grid-stride loop does 4 neighbouring iterations at a time
float most(int n, const float *x) {
  float m = 0;
#pragma omp target teams distribute parallel for reduction(max : m)            \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    m = m < x[i] ? x[i] : m;
  return m;
}
// What is not a maximum is the last one's.
// CHECK-NOT: 4 neighbouring
// CHECK: a grid-stride loop does 4 iterations at a time
float last(int n, const float *x) {
  float m = 0;
#pragma omp target teams distribute parallel for reduction(max : m)            \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    m = m == m && x[i] == x[i] ? x[i] : m;
  return m;
}

// CHECK: define {{.*}}add
// CHECK: %groups{{.*}} = lshr i64
// CHECK: and i64 %{{.*}}, 15
// CHECK: grid.main{{.*}}:
// CHECK: load float, ptr %{{.*}}, align 16
// CHECK-NOT: store
// CHECK-COUNT-6: load float, ptr %{{.*}}, align 4
// CHECK: store float %{{.*}}, align 16
// CHECK-COUNT-3: store float %{{.*}}, align 4
// CHECK: grid.main{{.*}}:
// CHECK-COUNT-8: load float, ptr %{{.*}}, align 4
// CHECK-COUNT-4: store float %{{.*}}, align 4
// CHECK: %grid.iv
// CHECK-COUNT-2: load float
// CHECK: define {{.*}}sum
// CHECK: load double, ptr %{{.*}}, align 16
// CHECK-COUNT-3: load double, ptr %{{.*}}, align 8
