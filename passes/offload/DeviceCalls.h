//===- DeviceCalls.h - The device runtime's entry points --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Clang's device code calls before anything is inlined: names, positions
// of arguments, constants of the OpenMP device runtime of LLVM 19.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_DEVICECALLS_H
#define ACCX_OFFLOAD_DEVICECALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace accx::offload {

/// Arguments of __kmpc_distribute_static_init_* and __kmpc_for_static_init_*.
namespace staticinit {
enum : unsigned { Schedule = 2, Last, Lower, Upper, Stride, Increment, Chunk };
} // namespace staticinit

/// Arguments of __kmpc_parallel_51.
namespace parallel {
enum : unsigned { Condition = 2, NumThreads, ProcBind, Body, Wrapper, Args };
enum : unsigned { Count = 8 };
/// The first captured argument of a region's body. Before it come the global
/// and the bound thread number.
constexpr unsigned FirstCaptured = 2;
} // namespace parallel

/// Values of the schedule argument.
namespace schedule {
enum : int64_t {
  StaticChunked = 33,
  Static = 34,
  DistributeChunked = 91,
  Distribute = 92
};
} // namespace schedule

inline constexpr char DistributeInit[] = "__kmpc_distribute_static_init_";
inline constexpr char DistributeFini[] = "__kmpc_distribute_static_fini";
inline constexpr char ForInit[] = "__kmpc_for_static_init_";
inline constexpr char ForFini[] = "__kmpc_for_static_fini";
inline constexpr char DispatchInit[] = "__kmpc_dispatch_init_";
inline constexpr char Parallel[] = "__kmpc_parallel_51";
inline constexpr char TargetInit[] = "__kmpc_target_init";
inline constexpr char TargetDeinit[] = "__kmpc_target_deinit";
inline constexpr char AllocShared[] = "__kmpc_alloc_shared";
inline constexpr char FreeShared[] = "__kmpc_free_shared";
inline constexpr char BlockThreads[] =
    "__kmpc_get_hardware_num_threads_in_block";
inline constexpr char BlockThread[] = "__kmpc_get_hardware_thread_id_in_block";
inline constexpr char GlobalThread[] = "__kmpc_global_thread_num";
inline constexpr char TeamBarrier[] = "__kmpc_barrier";
inline constexpr char ParallelReduce[] =
    "__kmpc_nvptx_parallel_reduce_nowait_v2";
inline constexpr char TeamsReduce[] = "__kmpc_nvptx_teams_reduce_nowait_v2";
/// Metadata of loads and stores that one thread of the whole launch runs, once:
/// the one for which a reduction over teams is 1.
inline constexpr char LastThreadOnly[] = "accx.last.thread";
inline constexpr char FixedBuffer[] = "__kmpc_reduction_get_fixed_buffer";

/// The name of the function that \p I calls directly, else empty.
llvm::StringRef calledName(const llvm::Instruction &I);

/// Whether \p I says something to the compiler and does nothing: the life of
/// a variable, debug info.
inline bool isMarker(const llvm::Instruction &I) {
  return I.isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(I);
}

/// The same of the compiler's assumptions.
inline bool saysOnly(const llvm::IntrinsicInst &I) {
  return isMarker(I) ||
         llvm::isa<llvm::AssumeInst, llvm::NoAliasScopeDeclInst>(I);
}

/// Whether \p Call is one of CUDA's mathematical functions of values, of which
/// declarations say nothing.
bool isMath(const llvm::CallBase &Call);

/// Whether the function \p Name of the device runtime is nothing that other
/// threads notice.
bool isUnnoticed(llvm::StringRef Name);

/// Calls \p Visit for each direct call in \p F of a function whose name starts
/// with \p Prefix.
void forEachCall(llvm::Function &F, llvm::StringRef Prefix,
                 llvm::function_ref<void(llvm::CallInst &)> Visit);

/// The value of a constant argument.
std::optional<int64_t> constantArgument(const llvm::CallBase &Call,
                                        unsigned Index);

/// The captured variable \p Index of the parallel region that \p Call starts;
/// null if no store in the call's block sets it.
llvm::Value *capturedValue(const llvm::CallInst &Call, unsigned Index);

/// Whether only \p Call uses \p Body, and the function that other threads of a
/// generic kernel run for it.
bool isOnlyBodyOf(const llvm::Function &Body, const llvm::CallInst &Call);

/// \p V without extensions and truncations.
llvm::Value *stripExtensions(llvm::Value *V);

/// The value that \p V comes from, through extensions and through local
/// variables that are stored to once.
llvm::Value *originOf(llvm::Value *V);

/// What \p Pointer points into, through such variables and offsets.
llvm::Value *objectOf(llvm::Value *Pointer);

/// The one value that is ever stored to \p Local; null: others may be.
llvm::Value *onlyStored(llvm::AllocaInst &Local);

/// What code can learn of the thread that runs it.
enum Observation : unsigned {
  ObservesNothing = 0,
  /// The number of its thread or team: iterations must stay where they are.
  ObservesIdentity = 1,
  /// The runtime's parallel state: a parallel region has to remain one.
  ObservesState = 2
};

/// The union over \p F and all it calls; worksharing calls excepted.
unsigned observationsOf(llvm::Function &F);

/// The same of code that starts parallel regions, without these.
unsigned observationsAround(llvm::Function &Team);

/// Whether code can say at once what the function \p Name of the runtime does
/// or answers, where the threads of a block are those of a parallel region.
bool isAnswered(llvm::StringRef Name);

/// Whether the function \p Name of the runtime, or of a library, does the same
/// whatever the parallel state.
bool isStateless(llvm::StringRef Name);

/// Whether \p F, or what it calls, has calls that are answered.
bool asksRuntime(llvm::Function &F);

/// Whether threads may leave out \p Region, which is answerable: they need not
/// meet in it, and what it calls asks nothing.
bool mayBeLeftOut(llvm::Function &Region);

/// Whether \p Region, and what it calls, asks nothing of the runtime but that,
/// and what does not depend on the parallel state. \p Region itself may have
/// reductions.
bool isAnswerable(llvm::Function &Region);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_DEVICECALLS_H
