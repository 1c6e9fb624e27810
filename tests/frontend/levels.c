// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gang, worker and vector on one, two and three loops, written and chosen.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: onePlain(
// CHECK: #pragma omp target teams distribute parallel for
void onePlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneGang(
// CHECK: #pragma omp target teams distribute parallel for
void oneGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneWorker(
// CHECK: #pragma omp target teams num_teams(1)
// CHECK: #pragma omp parallel for
void oneWorker(int N, float *A) {
#pragma acc parallel loop worker
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneVector(
// CHECK: #pragma omp target teams num_teams(1)
// CHECK: #pragma omp parallel for
void oneVector(int N, float *A) {
#pragma acc parallel loop vector
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneGangWorker(
// CHECK: #pragma omp target teams distribute parallel for
void oneGangWorker(int N, float *A) {
#pragma acc parallel loop gang worker
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneGangVector(
// CHECK: #pragma omp target teams distribute parallel for
void oneGangVector(int N, float *A) {
#pragma acc parallel loop gang vector
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneWorkerVector(
// CHECK: #pragma omp target teams num_teams(1)
// CHECK: #pragma omp parallel for
void oneWorkerVector(int N, float *A) {
#pragma acc parallel loop worker vector
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneGangWorkerVector(
// CHECK: #pragma omp target teams distribute parallel for
void oneGangWorkerVector(int N, float *A) {
#pragma acc parallel loop gang worker vector
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: oneSeq(
// CHECK: #pragma omp target
void oneSeq(int N, float *A) {
#pragma acc parallel loop seq
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: twoVectorInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void twoVectorInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoWorkerInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void twoWorkerInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop worker
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoWorkerVectorInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void twoWorkerVectorInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop worker vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoVectorInWorker(
// CHECK: #pragma omp target teams num_teams(1)
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void twoVectorInWorker(int N, float *A) {
#pragma acc parallel loop worker
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoVectorInGangWorker(
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp simd
void twoVectorInGangWorker(int N, float *A) {
#pragma acc parallel loop gang worker
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoPlainInPlain(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void twoPlainInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoPlainInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void twoPlainInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoVectorInPlain(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void twoVectorInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoWorkerInPlain(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void twoWorkerInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop worker
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoGangVectorInSeq(
// CHECK: #pragma omp target teams num_teams(__accx_gangs(0))
// CHECK: #pragma omp distribute parallel for
void twoGangVectorInSeq(int N, float *A) {
#pragma acc parallel loop seq
  for (int I = 0; I < N; ++I)
#pragma acc loop gang vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoSeqInGangVector(
// CHECK: #pragma omp target teams distribute parallel for
void twoSeqInGangVector(int N, float *A) {
#pragma acc parallel loop gang vector
  for (int I = 0; I < N; ++I)
#pragma acc loop seq
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoSeqInSeq(
// CHECK: #pragma omp target
void twoSeqInSeq(int N, float *A) {
#pragma acc parallel loop seq
  for (int I = 0; I < N; ++I)
#pragma acc loop seq
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoSeqInPlain(
// CHECK: #pragma omp target teams distribute parallel for
void twoSeqInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop seq
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoPlainInSeq(
// CHECK: #pragma omp target teams num_teams(__accx_gangs(0))
// CHECK: #pragma omp distribute parallel for
void twoPlainInSeq(int N, float *A) {
#pragma acc parallel loop seq
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: twoGangInPlain(
// CHECK: #pragma omp target teams num_teams(__accx_gangs(0))
// CHECK: #pragma omp distribute parallel for
void twoGangInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop gang
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: threeVectorInWorkerInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void threeVectorInWorkerInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop worker
    for (int J = 0; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threePlainInPlainInPlain(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void threePlainInPlainInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
#pragma acc loop
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threePlainInPlainInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void threePlainInPlainInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
#pragma acc loop
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threePlainInWorkerInPlain(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void threePlainInWorkerInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop worker
    for (int J = 0; J < N; ++J)
#pragma acc loop
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threeVectorInPlainInPlain(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void threeVectorInPlainInPlain(int N, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threeVectorInSeqInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void threeVectorInSeqInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop seq
    for (int J = 0; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threeSeqInWorkerInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void threeSeqInWorkerInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop worker
    for (int J = 0; J < N; ++J)
#pragma acc loop seq
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threeVectorInGangInSeq(
// CHECK: #pragma omp target teams num_teams(__accx_gangs(0))
// CHECK: #pragma omp distribute
// CHECK: #pragma omp parallel for
void threeVectorInGangInSeq(int N, float *A) {
#pragma acc parallel loop seq
  for (int I = 0; I < N; ++I)
#pragma acc loop gang
    for (int J = 0; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threeVectorInPlainInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void threeVectorInPlainInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threeVectorInPlainInGangWorker(
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp simd
void threeVectorInPlainInGangWorker(int N, float *A) {
#pragma acc parallel loop gang worker
  for (int I = 0; I < N; ++I)
#pragma acc loop
    for (int J = 0; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}

// CHECK-LABEL: threePlainInWorkerInGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
void threePlainInWorkerInGang(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop worker
    for (int J = 0; J < N; ++J)
#pragma acc loop
      for (int K = 0; K < N; ++K)
        A[I * N * N + J * N + K] += 1;
}
