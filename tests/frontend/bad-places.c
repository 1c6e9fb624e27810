// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clauses that other directives have, repeated ones, ones that exclude each
// other, and directives without what they need.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
void f(int N, float *A, float *B) {
#pragma acc parallel collapse(2)
// expected-error@-1 {{'collapse' is not allowed on 'parallel'}}
// expected-note@-2 {{'collapse' may stand on 'loop'}}
  ;
#pragma acc kernels private(A)
// expected-error@-1 {{'private' is not allowed on 'kernels'}}
// expected-note@-2 {{'private' may stand on 'parallel', 'serial' or 'loop'}}
  ;
#pragma acc serial num_gangs(2)
// expected-error@-1 {{'num_gangs' is not allowed on 'serial'}}
// expected-note@-2 {{'num_gangs' may stand on 'parallel' or 'kernels'}}
  ;
#pragma acc loop copy(A[0:N])
// expected-error@-1 {{'copy' is not allowed on 'loop'}}
// expected-note@-2 {{'copy' may stand on 'parallel', 'kernels', 'serial', 'data' or 'declare'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc data async(1) if(N) gang copy(A[0:N])
// expected-error@-1 {{'gang' is not allowed on 'data'}}
// expected-note@-2 {{'gang' may stand on 'loop', 'routine' or 'barrier'}}
  ;
#pragma acc enter data copyout(A[0:N])
// expected-error@-1 {{'copyout' is not allowed on 'enter data'}}
// expected-note@-2 {{'copyout' may stand on 'parallel', 'kernels', 'serial', 'data', 'exit data' or 'declare'}}
#pragma acc exit data copyin(A[0:N])
// expected-error@-1 {{'copyin' is not allowed on 'exit data'}}
// expected-note@-2 {{'copyin' may stand on 'parallel', 'kernels', 'serial', 'data', 'enter data' or 'declare'}}
#pragma acc update copy(A[0:N])
// expected-error@-1 {{'copy' is not allowed on 'update'}}
// expected-note@-2 {{'copy' may stand on 'parallel', 'kernels', 'serial', 'data' or 'declare'}}
#pragma acc wait gang
// expected-error@-1 {{'gang' is not allowed on 'wait'}}
// expected-note@-2 {{'gang' may stand on 'loop', 'routine' or 'barrier'}}
#pragma acc init async
// expected-error@-1 {{'async' is not allowed on 'init'}}
// expected-note@-2 {{'async' may stand on 'parallel', 'kernels', 'serial', 'data', 'enter data', 'exit data', 'update' or 'wait'}}
#pragma acc parallel num_gangs(1) num_gangs(2)
// expected-error@-1 {{'num_gangs' may stand only once on 'parallel'}}
// expected-note@-2 {{the first one is here}}
  ;
#pragma acc parallel if(1) if(2)
// expected-error@-1 {{'if' may stand only once on 'parallel'}}
// expected-note@-2 {{the first one is here}}
  ;
#pragma acc parallel loop seq gang
// expected-error@-1 {{'gang' and 'seq' exclude each other on 'parallel loop'}}
// expected-note@-2 {{'seq' is here; leave one of them out}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop independent auto
// expected-error@-1 {{'auto' and 'independent' exclude each other on 'parallel loop'}}
// expected-note@-2 {{'independent' is here; leave one of them out}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc data
// expected-warning@-1 {{'data' without data clauses does nothing; OpenACC asks for at least one of 'default', 'copy', 'copyin', }}
  ;
#pragma acc data if(N)
// expected-warning@-1 {{'data' without data clauses does nothing; OpenACC asks for at least one of 'default', 'copy', 'copyin', }}
  ;
#pragma acc enter data async
// expected-error@-1 {{'enter data' needs at least one of 'copyin', 'create' and 'attach'}}
#pragma acc exit data finalize
// expected-error@-1 {{'exit data' needs at least one of 'copyout', 'delete' and 'detach'}}
#pragma acc host_data if(N)
// expected-error@-1 {{'host_data' needs 'use_device'}}
  ;
#pragma acc update async
// expected-error@-1 {{'update' needs at least one of 'self' and 'device'}}
#pragma acc set
// expected-error@-1 {{'set' needs at least one of 'device_type', 'device_num' and 'default_async'}}
#pragma acc data copy(A[0:N]) copy(A[0:N])
// expected-warning@-1 {{'A[0:N]' stands more than once in the data clauses of 'data'; together they are 'copy'}}
// expected-note@-2 {{it is first named here}}
  ;
#pragma acc data copyin(A[0:N]) present(A[0:N])
// expected-error@-1 {{'A[0:N]' stands more than once in the data clauses of 'data'}}
// expected-note@-2 {{it is first named here; leave one of them out}}
  ;
#pragma acc data copyin(A[0:N]) copyout(A[0:N])
// expected-warning@-1 {{'A[0:N]' stands more than once in the data clauses of 'data'; together they are 'copy'}}
// expected-note@-2 {{it is first named here}}
  ;
#pragma acc parallel device_type(nvidia) copy(A[0:N])
// expected-error@-1 {{'copy' cannot depend on the device type}}
// expected-note@-2 {{put it before this 'device_type'}}
  ;
#pragma acc atomic read write
// expected-error@-1 {{'write' and 'read' exclude each other on 'atomic'}}
// expected-note@-2 {{'read' is here; leave one of them out}}
  B[0] = A[0];
}
#pragma acc routine seq gang
// expected-error@-1 {{'gang' and 'seq' exclude each other on 'routine'}}
// expected-note@-2 {{'seq' is here; leave one of them out}}
void g(void);
#pragma acc routine
// expected-warning@-1 {{'routine' without 'gang', 'worker', 'vector' or 'seq'; 'seq' is assumed}}
void h(void);
#pragma acc declare
// expected-error@-1 {{'declare' needs at least one of 'copy', 'copyin', 'copyout', 'create', 'present', 'deviceptr', 'device_residen}}
