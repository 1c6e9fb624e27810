// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that only compute are computed once: of libdevice, through functions
// like those of Clang's headers, and of the program's own functions. Calls stay
// that do more, and those that would not be the same.
//
// RUN: clang-19 -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   --offload-arch=sm_90 -nogpulib -nogpuinc --offload-device-only \
// RUN:   -Xclang -disable-llvm-passes -Wno-unknown-cuda-version -S -emit-llvm \
// RUN:   %s -o %t.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll \
// RUN:   '-passes=pure-calls,function(sroa,early-cse),verify' \
// RUN:   -o %t.pure.ll
// RUN: FileCheck %s < %t.pure.ll
// RUN: FileCheck %s --check-prefix=ATTRIBUTES < %t.pure.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll -o %t.on.ll \
// RUN:   '-passes=default<O2>'
// RUN: FileCheck %s --check-prefix=ON < %t.on.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll -o %t.off.ll \
// RUN:   -accx-pure-calls=0 '-passes=default<O2>'
// RUN: FileCheck %s --check-prefix=OFF < %t.off.ll

#pragma omp begin declare target
extern "C" double __nv_pow(double, double);
extern "C" double __nv_modf(double, double *);
extern "C" double elsewhere(double);
static inline __attribute__((always_inline)) double pow(double X, double Y) {
  return __nv_pow(X, Y);
}
static double twice(double X) {
  double Root = pow(X, 0.25);
  return Root + X;
}
static int steps(unsigned N) {
  int Count = 0;
  for (; N != 1; N = N % 2 ? 3 * N + 1 : N / 2)
    ++Count;
  return Count;
}
static double counted(double X) {
  static int Calls;
  return X + ++Calls;
}
static double timed(double X) {
  unsigned Now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(Now));
  return X + Now;
}
static double fixed(volatile double X) { return X + 1; }

// CHECK-LABEL: define {{.*}}4once
// CHECK-COUNT-1: call {{.*}}3pow
// CHECK-NOT: 3pow
// CHECK: ret
// ON-LABEL: define {{.*}}4once
// ON-COUNT-1: call {{.*}}@__nv_pow
// ON-NOT: @__nv_pow
// ON: ret
// OFF-LABEL: define {{.*}}4once
// OFF-COUNT-2: call {{.*}}@__nv_pow
// OFF: ret
double once(double X) { return pow(X, 0.5) + 3 * pow(X, 0.5); }

// The functions of the program call it once themselves.
// CHECK-LABEL: define {{.*}}3own
// CHECK-COUNT-1: call {{.*}}5twice
// CHECK-NOT: 5twice
// CHECK: call {{.*}}5steps
// CHECK-NOT: 5steps
// CHECK: ret
double own(double X, unsigned N) {
  return twice(X) * twice(X) + steps(N) * steps(N);
}

// CHECK-LABEL: define {{.*}}6differ
// CHECK-COUNT-2: call {{.*}}3pow
// CHECK: ret
double differ(double X, double Y) { return pow(X, Y) + pow(Y, X); }

// What it writes is not its result alone.
// CHECK-LABEL: define {{.*}}5parts
// CHECK-COUNT-2: call {{.*}}@__nv_modf
// CHECK: ret
double parts(double X) {
  double Whole, Again;
  return __nv_modf(X, &Whole) + __nv_modf(X, &Again) + Whole + Again;
}

// CHECK-LABEL: define {{.*}}5stays
// CHECK-COUNT-2: call {{.*}}@elsewhere
// CHECK-COUNT-2: call {{.*}}7counted
// CHECK-COUNT-2: call {{.*}}5timed
// CHECK-COUNT-2: call {{.*}}5fixed
// CHECK: ret
double stays(double X) {
  double Sum = elsewhere(X) + elsewhere(X);
  Sum += counted(X) + counted(X);
  Sum += timed(X) + timed(X);
  return Sum + fixed(X) + fixed(X);
}
#pragma omp end declare target

// ATTRIBUTES: declare {{.*}}@__nv_pow({{.*}}) [[PURE:#[0-9]+]]
// ATTRIBUTES: declare {{.*}}@__nv_modf({{.*}}) [[MORE:#[0-9]+]]
// ATTRIBUTES: attributes [[PURE]] = { nounwind willreturn memory(none)
// ATTRIBUTES: attributes [[MORE]] = { convergent
