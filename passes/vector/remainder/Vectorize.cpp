//===- Vectorize.cpp - LoopVectorize on one loop --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectorizer of Vectorize.h. Its remarks are the only interface
// that tells the width and the interleave count it chose.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Vectorize.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace llvm;

namespace accx::vector {

namespace {
/// Takes the vectorizer's remarks for what they tell and passes none on.
class Listener final : public DiagnosticHandler {
public:
  explicit Listener(VectorizerVerdict &Verdict) : Verdict(Verdict) {}

  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    if (DI.getKind() == DK_OptimizationRemark)
      hearDone(static_cast<const OptimizationRemark &>(DI));
    else if (!Verdict.Reason.empty())
      return true; // The first is the most precise.
    else if (DI.getKind() == DK_OptimizationRemarkAnalysis ||
             DI.getKind() == DK_OptimizationRemarkAnalysisFPCommute ||
             DI.getKind() == DK_OptimizationRemarkAnalysisAliasing)
      Verdict.Reason =
          static_cast<const DiagnosticInfoOptimizationBase &>(DI).getMsg();
    return true;
  }
  bool isAnalysisRemarkEnabled(StringRef) const override { return true; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return true; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return true; }
  bool isAnyRemarkEnabled() const override { return true; }

private:
  void hearDone(const OptimizationRemark &Remark) {
    for (const DiagnosticInfoOptimizationBase::Argument &Arg :
         Remark.getArgs()) {
      unsigned Number = 0;
      if (StringRef(Arg.Val).getAsInteger(10, Number))
        continue;
      if (Arg.Key == "VectorizationFactor")
        Verdict.Lanes = Number;
      else if (Arg.Key == "InterleaveCount")
        Verdict.Interleave = Number;
    }
  }

  VectorizerVerdict &Verdict;
};
} // namespace

namespace {
/// Lets the vectorizer keep strided groups under a mask, as wide accesses and
/// shuffles, where it would gather. It asks the target, which says no because
/// of loops with a scalar rest; ours have none. There is no other way to tell
/// it but its option, which the user's own setting overrides.
class MaskedGroups {
public:
  explicit MaskedGroups(bool Wanted) {
    if (!Wanted)
      return;
    constexpr StringLiteral Name = "enable-masked-interleaved-mem-accesses";
    Option = cl::getRegisteredOptions().lookup(Name);
    if (Option && Option->getNumOccurrences() == 0)
      Option->addOccurrence(0, Name, "true");
    else
      Option = nullptr;
  }
  ~MaskedGroups() {
    if (Option)
      Option->reset();
  }
  MaskedGroups(const MaskedGroups &) = delete;
  MaskedGroups &operator=(const MaskedGroups &) = delete;

private:
  cl::Option *Option = nullptr;
};
} // namespace

/// The reason without the words that every such remark begins with.
static std::string reasonFrom(StringRef Message) {
  Message.consume_front("loop not vectorized: ");
  Message.consume_front("Cannot ");
  return Message.str();
}

VectorizerVerdict vectorizeLoop(BasicBlock *Header, Function &F,
                                FunctionAnalysisManager &FAM, bool IsPart) {
  VectorizerVerdict Verdict;
  LoopVectorizePass Vectorizer;
  Vectorizer.LI = &FAM.getResult<LoopAnalysis>(F);
  Vectorizer.SE = &FAM.getResult<ScalarEvolutionAnalysis>(F);
  Vectorizer.TTI = &FAM.getResult<TargetIRAnalysis>(F);
  Vectorizer.DT = &FAM.getResult<DominatorTreeAnalysis>(F);
  Vectorizer.TLI = &FAM.getResult<TargetLibraryAnalysis>(F);
  Vectorizer.AC = &FAM.getResult<AssumptionAnalysis>(F);
  Vectorizer.DB = &FAM.getResult<DemandedBitsAnalysis>(F);
  Vectorizer.LAIs = &FAM.getResult<LoopAccessAnalysis>(F);
  auto &Outer = FAM.getResult<ModuleAnalysisManagerFunctionProxy>(F);
  Vectorizer.PSI =
      Outer.getCachedResult<ProfileSummaryAnalysis>(*F.getParent());
  Vectorizer.BFI = Vectorizer.PSI && Vectorizer.PSI->hasProfileSummary()
                       ? &FAM.getResult<BlockFrequencyAnalysis>(F)
                       : nullptr;

  Loop *L = Vectorizer.LI->getLoopFor(Header);
  if (!L)
    return Verdict;
  LLVMContext &Context = F.getContext();
  std::unique_ptr<DiagnosticHandler> User = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<Listener>(Verdict));
  OptimizationRemarkEmitter ORE(&F);
  Vectorizer.ORE = &ORE;
  bool Changed = false;
  {
    MaskedGroups Groups(IsPart);
    Changed = Vectorizer.processLoop(L);
  }
  Context.setDiagnosticHandler(std::move(User));

  // Interleaving without widening is no use here.
  Verdict.Vectorized = Changed && Verdict.Lanes > 1;
  if (Verdict.Vectorized && Verdict.Interleave == 0)
    Verdict.Interleave = 1;
  Verdict.Reason = reasonFrom(Verdict.Reason);
  Vectorizer.LAIs->clear();
  return Verdict;
}

} // namespace accx::vector
