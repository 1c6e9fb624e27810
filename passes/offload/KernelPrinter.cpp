//===- KernelPrinter.cpp - Prints what is known of kernels ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `print<accx-kernels>`: one paragraph a kernel, to standard error.
//
//===----------------------------------------------------------------------===//

#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/IR/PassManager.h"

using namespace llvm;

namespace accx::offload {

static StringRef nameOf(ExecMode Mode) {
  switch (Mode) {
  case ExecMode::Bare:
    return "bare";
  case ExecMode::Generic:
    return "generic";
  case ExecMode::Spmd:
    return "spmd";
  case ExecMode::Hybrid:
    return "generic-spmd";
  }
  return "unknown";
}

static void printRange(raw_ostream &OS, StringRef What, int64_t Least,
                       int64_t Most) {
  OS << ", " << What << ' ';
  if (Least <= 0 && Most <= 0) {
    OS << "any";
    return;
  }
  OS << std::max<int64_t>(Least, 1) << "..";
  if (Most > 0)
    OS << Most;
}

static void printReductions(raw_ostream &OS, ArrayRef<Reduction> Reductions,
                            StringRef Indent) {
  for (const Reduction &R : Reductions) {
    OS << Indent << "reduction across " << (R.AcrossTeams ? "teams" : "threads")
       << ": ";
    if (R.Bytes < 0)
      OS << "? bytes\n";
    else
      OS << ir::Counted(R.Bytes, "byte") << '\n';
  }
}

static void printUnknown(raw_ostream &OS, ArrayRef<Refusal> Unknown,
                         StringRef Indent) {
  for (Refusal R : Unknown)
    OS << Indent << "loop not described: " << textOf(R) << '\n';
}

static void printRegion(raw_ostream &OS, const ParallelRegion &Region) {
  OS << "  parallel";
  if (Region.Body)
    OS << " @" << Region.Body->getName();
  if (Region.IsConditional)
    OS << ", conditional";
  if (Region.NumThreads)
    OS << ", num_threads "
       << (Region.NumThreads < 0 ? "?" : std::to_string(Region.NumThreads));
  if (Region.Observes & ObservesIdentity)
    OS << ", observes who runs it";
  if (Region.Observes & ObservesState)
    OS << ", observes the parallel state";
  if (Region.Privates)
    OS << ", " << Region.Privates << " private";
  OS << '\n';
  for (const WorkLoop &Loop : Region.Loops) {
    OS << "    ";
    Loop.print(OS);
    OS << '\n';
  }
  printUnknown(OS, Region.UnknownLoops, "    ");
  printReductions(OS, Region.Reductions, "    ");
}

void KernelPlan::print(raw_ostream &OS) const {
  OS << "kernel " << Kernel->getName() << ": " << nameOf(Mode);
  printRange(OS, "threads", MinThreads, MaxThreads);
  printRange(OS, "teams", MinTeams, MaxTeams);
  OS << '\n';
  for (const TeamsPart &Part : Parts) {
    for (const WorkLoop &Loop : Part.Loops) {
      OS << "  ";
      Loop.print(OS);
      LoopPair Pair;
      const Refusal R = LoopPair::match(*this, Part, Loop, Pair);
      OS << ", grid-stride: " << (R == Refusal::None ? "yes" : textOf(R))
         << '\n';
    }
    printUnknown(OS, Part.UnknownLoops, "  ");
    for (const ParallelRegion &Region : Part.Regions)
      printRegion(OS, Region);
    printReductions(OS, Part.Reductions, "  ");
  }
}

PreservedAnalyses KernelPrinterPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (const KernelPlan &Plan : findKernels(M, FAM))
    Plan.print(errs());
  return PreservedAnalyses::all();
}

} // namespace accx::offload
