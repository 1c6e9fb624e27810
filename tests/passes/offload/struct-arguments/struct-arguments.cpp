// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs by value are loaded as they are aligned once calls are inlined, and
// those of calls that stay are copied once.
//
// RUN: clang-19 -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   --offload-arch=sm_90 -nogpulib -nogpuinc --offload-device-only \
// RUN:   -Xclang -disable-llvm-passes -Wno-unknown-cuda-version -S -emit-llvm \
// RUN:   %s -o %t.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll \
// RUN:   '-passes=struct-arguments,verify' | FileCheck %s
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll \
// RUN:   '-passes=default<O2>' | FileCheck %s --check-prefix=ON
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll \
// RUN:   -accx-struct-arguments=0 '-passes=default<O2>' \
// RUN:   | FileCheck %s --check-prefix=OFF
//
// Processors load them as they are.
// RUN: clang-19 -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
// RUN:   --offload-device-only -Xclang -disable-llvm-passes -S -emit-llvm \
// RUN:   %s -o %t.host.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.host.ll \
// RUN:   -passes=struct-arguments | FileCheck %s --check-prefix=HOST
// HOST-NOT: by.value

struct __attribute__((aligned(16))) Four {
  float X, Y, Z, W;
};
struct Triple {
  double A, B, C;
};
struct __attribute__((packed)) Packed {
  char Tag;
  Triple T;
};

#pragma omp begin declare target
static inline float sumOf(Four F) { return F.X + F.Y * F.Z + F.W; }
static inline double product(Triple T) { return T.A * T.B * T.C; }
__attribute__((noinline)) double stays(Triple T) { return T.A - T.B / T.C; }

// CHECK-LABEL: define {{.*}}@_Z5fours
// CHECK: %[[COPY:.*]] = alloca %struct.Four, align 16
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[COPY]], ptr align 16 %{{.*}}, i64 16, i1 false)
// CHECK: call {{.*}}@_ZL5sumOf4Four(ptr {{.*}}byval(%struct.Four) align 16 %[[COPY]])
// ON-LABEL: define {{.*}}@_Z5fours
// ON-NOT: alloca
// ON: load {{.*}} align 16
// OFF-LABEL: define {{.*}}@_Z5fours
// OFF: load {{.*}} align 1
float fours(const Four *F, int I) { return sumOf(F[I]); }

// A variable is known to be aligned.
// CHECK-LABEL: define {{.*}}@_Z5local
// CHECK-NOT: by.value
// CHECK: ret float
float local(float X) {
  Four F = {X, 1, X, 2};
  return sumOf(F);
}

// ON-LABEL: define {{.*}}@_Z6triple
// ON-COUNT-3: load double, {{.*}} align 8
double triple(const Triple *T, int I) { return product(T[I]); }

// Clang copies what lies askew, and the copy is aligned.
// CHECK-LABEL: define {{.*}}@_Z6packed
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %{{.*}}, ptr align 1 %{{.*}}, i64 24, i1 false)
// CHECK-NOT: by.value
// CHECK: ret double
// ON-LABEL: define {{.*}}@_Z6packed
// ON-NOT: align 8
// ON: ret double
double packed(const Packed *P, int I) { return product(P[I].T); }

// Nobody copies a struct twice for a call that stays.
// ON-LABEL: define {{.*}}@_Z6called
// ON-NOT: alloca
// ON: call {{.*}}@_Z5stays6Triple{{.*}}byval(%struct.Triple) align 8
double called(const Triple *T, int I) { return stays(T[I]); }
#pragma omp end declare target
