// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks and grids of all shapes, on processors; the program is for GPUs.
//
// RUN: %hostxx %S/Inputs/shapes.cpp -o %t && %t | FileCheck %s
// CHECK: 81 of 81 right
