// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static functions of a header that two units compile with different macros:
// each unit runs its own kernels, and has its own static variables.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %accxcc -O2 %s -DK=1 -c -o one.o
// RUN: %accxcc -O2 %s -DK=3 -DOTHER -c -o two.o
// RUN: %accxcc one.o two.o -o program
// RUN: %run ./program | FileCheck %s
//
// Without optimization, with debug information, and out of an archive.
// RUN: %accxcc -O0 -g %s -DK=1 -c -o one0.o
// RUN: %accxcc -O0 -g %s -DK=3 -DOTHER -c -o two0.o
// RUN: %tools/llvm-ar rc library.a two0.o
// RUN: %accxcc one0.o library.a -o program0
// RUN: %run ./program0 | FileCheck %s
//
// In steps, as IR and as code of the linker.
// RUN: %accxcc -O2 -save-temps=obj %s -DK=1 -c -o one1.o
// RUN: %accxcc -O2 -emit-llvm %s -DK=3 -DOTHER -c -o two1.bc
// RUN: %accxcc one1.o two1.bc -o program1
// RUN: %run ./program1 | FileCheck %s
// RUN: %accxcc -O2 -foffload-lto %s -DK=1 -c -o one2.o
// RUN: %accxcc -O2 -foffload-lto %s -DK=3 -DOTHER -c -o two2.o
// RUN: %accxcc -foffload-lto one2.o two2.o -o program2
// RUN: %run ./program2 | FileCheck %s
//
// Beside Clang's own objects, whose kernels keep Clang's names.
// RUN: %plainclang -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
// RUN:   -Wno-everything %s -DK=1 -c -o plain.o
// RUN: %accxcc plain.o two.o -o mixed
// RUN: %run ./mixed | FileCheck %s
//
// The same text gives the same object; its own name comes with its macros.
// RUN: %accxcc -O2 %s -DK=1 -c -o again.o
// RUN: cmp one.o again.o
// RUN: %tools/llvm-nm one.o two.o | FileCheck %s --check-prefix=NAMES
//
// Clang's names where the passes do not run on both sides.
// RUN: %plainclang -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
// RUN:   -fplugin=%accx_plugin %s -DK=1 -c -o half.o
// RUN: %accxcc half.o two.o -o program3
// RUN: %run ./program3 | FileCheck %s
//
// Kernels for GPUs have the same names; what told the passes is gone.
// RUN: %plainclang -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   --offload-arch=sm_90 -nogpulib -nogpuinc -Wno-everything -DK=1 \
// RUN:   -fplugin=%accx_plugin -fpass-plugin=%accx_plugin \
// RUN:   -S -emit-llvm --offload-device-only %s -o gpu.ll
// RUN: %plainclang -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   --offload-arch=sm_90 -nogpulib -nogpuinc -Wno-everything -DK=1 \
// RUN:   -fplugin=%accx_plugin -fpass-plugin=%accx_plugin \
// RUN:   -S -emit-llvm --offload-host-only %s -o host.ll
// RUN: cat gpu.ll host.ll | FileCheck %s --check-prefix=GPU

// CHECK: one 2 2 2 2 2
// CHECK: two 6 6 6 6 6
// CHECK: one 2 2 2 2 2
// CHECK: two 6 6 6 6 6

// NAMES: one.o:
// NAMES: [[NAME:__omp_offloading_[0-9a-f_]+_via_omp_l]]
// NAMES: two.o:
// NAMES-NOT: [[NAME]]

// GPU: define {{.*}}@[[NAME:__omp_offloading_[0-9a-f_]+_via_omp_l[0-9]+]](
// GPU: @.[[NAME]].region_id
// GPU-NOT: {{accx-unit|accx-names}}

#include "Inputs/own-entries.h"

#ifdef OTHER
void other(void) { show("two"); }
#else
void other(void);
int main(void) {
  show("one");
  other();
  show("one");
  other();
  return 0;
}
#endif
