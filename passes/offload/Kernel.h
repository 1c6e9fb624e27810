//===- Kernel.h - A printable description of an offload kernel --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on device code learn of a kernel here before optimization, while its
// calls of the device runtime are intact: how it runs, which loops are dealt
// out to teams and threads, which reductions end them, and what a body can
// observe. An analysis: it changes nothing. Passes refuse by the reasons in it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_KERNEL_H
#define ACCX_OFFLOAD_KERNEL_H

#include "offload/WorkLoop.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <memory>
#include <optional>
#include <vector>

namespace accx::offload {

/// ExecMode of a kernel environment.
enum class ExecMode : uint8_t { Bare = 0, Generic = 1, Spmd = 2, Hybrid = 3 };

/// A call of the device runtime that combines what threads or teams hold.
struct Reduction {
  llvm::CallInst *Call = nullptr;
  bool AcrossTeams = false;
  /// Bytes of all variables of the reduction together; -1 where not constant.
  int64_t Bytes = -1;
};

struct ParallelRegion {
  llvm::CallInst *Call = nullptr;
  /// Null where the call does not say, or the body has other users.
  llvm::Function *Body = nullptr;
  /// Bits of Observation.
  unsigned Observes = 0;
  bool IsConditional = false;
  /// The number of a constant num_threads clause; 0: none, -1: not constant.
  int64_t NumThreads = 0;
  llvm::SmallVector<WorkLoop, 1> Loops;
  /// Loops that do not match, or are dealt out at run time.
  llvm::SmallVector<Refusal, 1> UnknownLoops;
  /// Those of them that match, but for a sequential loop around them.
  llvm::SmallVector<WorkLoop, 1> RepeatedLoops;
  llvm::SmallVector<Reduction, 1> Reductions;
  /// Variables that are a thread's own, besides those that control loops.
  unsigned Privates = 0;
};

/// A function of the kernel that has worksharing loops or parallel regions of
/// its teams: the kernel itself, or what Clang outlined from it.
struct TeamsPart {
  llvm::Function *F = nullptr;
  llvm::SmallVector<WorkLoop, 1> Loops;
  llvm::SmallVector<Refusal, 1> UnknownLoops;
  llvm::SmallVector<ParallelRegion, 1> Regions;
  llvm::SmallVector<Reduction, 1> Reductions;
};

struct KernelPlan {
  llvm::Function *Kernel = nullptr;
  llvm::GlobalVariable *Environment = nullptr;
  ExecMode Mode = ExecMode::Bare;
  int64_t MinThreads = 0;
  int64_t MaxThreads = 0;
  int64_t MinTeams = 0;
  int64_t MaxTeams = 0;
  std::vector<TeamsPart> Parts;

  bool isSpmd() const { return Mode == ExecMode::Spmd; }
  /// Whether \p Region has no fewer threads than a team of the kernel.
  bool hasAllThreads(const ParallelRegion &Region) const {
    return !Region.NumThreads || (Region.NumThreads > 0 && MaxThreads > 0 &&
                                  MaxThreads <= Region.NumThreads);
  }
  void print(llvm::raw_ostream &OS) const;
};

/// One loop over the threads of all teams: a distribute loop and the loop of
/// the parallel region in it.
struct LoopPair {
  const WorkLoop *Teams = nullptr;
  const WorkLoop *Threads = nullptr;
  const ParallelRegion *Region = nullptr;

  /// The pair of the distribute loop \p Teams of \p Part, or why there is none
  /// that a grid-stride loop could stand for.
  static Refusal match(const KernelPlan &Plan, const TeamsPart &Part,
                       const WorkLoop &Teams, LoopPair &Result);
};

/// Fields of the configuration in a kernel environment.
namespace configuration {
enum : unsigned {
  StateMachine = 0,
  Mode = 2,
  MinThreads,
  MaxThreads,
  MinTeams,
  MaxTeams,
  ReductionBytes,
  ReductionRecords
};
} // namespace configuration

inline constexpr char EnvironmentSuffix[] = "_kernel_environment";
/// Null: \p F has none, and is no kernel of OpenMP's.
llvm::GlobalVariable *environmentOf(const llvm::Function &F);

/// A number of \p Environment's configuration, if it is at hand.
std::optional<int64_t> configured(const llvm::GlobalVariable &Environment,
                                  unsigned Field);
void configure(llvm::GlobalVariable &Environment, unsigned Field,
               int64_t Number);

/// Whether \p M is code of the kind that these passes know.
bool isGpuCode(const llvm::Module &M);

/// Whether threads of a warp may diverge and wait for each other again where
/// \p F runs.
bool hasIndependentThreads(const llvm::Function &F);

/// All kernels of \p M, in its order.
std::vector<KernelPlan> findKernels(llvm::Module &M,
                                    llvm::FunctionAnalysisManager &FAM);

/// `print<accx-kernels>`.
class KernelPrinterPass : public llvm::PassInfoMixin<KernelPrinterPass> {
public:
  static constexpr char Name[] = "print<accx-kernels>";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_KERNEL_H
