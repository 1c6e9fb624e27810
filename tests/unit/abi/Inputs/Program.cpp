// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of every construct that clang turns into a call of the runtime.

#include <omp.h>

struct Mapped {
  int N;
  int *P;
};
#pragma omp declare mapper(deep : Mapped S) map(S, S.P[0 : S.N])

#pragma omp declare target
int Global = 3;
#pragma omp end declare target

int main() {
  int A[16] = {0}, Grid[8][8] = {{0}};
  double D = 1;
  Mapped S = {16, A};

#pragma omp target map(always, tofrom : A) firstprivate(D)
  A[0] = (int)D + Global;

#pragma omp target teams distribute parallel for num_teams(2) thread_limit(5)  \
    map(present, to : A)
  for (int I = 0; I < 16; ++I)
    (void)A[I];

#pragma omp target data map(ompx_hold, tofrom : A) map(close, alloc : Grid)
  {
  }
#pragma omp target enter data map(to : A)
#pragma omp target update from(Grid[1 : 2][2 : 3])
#pragma omp target exit data map(delete : A)

#pragma omp target nowait map(from : A)
  A[1] = 2;
#pragma omp target enter data map(alloc : A) nowait
#pragma omp target update to(A[4 : 4]) nowait depend(out : A)
#pragma omp target exit data map(release : A) nowait
#pragma omp taskwait

#pragma omp target map(mapper(deep), tofrom : S)
  S.P[0] = 1;

  omp_interop_t Object = omp_interop_none;
#pragma omp interop init(targetsync : Object) device(0)
#pragma omp interop use(Object)
#pragma omp interop destroy(Object)
  omp_depend_t Dependence;
#pragma omp depobj(Dependence) depend(in : A, D)
#pragma omp depobj(Dependence) destroy
  return 0;
}
