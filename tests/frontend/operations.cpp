// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and messages in C++: templates with a file of either kind, members,
// references, lambdas, a vector's data; without event.h and what it declares.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %plainclang --driver-mode=g++ -Wall -Wextra -Werror -fopenmp -fplugin=%accx_plugin -I%accx_include -I%S/Inputs/mpi %s -o %t/program
// RUN: %t/program | FileCheck %s
// RUN: %plainclang --driver-mode=g++ -O2 -fopenmp -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -I%accx_include -I%S/Inputs/mpi -save-temps=obj %s -o %t/program
// RUN: %t/program | FileCheck %s
// RUN: not %plainclang --driver-mode=g++ -fopenmp -fplugin=%accx_plugin -DBAD -fsyntax-only -I%accx_include -I%S/Inputs/mpi %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %plainclang --driver-mode=g++ -fopenmp -fplugin=%accx_plugin -DALONE -fsyntax-only %s
// clang-format off
#include <cstdio>
#include <vector>

#ifdef ALONE
// No declaration of accx's is needed for files.
void alone(double *A, int N, int Fd) {
#pragma accx read(A[0 : N]) file(Fd, 0) wait(1) async(2)
}
#else
#include <accx/mpi.h>

struct communicator { int Any; } World;

static int call(const char *Name, int Queue, size_t Size, int Num, accx_event_t *Event) {
  std::printf("%s %zu queue %d waits %d\n", Name, Size, Queue, Num);
  *Event = reinterpret_cast<accx_event_t>(&World);
  return 0;
}
extern "C" {
int accx_read(int Queue, void *, int File, off_t Offset, size_t Size, int Num, const accx_event_t *, accx_event_t *Event) {
  std::printf("%d at %ld: ", File, static_cast<long>(Offset));
  return call("read", Queue, Size, Num, Event);
}
int accx_write(int Queue, const void *, int, off_t, size_t Size, int Num, const accx_event_t *, accx_event_t *Event) { return call("write", Queue, Size, Num, Event); }
int accx_fread(int Queue, void *, size_t Size, FILE *, int Num, const accx_event_t *, accx_event_t *Event) { return call("fread", Queue, Size, Num, Event); }
int accx_fwrite(int Queue, const void *, size_t Size, FILE *, int Num, const accx_event_t *, accx_event_t *Event) { return call("fwrite", Queue, Size, Num, Event); }
int accx_readv(int Queue, int, const accx_section *To, int, off_t, int Num, const accx_event_t *, accx_event_t *Event) { return call("readv", Queue, To->width * 1000 + To->height, Num, Event); }
int accx_writev(int Queue, int, const accx_section *, int, off_t, int Num, const accx_event_t *, accx_event_t *Event) { return call("writev", Queue, 0, Num, Event); }
int accx_send(int Queue, const void *, size_t Size, int, int, MPI_Comm, int Num, const accx_event_t *, accx_event_t *Event) { return call("send", Queue, Size, Num, Event); }
int accx_recv(int Queue, void *, size_t Size, int, int, MPI_Comm, int Num, const accx_event_t *, accx_event_t *Event) { return call("recv", Queue, Size, Num, Event); }
int accx_event_of_queue(int, accx_event_t *Event) { *Event = nullptr; return 0; }
int accx_event_release(accx_event_t) { return 0; }
void __accx_operation_begin(const char *) {}
void __accx_operation_end(int Code, accx_event_t Event, const char *Source) {
  if (Event || Code)
    std::printf("end %d\n", Source ? Code : 1);
}
void __accx_beyond(long, long, long, const char *) {}
}

template <typename T, int M> struct Field {
  T Data[M];
  T *More = Data;
  accx_event_t Done = nullptr;
  template <typename File> void fill(File F, int N) {
#pragma accx read(Data) file(F) event(Done)
#pragma accx write(this->More[1 : N]) file(F) after(Done) event(this->Done)
  }
};

// One template for descriptors and streams; rows.
template <typename T> void rows(T (*R)[8], int Fd, int N) {
#pragma accx read(R[0 : N][2 : N]) file(Fd, 4) async(N)
}

namespace inner {
struct accx_event_object {}; // not the runtime's
template <typename T> void turn(T *P, const int &N) {
  accx_event_t E = nullptr;
  auto Turn = [&, N](int Fd) {
#pragma accx read(P[0 : N]) file(Fd, N * sizeof(T)) async(N) event(E)
#pragma accx send(P[0 : N]) to(N, 1, MPI_COMM_WORLD) after(E) wait(3)
  };
  Turn(7);
  if (!E)
    std::printf("no event\n");
}
} // namespace inner

int main() {
  Field<short, 9> F;
// CHECK: 3 at -1: read 18 queue -2 waits 0
// CHECK-NEXT: write 6 queue -2 waits 1
  F.fill(3, 3);
// CHECK-NEXT: fread 18 queue -2 waits 0
// CHECK-NEXT: fwrite 6 queue -2 waits 1
  F.fill(stdin, 3);
// CHECK-NEXT: readv 12003 queue 3 waits 0
// CHECK-NEXT: end
  float R[4][8];
  rows(R, 5, 3);
// CHECK-NEXT: 7 at 16: read 16 queue 2 waits 0
// CHECK-NEXT: send 16 queue -2 waits 2
// CHECK-NEXT: end
  double T[10];
  inner::turn(T, 2);
  std::vector<double> V(10);
  double *P = V.data();
// CHECK-NEXT: 1 at -1: read 80 queue -1 waits 0
#pragma accx read(P[0 : V.size()]) file(1) async
// CHECK-NEXT: end
  float(&Q)[4][8] = R;
// CHECK-NEXT: recv 64 queue -2
#pragma accx recv(Q[1 : 2]) from(0, 1, MPI_COMM_WORLD)
#ifdef BAD
// BAD: error: 'V' is of a class whose bytes are not its value: name what it holds by a pointer, as in 'p[first:length]'
#pragma accx read(V) file(1)
// BAD: error: '&std::puts' in 'file' is neither a file descriptor nor a 'FILE *': its type is 'int (*)(const char *)'
#pragma accx read(Q) file(&std::puts)
#endif
  return 0;
}
#endif
