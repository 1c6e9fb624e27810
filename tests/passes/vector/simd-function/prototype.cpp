// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions behind prototypes in C++: members, namespaces, templates and
// their instances, linkage blocks.
//
// RUN: %plainclang -x c++ -O0 -fopenmp-simd -fplugin=%accx_plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-DAG: "_ZGVbN4uv__ZN6Holder5timesEf"
// CHECK-DAG: "_ZGVbM4uvls3u__ZN6Holder4walkEfPfi"
// CHECK-DAG: "_ZGVbN4v__ZN5inner6halvedEf"
// CHECK-DAG: "_ZGVbN4vu__ZN5inner6scaledIfEET_S1_i"
// CHECK-DAG: "_ZGVbN2vu__ZN5inner6scaledIdEET_S1_i"
// CHECK-DAG: "_ZGVbN4ua32v_plain"
struct Holder {
  float value;
#pragma omp declare simd uniform(this) notinbranch
  float times(float x);
#pragma omp declare simd uniform(this, step) linear(at : step) inbranch
  float walk(float x, float *at, int step);
};
float Holder::times(float a) { return value * a; }
float Holder::walk(float a, float *b, int c) { return a + b[0] + c; }

namespace inner {
#pragma omp declare simd notinbranch
float halved(float x);
float halved(float y) { return y / 2; }

#pragma omp declare simd uniform(k) notinbranch
template <class T> T scaled(T x, int k);
template <class T> T scaled(T y, int n) { return y * n; }
} // namespace inner

double use(float x) {
  return inner::scaled(x, 3) + inner::scaled<double>(x, 4);
}

extern "C" {
#pragma omp declare simd notinbranch aligned(p : 32) uniform(p)
float plain(float *p, float x);
float plain(float *q, float y) { return q[0] * y; }
}
