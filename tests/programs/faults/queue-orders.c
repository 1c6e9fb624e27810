// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random work on queues of two devices: kernels, copies between the devices and
// to the host, queues that wait for one another, waits of the host. A model has
// for each queue what its later work comes after; where two operations on an
// array are in no order yet, one waits for the other in one of the ways there
// are. What the arrays hold then is what the operations give one after another.
//
// RUN: %accx_lib/../bin/accxcc -O1 --accx-targets=host %s -o %t
// RUN: %fault %t 1 40 | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async %t 2 100 | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=20 %t 3 40 | FileCheck %s
// RUN: %fault ACCX_FAULT_OPTIONS=async,no_peer %t 4 40 | FileCheck %s
// CHECK: {{^}}ok{{$}}
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Devices = 2, Queues = 4, All = Devices * Queues, Arrays = 5, N = 256 };

static unsigned State;
static unsigned below(unsigned Limit) {
  State = State * 1664525u + 1013904223u;
  return (State >> 8) % Limit;
}

// How much of each queue's work comes before.
typedef struct {
  unsigned Of[All];
} Clock;

static Clock Later[All], Host;
static void join(Clock *To, const Clock *From) {
  for (int I = 0; I < All; ++I)
    if (To->Of[I] < From->Of[I])
      To->Of[I] = From->Of[I];
}

// Of an array's copy on a device: its last writer, and who has read it since.
typedef struct {
  int Writer; // A queue; -1: none.
  unsigned At;
  unsigned Reads[All];
} Use;

static Use Uses[Devices][Arrays];
static unsigned Want[Devices][Arrays][N];
static unsigned Memory[Arrays][N];
static int Wrong;

static int device(int Q) { return Q / Queues; }
static int number(int Q) { return Q % Queues + 1; }

static void hostWaits(int Q) {
  acc_wait_device(number(Q), device(Q));
  join(&Host, &Later[Q]);
}

static void queueWaits(int Q, int For) {
  acc_set_device_num(device(Q), acc_get_device_type());
  acc_wait_async(number(For), number(Q));
  join(&Later[Q], &Later[For]);
  join(&Later[Q], &Host);
}

// The next operation of Q comes after Work of queue On.
static void follow(int Q, int On, unsigned Work) {
  join(&Later[Q], &Host);
  if (Later[Q].Of[On] >= Work)
    return;
  if (device(Q) == device(On) && below(4)) {
    queueWaits(Q, On);
    return;
  }
  if (below(2)) {
    hostWaits(On);
  } else {
    while (!acc_async_test_device(number(On), device(On)))
      ;
    join(&Host, &Later[On]);
  }
  join(&Later[Q], &Host);
}

static void access(int Q, int D, int Array, int Writes) {
  Use *U = &Uses[D][Array];
  if (U->Writer >= 0)
    follow(Q, U->Writer, U->At);
  for (int On = 0; Writes && On < All; ++On)
    if (U->Reads[On])
      follow(Q, On, U->Reads[On]);
}

static void note(int Q, int D, int Array, int Writes) {
  Use *U = &Uses[D][Array];
  if (Writes) {
    memset(U->Reads, 0, sizeof(U->Reads));
    U->Writer = Q;
    U->At = Later[Q].Of[Q];
  } else {
    U->Reads[Q] = Later[Q].Of[Q];
  }
}

static void kernel(int Q, int To, int From, unsigned Add, long Spin) {
  const int D = device(Q);
  access(Q, D, To, 1);
  access(Q, D, From, 0);
  unsigned *A = Memory[To], *B = Memory[From];
#pragma acc parallel loop present(A[0 : N], B[0 : N]) deviceid(D)              \
    async(number(Q))
  for (int I = 0; I < N; ++I) {
    unsigned S = I;
    for (long K = 0; K < Spin; ++K)
      S = (S ^ S >> 7) * 1664525u + 1013904223u;
    A[I] = A[I] * 3u + B[I] + Add + (S == 0x12345u && Spin < 0);
  }
  ++Later[Q].Of[Q];
  note(Q, D, To, 1);
  note(Q, D, From, 0);
  for (int I = 0; I < N; ++I)
    Want[D][To][I] = Want[D][To][I] * 3u + Want[D][From][I] + Add;
}

// Bytes of an array to the other device, on the same queue of both.
static void copy(int Q, int Array, int Begin, int Count) {
  const int D = device(Q), To = 1 - D, Other = To * Queues + Q % Queues;
  access(Q, D, Array, 0);
  access(Q, To, Array, 1);
  acc_set_default_async(number(Q));
  acc_update_peer(Memory[Array] + Begin, To, Memory[Array] + Begin, D,
                  Count * sizeof(unsigned));
  join(&Later[Q], &Later[Other]);
  ++Later[Q].Of[Q];
  join(&Later[Other], &Later[Q]);
  note(Q, D, Array, 0);
  note(Q, To, Array, 1);
  memcpy(Want[To][Array] + Begin, Want[D][Array] + Begin,
         Count * sizeof(unsigned));
}

static void compare(int Q, int Array) {
  const int D = device(Q);
  access(Q, D, Array, 0);
  acc_set_device_num(D, acc_get_device_type());
  acc_update_self_async(Memory[Array], sizeof(Memory[Array]), number(Q));
  ++Later[Q].Of[Q];
  hostWaits(Q);
  for (int I = 0; I < N; ++I)
    if (Memory[Array][I] != Want[D][Array][I] && ++Wrong <= 10)
      printf("array %d on device %d: [%d] is %u, not %u\n", Array, D, I,
             Memory[Array][I], Want[D][Array][I]);
}

static void rounds(long Spin) {
  for (int D = 0; D < Devices; ++D) {
    acc_set_device_num(D, acc_get_device_type());
    for (int A = 0; A < Arrays; ++A) {
      for (int I = 0; I < N; ++I)
        Want[D][A][I] = Memory[A][I] = below(1000);
      acc_copyin(Memory[A], sizeof(Memory[A]));
      memset(&Uses[D][A], 0, sizeof(Use));
      Uses[D][A].Writer = -1;
    }
  }
  const int Ops = 20 + (int)below(200);
  for (int Op = 0; Op < Ops; ++Op) {
    const int Q = (int)below(All), A = (int)below(Arrays);
    switch (below(8)) {
    case 0:
    case 1:
    case 2:
      kernel(Q, A, (A + 1 + (int)below(Arrays - 1)) % Arrays, below(100),
             below(3) ? 0 : Spin);
      break;
    case 3:
    case 4: {
      const int Begin = (int)below(N);
      copy(Q, A, Begin, 1 + (int)below((unsigned)(N - Begin)));
      break;
    }
    case 5:
      queueWaits(Q, device(Q) * Queues + (int)below(Queues));
      break;
    case 6:
      if (!below(3))
        hostWaits(Q);
      break;
    default:
      if (!below(3))
        compare(Q, A);
    }
  }
  for (int D = 0; D < Devices; ++D)
    for (int A = 0; A < Arrays; ++A)
      compare(D * Queues + (int)below(Queues), A);
  for (int D = 0; D < Devices; ++D) {
    acc_set_device_num(D, acc_get_device_type());
    acc_wait_all();
    for (int A = 0; A < Arrays; ++A)
      acc_delete(Memory[A], sizeof(Memory[A]));
  }
  for (int Q = 0; Q < All; ++Q)
    join(&Host, &Later[Q]);
}

int main(int Count, char **Args) {
  State = Count > 1 ? (unsigned)atoi(Args[1]) : 5;
  const int Rounds = Count > 2 ? atoi(Args[2]) : 200;
  const long Spin = Count > 3 ? atol(Args[3]) : 2000;
  if (acc_get_num_devices(acc_get_device_type()) < Devices) {
    puts("ok: one device");
    return 0;
  }
  for (int R = 0; R < Rounds; ++R)
    rounds(Spin);
  puts(Wrong ? "wrong" : "ok");
  return Wrong != 0;
}
