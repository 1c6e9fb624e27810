// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous constructs run in the order of their queue, return at once, and
// capture scalars and structures when they are queued.

// RUN: %clang -g %s -o %t -lm
// RUN: env ACCX_HOST_DEVICES=4 %run %t
// RUN: env ACCX_HOST_DEVICES=4 ACCX_DIRECTORY=fused %run %t
// RUN: env ACCX_HOST_DEVICES=4 ACCX_HOST_UNIFIED=1 %run %t

#include <accx/async.h>
#include <omp.h>
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #Condition);                  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { N = 10007 };

static double seconds(void) {
  struct timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

/// Each region reads what the one before left: any other order shows.
static void chain(int Queue, double *A, int Steps) {
  for (int Step = 1; Step <= Steps; ++Step) {
    __accx_async_begin(Queue);
#pragma omp target teams distribute parallel for map(present, alloc : A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I] = A[I] * 3 + Step + I % 7;
    __accx_async_end();
  }
}

static void checkChain(const double *A, int Steps, double Start) {
  for (int I = 0; I < N; ++I) {
    double Expected = Start + I;
    for (int Step = 1; Step <= Steps; ++Step)
      Expected = Expected * 3 + Step + I % 7;
    CHECK(A[I] == Expected);
  }
}

static double *newArray(double Start) {
  double *A = malloc(N * sizeof(double));
  for (int I = 0; I < N; ++I)
    A[I] = Start + I;
  return A;
}

/// A queue of one thread's own, and one that all threads share for another
/// array each; 16 regions a thread, 64 altogether on 8 queues.
static void *worker(void *Arg) {
  const int Id = (int)(long)Arg;
  double *Own[2] = {newArray(Id), newArray(Id + 50)};
  for (int I = 0; I < 2; ++I) {
    const int Queue = 2 * Id + I;
    acc_copyin_async(Own[I], N * sizeof(double), Queue);
    chain(Queue, Own[I], 8);
    acc_copyout_async(Own[I], N * sizeof(double), Queue);
  }
  acc_wait(2 * Id);
  acc_wait(2 * Id + 1);
  CHECK(acc_async_test(2 * Id) && acc_async_test(2 * Id + 1));
  for (int I = 0; I < 2; ++I) {
    checkChain(Own[I], 8, Id + 50 * I);
    CHECK(acc_get_device_type() == acc_device_host ||
          acc_is_present(Own[I], 8) ==
              (int)acc_get_property(0, acc_device_current,
                                    acc_property_shared_memory_support));
    free(Own[I]);
  }
  return NULL;
}

static void *sharedQueue(void *Arg) {
  double *A = newArray((double)(long)Arg);
  acc_copyin_async(A, N * sizeof(double), 5);
  chain(5, A, 16);
  acc_copyout_async(A, N * sizeof(double), 5);
  acc_wait(5);
  checkChain(A, 16, (double)(long)Arg);
  free(A);
  return NULL;
}

static void threads(void *(*Body)(void *)) {
  pthread_t Threads[4];
  for (long I = 0; I < 4; ++I)
    CHECK(!pthread_create(&Threads[I], NULL, Body, (void *)I));
  for (int I = 0; I < 4; ++I)
    CHECK(!pthread_join(Threads[I], NULL));
}

struct Big {
  int Values[3000];
};

/// Queues a region that copies its arguments to \p Out, and then forgets them.
__attribute__((noinline)) static void capture(int Queue, int *Out, int Seed) {
  struct Big Local;
  for (int I = 0; I < 3000; ++I)
    Local.Values[I] = Seed + I;
  int Scalar = Seed * 7;
  double Other = Seed / 2.0;
  __accx_async_begin(Queue);
#pragma omp target firstprivate(Local, Scalar, Other)                          \
    map(present, alloc : Out[0 : 3])
  {
    int Sum = 0;
    for (int I = 0; I < 3000; ++I)
      Sum += Local.Values[I];
    Out[0] += Sum;
    Out[1] += Scalar;
    Out[2] += (int)(2 * Other);
  }
  __accx_async_end();
  Scalar = -1;
  Other = -1;
  for (int I = 0; I < 3000; ++I)
    Local.Values[I] = -1;
  __asm__ volatile("" : : "r"(&Local), "r"(&Scalar), "r"(&Other) : "memory");
}

static void captured(void) {
  int Out[3] = {0, 0, 0};
  int Expected[3] = {0, 0, 0};
  acc_copyin(Out, sizeof(Out));
  for (int Round = 0; Round < 40; ++Round) {
    capture(3, Out, Round);
    Expected[0] += 3000 * Round + 2999 * 1500;
    Expected[1] += Round * 7;
    Expected[2] += Round;
  }
  acc_wait(3);
  acc_copyout(Out, sizeof(Out));
  for (int I = 0; I < 3; ++I)
    CHECK(Out[I] == Expected[I]);
}

/// Regions that map for themselves, without a wait between them.
static void mapsOfItsOwn(void) {
  double *A = newArray(0);
  double Sum = 0;
  for (int Step = 1; Step <= 5; ++Step) {
    __accx_async_begin(7);
#pragma omp target teams distribute parallel for map(ompx_hold,                \
                                                         tofrom : A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I] = A[I] * 3 + Step + I % 7;
    __accx_async_end();
    __accx_async_begin(7);
#pragma omp target teams distribute parallel for map(tofrom : Sum)             \
    map(to : A[0 : N]) reduction(+ : Sum)
    for (int I = 0; I < N; ++I)
      Sum += A[I] > 0;
    __accx_async_end();
  }
  acc_wait(7);
  checkChain(A, 5, 0);
  CHECK(Sum == 5.0 * N);
  free(A);
}

/// Queue 2 adds up what queue 1 makes; the host does not wait between.
static void acrossQueues(void) {
  double *A = newArray(0), *B = newArray(0);
  acc_copyin_async(A, N * sizeof(double), 1);
  acc_copyin_async(B, N * sizeof(double), 2);
  for (int Round = 0; Round < 20; ++Round) {
    __accx_async_begin(1);
#pragma omp target teams distribute parallel for map(present, alloc : A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I] += 1;
    __accx_async_end();
    acc_update_self_async(A, N * sizeof(double), 1);
    acc_wait_async(1, 2);
    // Reads on the host what queue 1 has to write there first.
    acc_memcpy_to_device_async(acc_deviceptr(B), A, N * sizeof(double), 2);
    acc_wait_async(2, 1);
  }
  acc_delete_async(A, N * sizeof(double), 1);
  acc_copyout_async(B, N * sizeof(double), 2);
  acc_wait_all();
  for (int I = 0; I < N; ++I) {
    CHECK(A[I] == I + 20);
    CHECK(B[I] == I + 20);
  }
  free(A);
  free(B);
}

/// What is queued does not keep the caller; what it uses does not go.
static void doesNotBlock(void) {
  double *A = newArray(1);
  acc_copyin(A, N * sizeof(double));
  const double Begin = seconds();
  for (int Step = 0; Step < 4; ++Step) {
    __accx_async_begin(acc_async_noval);
#pragma omp target map(present, alloc : A[0 : N])
    {
      volatile long Count = 0;
      for (long I = 0; I < 30000000; ++I)
        Count = Count + 1;
      A[0] += Count;
    }
    __accx_async_end();
  }
  const double Queued = seconds();
  CHECK(!acc_async_test(acc_async_noval));
  CHECK(!acc_async_test_all());
  CHECK(acc_async_test(77));
  acc_delete_async(A, N * sizeof(double), acc_async_noval);
  acc_wait_all();
  const double End = seconds();
  CHECK(acc_async_test_all());
  CHECK(Queued - Begin < (End - Begin) / 2);
  free(A);
}

static void waitsForAny(void) {
  int Flag[1] = {0};
  acc_copyin(Flag, sizeof(Flag));
  int Queues[3] = {11, acc_async_sync, 12};
  for (int Queue = 11; Queue <= 12; ++Queue) {
    __accx_async_begin(Queue);
#pragma omp target map(present, alloc : Flag[0 : 1])
    {
      Flag[0] = 1;
    }
    __accx_async_end();
  }
  const int First = acc_wait_any(3, Queues);
  CHECK(First == 0 || First == 2);
  Queues[First] = acc_async_sync;
  CHECK(acc_wait_any(3, Queues) == 2 - First);
  Queues[2 - First] = acc_async_sync;
  CHECK(acc_wait_any(3, Queues) == -1);
  CHECK(acc_wait_any(0, NULL) == -1);
  acc_copyout(Flag, sizeof(Flag));
  CHECK(Flag[0] == 1);
}

static void defaults(void) {
  const int Initial = acc_get_default_async();
  CHECK(Initial >= 0);
  acc_set_default_async(9);
  CHECK(acc_get_default_async() == 9);
  double *A = newArray(2);
  acc_copyin(A, N * sizeof(double));
  chain(acc_async_noval, A, 3);
  acc_wait(9);
  acc_update_self(A, N * sizeof(double));
  checkChain(A, 3, 2);
  acc_set_default_async(acc_async_sync);
  chain(acc_async_noval, A, 0);
  acc_set_default_async(acc_async_default);
  CHECK(acc_get_default_async() == Initial);
  // Brackets that nest, and one that is none.
  __accx_async_begin(3);
  __accx_async_begin(acc_async_sync);
  acc_update_device(A, N * sizeof(double));
  __accx_async_end();
  __accx_async_end();
  __accx_async_end();
  const double Before = A[1];
  // Two thousand numbers share the queues there are.
  for (int Queue = 100; Queue < 2100; ++Queue) {
    __accx_async_begin(Queue);
#pragma omp target map(present, alloc : A[0 : N])
    {
#pragma omp atomic
      A[1] += 1;
    }
    __accx_async_end();
  }
  acc_wait_all();
  acc_copyout(A, N * sizeof(double));
  CHECK(A[1] == Before + 2000);
  free(A);
}

static void hostDevice(void) {
  const acc_device_t Type = acc_get_device_type();
  acc_set_device_type(acc_device_host);
  double *A = newArray(3);
  chain(4, A, 4); // Runs here, at once.
  checkChain(A, 4, 3);
  CHECK(acc_async_test(4));
  acc_wait_all();
  free(A);
  acc_set_device_type(Type);
}

int main(void) {
  for (int Device = 0; Device < acc_get_num_devices(acc_device_default);
       ++Device) {
    acc_set_device_num(Device, acc_device_default);
    captured();
    mapsOfItsOwn();
    acrossQueues();
    waitsForAny();
  }
  doesNotBlock();
  defaults();
  hostDevice();
  threads(worker);
  threads(sharedQueue);
  // Left for the end of the program.
  static double Last[N];
  acc_copyin_async(Last, sizeof(Last), 1);
  chain(1, Last, 3);
  return 0;
}
