// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --accx-info for a GPU and the host, C++: each has its own blocks. Code and
// data stay what they are without it, and -Rpass goes on as ever.
// REQUIRES: accx-plugin, cuda-toolkit
//
// RUN: rm -rf %t && mkdir -p %t/with %t/without && cp %s %t && cd %t/with
// RUN: %prefix/bin/accxc++ --accx-targets=host,sm_90 --accx-info -O2 -c ../info-gpu.cpp -o info.o 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// RUN: cd ../without && %prefix/bin/accxc++ --accx-targets=host,sm_90 -O2 -c ../info-gpu.cpp -o info.o
// RUN: cmp info.o ../with/info.o
// RUN: %prefix/bin/accxc++ --accx-targets=sm_90 --accx-info -Rpass=grid-loop -O2 -c %s -o info.o 2>&1 | FileCheck %s --check-prefix=BOTH

namespace {
template <typename T> struct Field {
  void scale(int n, T *a) {
#pragma acc parallel loop collapse(2) copy(a[0 : n * 10])
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 10; j++)
        a[i * 10 + j] *= 2;
  }
};
} // namespace
void run(int n, float *a) { Field<float>().scale(n, a); }
double sum(int n, const double *a) {
  double s = 0;
#pragma acc parallel loop reduction(+ : s) copyin(a[0 : n])
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

//      CHECK:../info-gpu.cpp:15: parallel loop in scale (sm_90)
// CHECK-NEXT:  + 'parallel loop' becomes 'target teams distribute parallel for' map(ompx_hold, tofrom: a[0 : n * 10]) collapse(2) (accx)
// CHECK-NEXT:  + loop of {{.*}}scale{{.*}} made a grid-stride loop (grid-loop)
//      CHECK:../info-gpu.cpp:25: parallel loop in sum (sm_90)
// CHECK-NEXT:  + 'parallel loop' becomes 'target teams distribute parallel for' map(ompx_hold, to: a[0 : n]) map(tofrom: s) reduction(+: s) (accx)
//      CHECK:  + reduction over threads of 8 bytes: double written as shuffles (hier-reduce)
//      CHECK:../info-gpu.cpp:15: parallel loop in scale (host)
//      CHECK:../info-gpu.cpp:25: parallel loop in sum (host)
//  CHECK-NOT:../info-gpu.cpp:{{.*}}

// BOTH: remark: {{.*}}made a grid-stride loop [-Rpass=grid-loop]
// BOTH: + {{.*}}made a grid-stride loop (grid-loop)
