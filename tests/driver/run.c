// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs compile, link and run on a device: in one step, in two, as C++, from
// an archive and from a shared library.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %accxcc -Wall -Wextra -Werror -O2 %S/Inputs/sum.c -lm -o one
// RUN: ./one | FileCheck %s
// RUN: %accxcc -Wall -Wextra -Werror -O2 -c %S/Inputs/sum.c -o two.o
// RUN: %accxcc -Werror two.o -lm -o two
// RUN: ./two | FileCheck %s
// RUN: %accxcxx -Wall -Wextra -Werror -O2 -x c++ %S/Inputs/sum.c -o cxx
// RUN: ./cxx | FileCheck %s
// RUN: %accxcc -Werror -O2 -shared -fPIC -Dmain=inner %S/Inputs/sum.c -lm -o libsum.so
// RUN: %accxcc -Werror %s -L. -lsum -Wl,-rpath,%t -o shared
// RUN: ./shared | FileCheck %s
// RUN: %accxcc -Werror -c -Dmain=inner %S/Inputs/sum.c -o inner.o
// RUN: %tools/llvm-ar rcs libinner.a inner.o
// RUN: %accxcc -Werror %s libinner.a -lm -o archive
// RUN: ./archive | FileCheck %s
// RUN: %accxcc -Werror -c %s -o outer.o
// RUN: %accxcc -Werror -r outer.o inner.o -o both.o
// RUN: %accxcc -Werror both.o -lm -o relocatable
// RUN: ./relocatable | FileCheck %s
//
// The runtime is the one beside the driver.
// RUN: ldd one | FileCheck %s --check-prefix=RUNTIME -DLIB=%stage/lib
//
// CHECK: sum 499500 on the device
// RUNTIME: libomptarget.so.19.1 => [[LIB]]/libomptarget.so.19.1

extern int inner(void);
int main(void) { return inner(); }
