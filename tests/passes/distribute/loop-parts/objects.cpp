// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays behind objects, functions, and pointers that change hands.
//
// RUN: %gpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O1 -emit-llvm %s | %tables | FileCheck %s

#define LOOP                                                                   \
  _Pragma("accx distribute devices(0, 1)") _Pragma(                            \
      "omp target teams distribute parallel for") for (int i = 0; i < n; i++)

struct View {
  double *p;
  long n;
  double &operator()(long i, long j) const { return p[i * n + j]; }
};
// CHECK: view{{.*}} writes [5]{{$}}
// CHECK-NEXT: write %5 start 0 step 8*%6:64s
void view(long n, double *p) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(tofrom : p[ : n * n])
  for (long i = 0; i < n; i++) {
    View w{p, n};
    for (long j = 0; j < n; j++)
      w(i, j) = 1;
  }
}

// Pointers that lie in memory: no program.
// CHECK: soa{{.*}} writes [] writes-loaded
// CHECK-NOT: write %
struct SoA {
  float *x, *y;
};
void soa(int n, SoA s) { LOOP s.x[i] = s.y[i]; }
// CHECK: lambda{{.*}} writes [] writes-loaded
// CHECK-NOT: write %
void lambda(int n, float *x) {
  auto f = [=](int i) { x[i] = i; };
  LOOP f(i);
}

// CHECK: called{{.*}} writes [5, 6]{{$}}
__attribute__((noinline)) static void set(float *p, int k) { p[k] = 1; }
void called(int n, float *x, float *y) {
  LOOP {
    set(x, i);
    set(y + 1, i);
  }
}

// CHECK: indirect{{.*}} writes-unknown
void indirect(int n, float *x, void (*f)(float *)) { LOOP f(x + i); }

// CHECK: swapped{{.*}} writes [5, 6]{{$}}
void swapped(int n, int t, float *x, float *y) {
  LOOP {
    float *a = x, *b = y;
    for (int k = 0; k < t; k++) {
      float *c = a;
      a = b;
      b = c;
    }
    a[i] = 1;
  }
}

// CHECK: copied{{.*}} writes [5, 6]{{$}}
struct Two {
  float *a, *b;
};
void copied(int n, int t, float *x, float *y) {
  LOOP {
    Two s[2] = {{x, y}, {y, x}};
    Two u = s[(i + t) & 1];
    u.a[i] = 1;
  }
}

// Regions in a distributed loop.
// CHECK: gangs{{.*}} reads [6] writes [6, 7]{{$}}
// CHECK-DAG: write %6 start 0 step 4*%5:32s
// CHECK-DAG: write %7 start 0 step 4{{$}}
void gangs(int n, int m, float *x, float *y) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute map(tofrom : x[ : n * m], y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++) {
      s += x[i * m + j];
      x[i * m + j] = 0;
    }
    y[i] = s;
  }
}

// A number that is an address is one to write through, too.
// CHECK: number{{.*}} writes [5]{{$}}
void number(int n, long a) { LOOP((float *)a)[i] = 1; }
