// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams without a distributed loop: blocks run their code, and regions of any
// code are functions that ask the runtime nothing.
//
// RUN: %device %s | %grid-nest -o %t.ll 2>&1 | FileCheck %s --check-prefix=CHECK-REMARK
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=CHECK-BOUND < %t.ll
// RUN: FileCheck %s --check-prefix=CHECK-GONE < %t.ll
// RUN: %device %s | %folded 2> /dev/null | FileCheck %s --check-prefix=CHECK-FOLDED
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin -S -passes=grid-nest -accx-team-code=0 \
// RUN:   -pass-remarks=grid-nest 2>&1 | FileCheck %s --check-prefix=CHECK-OFF
// CHECK-REMARK-COUNT-10: code of teams of {{.*}} runs on all threads of their blocks
// CHECK-REMARK: nest of {{.*}} runs on all threads of the grid, whose groups run the outer loop together
// CHECK-GONE-NOT: call {{.*}}@__kmpc_parallel_51
// CHECK-GONE-NOT: call {{.*}}@__kmpc_alloc_shared
// CHECK-OFF-NOT: code of teams
#pragma omp begin declare target
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_team_num(void);
int omp_get_num_teams(void);
static __attribute__((noinline)) float neighbour(float *a, float x) {
  const int t = omp_get_thread_num();
  a[t] = x;
#pragma omp barrier
  return a[(t + 1) % omp_get_num_threads()];
}
static __attribute__((noinline)) void fill(float *a, float x) {
#pragma omp for
  for (int i = 0; i < 128; i++)
    a[i] = x;
}
#pragma omp end declare target

// Arrays are variables of the block, one for each. What regions only read is
// each thread's own.
// CHECK-LABEL: define {{.*}}block_l{{[0-9]+}}(
// CHECK-NOT: call {{.*}}@omp_get_team_num
// CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK: call void @{{.*}}block_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK-NOT: barrier0
// CHECK: ret void
// CHECK-LABEL: define {{.*}}block_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK-NOT: __kmpc_barrier
// CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: atomicrmw fadd
// CHECK: call void @llvm.nvvm.barrier0()
//
// In the end nothing of the runtime is left in the kernel.
// CHECK-FOLDED-DAG: @[[A:accx.gang[.0-9]*]] = internal addrspace(3) global [128 x i8] undef, align 16
// CHECK-FOLDED-LABEL: define {{.*}}block_l{{[0-9]+}}(
// CHECK-FOLDED-NOT: call {{.*}}@{{__kmpc_(alloc|barrier|parallel)|omp_}}
// CHECK-FOLDED: atomicrmw fadd
// CHECK-FOLDED: ret void
void block(int teams, int n, int width, const float *x, float *sums) {
#pragma omp target teams num_teams(teams) thread_limit(128)                    \
    map(to : x[ : n * width]) map(tofrom : sums[ : width])
  {
    float part[32];
    const int first = omp_get_team_num() * 8;
#pragma omp parallel
    {
      const int t = omp_get_thread_num();
      float sum = 0;
      for (int i = first + t / 32; i < n; i += 8 * omp_get_num_teams())
        sum += x[i * width + t % 32];
      if (t < 32)
        part[t] = 0;
#pragma omp barrier
#pragma omp atomic
      part[t % 32] += sum;
#pragma omp barrier
      if (t < 32)
        sums[t] = part[t];
    }
  }
}

// What writes between regions one thread does; then all meet.
// CHECK-LABEL: define {{.*}}between_l{{[0-9]+}}(
// CHECK: call void @{{.*}}between_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: icmp eq i64 %{{.*}}, 0
// CHECK-NEXT: br i1
// CHECK: store float
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: call void @{{.*}}between_l{{[0-9]+}}_omp_outlined_omp_outlined{{[0-9]+}}(
void between(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : teams])
  {
    float a[64];
#pragma omp parallel
    for (int i = omp_get_thread_num(); i < 64; i += omp_get_num_threads())
      a[i] = i;
    a[3] = a[5] * 2;
#pragma omp parallel
    {
#pragma omp master
      x[omp_get_team_num()] = a[3];
    }
  }
}

// Functions that have barriers get a copy that asks nothing.
// CHECK-LABEL: define {{.*}}calls_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK: call {{.*}}float @neighbour.team(
void calls(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : teams])
  {
    float a[128];
#pragma omp parallel
    {
      const float got = neighbour(a, x[omp_get_team_num()]);
#pragma omp single
      x[omp_get_team_num()] = got;
    }
  }
}

// A region that is one loop runs on any number of threads; others with the
// same clause get blocks of so many.
void loops(int teams, int n, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : n])
  {
    float s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(n)
    for (int i = 0; i < n; i++)
      s += x[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      x[i] = s;
  }
}

// CHECK-BOUND-DAG: @{{.*}}bounded_l{{[0-9]+}}_kernel_environment = {{.*}} { i8 0, i8 1, i8 2, i32 96, i32 96,
void bounded(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : teams])
  {
    float a[96];
#pragma omp parallel num_threads(96)
    x[omp_get_team_num()] = neighbour(a, 3);
  }
}

// Without barriers the others leave the region out.
// CHECK-LABEL: define {{.*}}some_l{{[0-9]+}}(
// CHECK: %[[COUNT:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 %{{.*}})
// CHECK: icmp ult i64 %{{.*}}, %[[COUNT]]
// CHECK-NEXT: br i1
// CHECK: call void @{{.*}}some_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK-LABEL: define {{.*}}some_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK: %[[THREADS:.*]] = trunc i64 %threads to i32
// CHECK-NOT: ntid
// CHECK: mul {{.*}}i32 %[[THREADS]], 3
void some(int teams, int n, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    const int k = x[0];
#pragma omp parallel num_threads(n)
    x[omp_get_thread_num()] = k * (omp_get_num_threads() * 3);
  }
}

// Worksharing loops, in a sequential one, too, and reductions.
// CHECK-LABEL: define {{.*}}shares_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi i64
// CHECK: call void @accx.reduce.block
void shares(int teams, int n, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : n])
  {
    float a[256], s = 0;
#pragma omp parallel
    for (int k = 0; k < n; k++) {
#pragma omp for
      for (int i = 0; i < 256; i++)
        a[i] = x[i] + k;
#pragma omp for reduction(+ : s)
      for (int i = 0; i < 256; i++)
        s += a[(i + 1) % 256];
    }
    x[omp_get_team_num()] = s;
  }
}

// Loops that keep their form compute their bounds: those of functions, with
// chunks, or whose last value is used.
// CHECK-LABEL: define {{.*}}bounds_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK: %[[LAST:.*]] = load i32
// CHECK: mul i32 %{{.*}}, 4
// CHECK: call {{.*}}@fill.team(
// CHECK-LABEL: define internal void @fill.team(
// CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.tid.x()
void bounds(int teams, int n, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : n])
  {
    float last = 0, a[128];
#pragma omp parallel
    {
#pragma omp for schedule(static, 4) lastprivate(last)
      for (int i = 0; i < n; i++)
        last = x[i] + omp_get_thread_num();
      fill(a, last);
      x[omp_get_team_num()] = a[5];
    }
  }
}

// A large array is shared though its region only reads it.
void table(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : teams * 128])
  {
    float a[100];
    for (int i = 0; i < 100; i++)
      a[i] = i * i;
#pragma omp parallel
    x[omp_get_team_num() * 128 + omp_get_thread_num()] =
        a[omp_get_thread_num() % 100];
  }
}

// Clang makes an SPMD kernel of this one.
void plain(int teams, int n, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : teams * 128])
  {
#pragma omp parallel
    {
      const int i = omp_get_team_num() * 128 + omp_get_thread_num();
      if (i < n)
        x[i] += 1;
    }
  }
}

void gangs(int n, float *x) {
#pragma omp target teams distribute map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) {
    float a[128];
#pragma omp parallel
    {
      const float got = neighbour(a, x[i]);
#pragma omp barrier
      if (omp_get_thread_num() == 0)
        x[i] = got;
    }
  }
}
