// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OpenARC's directives refuse, with what to do about it.
//
// RUN: %accx_syntax -Xclang -verify %s

void places(int n, float *a) {
#pragma acc barrier
  // expected-error@-1 {{'barrier' must stand in a worker or vector loop of a gang loop, or in the body of the gang loop itself; the gang loop must be all of its construct}}
#pragma acc parallel loop worker
  for (int i = 0; i < 16; ++i) {
    a[i] = 1;
#pragma acc barrier
    // expected-error@-1 {{'barrier' must stand in a worker or vector loop}}
  }
#pragma openarc cuda sharedRW(a)
  // expected-error@-1 {{'openarc cuda' must stand between a gang loop's directive and the loop}}
#pragma openarc opencl sharedRW(a)
  // expected-error@-1 {{expected 'cuda' after 'openarc'}}
#pragma openarc cuda
  // expected-error@-1 {{at least one of}} expected-note@-1 0+{{}}
#pragma openarc cuda sharedWR(a)
  // expected-error@-1 {{unknown OpenACC clause 'sharedWR'; did you mean 'sharedRO'?}}
#pragma acc barrier seq
  // expected-error@-1 {{'seq' is not allowed on 'barrier'}} expected-note@-1 {{}}
}

void divided(int n, float *a) {
  // A local barrier in a loop of its own.
#pragma acc parallel loop gang
  for (int g = 0; g < n; ++g) {
#pragma acc loop worker
    for (int i = 0; i < 16; ++i) {
      a[i] = 1;
#pragma acc loop vector
      for (int j = 0; j < 4; ++j) {
#pragma acc barrier
        // expected-error@-1 {{'barrier' stands in a loop that is not tightly nested in the worker loop around it; mark that loop 'seq', or move the barrier into the worker loop}}
        a[j] = 2;
      }
      a[i] = 3;
    }
  }
  // Of all gangs, not in the gang loop's body.
#pragma acc parallel loop gang
  for (int g = 0; g < n; ++g) {
    if (g > 3) {
#pragma acc barrier
      // expected-error@-1 {{a barrier of all gangs splits the kernel, and must stand in the body of the gang loop itself, outside of worker loops and conditions}}
      a[g] = 1;
    }
  }
#pragma acc parallel loop gang
  for (int g = 0; g < n; ++g) {
#pragma acc loop worker
    for (int i = 0; i < 16; ++i) {
      a[i] = 1;
#pragma acc barrier gang
      // expected-error@-1 {{a barrier of all gangs splits the kernel}}
    }
  }
}

void exposed(int n, float *a, float *b) {
#pragma acc parallel loop gang
  for (int g = 0; g < n; ++g) {
    const float own = a[g];
    b[g] = own;
#pragma acc barrier
    // expected-error@-1 {{the kernel has to be split at this barrier, but 'own', which each gang has of its own, is needed behind it; compute it again behind the barrier, or keep it in an array with an element a gang}}
    a[g] = b[n - 1 - g] + own;
  }
  float outer;
#pragma acc parallel loop gang private(outer)
  for (int g = 0; g < n; ++g) {
    outer = a[g];
    b[g] = outer;
#pragma acc barrier
    // expected-error@-1 {{but 'outer', which each gang has of its own, is needed behind it}}
    a[g] = b[n - 1 - g] + outer;
  }
}

void forms(int n, float *a) {
#pragma acc parallel loop gang
  for (int g = 0; g < n; ++g) {
#pragma acc loop worker
    // expected-error@-1 {{a loop around barriers or with OpenARC's memory clauses must have the form 'for (i = low; i < high; i += step)'}}
    for (int i = 1; i < 16; i *= 2) {
#pragma acc barrier
      a[i] = 1;
    }
  }
  float sum = 0;
#pragma acc parallel loop gang reduction(+ : sum)
  // expected-error@-1 {{neither reduction nor tile}}
  for (int g = 0; g < n; ++g) {
#pragma acc loop worker
    for (int i = 0; i < 16; ++i) {
#pragma acc barrier
      sum += a[i];
    }
  }
#pragma acc parallel loop gang
  for (int g = 0; g < n; ++g) {
    float tile[n];
#pragma acc loop worker
    // expected-error@-1 {{'tile' is shared by the workers of a gang; give it a constant length}}
    for (int i = 0; i < 16; ++i) {
      tile[i] = 1;
#pragma acc barrier
      a[i] = tile[15 - i];
    }
  }
#pragma acc parallel loop gang
  // expected-error@-1 {{a gang needs 1 to 1024 workers, a number that is known}}
  for (int g = 0; g < n; ++g) {
#pragma acc loop worker
    for (int i = 0; i < 2048; ++i) {
#pragma acc barrier
      a[i] = 1;
    }
  }
#pragma acc parallel loop gang
  for (int g = 0; g < n; ++g) {
    int count = 0;
    a[count++] = 1;
    // expected-error@-1 {{a statement of the gang, outside of worker loops, writes memory and sets 'count', of which each worker has its own; make two statements of it, or put it into a worker loop}}
#pragma acc loop worker
    for (int i = 0; i < 32; ++i) {
#pragma acc barrier
      a[i] = 1;
    }
  }
}
