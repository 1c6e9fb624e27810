// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A directive behind the definition makes no variants, which is said.
//
// RUN: %accxcc -O1 -fopenmp-simd -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHECK-CODE < %t.ll
// CHECK-CODE-NOT: _ZGV{{.*}}_late
// CHECK-CODE-DAG: define {{.*}}@_ZGVbN4v_early(
// CHECK-CODE-DAG: define {{.*}}@_ZGVbN4v_whole(
// CHECK-CODE-NOT: _ZGV{{.*}}_late

float late(float x) { return x * 2; }
// CHECK: late.c:[[@LINE+1]]:{{[0-9]+}}: warning: 'declare simd' behind the definition of 'late' makes no variants
#pragma omp declare simd notinbranch
float late(float x);
// CHECK: late.c:[[@LINE-4]]:7: note: put the directive in front of this

#pragma omp declare simd notinbranch
float early(float x) { return x * 3; }
// The same again is in time.
#pragma omp declare simd notinbranch
float early(float x);
// CHECK: late.c:[[@LINE+1]]:{{[0-9]+}}: warning: 'declare simd' behind the definition of 'early'
#pragma omp declare simd inbranch
float early(float x);

// Both kinds.
#pragma omp declare simd
float whole(float x) { return x + 1; }
#pragma omp declare simd inbranch
float whole(float x);
// CHECK-NOT: warning:
