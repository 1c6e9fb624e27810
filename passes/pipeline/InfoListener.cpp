//===- InfoListener.cpp - What passes say, for --accx-info ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in front of the compiler's own handler of diagnostics, which gets all
// as before: whoever asks for -Rpass still has it.
//
//===----------------------------------------------------------------------===//

#include "info/Info.h"
#include "pipeline/Pipeline.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Triple.h"

#include <map>

using namespace llvm;

namespace accx::pipeline {

/// Of the host's kernels, too, which run where no device does.
static constexpr StringLiteral KernelPrefix = "__omp_offloading_";

/// `__omp_offloading_10302_2c1f_jacobi_l14_omp_outlined` is `jacobi`, and
/// several lines become one.
static std::string tidied(std::string Text) {
  static const Regex Kernel("__omp_offloading_[0-9a-f]+_[0-9a-f]+_"
                            "([A-Za-z0-9_$.]+)_l[0-9]+[A-Za-z0-9_$.]*");
  SmallVector<StringRef, 2> Parts;
  while (Kernel.match(Text, &Parts))
    Text.replace(Parts[0].data() - Text.data(), Parts[0].size(),
                 Parts[1].str());
  for (size_t At; (At = Text.find('\n')) != std::string::npos;)
    Text.replace(At, 1, "; ");
  return Text;
}

/// Clang writes locations, which it now tracks, into the data of kernels of
/// GPUs. Code is to be what it is without blocks.
static void forgetLocations(Module &M) {
  auto *Ident = StructType::getTypeByName(M.getContext(), "struct.ident_t");
  GlobalVariable *Unknown = nullptr;
  std::map<const Constant *, GlobalVariable *> ByFlags;
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!Ident || G.getValueType() != Ident || !G.hasPrivateLinkage() ||
        !G.hasInitializer())
      continue;
    const auto *Init = dyn_cast<ConstantStruct>(G.getInitializer());
    auto *Text = Init ? dyn_cast<GlobalVariable>(Init->getOperand(4)) : nullptr;
    if (!Text)
      continue;
    if (!Unknown) {
      Constant *Value = ConstantDataArray::getString(M.getContext(),
                                                     ";unknown;unknown;0;0;;");
      Unknown = new GlobalVariable(M, Value->getType(), true,
                                   Text->getLinkage(), Value, "", Text);
      Unknown->copyAttributesFrom(Text);
    }
    GlobalVariable *&First = ByFlags[Init->getAggregateElement(1)];
    if (First) {
      G.replaceAllUsesWith(First);
      G.eraseFromParent();
    } else {
      First = &G;
      const auto Field = [&](unsigned At) {
        return Init->getAggregateElement(At);
      };
      G.setInitializer(
          ConstantStruct::get(Ident, Field(0), Field(1), Field(2),
                              ConstantInt::get(Field(3)->getType(), 22),
                              static_cast<Constant *>(Unknown)));
    }
    Text->removeDeadConstantUsers();
    if (Text->use_empty())
      Text->eraseFromParent();
  }
}

namespace {
class Listener final : public DiagnosticHandler {
public:
  Listener(std::unique_ptr<DiagnosticHandler> Inner, bool IsGpu, bool IsDevice)
      : Inner(std::move(Inner)), IsGpu(IsGpu), IsDevice(IsDevice) {}

  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    if (const auto *Remark = dyn_cast<DiagnosticInfoIROptimization>(&DI))
      hear(*Remark);
    return Inner->handleDiagnostics(DI);
  }
  bool isAnalysisRemarkEnabled(StringRef Pass) const override {
    return isShown(Pass) || Inner->isAnalysisRemarkEnabled(Pass);
  }
  bool isMissedOptRemarkEnabled(StringRef Pass) const override {
    return isShown(Pass) || Inner->isMissedOptRemarkEnabled(Pass);
  }
  bool isPassedOptRemarkEnabled(StringRef Pass) const override {
    return isShown(Pass) || Inner->isPassedOptRemarkEnabled(Pass);
  }
  bool isAnyRemarkEnabled() const override { return true; }

private:
  std::unique_ptr<DiagnosticHandler> Inner;
  const bool IsGpu, IsDevice;

  /// Our passes, and two of LLVM's that decide how fast a loop is.
  bool isShown(StringRef Pass) const {
    return isOwnPass(Pass) || Pass == (IsGpu ? "openmp-opt" : "loop-vectorize");
  }

  /// Whether it deals out chunks or tries an atomic operation again: nobody
  /// asks for such to be vectors.
  static bool isOfRuntime(const Loop &L) {
    for (const BasicBlock *Block : L.blocks())
      for (const Instruction &I : *Block)
        if (isa<AtomicCmpXchgInst>(I))
          return true;
        else if (const auto *Call = dyn_cast<CallBase>(&I))
          if (const Function *F = Call->getCalledFunction();
              F && (F->getName().starts_with("__kmpc_fork") ||
                    F->getName().starts_with("__kmpc_dispatch")))
            return true;
    return false;
  }

  static bool isOfKernel(const DILocation *At) {
    for (; At; At = At->getInlinedAt())
      if (At->getScope()->getSubprogram()->getName().starts_with(KernelPrefix))
        return true;
    return false;
  }

  void hear(const DiagnosticInfoIROptimization &Remark) {
    const StringRef Pass = Remark.getPassName();
    const bool IsVectorizer = Pass == "loop-vectorize";
    const bool Done = Remark.getKind() == DK_OptimizationRemark;
    // Most regions are alone, and nobody expects anything else.
    if (!Done && Pass == "late-waits")
      return;
    // The vectorizer's reason is an analysis of its own; vectors of other
    // passes are none.
    if (!isShown(Pass) ||
        (IsVectorizer && (Remark.getKind() == DK_OptimizationRemarkMissed ||
                          Remark.getRemarkName() == "AllDisabled")))
      return;
    const Function &F = Remark.getFunction();
    DiagnosticLocation At = Remark.getLocation();
    const DILocation *Exact = nullptr;
    const auto *Block = dyn_cast_or_null<BasicBlock>(Remark.getCodeRegion());
    if (Block)
      for (const Instruction &I : *Block)
        if (const DebugLoc &Line = I.getDebugLoc();
            Line && Line.getLine() == At.getLine())
          Exact = Line;
    if (Block && !IsGpu && (IsVectorizer || !Done)) {
      const DominatorTree Tree(const_cast<Function &>(F));
      const LoopInfo Loops(Tree);
      const Loop *L = Loops.getLoopFor(Block);
      if (L && !Done && isOfRuntime(*L))
        return;
      // It names the instruction that stands in its way.
      if (L && IsVectorizer && L->getStartLoc())
        At = DiagnosticLocation(Exact = L->getStartLoc());
    }
    if (!At.isValid())
      At = F.getSubprogram();
    // Kernels of the program itself run where there is no device.
    if (!At.isValid() || (!IsDevice && (F.getName().starts_with(KernelPrefix) ||
                                        isOfKernel(Exact))))
      return;
    // The program's headers count, the system's do not.
    const std::string File = At.getAbsolutePath();
    if (StringRef(File).starts_with("/usr/"))
      return;
    const DISubprogram *Of =
        Exact ? Exact->getScope()->getSubprogram() : F.getSubprogram();
    info::note({File, At.getLine()}, Pass, Done, tidied(Remark.getMsg()),
               tidied((Of ? Of->getName() : F.getName()).str()));
  }
};
} // namespace

void listenForInfo(Module &M) {
  LLVMContext &Context = M.getContext();
  // The pipeline may have its passes twice.
  static const LLVMContext *Heard = nullptr;
  if (Heard == &Context)
    return;
  Heard = &Context;
  const bool IsGpu = Triple(M.getTargetTriple()).isNVPTX();
  const bool IsDevice = M.getModuleFlag("openmp-device");
  std::string Target = IsDevice ? "host" : "";
  if (IsGpu)
    for (const Function &F : M)
      if (const Attribute A = F.getFnAttribute("target-cpu");
          F.hasExactDefinition() && A.isStringAttribute())
        Target = A.getValueAsString();
  if (IsGpu &&
      llvm::all_of(M.debug_compile_units(), [](const DICompileUnit *U) {
        return U->getEmissionKind() == DICompileUnit::NoDebug;
      }))
    forgetLocations(M);
  info::begin(M.getSourceFileName(), Target, /*ByFrontEnd=*/false);
  std::unique_ptr<DiagnosticHandler> Inner = Context.getDiagnosticHandler();
  if (!Inner)
    Inner = std::make_unique<DiagnosticHandler>();
  Context.setDiagnosticHandler(
      std::make_unique<Listener>(std::move(Inner), IsGpu, IsDevice));
}

} // namespace accx::pipeline
