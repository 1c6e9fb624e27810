//===- simt.c - Runs GPU code's threads one after the other ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program for an NVIDIA GPU needs to run on a processor, once simt.py
// has made its device code the processor's: offloading entry points over one
// memory, and blocks of threads that take turns at barriers. Threads run in an
// order that changes from barrier to barrier, and shared memory begins with
// rubbish, so that missing barriers show. All threads of a block, or those of a
// warp that a mask names, must meet at the same barrier: who waits for ever is
// reported, and ends the program. Lanes that exchange values meet, too.
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "accx/kernel_desc.h"

enum { MaxThreads = 1024, StackBytes = 96 << 10, MaxArguments = 32 };

struct Entry {
  void *Address;
  char *Name;
  size_t Size;
  int32_t Flags, Reserved;
};
extern struct Entry __start_omp_offloading_entries[] __attribute__((weak));
extern struct Entry __stop_omp_offloading_entries[] __attribute__((weak));
extern char __start_simt_shared[] __attribute__((weak));
extern char __stop_simt_shared[] __attribute__((weak));

struct KernelArgs {
  uint32_t Version, NumArgs;
  void **BasePtrs, **Ptrs;
  int64_t *Sizes, *Types;
  void **Names, **Mappers;
  uint64_t Tripcount, Flags;
  uint32_t NumTeams[3], ThreadLimit[3], DynMem;
};

static struct {
  jmp_buf At;
  ucontext_t Begin;
  const void *Barrier;
  unsigned Members; // of its warp; 0: the whole block
  int HasBegun, HasEnded, Waits;
  int Lent;
} Threads[MaxThreads];
static char *Stacks;
static jmp_buf Scheduler;
static unsigned Running, NumThreads, Block[3], NumBlocks[3];
static uint64_t Random = 88172645463325252ull, Arguments[MaxArguments];
static void *Kernel;
static unsigned long Barriers;

static uint64_t next(void) {
  Random ^= Random << 13;
  Random ^= Random >> 7;
  return Random ^= Random << 17;
}

int simt_tid_x(void) { return (int)Running; }
int simt_ntid_x(void) { return (int)NumThreads; }
int simt_ctaid_x(void) { return (int)Block[0]; }
int simt_ctaid_y(void) { return (int)Block[1]; }
int simt_ctaid_z(void) { return (int)Block[2]; }
int simt_nctaid_x(void) { return (int)NumBlocks[0]; }
int simt_nctaid_y(void) { return (int)NumBlocks[1]; }
int simt_nctaid_z(void) { return (int)NumBlocks[2]; }
void simt_trap(void) {
  fprintf(stderr, "simt: trap\n");
  exit(3);
}
static void __attribute__((noinline)) meet(unsigned Members, const void *At) {
  Threads[Running].Barrier = At;
  Threads[Running].Members = Members;
  Threads[Running].Waits = 1;
  if (!_setjmp(Threads[Running].At))
    _longjmp(Scheduler, 1);
}
void __attribute__((noinline)) simt_barrier(void) {
  meet(0, __builtin_return_address(0));
}
void __attribute__((noinline)) simt_warp_barrier(unsigned Members) {
  meet(Members, __builtin_return_address(0));
}
int __attribute__((noinline)) simt_shfl_down(unsigned Members, int Value,
                                             unsigned Away, unsigned Clamp) {
  const void *At = __builtin_return_address(0);
  const unsigned Lane = Running % 32, From = Lane + Away;
  Threads[Running].Lent = Value;
  meet(Members, At);
  if (From <= (Clamp & 31) && Running - Lane + From < NumThreads)
    Value = Threads[Running - Lane + From].Lent;
  meet(Members, At);
  return Value;
}

void __kmpc_critical(void *L, int T, void *N) { (void)L, (void)T, (void)N; }
void __kmpc_end_critical(void *L, int T, void *N) { (void)L, (void)T, (void)N; }
unsigned long __kmpc_warp_active_thread_mask(void) { return 1; }
void __kmpc_syncwarp(unsigned long Mask) { (void)Mask; }
int __kmpc_target_init(void *E, void *L) { return (void)E, (void)L, -1; }
void __kmpc_target_deinit(void) {}
void __kmpc_for_static_fini(void) {}
void __kmpc_distribute_static_fini(void) {}
int __kmpc_global_thread_num(void *L) { return (void)L, 0; }
int __kmpc_get_hardware_num_threads_in_block(void) { return (int)NumThreads; }
int __kmpc_get_hardware_thread_id_in_block(void) { return (int)Running; }
int simt_vprintf(const char *Format, const void *Values) {
  const long *V = Values;
  return printf(Format, V[0], V[1]);
}

static void enter(void) {
  const uint64_t *A = Arguments;
  ((void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
             uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
             uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
             uint64_t, uint64_t))Kernel)(
      A[0], A[1], A[2], A[3], A[4], A[5], A[6], A[7], A[8], A[9], A[10], A[11],
      A[12], A[13], A[14], A[15], A[16], A[17], A[18], A[19]);
  Threads[Running].HasEnded = 1;
  _longjmp(Scheduler, 1);
}

static void resume(unsigned T) {
  Running = T;
  if (_setjmp(Scheduler))
    return;
  if (Threads[T].HasBegun)
    _longjmp(Threads[T].At, 1);
  Threads[T].HasBegun = 1;
  getcontext(&Threads[T].Begin);
  Threads[T].Begin.uc_stack.ss_sp = Stacks + (size_t)T * StackBytes;
  Threads[T].Begin.uc_stack.ss_size = StackBytes;
  Threads[T].Begin.uc_link = 0;
  makecontext(&Threads[T].Begin, enter, 0);
  setcontext(&Threads[T].Begin);
}

static int meetsWarp(unsigned T) {
  for (unsigned Lane = 0; Lane < 32; ++Lane) {
    const unsigned Other = T / 32 * 32 + Lane;
    if (Threads[T].Members >> Lane & 1 &&
        (Other >= NumThreads || !Threads[Other].Waits ||
         Threads[Other].Members != Threads[T].Members ||
         Threads[Other].Barrier != Threads[T].Barrier))
      return 0;
  }
  return 1;
}

/// Lets those go on who have met. How many threads have not ended.
static unsigned release(void) {
  static char Goes[MaxThreads];
  unsigned Left = 0, Going = 0, Block = 1;
  for (unsigned T = 0; T < NumThreads; ++T)
    Block &= !Threads[T].HasEnded && !Threads[T].Members &&
             Threads[T].Barrier == Threads[0].Barrier;
  for (unsigned T = 0; T < NumThreads; ++T) {
    Left += !Threads[T].HasEnded;
    Goes[T] = Threads[T].Waits && (Threads[T].Members ? meetsWarp(T) : Block);
    Going += Goes[T];
  }
  for (unsigned T = 0; T < NumThreads; ++T)
    Threads[T].Waits &= !Goes[T];
  if (Left && !Going) {
    fprintf(stderr, "simt: %u of %u threads wait for ever\n", Left, NumThreads);
    exit(3);
  }
  return Left;
}

static void runBlock(void) {
  unsigned Order[MaxThreads];
  memset(Threads, 0, sizeof Threads[0] * NumThreads);
  for (char *B = __start_simt_shared; B < __stop_simt_shared; ++B)
    *B = (char)next();
  for (unsigned Left = NumThreads; Left;) {
    const unsigned Kind = next() % 3;
    for (unsigned T = 0; T < NumThreads; ++T)
      Order[T] = Kind == 1 ? NumThreads - 1 - T : T;
    for (unsigned T = NumThreads; Kind == 2 && T-- > 1;) {
      const unsigned Other = next() % (T + 1), Old = Order[T];
      Order[T] = Order[Other];
      Order[Other] = Old;
    }
    for (unsigned T = 0; T < NumThreads; ++T)
      if (!Threads[Order[T]].HasEnded && !Threads[Order[T]].Waits)
        resume(Order[T]);
    Left = release();
    Barriers += Left != 0;
  }
}

/// Dimensions of the grid that a descriptor asks for.
static unsigned dimensionsOf(const accx_kernel_desc *D) {
  unsigned Dims = 1;
  for (uint32_t At = 0; D && At < D->grid_bytes; At += 8) {
    uint64_t Word;
    memcpy(&Word, (const char *)(D + 1) + D->chain_bytes + At, 8);
    if ((Word & 0xff) == ACCX_GRID_CONSTANT)
      At += 8;
    Dims += (Word & 0xff) == ACCX_GRID_INNER && Word >> 32;
  }
  return Dims;
}

/// Iterations of a thread if the kernel's environment asks for a block for each
/// run; 0: it does not.
static unsigned asksForRuns(const char *Name) {
  enum { MinTeamsAt = 12 };
  char Text[512];
  snprintf(Text, sizeof Text, "%s_kernel_environment", Name);
  const char *Environment = dlsym(RTLD_DEFAULT, Text);
  int MinTeams = 0;
  if (Environment)
    memcpy(&MinTeams, Environment + MinTeamsAt, sizeof MinTeams);
  return MinTeams == ACCX_TEAMS_IN_RUNS         ? ACCX_RUN
         : MinTeams == ACCX_TEAMS_IN_SHORT_RUNS ? ACCX_SHORT_RUN
                                                : 0;
}

/// Any number of them is right, in any shape; for a team's code without a loop,
/// \p Teams.
static void chooseBlocks(const accx_kernel_desc *D, unsigned Needed,
                         unsigned Teams) {
  const unsigned Dims = dimensionsOf(D);
  // Some blocks do more than one part of the work.
  if (Needed > 2 && next() % 2)
    Needed = 1 + next() % Needed;
  if (getenv("SIMT_BLOCKS"))
    Needed = (unsigned)atoi(getenv("SIMT_BLOCKS"));
  if (Teams)
    Needed = Teams;
  NumBlocks[1] = NumBlocks[2] = 1;
  for (unsigned I = 1; I < Dims; ++I) {
    NumBlocks[I] = 1 + next() % (Needed < 9 ? Needed : 9);
    Needed = (Needed + NumBlocks[I] - 1) / NumBlocks[I];
  }
  NumBlocks[0] = Needed;
}

/// In programs with such kernels.
int simtWholeGrid(const accx_kernel_desc *D, uint64_t TripCount,
                  uint64_t *Arguments, unsigned Count, unsigned Shape[4])
    __attribute__((weak));

/// Every other launch that can be one for all iterations is. Whether this is.
static int choosesWholeGrid(const accx_kernel_desc *D, uint64_t TripCount,
                            unsigned NumArguments) {
  unsigned Shape[4];
  const int Covers =
      simtWholeGrid(D, TripCount, Arguments, NumArguments, Shape);
  if (Covers < 0) {
    fprintf(stderr, "simt: a descriptor that the runtime refuses\n");
    exit(3);
  }
  if (!Covers || next() % 2)
    return 0;
  const char *Name = (const char *)(D + 1);
  if (!(Kernel = dlsym(RTLD_DEFAULT, Name))) {
    fprintf(stderr, "simt: no kernel %s\n", Name);
    exit(3);
  }
  memcpy(NumBlocks, Shape, sizeof NumBlocks);
  NumThreads = Shape[3];
  return 1;
}

static int launch(int32_t Teams, int32_t Limit, void *Region,
                  const struct KernelArgs *K) {
  const char *Name = 0;
  for (struct Entry *E = __start_omp_offloading_entries;
       E != __stop_omp_offloading_entries; ++E)
    if (E->Address == Region)
      Name = E->Name;
  if (!Name || !(Kernel = dlsym(RTLD_DEFAULT, Name))) {
    fprintf(stderr, "simt: no kernel %s\n", Name ? Name : "?");
    exit(3);
  }
  char Text[512];
  snprintf(Text, sizeof Text, "%s" ACCX_KERNEL_DESC_SUFFIX, Name);
  const accx_kernel_desc *D = dlsym(RTLD_DEFAULT, Text);
  unsigned Count = 1; // the first is the launch environment's
  memset(Arguments, 0, sizeof Arguments);
  for (uint32_t A = 0; A < K->NumArgs; ++A)
    if (K->Types[A] & 0x20)
      Arguments[Count++] = (uint64_t)K->BasePtrs[A];
  const int HasWhole = D && D->flags & ACCX_DESC_WHOLE_GRID;
  const int IsWhole = HasWhole && choosesWholeGrid(D, K->Tripcount, Count);
  // Every other launch that can be one.
  const unsigned Run = !IsWhole && K->Tripcount ? asksForRuns(Name) : 0;
  const int InRuns = Run && next() % 2;
  if (!IsWhole) {
    if (HasWhole)
      D = 0;
    NumThreads = D && D->block[0] ? D->block[0]
                 : Limit > 0      ? (unsigned)Limit
                                  : 128;
    const uint64_t Per = D ? D->iterations_per_block : NumThreads;
    const uint64_t Needed = (K->Tripcount + Per - 1) / Per;
    if (InRuns) {
      NumBlocks[0] = (unsigned)((Needed + Run - 1) / Run);
      NumBlocks[1] = NumBlocks[2] = 1;
    } else {
      chooseBlocks(D, (unsigned)(Needed ? Needed : 1),
                   K->Tripcount || Teams < 0 ? 0 : (unsigned)Teams);
    }
  }
  if (!Stacks)
    Stacks = malloc((size_t)MaxThreads * StackBytes);
  for (Block[2] = 0; Block[2] < NumBlocks[2]; ++Block[2])
    for (Block[1] = 0; Block[1] < NumBlocks[1]; ++Block[1])
      for (Block[0] = 0; Block[0] < NumBlocks[0]; ++Block[0])
        runBlock();
  if (getenv("SIMT_TRACE"))
    fprintf(stderr, "simt: %s: %u x %u x %u x %u threads, %lu barriers%s\n",
            Name, NumBlocks[2], NumBlocks[1], NumBlocks[0], NumThreads,
            Barriers,
            IsWhole  ? ", all at once"
            : InRuns ? Run == ACCX_RUN ? ", in runs" : ", in short runs"
            : D      ? ""
                     : ", no blocks of its own");
  return 0;
}

// Iterations of a loop that devices share, which is about to be launched.
static long Shared;
int __accx_distribute_begin(const int *Devices, int Count, int Schedule,
                            long Iterations, const char *Source) {
  (void)Devices, (void)Count, (void)Schedule, (void)Source;
  Shared = Iterations;
  return 1;
}
int __accx_distribute_end(void) {
  Shared = 0;
  return 0;
}

// A shared loop in three parts, one after the other. Its first iteration and
// the one behind its last are the first two neighbours among the numbers that
// the kernel gets that are 0 and as many as there are.
int __tgt_target_kernel(void *Loc, int64_t Device, int32_t Teams, int32_t Limit,
                        void *Region, struct KernelArgs *K) {
  (void)Loc, (void)Device;
  if (Shared < 3)
    return launch(Teams, Limit, Region, K);
  enum { IsLiteral = 0x100, Most = 64 };
  const uint32_t Count = K->NumArgs;
  uint32_t First = 0;
  while (First + 1 < Count && Count <= Most &&
         !((K->Types[First] & K->Types[First + 1] & IsLiteral) &&
           !K->BasePtrs[First] && (long)K->BasePtrs[First + 1] == Shared))
    ++First;
  if (First + 1 >= Count || Count > Most) {
    fprintf(stderr, "simt: a shared loop without first and last iteration\n");
    exit(3);
  }
  void *Values[Most];
  memcpy(Values, K->BasePtrs, Count * sizeof(void *));
  const long Third = Shared / 3;
  const long Ends[] = {0, Third + (long)(next() % 2), 2 * Third, Shared};
  for (int P = 0; P < 3; ++P) {
    struct KernelArgs Part = *K;
    const uint64_t Own = (uint64_t)(Ends[P + 1] - Ends[P]);
    if (!Own)
      continue;
    Part.BasePtrs = Values;
    Values[First] = (void *)Ends[P];
    Values[First + 1] = (void *)Ends[P + 1];
    Part.Tripcount =
        (K->Tripcount * Own + (uint64_t)Shared - 1) / (uint64_t)Shared;
    (void)launch(Teams, Limit, Region, &Part);
  }
  return 0;
}

void __tgt_target_data_begin_mapper(void) {}
void __tgt_target_data_end_mapper(void) {}
void __tgt_target_data_update_mapper(void) {}

// Clauses, as the runtime reads them.
int __accx_gangs(long Wanted) { return (int)Wanted; }

// Queues: what is launched has run.
void __accx_async_begin(long Queue) { (void)Queue; }
void __accx_async_end(void) {}
void acc_wait(int Queue) { (void)Queue; }
