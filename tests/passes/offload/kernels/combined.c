// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of one loop over teams and threads: bounds, types, schedules,
// privates.
//
// RUN: %device %s | %print 2>&1 | FileCheck %s

// CHECK: kernel {{.*}}ints{{.*}}: spmd, threads 1..128, teams any
// CHECK-NEXT: distribute: i32 0..(arg2 sub 1), schedule static, chunk of a block, grid-stride: yes
// CHECK-NEXT: parallel @{{.*}}ints{{.*}}_omp_outlined_omp_outlined, 1 private
// CHECK-NEXT: for: i32 0..arg3, schedule static, chunk 1
void ints(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK-NEXT: kernel {{.*}}sizes{{.*}}: spmd
// CHECK-NEXT: distribute: u64 0..(arg2 sub 1), schedule static, chunk 7, grid-stride: yes
// CHECK-NEXT: parallel
// CHECK-NEXT: for: u64 0..arg3, schedule static, chunk 5
void sizes(unsigned long n, float *x) {
#pragma omp target teams distribute parallel for dist_schedule(static, 7)      \
    schedule(static, 5) map(tofrom : x[ : n])
  for (unsigned long i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK-NEXT: kernel {{.*}}steps{{.*}}: spmd
// CHECK-NEXT: distribute: u32 0..(((arg2 sub 2) udiv 2) sub 1), schedule static, chunk of a block
void steps(unsigned n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (unsigned i = n; i > 3; i -= 2)
    x[i - 1] += 1;
}
// CHECK: kernel {{.*}}limits{{.*}}: spmd, threads 1..64, teams 12..12
// CHECK: parallel {{.*}}, num_threads 64
void limits(int n, float *x) {
#pragma omp target teams distribute parallel for num_teams(12) num_threads(64) \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK: kernel {{.*}}last{{.*}}: spmd
// CHECK-NEXT: distribute: {{.*}}, lastprivate, grid-stride: yes
// CHECK-NEXT: parallel
// CHECK-NEXT: for: {{.*}}, lastprivate
int last(int n, float *x) {
  int at = 0;
#pragma omp target teams distribute parallel for lastprivate(at)               \
    map(tofrom : x[ : n]) map(from : at)
  for (int i = 0; i < n; i++)
    at = i;
  return at;
}
