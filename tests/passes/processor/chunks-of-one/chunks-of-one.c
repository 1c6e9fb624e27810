// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On processors Clang's loop for `distribute parallel for schedule(static, 1)`
// loses all but the first iteration of a team of one thread. Whole compilations
// have the pass, at any level; other chunks and loops of one level stay.
//
// RUN: %plainclang -O1 -fopenmp -Xclang -disable-llvm-passes -S -emit-llvm %s \
// RUN:   -o %t.ll
// RUN: opt -load-pass-plugin=%accx_plugin -passes=chunks-of-one,verify -S %t.ll \
// RUN:   -pass-remarks=chunks-of-one 2>&1 | FileCheck %s
// RUN: opt -load-pass-plugin=%accx_plugin -passes=chunks-of-one,chunks-of-one -S \
// RUN:   %t.ll | FileCheck %s --check-prefix=CHECK-TWICE
// RUN: %accxcc -w --accx-targets=host -O0 %s -o %t.0
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_PLUGIN=host %t.0
// RUN: %accxcc -w --accx-targets=host -O2 %s -o %t.2
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_PLUGIN=host %t.2
//
// CHECK: loop in chunks of one iteration made right for teams of one thread
// CHECK-NOT: loop in chunks of one
// CHECK: call void @__kmpc_for_static_init_8({{.*}}, i32 33, ptr %{{.*}}, ptr %[[LOWER:[0-9a-z.]+]], ptr %[[UPPER:[0-9a-z.]+]], ptr %[[STRIDE:[0-9a-z.]+]], i64 1, i64 1)
// CHECK-NEXT: %[[LEAST:[0-9a-z.]+]] = load i64, ptr %[[LOWER]]
// CHECK-NEXT: %[[MOST:[0-9a-z.]+]] = load i64, ptr %[[UPPER]]
// CHECK-NEXT: %[[ALL:[0-9a-z.]+]] = icmp ne i64 %[[LEAST]], %[[MOST]]
// CHECK-NEXT: %[[OLD:[0-9a-z.]+]] = load i64, ptr %[[STRIDE]]
// CHECK-NEXT: %[[NEW:[0-9a-z.]+]] = select i1 %[[ALL]], i64 1, i64 %[[OLD]]
// CHECK-NEXT: store i64 %[[NEW]], ptr %[[STRIDE]]
// CHECK-NOT: is.all
// CHECK-TWICE-COUNT-1: %is.all =
// CHECK-TWICE-NOT: is.all{{.*}} =

enum { Most = 1000 };
static int times[Most];

__attribute__((noinline)) static void ones(long n) {
#pragma omp target teams distribute parallel for schedule(static, 1)           \
    num_teams(3) thread_limit(1) map(tofrom : times)
  for (long i = n; i > 0; i--)
    times[i - 1] += 1;
}

__attribute__((noinline)) static void twos(long n) {
#pragma omp target teams distribute parallel for schedule(static, 2)           \
    num_teams(3) thread_limit(1) map(tofrom : times)
  for (long i = 0; i < n; i++)
    times[i] += 1;
}

__attribute__((noinline)) static void oneLevel(long n) {
#pragma omp parallel for schedule(static, 1) num_threads(1)
  for (long i = 0; i < n; i++)
    times[i] += 1;
}

int main(void) {
  static const long sizes[] = {0, 1, 2, 3, 4, 999, Most};
  int rounds = 0;
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (long i = 0; i < Most; i++)
      times[i] = 0;
    ones(sizes[s]);
    twos(sizes[s]);
    oneLevel(sizes[s]);
    for (long i = 0; i < Most; i++)
      if (times[i] != (i < sizes[s] ? 3 : 0))
        return 1;
    rounds++;
  }
  return rounds != 7;
}
