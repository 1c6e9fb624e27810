// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of older compilers. Kernels of these take no launch environment,
// so the first argument here is one of the program's own in its place.
// RUN: %clang %s -o %t
// RUN: %run %t

#include "Inputs/expect.h"
#include <stdint.h>
#include <string.h>

enum { To = 1, From = 2, Param = 0x20, Literal = 0x100, N = 32 };

struct Entry {
  void *Address;
  char *Name;
  size_t Size;
  int32_t Flags, Data;
};
extern struct Entry __start_omp_offloading_entries[];
extern struct Entry __stop_omp_offloading_entries[];

int __tgt_target(int64_t, void *, int32_t, void **, void **, int64_t *,
                 int64_t *);
int __tgt_target_nowait(int64_t, void *, int32_t, void **, void **, int64_t *,
                        int64_t *, int32_t, void *, int32_t, void *);
int __tgt_target_mapper(void *, int64_t, void *, uint32_t, void **, void **,
                        int64_t *, int64_t *, void **, void **);
int __tgt_target_nowait_mapper(void *, int64_t, void *, int32_t, void **,
                               void **, int64_t *, int64_t *, void **, void **,
                               int32_t, void *, int32_t, void *);
int __tgt_target_teams(int64_t, void *, int32_t, void **, void **, int64_t *,
                       int64_t *, int32_t, int32_t);
int __tgt_target_teams_nowait(int64_t, void *, int32_t, void **, void **,
                              int64_t *, int64_t *, int32_t, int32_t, int32_t,
                              void *, int32_t, void *);
int __tgt_target_teams_mapper(void *, int64_t, void *, uint32_t, void **,
                              void **, int64_t *, int64_t *, void **, void **,
                              int32_t, int32_t);
int __tgt_target_teams_nowait_mapper(void *, int64_t, void *, int32_t, void **,
                                     void **, int64_t *, int64_t *, void **,
                                     void **, int32_t, int32_t, int32_t, void *,
                                     int32_t, void *);
struct KernelArgs {
  uint32_t Version, NumArgs;
  void **BasePtrs, **Ptrs;
  int64_t *Sizes, *Types;
  void **Names, **Mappers;
  uint64_t TripCount, Flags;
  uint32_t NumTeams[3], ThreadLimit[3], DynamicSharedBytes;
};
int __tgt_target_kernel_nowait(void *, int64_t, int32_t, int32_t, void *,
                               struct KernelArgs *, int32_t, void *, int32_t,
                               void *);
#define DATA(NAME)                                                             \
  void __tgt_target_data_##NAME(int64_t, int32_t, void **, void **, int64_t *, \
                                int64_t *);                                    \
  void __tgt_target_data_##NAME##_nowait(int64_t, int32_t, void **, void **,   \
                                         int64_t *, int64_t *, int32_t,        \
                                         void *, int32_t, void *);
DATA(begin)
DATA(end)
DATA(update)
void __kmpc_push_target_tripcount(int64_t, uint64_t);
void __kmpc_push_target_tripcount_mapper(void *, int64_t, uint64_t);

static int A[N];

/// Never called: brings a kernel into the program.
void addOne(int *P) {
#pragma omp target map(tofrom : P[0 : N])
  for (int I = 0; I < N; ++I)
    P[I] += 1;
}

static void *kernel(void) {
  for (struct Entry *E = __start_omp_offloading_entries;
       E != __stop_omp_offloading_entries; ++E)
    if (strstr(E->Name, "_addOne_l"))
      return E->Address;
  EXPECT(!"no kernel");
  return NULL;
}

static int Times = 0;
static void expectOneMore(void) {
  ++Times;
  for (int I = 0; I < N; ++I)
    EXPECT(A[I] == Times);
}

int main(void) {
  expectDevices();
  void *K = kernel();
  // Stands where the launch environment would, then the array.
  void *Ptrs[2] = {NULL, A};
  int64_t Sizes[2] = {8, sizeof(A)};
  int64_t Types[2] = {Literal | Param, To | From | Param};

  __kmpc_push_target_tripcount(0, N);
  __kmpc_push_target_tripcount_mapper(NULL, 0, N);
  EXPECT(__tgt_target(0, K, 2, Ptrs, Ptrs, Sizes, Types) == 0);
  expectOneMore();
  EXPECT(__tgt_target(-1, K, 2, Ptrs, Ptrs, Sizes, Types) == 0);
  expectOneMore();
  EXPECT(__tgt_target_nowait(1, K, 2, Ptrs, Ptrs, Sizes, Types, 0, NULL, 0,
                             NULL) == 0);
  expectOneMore();
  EXPECT(__tgt_target_mapper(NULL, 2, K, 2, Ptrs, Ptrs, Sizes, Types, NULL,
                             NULL) == 0);
  expectOneMore();
  EXPECT(__tgt_target_nowait_mapper(NULL, 3, K, 2, Ptrs, Ptrs, Sizes, Types,
                                    NULL, NULL, 0, NULL, 0, NULL) == 0);
  expectOneMore();
  EXPECT(__tgt_target_teams(0, K, 2, Ptrs, Ptrs, Sizes, Types, 1, 1) == 0);
  expectOneMore();
  EXPECT(__tgt_target_teams_nowait(0, K, 2, Ptrs, Ptrs, Sizes, Types, 1, 0, 0,
                                   NULL, 0, NULL) == 0);
  expectOneMore();
  EXPECT(__tgt_target_teams_mapper(NULL, 0, K, 2, Ptrs, Ptrs, Sizes, Types,
                                   NULL, NULL, 1, 0) == 0);
  expectOneMore();
  EXPECT(__tgt_target_teams_nowait_mapper(NULL, 0, K, 2, Ptrs, Ptrs, Sizes,
                                          Types, NULL, NULL, 1, 0, 0, NULL, 0,
                                          NULL) == 0);
  expectOneMore();

  // A current argument block: the environment comes by itself.
  struct KernelArgs Args = {3,         1,         Ptrs + 1, Ptrs + 1, Sizes + 1,
                            Types + 1, NULL,      NULL,     N,        0,
                            {1, 0, 0}, {0, 0, 0}, 0};
  EXPECT(__tgt_target_kernel_nowait(NULL, 0, 1, 0, K, &Args, 0, NULL, 0,
                                    NULL) == 0);
  expectOneMore();

  // Data: what happens between stays on the device until it is asked for.
  int64_t Both[1] = {To | From}, Out[1] = {From}, In[1] = {To};
  __tgt_target_data_begin(0, 1, Ptrs + 1, Ptrs + 1, Sizes + 1, Both);
  EXPECT(omp_target_is_present(A, 0));
  EXPECT(__tgt_target(0, K, 2, Ptrs, Ptrs, Sizes, Types) == 0);
  EXPECT(A[0] == Times);
  __tgt_target_data_update(0, 1, Ptrs + 1, Ptrs + 1, Sizes + 1, Out);
  expectOneMore();
  A[0] = 100;
  __tgt_target_data_update_nowait(0, 1, Ptrs + 1, Ptrs + 1, Sizes + 1, In, 0,
                                  NULL, 0, NULL);
  A[0] = 0;
  __tgt_target_data_end(0, 1, Ptrs + 1, Ptrs + 1, Sizes + 1, Both);
  EXPECT(A[0] == 100 && A[1] == Times);
  EXPECT(!omp_target_is_present(A, 0));
  __tgt_target_data_begin_nowait(0, 1, Ptrs + 1, Ptrs + 1, Sizes + 1, Both, 0,
                                 NULL, 0, NULL);
  EXPECT(omp_target_is_present(A, 0));
  A[0] = 0;
  __tgt_target_data_end_nowait(0, 1, Ptrs + 1, Ptrs + 1, Sizes + 1, Both, 0,
                               NULL, 0, NULL);
  EXPECT(A[0] == 100);
  EXPECT(!omp_target_is_present(A, 0));
  return 0;
}
