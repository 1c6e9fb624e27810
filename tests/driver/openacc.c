// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenACC with the real plugin: directly, through -save-temps, through a pipe,
// as C++, and with GCC's flag for it.
// REQUIRES: accx-plugin
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %prefix/bin/accxcc -O2 %s -o direct
// RUN: ./direct | FileCheck %s
// RUN: %prefix/bin/accxcc -O2 -fopenacc -c %s -o two.o
// RUN: %prefix/bin/accxcc -fopenacc two.o -o two
// RUN: ./two | FileCheck %s
// RUN: %prefix/bin/accxcc -O2 -save-temps %s -o temps
// RUN: ./temps | FileCheck %s
// RUN: %prefix/bin/accxcc -O2 -x c - -o pipe < %s
// RUN: ./pipe | FileCheck %s
// RUN: %prefix/bin/accxcc -E %s -o text.i
// RUN: %prefix/bin/accxcc -O2 text.i -o text
// RUN: ./text | FileCheck %s
// RUN: %prefix/bin/accxc++ -O2 -x c++ %s -o cxx
// RUN: ./cxx | FileCheck %s
//
// CHECK: 1000 right

#include <openacc.h>
#include <stdio.h>

#ifndef _OPENACC
#error _OPENACC is not defined
#endif

#define N 1000

int main(void) {
  int Squares[N], OnDevice = 0, Right = 0;
#pragma acc parallel loop copyout(Squares) copy(OnDevice)
  for (int I = 0; I < N; ++I) {
    Squares[I] = I * I;
    if (I == 0)
      OnDevice = acc_on_device(acc_device_not_host);
  }
  for (int I = 0; I < N; ++I)
    Right += Squares[I] == I * I;
  printf("%d right\n", OnDevice ? Right : -1);
  return 0;
}
