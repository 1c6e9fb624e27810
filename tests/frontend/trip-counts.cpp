// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a collapsed iteration is divided by products of trip counts
// that are as wide as the number, not as Clang's, of the counters' type: inner
// loops may have more iterations than that has numbers. The program's own
// products stay as they are.
//
// RUN: %tools/clang -w -O0 -Xclang -disable-O0-optnone -fopenmp -fplugin=%accx_plugin -S -emit-llvm %s -o - | FileCheck %s

// Folded, it would be -2147386332.
// CHECK-LABEL: define internal void @{{.*}}constants{{.*}}omp_outlined(
// CHECK-NOT: mul {{.*}}i32
// CHECK: sdiv i64 %{{.*}}, 2147580964
// CHECK-NOT: -2147386332
// CHECK: ret void
void constants(unsigned char *x) {
#pragma omp parallel for collapse(3)
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 46342; b++)
      for (int c = 0; c < 46342; c++)
        x[(a * 46342ul + b) * 46342 + c]++;
}

// Folded, it would be zero.
// CHECK-LABEL: define internal void @{{.*}}overflows{{.*}}omp_outlined(
// CHECK: {{[su]}}div i64 %{{.*}}, 4294967296
// CHECK: ret void
void overflows(unsigned char *x) {
#pragma omp parallel for collapse(3)
  for (int a = 0; a < 2; a++)
    for (unsigned b = 0; b < 65536; b++)
      for (int c = 65535; c >= 0; c--)
        x[(a * 65536ul + b) * 65536 + c]++;
}

// CHECK-LABEL: define internal void @{{.*}}variables{{.*}}omp_outlined(
// CHECK-NOT: mul {{.*}}i32 1,
// CHECK: %[[M:.*]] = mul nsw i64 1, %{{.*}}
// CHECK: %[[K:.*]] = sext i32 %{{.*}} to i64
// CHECK: %[[MK:.*]] = mul nsw i64 %[[M]], %[[K]]
// CHECK: sdiv i64 %{{.*}}, %[[MK]]
// CHECK-NOT: mul {{.*}}i32 1,
// CHECK: mul nsw i32
// CHECK: ret void
void variables(int n, int m, int k, unsigned char *x) {
#pragma omp parallel for collapse(3)
  for (int a = 0; a < n; a++)
    for (int b = 0; b < m; b++)
      for (int c = 0; c < k; c++)
        x[a * m]++;
}

// A step that is a product of 32 bits, which may wrap, and a counter of 64.
// CHECK-LABEL: define internal void @{{.*}}own{{.*}}omp_outlined(
// CHECK: mul i32 %
// CHECK: zext i32 %{{.*}} to i64
// CHECK: ret void
unsigned p = 65537;
void own(unsigned m, long k, unsigned char *x) {
#pragma omp parallel for collapse(3)
  for (unsigned a = 0; a < 3; a++)
    for (unsigned b = 0; b < m; b++)
      for (long c = 0; c < k; c += p * p)
        x[c]++;
}

// CHECK-LABEL: define internal void @{{.*}}templates{{.*}}omp_outlined(
// CHECK: sdiv i64 %{{.*}}, 2147580964
// CHECK: ret void
template <class T, int N> void templates(T *x) {
#pragma omp parallel for collapse(3)
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < N; b++)
      for (int c = 0; c < N; c++)
        x[(a * 46342ul + b) * 46342 + c]++;
}
template void templates<char, 46342>(char *);

// CHECK-LABEL: define internal void @{{.*}}lambda{{.*}}omp_outlined(
// CHECK: sdiv i64 %{{.*}}, 2147580964
// CHECK: ret void
struct Members {
  static constexpr int N = 46342;
  void lambda(char *x) {
    auto f = [=](auto y) {
#pragma omp parallel for collapse(3)
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < N; b++)
          for (int c = 0; c < N; c++)
            y[(a * 46342ul + b) * 46342 + c]++;
    };
    f(x);
  }
};
void use(char *x) { Members().lambda(x); }
