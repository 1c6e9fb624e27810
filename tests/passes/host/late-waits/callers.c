// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function whose callers are all known may return while its regions are under
// way, where that gains something; then its callers wait.
//
// RUN: %hostcode -O2 %s | FileCheck %s
// RUN: %hostcode -O2 -Rpass=late-waits -Rpass-missed=late-waits %s 2>&1 >%t.ll | FileCheck %s --check-prefix=CHECK-REMARK
#include <time.h>

enum { N = 100 };
double a[N];

#define REGION                                                                 \
  _Pragma("omp target teams distribute parallel for map(a)") for (int i = 0;   \
                                                                  i < N; ++i)  \
      a[i] += i

// CHECK-REMARK: callers.c:[[#@LINE+1]]:{{.*}}remark: the region is waited for later, before what callers do next
__attribute__((noinline)) static void step(void) { REGION; }

// CHECK-LABEL: define {{.*}}@steps(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: ret void
// CHECK: call {{.*}}@step()
// CHECK-NOT: settle
// CHECK: }
void steps(int n) {
  for (int t = 0; t < n; ++t)
    step();
}

// CHECK-LABEL: define internal {{.*}}@step(
// CHECK-NOT: settle
// CHECK: or i64 %{{.*}}, 4294967296
// CHECK-NOT: settle
// CHECK: call i32 @__tgt_target_kernel(
// CHECK-NOT: settle
// CHECK: ret void

// Also a caller that gains nothing waits.
// CHECK-LABEL: define {{.*}}@calls(
// CHECK-NOT: settle
// CHECK: call {{.*}}@step()
// CHECK-NEXT: call void @accx.settle(i32 0)
// CHECK-NEXT: call {{.*}}@clock()
// CHECK-NOT: settle
// CHECK: ret void
void calls(void) {
  step();
  clock();
}

// No caller gains anything.
// CHECK-REMARK: callers.c:[[#@LINE+1]]:{{.*}}remark: the region is waited for where it stands, before the end of the function
__attribute__((noinline)) static void alone(void) { REGION; }

// CHECK-LABEL: define {{.*}}@callsAlone(
// CHECK-NOT: settle
// CHECK: ret void
void callsAlone(int n) {
  for (int t = 0; t < n; ++t) {
    alone();
    clock();
  }
}

// CHECK-LABEL: define internal {{.*}}@alone(
// CHECK-NOT: settle
// CHECK-NOT: 4294967296
// CHECK: ret void

// Somebody else may call it, too: the unit's own calls go to a copy that stays
// open.
// CHECK-LABEL: define {{.*}}@taken(
// CHECK-NOT: 4294967296
// CHECK: ret void
__attribute__((noinline)) static void taken(void) { REGION; }
void (*pointer)(void) = taken;
// CHECK-LABEL: define {{.*}}@callsTaken(
// CHECK: call void @accx.settle(i32 0)
// CHECK: call {{.*}}@taken.open()
// CHECK-NOT: settle
// CHECK: }
void callsTaken(int n) {
  for (int t = 0; t < n; ++t)
    taken();
}

// CHECK-LABEL: define {{.*}}@outer(
// CHECK-NOT: 4294967296
// CHECK: ret void
__attribute__((noinline)) void outer(int depth) {
  REGION;
  if (depth)
    outer(depth - 1);
}
// CHECK-LABEL: define {{.*}}@callsOuter(
// CHECK: call {{.*}}@outer.open(
// CHECK: }
void callsOuter(int n) {
  for (int t = 0; t < n; ++t)
    outer(0);
}

// Another unit's may be used instead: there is none.
// CHECK-REMARK-NOT: stands
// CHECK-REMARK: callers.c:[[#@LINE+4]]:{{.*}}remark: the region is waited for where it stands, before the end of the function
// CHECK-LABEL: define {{.*}}@replaced(
// CHECK-NOT: 4294967296
// CHECK: ret void
__attribute__((noinline, weak)) void replaced(void) { REGION; }
// CHECK-LABEL: define {{.*}}@callsReplaced(
// CHECK: call {{.*}}@replaced()
void callsReplaced(int n) {
  for (int t = 0; t < n; ++t)
    replaced();
}

// A copy that gains nothing goes again.
// CHECK-REMARK-NOT: stands
// CHECK-REMARK: callers.c:[[#@LINE+2]]:{{.*}}remark: the region is waited for where it stands, before the end of the function
// CHECK-LABEL: define {{.*}}@single(
__attribute__((noinline)) void single(void) { REGION; }
// CHECK-LABEL: define {{.*}}@callsSingle(
// CHECK: call {{.*}}@single()
void callsSingle(void) {
  single();
  clock();
}

// Who calls under a sanitizer or at -O0 does not wait: its call stays.
// CHECK-LABEL: define {{.*}}@callsWatched(
// CHECK: call {{.*}}@watched.open()
__attribute__((noinline)) static void watched(void) { REGION; }
void callsWatched(int n) {
  for (int t = 0; t < n; ++t)
    watched();
}
// CHECK-LABEL: define internal {{.*}}@watched(
// CHECK-NOT: 4294967296
// CHECK: ret void
// CHECK-LABEL: define {{.*}}@callsPlain(
// CHECK: call {{.*}}@watched()
__attribute__((optnone, noinline)) void callsPlain(void) { watched(); }
// CHECK-NOT: single.open
// CHECK-REMARK-NOT: stands
// CHECK-REMARK: remark: the region is waited for later, before what callers do next
// CHECK-REMARK-NOT: stands
