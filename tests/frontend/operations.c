// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What read, write, send and recv hand to the runtime: queue, memory, file or
// peer, what to wait for; and what becomes of the event and of failures.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %accx_syntax -Wall -Wextra -Werror -I%accx_include -I%S/Inputs/mpi -Rpass=accx %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %plainclang -O1 -fopenmp -fplugin=%accx_plugin -I%accx_include -I%S/Inputs/mpi %s -o %t/program
// RUN: %t/program | FileCheck %s
// RUN: %plainclang -O0 -std=c99 -D_GNU_SOURCE -fopenmp -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -I%accx_include -I%S/Inputs/mpi -save-temps=obj %s -o %t/program
// RUN: %t/program | FileCheck %s
// clang-format off
#include <accx/mpi.h>
#include <string.h>

static char *Base;
struct communicator { int Any; } World;
static struct accx_event_object { int Number; } Events[64];
static int NumEvents, Result;

static int call(const char *Name, int Queue, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf(" queue %d wait", Queue);
  for (int I = 0; I < Num; ++I)
    printf(" %d", Wait[I] ? Wait[I]->Number : 0);
  if (Result >= 0 || strcmp(Name, "write"))
    *Event = &Events[NumEvents], (*Event)->Number = NumEvents, ++NumEvents;
  printf(" event %d\n", *Event ? (*Event)->Number : -1);
  return Result;
}
int accx_read(int Queue, void *To, int File, off_t Offset, size_t Size, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("read %ld+%zu file %d offset %ld", (char *)To - Base, Size, File, (long)Offset);
  return call("read", Queue, Num, Wait, Event);
}
int accx_write(int Queue, const void *From, int File, off_t Offset, size_t Size, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("write %ld+%zu file %d offset %ld", (const char *)From - Base, Size, File, (long)Offset);
  return call("write", Queue, Num, Wait, Event);
}
int accx_fread(int Queue, void *To, size_t Size, FILE *Stream, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("fread %ld+%zu input %d", (char *)To - Base, Size, Stream == stdin);
  return call("fread", Queue, Num, Wait, Event);
}
int accx_fwrite(int Queue, const void *From, size_t Size, FILE *Stream, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("fwrite %ld+%zu output %d", (const char *)From - Base, Size, Stream == stdout);
  return call("fwrite", Queue, Num, Wait, Event);
}
int accx_readv(int Queue, int Rows, const accx_section *To, int File, off_t Offset, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("readv %d %ld+%zux%zu pitch %zu file %d offset %ld", Rows, (char *)To->address - Base, To->width, To->height, To->pitch, File, (long)Offset);
  return call("readv", Queue, Num, Wait, Event);
}
int accx_writev(int Queue, int Rows, const accx_section *From, int File, off_t Offset, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("writev %d %ld+%zux%zu pitch %zu file %d offset %ld", Rows, (char *)From->address - Base, From->width, From->height, From->pitch, File, (long)Offset);
  return call("writev", Queue, Num, Wait, Event);
}
int accx_send(int Queue, const void *From, size_t Size, int Dest, int Tag, MPI_Comm Comm, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("send %ld+%zu to %d tag %d world %d", (const char *)From - Base, Size, Dest, Tag, Comm == MPI_COMM_WORLD);
  return call("send", Queue, Num, Wait, Event);
}
int accx_recv(int Queue, void *To, size_t Size, int Source, int Tag, MPI_Comm Comm, int Num, const accx_event_t *Wait, accx_event_t *Event) {
  printf("recv %ld+%zu from %d tag %d world %d", (char *)To - Base, Size, Source, Tag, Comm == MPI_COMM_WORLD);
  return call("recv", Queue, Num, Wait, Event);
}
int accx_event_of_queue(int Queue, accx_event_t *Event) {
  if (Queue > 90)
    return -22;
  *Event = &Events[NumEvents];
  (*Event)->Number = NumEvents;
  printf("queue %d is event %d\n", Queue, NumEvents++);
  return 0;
}
int accx_event_release(accx_event_t Event) {
  if (Event)
    printf("release %d\n", Event->Number);
  return 0;
}
static const char *Place;
void __accx_operation_begin(const char *Source) { Place = Source; }
void __accx_operation_end(int Code, accx_event_t Event, const char *Source) {
  if (Place && strcmp(Place, Source))
    printf("not of %s\n", Place);
  Place = 0;
  if (Code < 0)
    printf("end %d %d %s\n", Code, Event ? Event->Number : -1, Source);
  else if (Event)
    printf("end %d\n", Event->Number);
}
void __accx_acc_wait_all(void) __asm__("acc_wait_all");
void __accx_acc_wait_all(void) { printf("all\n"); }
void __accx_acc_wait_device_async(int Queue, int Async, int Device) __asm__("acc_wait_device_async");
void __accx_acc_wait_device_async(int Queue, int Async, int Device) { printf("device %d queue %d async %d\n", Device, Queue, Async); }
int __accx_device_of(long Number, const char *Where) { return Where ? Number : -1; }
int __accx_device_begin(long Number, const char *Where) { printf("begin %ld\n", Where ? Number : -1); return 0; }
void __accx_device_end(void) { printf("end\n"); }
void __accx_beyond(long First, long Count, long Extent, const char *Where) { printf("%s: %ld from %ld on, of %ld\n", Where, Count, First, Extent); }

struct Grid { int N; double *A; float B[4][6]; };
#define ALL(X) X[0:sizeof(X) / sizeof(*X)]
#define WHERE(F) file(F, 8 * N)

static void parameter(double X[10], int Fd) {
  Base = (char *)X;
// CHECK: read 0+80 file 9
#pragma accx read(X) file(Fd)
}

int main(void) {
  static double T[60], C[4][5];
  static int K[3][4][5];
  static struct Grid G, *P = &G;
  int N = 3, Fd = 5, Q = 4;
  accx_event_t E = 0, Es[4] = {0}, F = 0;
  Base = (char *)T;
  parameter(T, 9);
// A call that waits, at the descriptor's position.
// REMARK: :[[#@LINE+3]]:14: remark: 'read(T[0:N])' becomes 'accx_read', and the thread waits for its end [-Rpass=accx]
// CHECK-NEXT: end 0
// CHECK-NEXT: read 0+24 file 5 offset -1 queue -2 wait event 1
#pragma accx read(T[0:N]) file(Fd)
// REMARK: remark: 'write(T[10:2*N])' becomes 'accx_write' on queue Q+1
// CHECK-NEXT: end 1
// CHECK-NEXT: write 80+48 file 5 offset 100 queue 5 wait event 2
#pragma accx write(T[10:2*N]) file(Fd, 50 + 50) async(Q+1)
// REMARK: remark: 'read(T)' becomes 'accx_read' on the default queue
// CHECK-NEXT: end 2
// CHECK-NEXT: read 0+480 file 6 offset 24 queue -1 wait event 3
#pragma accx read(T) WHERE(Fd + 1) async
// CHECK-NEXT: end 3
// CHECK-NEXT: read 0+480 file 5 offset -1 queue -2 wait event 4
#pragma accx read(ALL(T)) file(Fd)
// Variables and elements.
// CHECK-NEXT: end 4
// CHECK-NEXT: write 56+8 file 5
#pragma accx write(T[7]) file(Fd)
// CHECK-NEXT: end 5
// CHECK-NEXT: write {{-?[0-9]+}}+4 file 5
#pragma accx write(N) file(Fd)
// Events: a list, a variable, and the variable in its own list.
// CHECK-NEXT: end 6
// CHECK-NEXT: read 0+8 file 5 offset 0 queue 1 wait event 7
#pragma accx read(T[0:1]) file(Fd, 0) async(1) event(E)
// CHECK-NEXT: read 0+8 file 5 offset 0 queue 2 wait 7 event 8
#pragma accx read(T[0:1]) file(Fd, 0) async(2) after(E) event(E)
// CHECK-NEXT: read 0+8 file 5 offset 0 queue 2 wait 8 0 event 9
#pragma accx read(T[0:1]) file(Fd, 0) async(2) after(E, Es[1]) event(Es[N])
  printf("%d %d\n", E->Number, Es[3]->Number);
// CHECK-NEXT: 8 9
// Queues: events made for the list.
// CHECK-NEXT: queue 1 is event 10
// CHECK-NEXT: queue 4 is event 11
// CHECK-NEXT: write 0+8 file 5 offset 0 queue 3 wait 10 11 8 event 12
// CHECK-NEXT: release 10
// CHECK-NEXT: release 11
// CHECK-NEXT: end 12
#pragma accx write(T[0:1]) file(Fd, 0) wait(1, Q) async(3) after(E)
// CHECK-NEXT: all
// CHECK-NEXT: queue 6 is event 13
// CHECK-NEXT: read {{.*}} wait 13 event 14
// CHECK-NEXT: release 13
#pragma accx read(T[0:1]) file(Fd, 0) wait wait(6)
// CHECK-NEXT: end 14
// CHECK-NEXT: device 1 queue 7 async 2
// CHECK-NEXT: read {{.*}} wait event 15
// CHECK-NEXT: end 15
#pragma accx read(T[0:1]) file(Fd, 0) wait(devnum: 1 : 7) async(2)
// CHECK-NEXT: begin 2
// CHECK-NEXT: read {{.*}} queue -1 wait event 16
// CHECK-NEXT: end 16
// CHECK-NEXT: end
#pragma accx read(T[0:1]) file(Fd, 0) deviceid(2)
// Conditions: nothing is done, the event stays.
#pragma accx read(T[0:1]) file(Fd, 0) if(N > 3) wait(1) event(E)
  printf("%d\n", E->Number);
// CHECK-NEXT: 8
  if (N > 5)
#pragma accx read(T[0:1]) file(Fd, 1)
  else
// CHECK-NEXT: read {{.*}} offset 2
// CHECK-NEXT: end 17
#pragma accx read(T[0:1]) file(Fd, 2) if(N == 3)
// Streams.
// REMARK: remark: 'read(T[1:2])' becomes 'accx_fread'
// CHECK-NEXT: fread 8+16 input 1 queue 1 wait 8 event 18
// CHECK-NEXT: end 18
#pragma accx read(T[1:2]) file(stdin) async(1) after(E)
// CHECK-NEXT: fwrite 8+16 output 1 queue -2 wait event 19
// CHECK-NEXT: end 19
#pragma accx write(T[1:2]) file(stdout)
// Rows.
  Base = (char *)C;
// CHECK-NEXT: read 40+80 file 5
// CHECK-NEXT: end 20
#pragma accx read(C[1:2][:]) file(Fd)
// CHECK-NEXT: read 40+80 file 5
// CHECK-NEXT: end 21
#pragma accx read(C[1:2]) file(Fd)
// CHECK-NEXT: read 56+16 file 5
// CHECK-NEXT: end 22
#pragma accx read(C[1:1][2:2]) file(Fd)
// REMARK: remark: 'read(C[1:2][2:2])' becomes 'accx_readv'
// CHECK-NEXT: readv 1 56+16x2 pitch 40 file 5 offset 3
// CHECK-NEXT: end 23
#pragma accx read(C[1:2][2:2]) file(Fd, 3)
// CHECK-NEXT: writev 1 24+8x4 pitch 40 file 5 offset -1
// CHECK-NEXT: end 24
#pragma accx write(C[:][3]) file(Fd)
// CHECK-NEXT: writev 1 8+32x2 pitch 40 file 5 offset -1
// CHECK-NEXT: end 25
#pragma accx write(C[0:N-1][1:]) file(Fd)
  Base = (char *)K;
// CHECK-NEXT: writev 1 80+20x8 pitch 20
#pragma accx write(K[1:2][0:4][0:N+2]) file(Fd) event(E)
// CHECK-NEXT: writev 1 84+4x8 pitch 20
#pragma accx write(K[1:2][:][1]) file(Fd) event(E)
// CHECK-NEXT: writev 1 100+40x2 pitch 80
#pragma accx write(K[1:2][1:2][:]) file(Fd) event(E)
// CHECK-NEXT: writev 1 4+12x2 pitch 20
#pragma accx write(K[0][0:2][1:N]) file(Fd) event(E)
// Members, and lengths of run time.
  G.N = 2;
  G.A = T;
  Base = (char *)T;
// CHECK-NEXT: read 8+16 file 5
#pragma accx read(P->A[1:P->N]) file(Fd) event(E)
  Base = (char *)&G.B;
// CHECK-NEXT: read 0+96 file 5
#pragma accx read(G.B) file(Fd) event(E)
// CHECK-NEXT: readv 1 28+8x2 pitch 24
#pragma accx read(G.B[1:2][1:2]) file(Fd) event(E)
  double V[N][N + 1];
  double(*W)[N + 1] = V;
  Base = (char *)V;
// CHECK-NEXT: readv 1 32+32x2 pitch 32
#pragma accx read(W[1:2][0:N+1]) file(Fd) event(E)
// CHECK-NEXT: read 0+96 file 5
#pragma accx read(V) file(Fd) event(E)
// CHECK-NEXT: {{.*}}operations.c:[[#@LINE+2]]: 'T{{.*}}': 60 from 3 on, of 60
// CHECK-NEXT: read
#pragma accx read(T[N:60]) file(Fd) event(E)
// Messages.
  Base = (char *)C;
// REMARK: remark: 'send(C[0:N][0:5])' becomes 'accx_send' on queue 1
// CHECK-NEXT: send 0+120 to 1 tag 7 world 1 queue 1 wait event 36
// CHECK-NEXT: end 36
#pragma accx send(C[0:N][0:5]) to(Fd - 4, 7, MPI_COMM_WORLD) async(1)
// CHECK-NEXT: recv 40+16 from -2 tag -1 world 1 queue -2 wait event 37
#pragma accx recv(C[1][0:2]) from(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD) event(F)
// Failures: with an event, without, and where none could be made.
  Base = (char *)T;
  Result = -5;
// CHECK-NEXT: read {{.*}} event 38
// CHECK-NEXT: end -5 38 ;{{.*}}operations.c;read(T{{.*}}N{{ *}}]);[[#@LINE+1]];{{[0-9]+}};;
#pragma accx read(T[0:N]) file(Fd)
// CHECK-NEXT: read {{.*}} event 39
#pragma accx read(T[0:N]) file(Fd) event(E)
  printf("%d\n", E->Number);
// CHECK-NEXT: 39
  E = 0;
// CHECK-NEXT: write {{.*}} event -1
// CHECK-NEXT: end -5 -1 ;{{.*}}operations.c;write(T{{.*}}N{{ *}}]);[[#@LINE+1]];{{[0-9]+}};;
#pragma accx write(T[0:N]) file(Fd) event(E)
// CHECK-NEXT: end -22 -1 ;{{.*}}operations.c;wait(Q + 95);[[#@LINE+2]];{{[0-9]+}};;
// CHECK-NEXT: read
#pragma accx read(T[0:N]) file(Fd) wait(Q + 95)
  return 0;
}
