// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a GPU's thread become vectors where the program says so only.
//
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   --offload-arch=sm_90 -nogpulib -nogpuinc --offload-device-only \
// RUN:   -Wno-unknown-cuda-version -fplugin=%accx_plugin \
// RUN:   -fpass-plugin=%accx_plugin -S -emit-llvm -o - %s \
// RUN:   -Rpass=loop-vectorize 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOOPS --input-file=%t.txt
//
// CHECK-LABEL: define {{.*}}_bytes_
// CHECK-NOT: <4 x i8>
// CHECK-LABEL: define {{.*}}_asked_
// CHECK: <{{[0-9]+}} x i8>
// LOOPS: vectorized loop
// LOOPS-NOT: vectorized loop
void bytes(int n, int m, const char *a, int *found) {
#pragma omp target teams distribute parallel for map(a[ : n * m], found[ : n])
  for (int i = 0; i < n; ++i) {
    char all = 0;
    for (int k = 0; k < m; ++k)
      all |= a[k];
    found[i] = all;
  }
}

void asked(int n, int m, const char *a, int *found) {
#pragma omp target teams distribute parallel for map(a[ : n * m], found[ : n])
  for (int i = 0; i < n; ++i) {
    char all = 0;
#pragma clang loop vectorize(enable)
    for (int k = 0; k < m; ++k)
      all |= a[k];
    found[i] = all;
  }
}
