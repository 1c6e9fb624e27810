// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of all kinds, on processors; the program is for GPUs.
//
// RUN: %hostxx %S/Inputs/arrays.cpp -o %t && %t 1000 | FileCheck %s
// RUN: %hostxx -DSPELL_OPENACC %S/Inputs/arrays.cpp -o %t.acc && %t.acc 1000 | FileCheck %s
// CHECK: {{^}}160 right, 0 wrong
