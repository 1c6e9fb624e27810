//===- Frontend.cpp - OpenACC in Clang ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin action that Clang runs in front of its own: it reads the unit,
// learns what the probe can tell, plans, and hands the parser OpenMP.
//
//===----------------------------------------------------------------------===//

#include "frontend/Frontend.h"

#include "frontend/ast/Corrections.h"
#include "frontend/ast/InfoLines.h"
#include "frontend/emit/Emit.h"
#include "frontend/facts/Probe.h"
#include "frontend/mistakes/Mistakes.h"
#include "frontend/parse/Reader.h"
#include "frontend/parse/Report.h"
#include "frontend/parse/TokenText.h"
#include "frontend/plan/DistributeLoops.h"
#include "frontend/plan/LambdaBinds.h"
#include "frontend/plan/ParameterArrays.h"
#include "frontend/plan/PlainLoops.h"
#include "frontend/plan/TimeTile.h"
#include "info/Info.h"
#include "markers/Markers.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace accx::frontend {
namespace {

void (*PassCallback)(llvm::PassBuilder &) = nullptr;

/// Plugin argument `processor`: every target of the program is a processor, and
/// loops are planned for such. All compilations of a unit have to agree, since
/// a kernel's arguments may depend on the plan, and none knows of the others:
/// without the argument all plan as for a GPU.
bool AllProcessors = false;

/// Plugin argument `implicit-reductions`; all compilations have to agree.
bool ImplicitReductions = false;

bool isGpu(const CompilerInstance &CI) {
  const llvm::Triple &Target = CI.getTarget().getTriple();
  return Target.isNVPTX() || Target.isAMDGPU();
}

/// As if -mllvm named it, which Clang would hand to the linker, too.
void switchTo(StringRef Option, bool On) {
  auto &Options = llvm::cl::getRegisteredOptions();
  if (const auto Found = Options.find(Option); Found != Options.end())
    static_cast<llvm::cl::opt<bool> *>(Found->second)->setValue(On);
}

/// Where all of the host's memory is the device's, too, no access is a mistake.
void leaveUnchecked(const OMPRequiresDecl &Requires) {
  for (const OMPClause *Clause : Requires.clauselists())
    if (isa<OMPUnifiedSharedMemoryClause>(Clause))
      switchTo("accx-check", false);
}

/// LLVM 19's OpenMPOpt miscompiles device code for processors: a reduction of a
/// parallel region into a variable of the team is taken for not written, and
/// the variable for a constant. On GPUs the pass is needed.
void keepOpenMPOptOff(const CompilerInstance &CI) {
  if (CI.getLangOpts().OpenMPIsTargetDevice && !isGpu(CI))
    switchTo("openmp-opt-disable", true);
}

/// Lanes of GPUs are threads. What LLVM's vectorizer makes of a thread's loop
/// over bytes, the code generator takes apart again, with shifts.
void keepVectorizerOff(CompilerInstance &CI) {
  if (CI.getLangOpts().OpenMPIsTargetDevice && isGpu(CI))
    CI.getCodeGenOpts().VectorizeLoop = false;
}

class Consumer final : public SemaConsumer {
public:
  explicit Consumer(CompilerInstance &CI)
      : CI(CI), IgnoresWarnings(CI.getDiagnostics().getIgnoreAllWarnings()),
        AllowsRows(CI.getDiagnostics().isIgnored(diag::warn_vla_used, {})),
        WithoutLocations(CI.getCodeGenOpts().getDebugInfo() ==
                         llvm::codegenoptions::NoDebugInfo) {
    // The host's compilation of the same source warns; what the device's
    // passes find comes after the source.
    if (CI.getLangOpts().OpenMPIsTargetDevice)
      CI.getDiagnostics().setIgnoreAllWarnings(true);
  }

  /// Remarks of passes need locations, as -Rpass does. Code would have them in
  /// its data if Clang knew from the options: what generates code is made
  /// between here and the next step.
  void Initialize(ASTContext &) override {
    if (info::isWanted() && WithoutLocations)
      CI.getCodeGenOpts().setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  }

  void HandleTranslationUnit(ASTContext &) override {
    CI.getDiagnostics().setIgnoreAllWarnings(IgnoresWarnings);
    if (info::isWanted() && !CI.getDiagnostics().hasErrorOccurred())
      addInfoLines(CI);
  }

  void InitializeSema(Sema &Analysis) override {
    S = &Analysis;
    if (WithoutLocations)
      CI.getCodeGenOpts().setDebugInfo(llvm::codegenoptions::NoDebugInfo);
    Preprocessor &PP = CI.getPreprocessor();
    std::vector<UnaskedTiles> Unasked = read(U, PP);
    if (U.Directives.empty()) {
      noteUnit(U.Tokens, CI);
      replayTokens(PP, U.Tokens);
      return;
    }
    // Clang warns of constants used in functions between `declare target`
    // lines; in a routine of OpenACC they are fine.
    for (const auto &D : U.Directives)
      if (D->Kind == DirectiveKind::Routine)
        PP.getDiagnostics().setSeverityForGroup(diag::Flavor::WarningOrError,
                                                "openmp-target",
                                                diag::Severity::Ignored);
    std::vector<Mistake> Mistakes;
    Facts F = gatherFacts(
        CI,
        [this](Preprocessor &Again) {
          Unit Read;
          (void)read(Read, Again);
          return Read;
        },
        [&](ASTContext &Tree, const UnitMarks &Marks) {
          Mistakes = findMistakes(Tree, Marks);
        });
    completeParameterArrays(U.Directives, F, PP);
    // Once is enough: the host's compilation tells.
    if (!CI.getLangOpts().OpenMPIsTargetDevice)
      reportMistakes(Mistakes, CI);
    PlanOptions Options;
    Options.Remarks =
        info::isWanted() ||
        CI.getCodeGenOpts().OptimizationRemark.patternMatches("accx");
    Options.MissedRemarks =
        Options.Remarks ||
        CI.getCodeGenOpts().OptimizationRemarkMissed.patternMatches("accx");
    takeBackTiles(U, std::move(Unasked), F, PP.getDiagnostics(),
                  Options.MissedRemarks);
    settlePlainLoops(U, F, PP, Options.MissedRemarks);
    distributeLoops(U, PP);
    const Tree T(U.Tokens);
    bindLambdas(U.Tokens, T, PP);
    Options.ImplicitReductions = ImplicitReductions;
    Options.ForGpu = !AllProcessors || isGpu(CI);
    UnitTokens Emitted = emit(T, makePlan(T, F, PP, Options), PP);
    leaveMark(Emitted, PP);
    noteUnit(Emitted, CI);
    replayTokens(PP, Emitted);
  }

  void ForgetSema() override { S = nullptr; }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group) {
      if (CI.getLangOpts().CPlusPlus && offloads())
        nameLocalTypes(D, CI.getASTContext());
      inheritDeclareSimd(D);
      if (const auto *Requires = dyn_cast<OMPRequiresDecl>(D))
        leaveUnchecked(*Requires);
      if (!isOpenAcc() && offloads() && !CI.getLangOpts().OpenMPIsTargetDevice)
        reportOmpMistakes(D, CI.getASTContext(), CI.getDiagnostics());
      widenTripCounts(D, CI.getASTContext());
      keepRestrict(D);
      if (S)
        shareCallingLoops(D, *S);
    }
    return true;
  }

private:
  /// Blocks need loops whose iterations all end the same way, as they are
  /// written.
  const char *whyNoTiles() const {
    const CodeGenOptions &Code = CI.getCodeGenOpts();
    const LangOptions &Language = CI.getLangOpts();
    if (Code.OptimizationLevel == 0)
      return "the program is compiled without optimization";
    // Indices wrap where the passes need to know that they do not.
    if (Language.getSignedOverflowBehavior() == LangOptions::SOB_Defined)
      return "the program is compiled with -fwrapv";
    if (!Language.Sanitize.empty() || Code.hasProfileClangInstr() ||
        Code.CoverageMapping ||
        Language.getSignedOverflowBehavior() == LangOptions::SOB_Trapping)
      return "the program is compiled with checks or counters in its code";
    return "";
  }
  /// Loops of steps are tiled without being asked where a device may be a GPU.
  std::vector<UnaskedTiles> read(Unit &Into, Preprocessor &PP) const {
    Into = readUnit(PP);
    return tileTimeLoops(
        Into, PP, {whyNoTiles(), offloads() && !AllProcessors, AllowsRows});
  }
  /// The runtime's messages are in OpenACC's words where this variable is.
  void leaveMark(UnitTokens &Tokens, Preprocessor &PP) const {
    if (!offloads() || CI.getLangOpts().OpenMPIsTargetDevice || !isOpenAcc())
      return;
    std::string Text = CI.getLangOpts().CPlusPlus ? "extern \"C\" " : "";
    Text += "__attribute__((weak, used, visibility(\"default\"))) "
            "const char __accx_openacc = 1;";
    UnitTokens Mark;
    lexText(PP, Text, Tokens.front().getLocation(), Mark);
    Tokens.insert(Tokens.begin(), Mark.begin(), Mark.end());
  }
  bool isOpenAcc() const {
    return llvm::any_of(U.Directives, [](const auto &D) { return !D->IsOwn; });
  }
  bool offloads() const {
    const LangOptions &Options = CI.getLangOpts();
    return Options.OpenMPIsTargetDevice || !Options.OMPTargetTriples.empty();
  }

  CompilerInstance &CI;
  const bool IgnoresWarnings, AllowsRows, WithoutLocations;
  Sema *S = nullptr;
  Unit U;
};

/// The runtime's messages name the lines of constructs and the variables of
/// clauses. Clang writes these into a program only if it tracks locations; it
/// can do so without debug information, as it does for remarks.
void trackLocations(CompilerInstance &CI) {
  CodeGenOptions &Options = CI.getCodeGenOpts();
  const LangOptions &Language = CI.getLangOpts();
  if (Language.OpenMP && !Language.OpenMPIsTargetDevice &&
      !Language.OMPTargetTriples.empty() &&
      Options.getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
    Options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
}

/// `program.gcda` becomes `program.device.gcda`.
void nameForDevice(std::string &Path, StringRef Mark) {
  if (Path.empty())
    return;
  const StringRef Extension = llvm::sys::path::extension(Path);
  Path.insert(Path.size() - Extension.size(), Mark);
}

/// Clang compiles a source for the host and for devices, and names the same
/// files for what both count.
void separateCoverage(CompilerInstance &CI) {
  if (!CI.getLangOpts().OpenMPIsTargetDevice)
    return;
  CodeGenOptions &Options = CI.getCodeGenOpts();
  nameForDevice(Options.CoverageNotesFile, ".device");
  nameForDevice(Options.CoverageDataFile, ".device");
  // Every device has counters of its own: %m adds them up in one file.
  if (Options.hasProfileClangInstr()) {
    if (Options.InstrProfileOutput.empty())
      Options.InstrProfileOutput = "default.profraw";
    nameForDevice(Options.InstrProfileOutput, ".device-%m");
  }
}

class Action final : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    keepOpenMPOptOff(CI);
    keepVectorizerOff(CI);
    trackLocations(CI);
    separateCoverage(CI);
    if (PassCallback)
      CI.getCodeGenOpts().PassBuilderCallbacks.push_back(PassCallback);
    // Without -fopenmp there is nothing that directives could become: they
    // are left alone, as Clang does with any pragma that it is not to know.
    Preprocessor &PP = CI.getPreprocessor();
    if (!CI.getLangOpts().OpenMP) {
      ignoreOwnPragmas(PP);
      return std::make_unique<ASTConsumer>();
    }
    std::string Text = PP.getPredefines();
    if (Text.find("#define _OPENACC ") == std::string::npos)
      Text += "#define _OPENACC 201811\n";
    Text += preludeText();
    if (CI.getLangOpts().OpenMPIsTargetDevice)
      Text += markers::Declarations;
    PP.setPredefines(Text + preludeEnd().str());
    return std::make_unique<Consumer>(CI);
  }

  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Arguments) override {
    for (const std::string &Argument : Arguments) {
      if (Argument == "processor") {
        AllProcessors = true;
        continue;
      }
      if (Argument == "implicit-reductions") {
        ImplicitReductions = true;
        continue;
      }
      if (Argument == "bare-lengths") {
        takeBareLengths();
        continue;
      }
      if (Argument == "check") {
        switchTo("accx-check", true);
        continue;
      }
      reportError(
          CI.getDiagnostics(), {},
          "unknown argument '%0' of plugin accx; there are 'processor', "
          "'implicit-reductions', 'bare-lengths' and 'check'")
          << Argument;
      return false;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

void registerFrontend(void (*Passes)(llvm::PassBuilder &)) {
  // Undefined, and so null, in every tool but Clang. Volatile because a
  // compiler takes a function's address for not null.
  void (*volatile ClangIsHere)(FrontendPluginRegistry::node *) =
      &FrontendPluginRegistry::add_node;
  if (!ClangIsHere)
    return;
  PassCallback = Passes;
  static FrontendPluginRegistry::Add<Action> Entry(
      "accx", "OpenACC directives on OpenMP offloading");
  registerPreprocessOnlyHandler();
}

} // namespace accx::frontend
