// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of steps without a directive has launches of several steps, too, where
// a device may be a GPU and a cell takes little. Nobody is warned of what the
// front end writes.
//
// RUN: %accx_syntax -O1 -Wall -fopenmp-targets=x86_64-pc-linux-gnu --offload-host-only -Rpass=accx %s 2>&1 | FileCheck %s --implicit-check-not='loop has'
// RUN: %accx_syntax -O1 -fopenmp-targets=x86_64-pc-linux-gnu --offload-host-only -Rpass-missed=accx %s 2>&1 | FileCheck %s --check-prefix=CHECK-MISSED --implicit-check-not='each step'
// RUN: %accx_syntax -O1 -Wall -fopenmp-targets=x86_64-pc-linux-gnu -Wextra -Wconversion -Wshadow -Wfloat-equal -Wcast-qual -Werror %s
// RUN: %accx_syntax -O1 -Wall -fopenmp-targets=x86_64-pc-linux-gnu -Wextra -Wconversion -Wold-style-cast -Wshadow -Wfloat-equal -Werror -x c++ %s
// RUN: %accx_syntax -O1 -Wall -fopenmp-targets=x86_64-pc-linux-gnu --offload-host-only -Rpass=accx -Wvla %s 2>&1 | FileCheck %s --check-prefix=VLA --implicit-check-not='loop has'
// RUN: %accx_syntax -O1 -Wall -fopenmp-targets=x86_64-pc-linux-gnu -Rpass=accx -O0 %s 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: %accx_syntax -O1 -fopenmp-targets=x86_64-pc-linux-gnu -Rpass=accx -fprofile-instr-generate %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %accx_syntax -O1 -fopenmp-targets=x86_64-pc-linux-gnu -Rpass=accx -fsanitize=undefined %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %accx_syntax -O1 -fopenmp-targets=x86_64-pc-linux-gnu -Rpass=accx -ftrapv %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %accx_syntax -O1 -fopenmp-targets=x86_64-pc-linux-gnu -Rpass=accx -fwrapv %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %accxcc --accx-targets=host -O1 --offload-host-only -fsyntax-only -Rpass=accx %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %accx_syntax -O1 -fopenmp-targets=x86_64-pc-linux-gnu --offload-host-only -Rpass=accx -x c++ -DSWAPS %s 2>&1 | FileCheck %s --check-prefix=SWAPS
// NONE-NOT: loop has
#define SWAP                                                                   \
  float *old = a;                                                              \
  a = b;                                                                       \
  b = old

void sides(float *a, float *b, int n, int steps) {
  if (steps > 1)
    // CHECK: timetile-chosen.c:[[#@LINE+1]]:5: remark: the loop has launches of up to 4 steps, which read 'a' and write 'b'
    for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop collapse(2)
      for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x)
          b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
      SWAP;
    }
  else
    a[0] = 0;
}

void line(float *a, float *b, int n, int steps) {
  // VLA: timetile-chosen.c:[[#@LINE+2]]:3: remark: {{.*}} up to 16 steps
  // CHECK: timetile-chosen.c:[[#@LINE+1]]:3: remark: the loop has launches of up to 16 steps
  for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    SWAP;
  }
}

// Steps that read further are fewer.
void far(float *a, float *b, int n, int steps) {
  // VLA: timetile-chosen.c:[[#@LINE+2]]:3: remark: {{.*}} up to 10 steps
  // CHECK: timetile-chosen.c:[[#@LINE+1]]:3: remark: the loop has launches of up to 10 steps
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 3; x < n - 3; ++x)
      b[x] = a[x - 3] + a[x + 3];
    SWAP;
  }
}

// Further than pays.
void farther(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 9; x < n - 9; ++x)
      b[x] = a[x - 9] + a[x + 9];
    SWAP;
  }
}

void heavy(float *a, float *b, int n, int steps) {
  // CHECK-MISSED: timetile-chosen.c:[[#@LINE+1]]:3: remark: each step stays {{.*}} some [[#]] operations
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 1; x < n - 1; ++x) {
      float v = a[x - 1] + a[x + 1];
      for (int i = 0; i < 8; ++i)
        v = v / (v + 2) + v / (v + 3);
      b[x] = v;
    }
    SWAP;
  }
}

// A call that is not inlined would keep a block's threads apart.
float other(float);
#pragma acc routine(other) seq
void call(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 1; x < n - 1; ++x)
      b[x] = other(a[x - 1]) + a[x + 1];
    SWAP;
  }
}

// The tree's obstacle: nothing of the launches is left.
void often(volatile float *a, volatile float *b, int n, int steps) {
  // CHECK-MISSED: timetile-chosen.c:[[#@LINE+1]]:3: remark: each step stays {{.*}} volatile or atomic
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    volatile float *old = a;
    a = b;
    b = old;
  }
}

// Behind a directive that stands alone, and as all of a data construct.
void behind(float *a, float *b, int n, int steps) {
#pragma omp target enter data map(to : a[0 : n], b[0 : n])
  // VLA: timetile-chosen.c:[[#@LINE+2]]:3: remark: {{.*}} up to 16 steps
  // CHECK: timetile-chosen.c:[[#@LINE+1]]:3: remark: the loop has launches of up to 16 steps
  for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    SWAP;
  }
#pragma omp target exit data map(from : a[0 : n], b[0 : n])
#pragma omp target data map(tofrom : a[0 : n], b[0 : n])
  // VLA: timetile-chosen.c:[[#@LINE+2]]:3: remark: {{.*}} up to 16 steps
  // CHECK: timetile-chosen.c:[[#@LINE+1]]:3: remark: the loop has launches of up to 16 steps
  for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    SWAP;
  }
#pragma acc update device(a[0 : n])
  // VLA: timetile-chosen.c:[[#@LINE+2]]:3: remark: {{.*}} up to 16 steps
  // CHECK: timetile-chosen.c:[[#@LINE+1]]:3: remark: the loop has launches of up to 16 steps
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    SWAP;
  }
#pragma acc data copy(a[0 : n], b[0 : n])
  // VLA: timetile-chosen.c:[[#@LINE+2]]:3: remark: {{.*}} up to 16 steps
  // CHECK: timetile-chosen.c:[[#@LINE+1]]:3: remark: the loop has launches of up to 16 steps
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    SWAP;
  }
}

// Steps in turn on a thread: not a loop of the program's own.
void threads(float *a, float *b, int n, int steps) {
#pragma omp parallel for
  for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for firstprivate(a, b)
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    SWAP;
  }
}

// The sum sees each step.
float seen(float *a, float *b, int n, int steps) {
  float sum = 0;
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 1; x < n - 1; ++x)
      b[x] = a[x - 1] + a[x + 1];
    sum += b[1];
    SWAP;
  }
  return sum;
}

#ifdef SWAPS
#include <utility>
// What swaps is not the cell's work.
void swaps(float *a, float *b, int n, int steps) {
  // SWAPS: timetile-chosen.c:[[#@LINE+1]]:3: remark: the loop has launches
  for (int t = 0; t < steps; ++t) {
#pragma acc parallel loop
    for (int x = 1; x < n - 1; ++x)
      b[x] = 0.5f * (a[x - 1] + a[x + 1]) + 0.25f * a[x];
    std::swap(a, b);
  }
}
#endif
