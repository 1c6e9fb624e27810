// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No write goes unseen: a loop that is split although devices write what only
// one of them may have computes wrong results.
//
// RUN: %gpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %gpu -O1 -emit-llvm %s | %tables | FileCheck %s

#pragma omp declare target
static int calls;
static int count(void) {
  static int n;
  return n++;
}
int shown;
struct pair {
  float *a, *b;
};
void elsewhere(float *);
#pragma omp end declare target

#define LOOP                                                                   \
  _Pragma("accx distribute devices(0, 1)") _Pragma(                            \
      "omp target teams distribute parallel for") for (int i = 0; i < n; i++)

// Atomic operations, which become assembly on GPUs.
// CHECK: atomics: {{.*}} reads [6] writes [5]{{$}}
void atomics(int n, const int *x, int *h) {
  LOOP {
#pragma omp atomic
    h[x[i]]++;
  }
}

// Variables of the image: static, of a function, global.
// CHECK: of_file: {{.*}} writes-unknown
void of_file(int n, float *b) {
  LOOP {
    calls = i;
    b[i] = 1;
  }
}
// CHECK: of_function: {{.*}} writes-unknown
void of_function(int n, float *b) { LOOP b[i] = count(); }
// CHECK: global: {{.*}} writes-unknown
void global(int n, float *b) {
  LOOP {
    shown = i;
    b[i] = 1;
  }
}

// Locks hold up threads of one device.
// CHECK: critical: {{.*}} writes-unknown
void critical(int n, int *h) {
  LOOP {
#pragma omp critical
    h[0] = h[0] * 3 + i;
  }
}

// CHECK: assembly: {{.*}} writes [5] writes-unknown
void assembly(int n, long *b) {
  LOOP {
#ifdef __NVPTX__
    __asm__ volatile("st.u64 [%0], %1;" ::"l"(b + i), "l"((long)i) : "memory");
#elif defined(__x86_64__)
    __asm__ volatile("movq %1, (%0)" ::"r"(b + i), "r"((long)i) : "memory");
#endif
  }
}

// CHECK: unknown_call: {{.*}} writes-unknown
void unknown_call(int n, float *b) { LOOP elsewhere(b + i); }

// Either of two arrays.
// CHECK: chosen: {{.*}} writes [5, 6]{{$}}
void chosen(int n, int w, float *a, float *b) {
  LOOP {
    float *p[2] = {a, b};
    p[(i + w) & 1][i] = 1;
  }
}

// Through a pointer in memory, which is a member's.
// CHECK: member: {{.*}} writes-loaded{{$}}
void member(int n, struct pair *s) { LOOP s->a[i] = s->b[i]; }

// What a thread keeps to itself is nobody's.
// CHECK: own: {{.*}} reads [5] writes [6]{{$}}
void own(int n, float *b, const float *a) {
  LOOP {
    float t[4] = {a[i], 1, 2, 3};
    t[i & 3] += 1;
    b[i] = t[0] + t[(i + 1) & 3];
  }
}
