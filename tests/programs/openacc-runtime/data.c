// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data routines count, look up, attach and copy; what is null, empty or
// absent does nothing.

// RUN: %clang -g %s -o %t
// RUN: %run %t
// RUN: env ACCX_DIRECTORY=fused %run %t

#include <accx/async.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #Condition);                  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { N = 1001 };
#define BYTES (N * sizeof(int))

static int *newArray(int Start) {
  int *A = malloc(BYTES);
  for (int I = 0; I < N; ++I)
    A[I] = Start + I;
  return A;
}

static void addOnDevice(int *A, int Value) {
#pragma omp target teams distribute parallel for map(present, alloc : A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += Value;
}

static void checkArray(const int *A, int Start) {
  for (int I = 0; I < N; ++I)
    CHECK(A[I] == Start + I);
}

static void counts(void) {
  int *A = newArray(0);
  CHECK(!acc_is_present(A, BYTES) && !acc_deviceptr(A));
  int *OnDevice = acc_copyin(A, BYTES);
  CHECK(OnDevice && OnDevice != A);
  CHECK(acc_is_present(A, BYTES) && acc_is_present(A + 7, 8));
  CHECK(acc_is_present(A, 0) && acc_is_present(A + N - 1, 4));
  CHECK(!acc_is_present(A, BYTES + 1) && !acc_is_present(A + N, 0));
  CHECK(acc_deviceptr(A) == OnDevice && acc_deviceptr(A + 5) == OnDevice + 5);
  CHECK(acc_hostptr(OnDevice) == A && acc_hostptr(OnDevice + 5) == A + 5);
  CHECK(!acc_hostptr(&N[(int *)0]) && !acc_deviceptr(A + N));
  // Present: no copy, one more lifetime.
  A[0] = -100;
  CHECK(acc_pcopyin(A, BYTES) == OnDevice);
  CHECK(acc_present_or_create(A + 3, 8) == OnDevice + 3);
  A[0] = 0;
  addOnDevice(A, 10);
  acc_copyout(A, BYTES); // Not the last.
  checkArray(A, 0);
  acc_delete(A + 3, 8);
  CHECK(acc_is_present(A, BYTES));
  acc_copyout(A, BYTES);
  checkArray(A, 10);
  CHECK(!acc_is_present(A, BYTES));
  // Finalize ends all at once.
  for (int I = 0; I < 3; ++I)
    acc_copyin(A, BYTES);
  addOnDevice(A, 5);
  acc_copyout_finalize(A, BYTES);
  checkArray(A, 15);
  CHECK(!acc_is_present(A, BYTES));
  acc_create(A, BYTES);
  acc_create(A, BYTES);
  acc_delete_finalize(A, BYTES);
  CHECK(!acc_is_present(A, BYTES));
  // What is absent is left alone.
  acc_copyout(A, BYTES);
  acc_delete(A, BYTES);
  acc_copyout_finalize_async(A, BYTES, 1);
  acc_delete_finalize_async(A, BYTES, 1);
  acc_wait(1);
  checkArray(A, 15);
  free(A);
}

static void structuredLifetime(void) {
  int *A = newArray(0);
#pragma omp target data map(ompx_hold, tofrom : A[0 : N])
  {
    acc_copyin(A, BYTES);
    addOnDevice(A, 1);
    acc_copyout_finalize(A, BYTES);
    CHECK(acc_is_present(A, BYTES));
    acc_delete(A, BYTES); // Nothing dynamic is left.
    CHECK(acc_is_present(A, BYTES));
    checkArray(A, 0);
  }
  checkArray(A, 1);
  CHECK(!acc_is_present(A, BYTES));
  free(A);
}

static void nothing(void) {
  int A[1] = {4};
  CHECK(!acc_copyin(NULL, 8) && !acc_create(NULL, 0));
  CHECK(!acc_copyin(A, 0) && !acc_is_present(A, 0));
  CHECK(!acc_malloc(0));
  acc_copyout(NULL, 8);
  acc_delete(NULL, 8);
  acc_copyout(A, 0);
  acc_update_device(NULL, 8);
  acc_update_self(A, 0); // Absent, but nothing is asked for.
  acc_free(NULL);
  acc_unmap_data(NULL);
  acc_attach(NULL);
  void *Null = NULL;
  acc_attach(&Null);
  acc_detach(&Null);
  CHECK(!acc_deviceptr(NULL) && !acc_hostptr(NULL) && !acc_is_present(NULL, 4));
  acc_memcpy_to_device(NULL, NULL, 0);
  acc_memcpy_d2d(NULL, NULL, 0, 0, 0);
}

static void updates(void) {
  int *A = newArray(0);
  acc_create(A, BYTES);
  acc_update_device(A, BYTES);
  addOnDevice(A, 3);
  acc_update_self(A + 1, sizeof(int));
  CHECK(A[0] == 0 && A[1] == 4 && A[2] == 2);
  acc_update_self_async(A, BYTES, 2);
  acc_wait(2);
  checkArray(A, 3);
  A[9] = 1000;
  acc_update_device_async(A + 9, sizeof(int), 2);
  acc_update_self_async(A, BYTES, 2);
  acc_wait(2);
  CHECK(A[9] == 1000);
  acc_delete_async(A, BYTES, 2);
  acc_wait(2);
  CHECK(!acc_is_present(A, 1));
  free(A);
}

static void mapped(void) {
  int *A = newArray(0);
  int *OnDevice = acc_malloc(BYTES);
  CHECK(OnDevice);
  acc_map_data(A, OnDevice, BYTES);
  CHECK(acc_deviceptr(A + 2) == OnDevice + 2 && acc_is_present(A, BYTES));
  CHECK(acc_copyin(A, BYTES) == OnDevice); // Present: no copy.
  acc_update_device(A, BYTES);
  addOnDevice(A, 2);
  acc_update_self(A, BYTES);
  checkArray(A, 2);
  acc_delete(A, BYTES);
  CHECK(acc_is_present(A, BYTES));
  acc_unmap_data(A);
  CHECK(!acc_is_present(A, 1));
  acc_free(OnDevice);
  free(A);
}

static void copies(void) {
  int *A = newArray(5), *B = newArray(0);
  int *First = acc_malloc(BYTES), *Second = acc_malloc(BYTES);
  acc_memcpy_to_device(First, A, BYTES);
  acc_memcpy_device(Second, First, BYTES);
  acc_memcpy_from_device(B, Second, BYTES);
  checkArray(B, 5);
  memset(B, 0, BYTES);
  A[0] = 77;
  acc_memcpy_to_device_async(First, A, sizeof(int), 3);
  acc_memcpy_device_async(Second, First, BYTES, 3);
  acc_memcpy_from_device_async(B, Second, BYTES, 3);
  acc_wait(3);
  CHECK(B[0] == 77 && B[1] == 6 && B[N - 1] == 5 + N - 1);
  acc_free(First);
  acc_free(Second);
  free(A);
  free(B);
}

/// Between the copies that two devices have; the host's stays.
static void betweenDevices(void) {
  if (acc_get_num_devices(acc_device_default) < 2)
    return;
  for (int Async = acc_async_sync; Async <= 2; Async += 2) {
    int *A = newArray(0), *B = newArray(500);
    acc_set_device_num(0, acc_device_default);
    acc_copyin(A, BYTES);
    addOnDevice(A, 100);
    acc_set_device_num(1, acc_device_default);
    acc_copyin(B, BYTES);
    acc_memcpy_d2d_async(B, A, BYTES, 1, 0, Async);
    acc_memcpy_d2d_async(B, B, BYTES, 1, 1, Async);
    checkArray(A, 0);
    acc_wait(Async);
    acc_copyout(B, BYTES);
    checkArray(B, 100);
    acc_wait_device(Async, 0);
    acc_set_device_num(0, acc_device_default);
    acc_delete(A, BYTES);
    free(A);
    free(B);
  }
}

struct Row {
  int Tag;
  int *Data;
};

static void attachment(void) {
  for (int Async = acc_async_sync; Async <= 2; Async += 2) {
    struct Row R = {3, newArray(0)};
    int *Host = R.Data;
    acc_attach((void **)&R.Data); // Neither is present.
    CHECK(!acc_is_present(&R, sizeof(R)));
    acc_copyin_async(R.Data, BYTES, Async);
    acc_attach_async((void **)&R.Data, Async);
    CHECK(!acc_is_present(&R, sizeof(R)));
    acc_copyin_async(&R, sizeof(R), Async);
    acc_attach_async((void **)&R.Data, Async);
    struct Row *P = &R;
    __accx_async_begin(Async);
#pragma omp target map(present, alloc : P[0 : 1])
    for (int I = 0; I < N; ++I)
      P->Data[I] += P->Tag;
    __accx_async_end();
    acc_update_self_async(&R, sizeof(R), Async);
    acc_wait(Async);
    CHECK(R.Data == Host);
    // Pointers that move are attached anew.
    int *Other = newArray(40);
    acc_copyin(Other, BYTES);
    R.Data = Other;
    acc_attach((void **)&R.Data);
#pragma omp target map(present, alloc : P[0 : 1])
    for (int I = 0; I < N; ++I)
      P->Data[I] += P->Tag;
    acc_detach((void **)&R.Data);
    acc_detach_finalize_async((void **)&R.Data, Async);
    acc_copyout(&R, sizeof(R));
    CHECK(R.Data == Other);
    acc_copyout_async(Other, BYTES, Async);
    acc_copyout_async(Host, BYTES, Async);
    acc_wait(Async);
    checkArray(Other, 43);
    checkArray(Host, 3);
    free(Host);
    free(Other);
  }
}

/// Data ends with its device's shutdown, and begins anew.
static void shutdowns(void) {
  int *A = newArray(0), *B = newArray(0);
  acc_init(acc_device_default);
  acc_init_device(0, acc_device_default);
  acc_copyin(A, BYTES);
  acc_copyin(A, BYTES);
  acc_copyin_async(B, BYTES, 1);
  const int Last = acc_get_num_devices(acc_device_default) - 1;
  acc_shutdown_device(Last, acc_device_default);
  CHECK(acc_is_present(A, BYTES) == (Last > 0));
  acc_shutdown(acc_device_not_host);
  CHECK(acc_async_test_all());
  CHECK(!acc_is_present(A, 1) && !acc_is_present(B, 1));
  acc_shutdown(acc_device_host);
  acc_copyin(A, BYTES);
  addOnDevice(A, 1);
  acc_copyout(A, BYTES);
  checkArray(A, 1);
  free(A);
  free(B);
}

static void onTheHost(void) {
  const acc_device_t Type = acc_get_device_type();
  acc_set_device_type(acc_device_host);
  int *A = newArray(0), *B = newArray(9);
  CHECK(acc_copyin(A, BYTES) == A && acc_create(A, BYTES) == A);
  CHECK(acc_is_present(A, BYTES) && acc_deviceptr(A) == A);
  CHECK(acc_hostptr(A) == A);
  acc_update_device(A, BYTES);
  acc_copyout(A, BYTES);
  acc_map_data(A, A, BYTES);
  int *C = acc_malloc(BYTES);
  acc_memcpy_to_device_async(C, B, BYTES, 1);
  checkArray(C, 9);
  acc_free(C);
  free(A);
  free(B);
  acc_set_device_type(Type);
}

int main(void) {
  counts();
  structuredLifetime();
  nothing();
  updates();
  mapped();
  copies();
  betweenDevices();
  attachment();
  shutdowns();
  onTheHost();
  return 0;
}
