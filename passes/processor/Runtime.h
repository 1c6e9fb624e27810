//===- Runtime.h - What kernels of processors call --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and arguments of libomp's entry points that Clang calls in device code
// for processors, where they are not those of offload/DeviceCalls.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_RUNTIME_H
#define ACCX_PROCESSOR_RUNTIME_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#define ACCX_ROOM processor
#define ACCX_REFUSALS "processor/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::processor {

/// Arguments of __kmpc_fork_teams and __kmpc_fork_call: those of the body
/// follow.
namespace fork {
enum : unsigned { Loc, Count, Body, Args };
} // namespace fork

/// Arguments of __kmpc_push_num_teams.
namespace pushteams {
enum : unsigned { Loc, Thread, Teams, Limit };
} // namespace pushteams

inline constexpr char ForkTeams[] = "__kmpc_fork_teams";
inline constexpr char Fork[] = "__kmpc_fork_call";
inline constexpr char PushTeams[] = "__kmpc_push_num_teams";
inline constexpr char PushThreads[] = "__kmpc_push_num_threads";
inline constexpr char NumTeams[] = "omp_get_num_teams";
inline constexpr char ThreadNumber[] = "__kmpc_global_thread_num";

/// On functions that only run where no parallel region is around them.
inline constexpr char OutsideRegions[] = "accx-outside-regions";

/// On functions that only run where they have little to do.
inline constexpr char SmallWork[] = "accx-small-work";

/// The body of \p Fork, if a call of it with two numbers of threads and what
/// the fork captures is what the fork makes of it; null otherwise.
inline llvm::Function *bodyToCall(const llvm::CallInst &Fork) {
  auto *Body = llvm::dyn_cast<llvm::Function>(
      Fork.getArgOperand(fork::Body)->stripPointerCasts());
  const unsigned Captured = Fork.arg_size() - fork::Args;
  if (!Body || Body->isDeclaration() || Body->isVarArg() ||
      !Body->getReturnType()->isVoidTy() || Body->arg_size() != Captured + 2)
    return nullptr;
  for (unsigned I = 0; I < Captured; ++I)
    if (Body->getArg(I + 2)->getType() !=
        Fork.getArgOperand(fork::Args + I)->getType())
      return nullptr;
  return Body;
}

/// Whether \p M is device code for a processor.
inline bool isHostDevice(const llvm::Module &M) {
  return M.getModuleFlag("openmp-device") &&
         llvm::Triple(M.getTargetTriple()).isX86();
}

} // namespace accx::processor

#endif // ACCX_PROCESSOR_RUNTIME_H
