// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image whose kernels use OpenMP.

#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static int thread_id(void) { return (int)syscall(SYS_gettid); }

void kernel_icvs(int *out) {
  omp_sched_t kind;
  out[0] = omp_get_max_threads();
  out[1] = omp_get_dynamic();
  out[2] = omp_get_max_active_levels();
  omp_get_schedule(&kind, &out[4]);
  out[3] = (int)kind;
  out[5] = omp_get_level();
  out[6] = omp_in_parallel();
  out[7] = thread_id();
  out[8] = omp_get_default_allocator() == omp_default_mem_alloc;
}

void kernel_change(void) {
  omp_set_num_threads(7);
  omp_set_dynamic(1);
  omp_set_max_active_levels(9);
  omp_set_schedule(omp_sched_guided, 13);
  omp_set_default_allocator(omp_large_cap_mem_alloc);
}

/* out[0]: threads; out[1 + i]: the system's number of thread i. */
void kernel_threads(int *out) {
#pragma omp parallel
  {
#pragma omp single
    out[0] = omp_get_num_threads();
    out[1 + omp_get_thread_num()] = thread_id();
  }
}

void kernel_cores(int *out) {
#pragma omp parallel
  {
#pragma omp single
    out[0] = omp_get_num_threads();
    out[1 + omp_get_thread_num()] = sched_getcpu();
  }
}

/* A loop outside of every region of the kernel: one thread does all of it. */
void kernel_orphan(int *out, long n) {
#pragma omp for
  for (long i = 0; i < n; ++i)
    out[i] += 1;
}

void kernel_loop(int *out, long n) {
#pragma omp parallel for schedule(dynamic, 3)
  for (long i = 0; i < n; ++i)
    out[i] += (int)i;
}

void kernel_sum(long *out, const int *in, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; ++i)
    sum += in[i];
  *out = sum;
}

void kernel_teams(int *out, long n) {
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2)
  for (long i = 0; i < n; ++i)
    out[i] += 1;
}

void kernel_empty(void) {}

/* Calls back, as only a test does. */
void kernel_call(void (*function)(void *), void *argument) {
  function(argument);
}
void kernel_call_in_region(void (*function)(void *), void *argument) {
#pragma omp parallel num_threads(2)
#pragma omp single
  function(argument);
}

#if defined(__x86_64__)
/* The thread it runs on, asked of the system without calling anything. */
__attribute__((noinline)) void kernel_thread_leaf(long *Thread) {
  long Result = 186; /* gettid */
  __asm__ volatile("syscall" : "+a"(Result) : : "rcx", "r11", "memory");
  *Thread = Result;
}

/* The same, with a jump out of the function at its end. */
void kernel_thread_tail(long *Thread) { kernel_thread_leaf(Thread); }
#endif
