// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions in all positions of a nest, on processors as a part of the suite
// that runs as a whole where there is a GPU; compiled for one as well.
//
// RUN: %python %S/Inputs/positions.py write acc 0 13 > %t.c
// RUN: %host %t.c -o %t.acc -lm && %t.acc 300 | FileCheck %s
// RUN: %python %S/Inputs/positions.py write omp 1 13 > %t.c
// RUN: %host %t.c -o %t.omp -lm && %t.omp 300 | FileCheck %s --check-prefix=CHECK-OMP
// RUN: %device -ffreestanding %t.c | %hier-reduce -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-GPU
// RUN: %python %S/Inputs/positions.py count | FileCheck %s --check-prefix=CHECK-ALL
//
// CHECK: {{^}}153 of 153 right
// CHECK-OMP: {{^}}150 of 150 right
// CHECK-GPU: written as shuffles
// CHECK-ALL: 651
