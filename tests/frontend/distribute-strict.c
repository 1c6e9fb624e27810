// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What spread and distribute become is no program's fault: no warnings, no
// errors of strict modes. Kernels get both ends of their part as arguments; at
// the end no marker is left.
//
// RUN: %accx_syntax -std=c99 -Wall -Wextra -Werror -pedantic-errors %s
// RUN: %accx_syntax -x c++ -std=c++98 -Wall -Wextra -Werror -pedantic-errors %s
// RUN: %accx_syntax -x c++ -std=c++23 -Wall -Wextra -Werror -pedantic-errors %s
// RUN: %accx_print %s | FileCheck %s
// RUN: %accxcc -save-temps=obj -O1 -c %s -o %t.o
// RUN: %plainclang -Wall -Werror -Wno-unknown-pragmas -fsyntax-only %s
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   -Xopenmp-target -march=sm_90 -Wno-unknown-cuda-version -nogpulib \
// RUN:   --offload-device-only -fplugin=%accx_plugin \
// RUN:   -fpass-plugin=%accx_plugin -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=DEVICE --input-file=%t.ll

// CHECK: for (int i = (__accx_part_type_1)((1) + __accx_part_first_1); i < (__accx_part_last_1 < __accx_part_count_1 ? (__accx_part_type_1)((1) + __accx_part_last_1) : __accx_part_high_1); ++i)
// DEVICE: define {{.*}}_stencil_l{{[0-9]+}}(ptr {{[^,]*}}, i64 {{[^,]*}}, i64
// DEVICE-NOT: __accx_marker
void stencil(int n, int m, double *u, double *v) {
#pragma accx spread(u[0 : n * m], v[0 : n * m]) block(m)
  {
#pragma accx distribute
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j)
        v[i * m + j] = u[i * m + j - 1] + u[i * m + j + 1];
  }
}

double sum(int n, const double *u);
double sum(int n, const double *u) {
  double s = 0;
#pragma accx distribute
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i += 2)
    s += u[i];
  return s;
}
