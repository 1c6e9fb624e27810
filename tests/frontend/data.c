// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// data, enter data and exit data: map types, holds, finalize, zero, attach.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: {{struct|class|namespace|union}} Vec {
struct Vec {
  int N;
  float *P;
};

// CHECK-LABEL: data(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N]) map(ompx_hold,to: B[0:N]) map(ompx_hold,from: C[0:N]) map(ompx_hold,alloc: D[0:N]) map(ompx_hold,present,alloc: E[0:N])
void data(int N, float *A, float *B, float *C, float *D, float *E, float *F) {
#pragma acc data copy(A[0 : N]) copyin(B[0 : N]) copyout(C[0 : N])             \
    create(D[0 : N]) present(E[0 : N]) deviceptr(F)
  {
    A[0] = 1;
  }
}

// CHECK-LABEL: aliases(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N]) map(ompx_hold,to: B[0:N]) map(ompx_hold,from: C[0:N]) map(ompx_hold,alloc: D[0:N])
void aliases(int N, float *A, float *B, float *C, float *D) {
#pragma acc data pcopy(A[0 : N]) present_or_copyin(B[0 : N])                   \
    pcopyout(C[0 : N]) present_or_create(D[0 : N])
  A[0] = 1;
}

// CHECK-LABEL: modifiers(
// CHECK: #pragma omp target data map(ompx_hold,to: A[0:N]) map(ompx_hold,always,tofrom: B[0:N])
void modifiers(int N, float *A, float *B) {
#pragma acc data copyin(readonly : A[0 : N]) copy(always : B[0 : N])
  A[0] = 1;
}

// CHECK-LABEL: sections(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[10:20]) map(ompx_hold,to: B[2:3][0:20]) map(ompx_hold,tofrom: V->P[0:V->N])
void sections(int N, float A[100], float B[10][20], struct Vec *V) {
#pragma acc data copy(A[10 : 20]) copyin(B[2 : 3][0 : 20])                     \
    copy(V -> P[0 : V->N])
  A[0] = 1;
}

// CHECK-LABEL: wholeVariables(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A) map(ompx_hold,tofrom: S) map(ompx_hold,tofrom: V)
// CHECK-NEXT: #pragma omp target data map(ompx_hold,alloc: V.N)
void wholeVariables(void) {
  float A[10], S;
  struct Vec V;
#pragma acc data copy(A, S, V) create(V.N)
  A[0] = 1;
}

// CHECK-LABEL: nothingMapped(
// CHECK: #pragma omp target data map(ompx_hold,alloc: A[0:0])
void nothingMapped(int N, float *A) {
#pragma acc data no_create(A[0 : N])
  A[0] = 1;
}

// CHECK-LABEL: presentPointer(
// CHECK: #pragma omp target data map(present,alloc: A[0:0])
void presentPointer(float *A) {
#pragma acc data present(A)
  A[0] = 1;
}

// CHECK-LABEL: conditional(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N]) if(C)
void conditional(int N, float *A, int C) {
#pragma acc data copy(A[0 : N]) if (C)
  A[0] = 1;
}

// CHECK-LABEL: enterExit(
// CHECK: #pragma omp target enter data map(to: A[0:N]) map(alloc: B[0:N]) if(C)
// CHECK: #pragma omp target exit data map(from: A[0:N]) map(release: B[0:N]) if(C)
void enterExit(int N, float *A, float *B, int C) {
#pragma acc enter data copyin(A[0 : N]) create(B[0 : N]) if (C)
#pragma acc exit data copyout(A[0 : N]) delete (B[0 : N]) if (C)
}

// CHECK-LABEL: finalize(
// CHECK: #pragma omp target exit data map(delete: A[0:N])
// CHECK: __accx_acc_copyout_finalize_async((void *)&((A)[0]), (unsigned long)(N) * sizeof ((A)[0]), -2);
// CHECK: __accx_acc_copyout_finalize_async((void *)&((B)[4]), (unsigned long)(N) * sizeof ((B)[0]), -2);
// CHECK: #pragma omp target exit data map(delete: C[0:N])
// CHECK: __accx_acc_copyout_finalize_async((void *)&(D), sizeof (D), -2);
// CHECK: __accx_acc_copyout_finalize_async((void *)&(S), sizeof (S), -2);
void finalize(int N, float *A, float *B, float *C, int If) {
  float D[10], S;
#pragma acc exit data delete (A[0 : N])finalize
#pragma acc exit data copyout(A[0 : N], B[4 : N]) delete (C[0 : N])finalize
#pragma acc exit data copyout(D, S) finalize if (If)
}

// CHECK-LABEL: zero(
// CHECK: __accx_create_zero(__accx_zero_0.Data, __accx_zero_0.Size);
// CHECK: __accx_create_zero(__accx_zero_1.Data, __accx_zero_1.Size);
// CHECK: #pragma omp target data map(ompx_hold,present,alloc: A[0:N]) map(ompx_hold,present,alloc: B[0:N]) if(C)
// CHECK: __accx_acc_delete_async(__accx_zero_0.Data, __accx_zero_0.Size, -2);
// CHECK: __accx_acc_copyout_async(__accx_zero_1.Data, __accx_zero_1.Size, -2);
// CHECK: __accx_create_zero(__accx_zero_0.Data, __accx_zero_0.Size);
// CHECK: __accx_create_zero(__accx_zero_1.Data, __accx_zero_1.Size);
// CHECK: __accx_create_zero(__accx_zero_0.Data, __accx_zero_0.Size);
// CHECK: __accx_async_begin(2);
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,present,alloc: A[0:N])
// CHECK: __accx_acc_delete_async(__accx_zero_0.Data, __accx_zero_0.Size, 2);
// CHECK: __accx_async_end();
void zero(int N, float *A, float *B, int C) {
  float D[10];
#pragma acc data create(zero : A[0 : N]) copyout(zero : B[0 : N]) if (C)
  A[0] = 1;
#pragma acc enter data create(zero : A[0 : N], D)
#pragma acc parallel loop create(zero : A[0 : N]) async(2)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: attach(
// CHECK: #pragma omp target enter data map(to: V[0:1])
// CHECK: __accx_acc_attach((void **)&(V->P));
// CHECK: __accx_acc_detach((void **)&(V->P));
// CHECK: #pragma omp target exit data map(release: V[0:1])
// CHECK: __accx_acc_detach_finalize((void **)&(V->P));
// CHECK: __accx_acc_attach((void **)&(V->P));
// CHECK: __accx_acc_detach((void **)&(V->P));
void attach(struct Vec *V) {
#pragma acc enter data copyin(V[0 : 1]) attach(V -> P)
#pragma acc exit data detach(V->P) delete (V[0 : 1])
#pragma acc exit data detach(V->P) finalize
#pragma acc data attach(V->P)
  V->N = 1;
}
