// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spread arrays of C++: references, members, templates, lambdas, a vector's
// data, and a statement that an exception leaves. Sections that are in one
// piece or not as numbers at run time tell.
//
// RUN: %plainclang --driver-mode=g++ -fopenmp -fplugin=%accx_plugin %s -o %t
// RUN: %t 4 | FileCheck %s
// RUN: not --crash %t 3 2>&1 | FileCheck %s --check-prefix=PIECES
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" void __accx_spread_enter(const void *, unsigned long Bytes,
                                    const int *, int, unsigned long Block,
                                    unsigned, const char *Name, const char *) {
  std::printf("enter %lu block %lu %.*s\n", Bytes, Block, 12, Name);
}
extern "C" void __accx_spread_exit(const void *, unsigned long Bytes,
                                   const char *, const char *) {
  std::printf("exit %lu\n", Bytes);
}

extern "C" void __accx_beyond(long, long, long, const char *) {}

template <typename T, int M> struct Field {
  T Data[M];
  T *More = Data;
  void both(int N) {
#pragma accx spread(Data, this->More[1 : N]) block(1)
    std::printf("both\n");
  }
};

template <typename T> void turn(T *P, const int &N) {
  auto Turn = [&] {
#pragma accx spread(P[0 : N])
    throw 1;
  };
  try {
    Turn();
  } catch (int) {
    std::printf("caught\n");
  }
}

int main(int, char **Words) {
  const int N = std::atoi(Words[1]);
  std::vector<double> V(10);
  double *P = V.data();
// CHECK: enter 80 block 0 ;P[0 : V.siz
#pragma accx enter spread(P[0 : V.size()])
  float A[4][6];
  float(&R)[4][6] = A;
// CHECK-NEXT: enter 96 block 8 ;R;
#pragma accx enter spread(R) block(2)
// CHECK-NEXT: enter 48 block 0 ;R[1 : 2];
#pragma accx enter spread(R[1 : 2])
  Field<short, 9> F;
  // CHECK-NEXT: enter 18 block 2 ;Data;
  // CHECK-NEXT: enter 6 block 2 ;this->More[
  // CHECK-NEXT: both
  // CHECK-NEXT: exit 6
  // CHECK-NEXT: exit 18
  F.both(3);
  // CHECK-NEXT: enter 16 block 0 ;P[0 : N];
  // CHECK-NEXT: exit 16
  // CHECK-NEXT: caught
  turn(P, 2);
  double(*Q)[4] = reinterpret_cast<double(*)[4]>(P);
// CHECK-NEXT: enter 64 block 0 ;Q[0 : 2]
// PIECES: accx: {{.*}}:[[#@LINE+2]]: 'Q[0 : 2][0 : N]': an inner dimension
// PIECES-SAME: has 4 elements, and the section 3 from element 0 on: only
#pragma accx enter spread(Q[0 : 2][0 : N])
  return 0;
}
