// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong uses of distribute say what is expected; where the loop's head is wrong
// it is Clang that tells.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
#pragma accx distribute
// expected-error@-1 {{what follows 'distribute' must be a loop of a region in one directive: '#pragma omp target teams distribute parallel for' or '#pragma omp target teams loop' and the like, '#pragma acc parallel loop' or '#pragma acc kernels loop'}}
int global;

void f(int n, double *a) {
#pragma accx distribute
// expected-error@-1 {{what follows 'distribute' must be a loop of a region}}
  for (int i = 0; i < n; ++i)
    a[i] = i;
#pragma accx distribute
// expected-error@-1 {{what follows 'distribute' must be a loop of a region}}
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
#pragma accx distribute
// expected-error@-1 {{what follows 'distribute' must be a loop of a region}}
#pragma omp target teams
#pragma omp distribute
  for (int i = 0; i < n; ++i)
    a[i] = i;
#pragma accx distribute
// expected-error@-1 {{what follows 'distribute' must be a loop of a region}}
#pragma acc parallel
  {
#pragma acc loop
    for (int i = 0; i < n; ++i)
      a[i] = i;
  }
#pragma accx distribute
#pragma omp target teams distribute
  n = 3; // expected-error {{'distribute' is for a loop: expected 'for' behind the directive that follows it}}
// expected-error@-1 {{statement after '#pragma omp target teams distribute' must be a for loop}}
#pragma accx distribute devices(0)
#pragma omp target teams distribute parallel for device(1)
// expected-error@-1 {{'device' and 'distribute' name devices twice: leave 'device' out and write 'distribute devices(...)'}}
  for (int i = 0; i < n; ++i)
    a[i] = i;
#pragma accx distribute
#pragma acc parallel loop deviceid(1)
// expected-error@-1 {{'deviceid' and 'distribute' name devices twice: leave 'deviceid' out and write 'distribute devices(...)'}}
  for (int i = 0; i < n; ++i)
    a[i] = i;
#pragma accx distribute schedule(static)
// expected-error@-1 {{unknown argument 'static' of 'schedule'}}
// expected-note@-2 {{'schedule' takes 'owner' or 'block'}}
  ;
#pragma accx distribute copy(a[0:n])
// expected-error@-1 {{'copy' is not allowed on 'distribute'}}
// expected-note@-2 {{'copy' may stand on}}
  ;
#pragma accx distribute(2)
// expected-error@-1 {{'distribute' takes no argument}}
  ;
#pragma acc distribute
// expected-error@-1 {{'distribute' is no directive of OpenACC: write '#pragma accx distribute'}}
  ;
#pragma accx distribute
#pragma omp target teams distribute parallel for
  for (int i = 0; i * 2 < n; ++i)
// expected-error@-1 {{condition of OpenMP for loop must be a relational comparison}}
    a[i] = i;
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) {
#pragma accx distribute
// expected-error@-1 {{'distribute' may not stand in a 'parallel' construct}}
#pragma acc parallel loop
    for (int j = i; j < i + 1; ++j)
      a[j] = j;
  }
#pragma accx distribute
// expected-error@-1 {{what follows 'distribute' must be a loop of a region}}
#pragma accx distribute
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
}
