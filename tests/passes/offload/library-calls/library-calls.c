// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nan(), nanf() and ffs() of three types are what they compute in code for
// GPUs, which has no such functions, at -O0, too; payloads and bits are the
// host's. Functions of the program's own with these names stay.
//
// RUN: %simt %s %t && %t | FileCheck %s --check-prefix=RIGHT
// RUN: clang-19 -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_90 \
// RUN:   -nogpulib -nogpuinc --offload-device-only -Xclang -disable-llvm-passes \
// RUN:   -Wno-unknown-cuda-version -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin=%accx_plugin '-passes=default<O0>' -S %t.ll | FileCheck %s --check-prefix=GONE
// RUN: opt -load-pass-plugin=%accx_plugin -passes=library-calls,verify -S %t.ll | FileCheck %s --check-prefix=GONE
// RUN: clang-19 -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_90 \
// RUN:   -nogpulib -nogpuinc --offload-device-only -Xclang -disable-llvm-passes \
// RUN:   -Wno-unknown-cuda-version -S -emit-llvm %s -DOWN -o %t.own.ll
// RUN: opt -load-pass-plugin=%accx_plugin -passes=library-calls -S %t.own.ll | FileCheck %s --check-prefix=OWN
// RIGHT: RESULT ok
// GONE-NOT: call {{.*}}@{{nan|ffs}}
// OWN: call {{.*}}@ffs(
#include <stdio.h>
#include <string.h>

double nan(const char *);
float nanf(const char *);
int ffsl(long);
int ffsll(long long);
#ifdef OWN
#pragma omp declare target
__attribute__((noinline)) int ffs(int x) { return x + 1; }
#pragma omp end declare target
#else
int ffs(int);
#endif

enum { Bits = 9 };

static void compute(double *d, float *f, int *b, int one) {
  d[0] = nan("");
  d[1] = nan("12");
  d[2] = nan("0x1f");
  d[3] = nan("a");
  f[0] = nanf("");
  f[1] = nanf("7");
  b[0] = ffs(0);
  b[1] = ffs(one);
  b[2] = ffs(one << 31);
  b[3] = ffs(one * 24);
  b[4] = ffsl((long)one << 40);
  b[5] = ffsl(0L);
  b[6] = ffsll((long long)one << 63);
  b[7] = ffsll(0LL);
  b[8] = ffsll(one * 6LL);
}

int main(int argc, char **argv) {
  double d[4], hostD[4];
  float f[2], hostF[2];
  int b[Bits], hostB[Bits];
  (void)argv;
#pragma omp target map(from : d, f, b)
  compute(d, f, b, argc);
  compute(hostD, hostF, hostB, argc);
  const int bad = memcmp(d, hostD, sizeof(d)) || memcmp(f, hostF, sizeof(f)) ||
                  memcmp(b, hostB, sizeof(b));
  puts(bad ? "wrong" : "RESULT ok");
  return bad;
}
