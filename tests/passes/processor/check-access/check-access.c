// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels ask about with checks, and what not: variables of their own,
// the image's. Without the option nothing is.
//
// RUN: %device -fplugin-arg-accx-check -g -O0 %s | FileCheck %s
// RUN: %device -g -O0 %s | FileCheck %s --check-prefix=OFF
// RUN: %device -DUNIFIED -fplugin-arg-accx-check -g -O0 %s | FileCheck %s --check-prefix=OFF
// OFF-NOT: __accx_check_access
//
// Names are those of the pointers that lead there.
// CHECK-DAG: @__accx_check_access = weak_odr protected global ptr null
// CHECK-DAG: c"p\00"
// CHECK-DAG: c"p->next->v\00"
// CHECK-DAG: c"through\00"
// CHECK-NOT: c"here\00"
// CHECK-NOT: c"table
//
// CHECK-LABEL: define {{.*}}@own(
// CHECK: call void %{{[0-9]+}}(ptr %{{.*}}, i64 0, ptr null)
// CHECK-NOT: call void %
// CHECK: ret
//
// CHECK-LABEL: define {{.*}}@member(
// CHECK: call void %{{[0-9]+}}(ptr %{{.*}}, i64 0, ptr null)
// CHECK: call void %{{[0-9]+}}(ptr %{{.*}}, i64 8, ptr @{{[0-9]+}})
// CHECK: ret
//
// CHECK-LABEL: define {{.*}}@copy(
// CHECK: call void %{{[0-9]+}}(ptr %{{.*}}, i64 24, ptr @{{[0-9]+}})
// CHECK: call void %{{[0-9]+}}(ptr %{{.*}}, i64 24, ptr @{{[0-9]+}})
// CHECK: memcpy

#ifdef UNIFIED
#pragma omp requires unified_shared_memory
#endif

struct S {
  long n;
  double *v;
  struct S *next;
};

#pragma omp begin declare target
int table[10];
int own(int i) {
  int here[4] = {0};
  table[i] = here[i & 3];
  return table[i + 1];
}
double *member(struct S *p) { return p->v; }
double far(struct S *p, int i) { return p->next->v[i]; }
void store(int *through) {
#pragma omp atomic
  *through += 1;
}
void copy(struct S *to, struct S *from) { *to = *from; }
#pragma omp end declare target
