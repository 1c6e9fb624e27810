// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels know which of their pointers are `restrict`, where no other pointer
// of theirs may be based on one.
//
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   -Xopenmp-target -march=sm_90 -Wno-unknown-cuda-version -nogpulib \
// RUN:   --offload-device-only -fplugin=%accx_plugin -Xclang \
// RUN:   -disable-llvm-passes -S -emit-llvm %s -o - | FileCheck %s
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
// RUN:   -Xopenmp-target -march=sm_90 -Wno-unknown-cuda-version -nogpulib \
// RUN:   --offload-device-only -fplugin=%accx_plugin \
// RUN:   -fpass-plugin=%accx_plugin -S -emit-llvm %s -o - | \
// RUN:   FileCheck %s --check-prefix=READ

struct Point {
  double X, Y;
};
struct Chain {
  double *Of;
};

// Also an object's arrays, and pointers of the program's own that stay.
// CHECK: @__omp_offloading_{{.*}}apart{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noalias noundef %2, ptr noalias noundef %3, ptr noundef %4, ptr noalias noundef %5, ptr noundef
// What is only read is readonly.
// READ: @__omp_offloading_{{.*}}apart{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr
// noalias noundef %2, ptr noalias noundef {{.*}}, ptr noundef %4, ptr noalias
// noundef readonly %5, ptr noundef
void apart(int N, double *__restrict A, const double *__restrict B,
           const Point *C, double (*__restrict D)[8]) {
  double Own[4] = {1, 2, 3, 4};
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = B[I] + C[I].X + D[I][2] + Own[I & 3];
}

// CHECK: @__omp_offloading_{{.*}}local{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noalias noundef %2, ptr noalias noundef %3)
void local(int N, double *From) {
  double *__restrict A = From;
  const double *__restrict B = From + N;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = B[I];
}

// CHECK: @__omp_offloading_{{.*}}instance{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noalias noundef %2, ptr noundef %3)
template <typename T> void instance(int N, T *__restrict A, T *B) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = B[I];
}
template void instance(int, float *__restrict, float *);

// CHECK: @__omp_offloading_{{.*}}derived{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2, ptr noundef %3)
void derived(int N, double *__restrict A) {
  double *B = A + N;
#pragma omp target teams distribute parallel for map(A[0 : 2 * N])
  for (int I = 0; I < N; ++I)
    A[I] = B[I];
}

// CHECK: @__omp_offloading_{{.*}}changed{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2, ptr noundef %3)
void changed(int N, double *__restrict A, double *B) {
  if (N > 3)
    B = A;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = B[I];
}

void move(double *&Pointer);
// CHECK: @__omp_offloading_{{.*}}handed{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2, ptr noundef %3)
void handed(int N, double *__restrict A, double *B) {
  move(B);
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = B[I];
}

// CHECK: @__omp_offloading_{{.*}}named{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2, i64 noundef %3)
void named(int N, double *__restrict A) {
  double &First = A[0];
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = First;
}

// CHECK: @__omp_offloading_{{.*}}stored{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2, ptr noundef %3)
void stored(int N, double *__restrict A, Chain *B) {
  B->Of = A;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = B->Of[I];
}

// CHECK: @__omp_offloading_{{.*}}number{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2, i64 noundef %3)
void number(int N, double *__restrict A) {
  unsigned long Address = (unsigned long)(A + 1);
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = ((double *)Address)[I];
}

#pragma omp begin declare target
double *Table;
inline double look(int I) { return Table[I]; }
double elsewhere(int I);
#pragma omp end declare target

// CHECK: @__omp_offloading_{{.*}}looked{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2)
void looked(int N, double *__restrict A) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = look(I);
}

// CHECK: @__omp_offloading_{{.*}}called{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2)
void called(int N, double *__restrict A) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] = elsewhere(I);
}

// CHECK: @__omp_offloading_{{.*}}Object{{.*}}(ptr {{[^,]*}}, ptr noundef %1, ptr noundef %2
struct Object {
  int N;
  double *Of;
  void run(double *__restrict A) {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      A[I] = Of[I];
  }
};
void use(Object O, double *A) { O.run(A); }

// A lambda may run when the function is over.
// CHECK: @__omp_offloading_{{.*}}later{{.*}}(ptr {{[^,]*}}, i64 {{[^,]*}}, ptr noundef %2, ptr noundef %3)
auto later(int N, double *__restrict A, double *B) {
  return [=] {
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      A[I] = B[I];
  };
}
void run(int N, double *A) { later(N, A, A)(); }
