// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random nests: exactly those become grid-stride loops of which the generator
// knows that nothing stands against it, and all of them compile to valid code.
// The programs themselves run where there is a GPU.
//
// RUN: %python %random/random_nests.py write 7 60 > %t.c
// RUN: %device %t.c -Wall -Werror -Wno-missing-prototypes > %t.ll
// RUN: %static-schedule %t.ll -o %t.static.ll 2> /dev/null
// RUN: %grid-loop %t.static.ll -o /dev/null 2> %t.remarks
// RUN: %python %random/random_nests.py check 7 60 %t.remarks | FileCheck %s
// RUN: %tuned %t.ll -o /dev/null
// RUN: %python %random/random_cells.py 7 60 > %t.cells.c
// RUN: %device %t.cells.c -w | %tuned -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=CELLS %s
//
// CHECK: 60 of 60 as expected
// CELLS: conditions of a grid-stride loop are those of its accesses
