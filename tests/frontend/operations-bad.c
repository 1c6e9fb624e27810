// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong uses of read, write, send and recv name the variable and what to write.
// RUN: %accx_syntax -ferror-limit=0 -I%accx_include -I%S/Inputs/mpi -Xclang -verify=expected,mpi -DMPI %s
// RUN: %accx_syntax -ferror-limit=0 -I%accx_include -Xclang -verify=expected,none %s
// RUN: %plainclang -fopenmp -fplugin=%accx_plugin -I%accx_include -E -DMPI -I%S/Inputs/mpi %s -o %t.i
// RUN: not %accx_syntax -ferror-limit=0 %t.i 2>&1 | FileCheck %s
// CHECK-NOT: needs the declarations of MPI
// CHECK: the tag '2.5' in 'to' is no integer: its type is 'double'
// CHECK-NOT: needs the declarations of MPI

// clang-format off
#include <accx/event.h>
#ifdef MPI
#include <accx/mpi.h>
#define WORLD MPI_COMM_WORLD
#else
#define WORLD 0
#endif

struct Pair { int a; double *p; };
#pragma accx read(nowhere) file(1)
// expected-error@-1 {{'read' must stand in a function}}

#pragma acc routine seq
void device(double *a, int fd) {
#pragma accx read(a[0:1]) file(fd)
// expected-error@-1 {{'read' may not stand in a routine: devices have no files and send no messages; put it in front or behind}}
}

void f(int n, double *a, double **t, double (*c)[8], int fd, FILE *s, const double *k) {
  double w[10], m[4][8], x[2][4][8];
  struct Pair p = {0, 0};
  accx_event_t e = 0, *es = &e;
  accx_event_t const held = 0;
// What is moved.
#pragma accx read file(fd)
// expected-error@-1 {{expected '(' after 'read'}}
// expected-note@-2 {{write 'read(data)' with a variable or a part of an array, as in 'a[first:length]'}}
#pragma accx write() file(fd)
// expected-error@-1 {{expected a variable in the list of 'write'}}
#pragma accx read(w, m) file(fd)
// expected-error@-1 {{'read' takes one variable or section: give 'm' a directive of its own}}
#pragma accx read(a) file(fd)
// expected-error@-1 {{'a' does not say how much of what 'a' points to is meant: write 'read(a[first:length])'}}
#pragma accx write(p.p[2:]) file(fd)
// expected-error@-1 {{'p.p[2:]' does not say how much of what 'p.p' points to is meant: write 'write(p.p[first:length])'}}
#pragma accx write(a[0:-3]) file(fd)
// expected-error@-1 {{the length of 'a[0:-3]' is negative: -3 elements}}
#pragma accx read(w[4:7]) file(fd)
// expected-error@-1 {{'w[4:7]' ends behind the array: 'w' has 10 elements, and the section is 7 elements from element 4 on, which counts from 0}}
#pragma accx read(t[0:n][0:n]) file(fd)
// expected-error@-1 {{'t' is a table of pointers, whose rows are no memory in one piece: 'read' one row at a time, or allocate them together}}
#pragma accx read(k[0:n]) file(fd)
// expected-error@-1 {{'k' is constant, and 'read' would change it}}
#pragma accx write(k[0:n]) file(fd)
#pragma accx write(f) file(fd)
// expected-error@-1 {{'f' is a function, and 'write' takes data}}
#pragma accx write(f()) file(fd)
// expected-error@-1 {{expected ',' or ')' after a list item of 'write'}}
// expected-note@-2 {{a list item is a variable, a member or a sub-array, not the result of a call}}
#pragma accx read(x[0:2][0:2][0:4]) file(fd)
// expected-error@-1 {{'x[0:2][0:2][0:4]' leaves parts of the rows of 'x' out, and 'read' takes memory in rows of one distance: write a loop over the outermost dimension}}
#pragma accx read(c[0:n][0:7]) file(fd)
#pragma accx write(m[0:2][1:7]) file(s)
// expected-error@-1 {{'m[0:2][1:7]' leaves parts of the rows of 'm' out, and 'write file(stream)' takes memory in one piece: name all of the inner dimensions, as in '[:]', or copy the part to an array of its own}}
// The file.
#pragma accx read(w)
// expected-error@-1 {{'read' needs 'file'}}
// expected-note@-2 {{add 'file(descriptor, offset)'}}
#pragma accx write(w) file()
// expected-error@-1 {{expected an expression in 'file'}}
// expected-note@-2 {{write 'file(descriptor, offset)'}}
#pragma accx write(w) file
// expected-error@-1 {{expected '(' after 'file'}}
// expected-note@-2 {{'file' takes an argument in parentheses}}
#pragma accx write(w) file(fd, 0, 1)
// expected-error@-1 {{too many arguments: 'file' takes at most 2 on 'write'}}
// expected-note@-2 {{write 'file(descriptor, offset)'}}
#pragma accx write(w) file(fd) file(fd, 1)
// expected-error@-1 {{'file' may stand only once on 'write'}}
// expected-note@-2 {{the first one is here}}
#pragma accx write(w) file("name")
// expected-error@-1 {{'"name"' in 'file' is neither a file descriptor nor a 'FILE *': its type is 'char[5]'}}
#pragma accx read(w) file(w)
// expected-error@-1 {{'w' in 'file' is neither a file descriptor nor a 'FILE *': its type is 'double[10]'}}
#pragma accx read(w) file(fd, 1.5 * n)
// expected-error@-1 {{the offset '1.5 * n' in 'file' is no integer: its type is 'double'}}
#pragma accx read(w) file(s, 8)
// expected-error@-1 {{'s' is a stream, which is at a position of its own: write 'file(s)', and set the position by 'fseek'}}
#pragma accx read(w) file(nowhere)
// expected-error@-1 {{use of undeclared identifier 'nowhere'}}
// Events and queues.
#pragma accx read(w) file(fd) after(e, n)
// expected-error@-1 {{'n' in 'after' is no event: its type is 'int', not 'accx_event_t'}}
#pragma accx read(w) file(fd) after()
// expected-error@-1 {{expected an expression in 'after'}}
#pragma accx read(w) file(fd) event(es)
// expected-error@-1 {{'es' in 'event' is no event: its type is 'accx_event_t *', not 'accx_event_t'}}
#pragma accx read(w) file(fd) event(held)
// expected-error@-1 {{'held' in 'event' cannot be assigned: name a variable of type 'accx_event_t'}}
#pragma accx read(w) file(fd) event(e, e)
// expected-error@-1 {{too many arguments: 'event' takes one on 'read'}}
#pragma accx read(w) file(fd) event
// expected-error@-1 {{expected '(' after 'event'}}
// expected-note@-2 {{'event' takes an argument in parentheses}}
#pragma accx read(w) file(fd) after(e) after(e)
// expected-error@-1 {{'after' may stand only once on 'read'}}
// expected-note@-2 {{the first one is here}}
#pragma accx read(w) file(fd) async(1) async(2)
// expected-error@-1 {{'async' may stand only once on 'read'}}
// expected-note@-2 {{the first one is here}}
#pragma accx read(w) file(fd) event(*es) after(es[0])
// Other clauses, other directives.
#pragma accx read(w) file(fd) copy(w)
// expected-error@-1 {{'copy' is not allowed on 'read'}}
// expected-note@-2 {{'copy' may stand on}}
#pragma accx read(w) file(fd) to(1, 2, WORLD)
// expected-error@-1 {{'to' is not allowed on 'read'}}
// expected-note@-2 {{'to' may stand on 'update peer' or 'send'}}
#pragma accx read(w) file(fd) ofset(3)
// expected-error@-1 {{unknown OpenACC clause 'ofset' on 'read'}}
#pragma accx read(w) fil(fd)
// expected-error@-1 {{unknown OpenACC clause 'fil'; did you mean 'file'?}}
#pragma acc read(w) file(fd)
// expected-error@-1 {{'read' is no directive of OpenACC: write '#pragma accx read'}}
#pragma accx receive(w) file(fd)
// expected-error@-1 {{expected 'spread', 'replicate', 'enter' or 'exit' with one of them, 'distribute', 'read', 'write', 'send', 'recv', 'timetile', 'smc' or 'smc_barrier' after 'accx'}}
#pragma acc parallel
  {
#pragma accx read(w) file(fd)
// expected-error@-1 {{'read' may not stand in a 'parallel' construct}}
  }
#pragma omp target map(tofrom: w) if(n > 1)
  {
    w[0] = 1;
#pragma accx write(w) file(fd)
// expected-error@-1 {{'write' may not stand in a 'target' construct: devices have no files}}
  }
#pragma omp target data map(tofrom: w)
  {
#pragma accx write(w) file(fd)
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = 0;
#pragma accx write(w) file(fd)
// Messages.
#pragma accx send(w)
// expected-error@-1 {{'send' needs 'to'}}
// expected-note@-2 {{add 'to(rank, tag, communicator)'}}
#pragma accx recv(w) file(fd)
// expected-error@-1 {{'file' is not allowed on 'recv'}}
// expected-note@-2 {{'file' may stand on 'read' or 'write'}}
#pragma accx send(w) to(1, 2)
// expected-error@-1 {{too few arguments: 'to' takes 3 on 'send'}}
// expected-note@-2 {{write 'to(rank, tag, communicator)'}}
#pragma accx recv(w) from(1, 2, WORLD, 4)
// expected-error@-1 {{too many arguments: 'from' takes at most 3 on 'recv'}}
// expected-note@-2 {{write 'from(rank, tag, communicator)'}}
#pragma accx send(w) to(1, 2.5, WORLD)
// mpi-error@-1 {{the tag '2.5' in 'to' is no integer: its type is 'double'}}
// none-error@-2 {{'send' needs the declarations of MPI and of accx's messages: write '#include <accx/mpi.h>' at the head of the file}}
#pragma accx send(m[0:2][1:7]) to(1, 2, WORLD)
// expected-error@-1 {{'m[0:2][1:7]' leaves parts of the rows of 'm' out, and 'send' takes memory in one piece: name all of the inner dimensions, as in '[:]', or copy the part to an array of its own}}
// none-error@-2 {{'send' needs the declarations of MPI}}
}
