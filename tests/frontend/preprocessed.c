// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -E keeps directives with their macros expanded, and what it writes compiles
// to the same; so do standard input, -save-temps and a precompiled header.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %plainclang -fopenmp -fplugin=%accx_plugin -E %s -o text.i
// RUN: FileCheck %s --check-prefix=CHECK-TEXT < text.i
// RUN: %accx_print %s > direct.txt
// RUN: %accx_print text.i > text.txt
// RUN: cmp direct.txt text.txt
// RUN: %accx_print -x c - < %s > stdin.txt
// RUN: cmp direct.txt stdin.txt
// RUN: %plainclang -O1 -fopenmp -fplugin=%accx_plugin -save-temps -c %s -o temps.o
// RUN: %tools/llvm-nm temps.o | FileCheck %s --check-prefix=CHECK-NM
// RUN: FileCheck %s < direct.txt
//
// RUN: cp %S/Inputs/routine.h . && %plainclang -fopenmp -fplugin=%accx_plugin -x c-header routine.h -o routine.pch
// RUN: %accx_print -include-pch routine.pch %s > pch.txt
// RUN: FileCheck %s < pch.txt
// RUN: %accx_print -include routine.h %s | FileCheck %s --check-prefixes=CHECK-INCLUDED,CHECK

#define N 10
#define ALL(X) X [0:N]
#define CLAUSES copy(ALL(A)) if (N > 3)

// CHECK-TEXT: {{^ *# *}}pragma acc parallel loop copy{{ *}}({{ *}}A{{ *}}[{{ *}}0{{ *}}:{{ *}}10{{ *}}]{{ *}}){{ *}}if{{ *}}({{ *}}10 > 3{{ *}}) num_gangs{{ *}}({{ *}}4{{ *}})
// CHECK-INCLUDED: #pragma omp declare target
// CHECK-INCLUDED-NEXT: static inline int inHeader(
// CHECK-INCLUDED: #pragma omp end declare target
// CHECK-LABEL: void f(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:10]) if(target: {{.*}}10 > 3{{.*}}) num_teams(
// CHECK-NM: f
void f(float *A) {
#pragma acc parallel loop CLAUSES /* gone */ num_gangs(4) // this, too
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}
