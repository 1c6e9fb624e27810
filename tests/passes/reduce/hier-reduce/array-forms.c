// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to write that an element is combined with something: each is an atomic
// of what it is combined with.
//
// RUN: %device %s | %folded 2>&1 | FileCheck %s

#define FOR(REST) _Pragma(#REST) for (int i = 0; i < n; i++)

// CHECK-COUNT-8: in shared memory
// CHECK-NOT: of its own

// CHECK-LABEL: define {{.*}}_minus_
// CHECK: [[LESS:%.*]] = sub i64 0,
// CHECK: atomicrmw add ptr addrspace(3) {{.*}}, i64 [[LESS]] monotonic
void minus(int n, const long *x, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(- : s[ : 9]))
  s[i % 9] -= x[i];
}

// CHECK-LABEL: define {{.*}}_product_
// CHECK: [[PRODUCT:%.*]] = fmul float
// CHECK: atomicrmw fadd ptr addrspace(3) {{.*}}, float [[PRODUCT]] monotonic
void product(int n, const float *x, float s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9]))
  s[i % 9] += x[i] * x[i];
}

// CHECK-LABEL: define {{.*}}_twice_
// CHECK: atomicrmw or ptr addrspace(3) {{.*}}, i32 4 monotonic
// CHECK: atomicrmw or ptr addrspace(3) {{.*}} monotonic
void twice(int n, const int *x, int s[9]) {
  FOR(omp target teams distribute parallel for reduction(| : s[ : 9])) {
    s[i % 9] |= 4;
    s[i % 9] = x[i] | s[i % 9];
  }
}

// CHECK-LABEL: define {{.*}}_larger_
// CHECK: atomicrmw umax ptr addrspace(3) {{.*}} monotonic
void larger(int n, const unsigned *x, unsigned s[9]) {
  FOR(omp target teams distribute parallel for reduction(max : s[ : 9]))
  s[i % 9] = s[i % 9] > x[i] ? s[i % 9] : x[i];
}

// What is there decides, unless another thread was faster.
// CHECK-LABEL: define {{.*}}_smaller_
// CHECK: load atomic i32, ptr addrspace(3) {{.*}} monotonic
// CHECK: atomicrmw min ptr addrspace(3) {{.*}} monotonic
void smaller(int n, const int *x, int s[9]) {
  FOR(omp target teams distribute parallel for reduction(min : s[ : 9])) {
    if (x[i] < s[i % 9])
      s[i % 9] = x[i];
  }
}

// A part of an array, wherever it begins.
// CHECK-LABEL: define {{.*}}_part_
// CHECK: atomicrmw add ptr addrspace(3) {{.*}} monotonic
void part(int n, const int *x, int *s, int from) {
  FOR(omp target teams distribute parallel for reduction(+ : s[5 : 9]))
  s[x[i]]++;
}

// One team: the block's array is set and added to the result in the region.
// CHECK-LABEL: define {{.*}}_alone_
// CHECK: atomicrmw xor ptr addrspace(3) {{.*}} monotonic
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: atomicrmw xor ptr {{.*}} monotonic
// CHECK: call void @llvm.nvvm.barrier0()
void alone(int n, const int *x, int s[9]) {
  FOR(omp target parallel for reduction(^ : s[ : 9]))
  s[i % 9] ^= x[i];
}

// By functions that get the array, one of which calls the other.
static void count(int *s, int i) { s[i]++; }
static void countBoth(int *s, int i) {
  count(s, i);
  count(s + 1, i);
}

// CHECK-LABEL: define {{.*}}_called_
// CHECK: atomicrmw add ptr addrspace(3) {{.*}}, i32 1 monotonic
// CHECK: atomicrmw add ptr addrspace(3) {{.*}}, i32 1 monotonic
void called(int n, const int *x, int s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9]))
  countBoth(s, x[i]);
}
