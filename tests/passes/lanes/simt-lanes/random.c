// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random nests of three levels: exactly those vector loops run across lanes of
// which the generator knows that nothing stands against it, and all of them
// compile to valid code. The programs themselves run where there is a GPU.
//
// RUN: %python %random/random_lanes.py write 7 60 > %t.c
// RUN: %device -w %t.c > %t.ll
// RUN: %simt-lanes -accx-simt-lanes-all %t.ll -o %t.lanes.ll 2> %t.remarks
// RUN: %python %random/random_lanes.py check 7 60 %t.remarks | FileCheck %s
// RUN: opt -passes='default<O2>,verify' %t.lanes.ll -o /dev/null
//
// CHECK: 60 of 60 as expected
