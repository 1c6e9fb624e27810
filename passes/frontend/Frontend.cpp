//===- Frontend.cpp - OpenACC in Clang ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin action that Clang runs in front of its own: it reads the unit,
// learns what the probe can tell, plans, and hands the parser OpenMP.
//
//===----------------------------------------------------------------------===//

#include "frontend/Frontend.h"

#include "frontend/DeclareSimd.h"
#include "frontend/DirectiveParser.h"
#include "frontend/DistributeLoops.h"
#include "frontend/Emit.h"
#include "frontend/LambdaBinds.h"
#include "frontend/LocalNames.h"
#include "frontend/LoopCalls.h"
#include "frontend/Mistakes.h"
#include "frontend/MistakesOmp.h"
#include "frontend/ParameterArrays.h"
#include "frontend/PlainLoops.h"
#include "frontend/Probe.h"
#include "frontend/Reader.h"
#include "frontend/TokenText.h"
#include "frontend/TripCounts.h"
#include "frontend/UnitHash.h"
#include "markers/Markers.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclOpenMP.h"
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

/// The calls that directives become, under names of our own so that they go
/// with openacc.h and without it, in every language standard. As a system
/// header, which checkers leave alone.
constexpr StringRef Prelude = R"(
# 1 "<accx>" 1 3
#ifdef __cplusplus
extern "C" {
#endif
long __accx_async_begin(long);
void __accx_async_end(void);
int __accx_device_begin(long, const char *);
int __accx_device_of(long, const char *);
void __accx_device_resume(int);
void __accx_device_end(void);
void __accx_update_peer(void *, int, unsigned, const unsigned long *,
                        const char *, const void *, int, unsigned,
                        const unsigned long *, const char *, const char *);
void __accx_spread_enter(const void *, unsigned long, const int *, int,
                         unsigned long, unsigned, const char *, const char *);
void __accx_spread_exit(const void *, unsigned long, const char *,
                        const char *);
int __accx_distribute_begin(const int *, int, unsigned, long, const char *);
void *__accx_distribute_slots(const void *, unsigned long, const char *);
int __accx_distribute_end(void);
#ifdef __cplusplus
}
template <class T, bool = __is_class(T)> struct __accx_value {
  static unsigned long one() { return (unsigned long)((T)64 + 1) - 64; }
};
template <class T> struct __accx_value<T, true> {
  static unsigned long one() { return 1; }
};
#endif
static __inline__ long __accx_trips(unsigned long Low, unsigned long High,
                                    unsigned long One, long Step, int Any,
                                    int Closed, int Way) {
  unsigned long By = (unsigned long)(Step < 0 ? -Step : Step) * One;
  if (!Any || !By || (Way && (Way < 0) != (Step < 0)))
    return 0;
  return (long)(((Step < 0 ? Low - High : High - Low) - (Closed ? 0 : 1)) / By) +
         1;
}
#ifdef __cplusplus
template <class L, class H, bool = __is_class(L)> struct __accx_distance {
  static long trips(const L &Low, const H &High, long Step, bool Any,
                    bool Closed, int Way) {
    return __accx_trips((unsigned long)(Any ? Low : High),
                        (unsigned long)(Any ? High : Low),
                        __accx_value<L>::one(), Step, Any, Closed, Way);
  }
};
template <class L, class H> struct __accx_distance<L, H, true> {
  static long trips(const L &Low, const H &High, long Step, bool Any,
                    bool Closed, int Way) {
    return __accx_trips(0, Any ? (unsigned long)(High - Low) : 0, 1, Step, Any,
                        Closed, Way);
  }
};
template <class L, class H>
static inline long __accx_trips(const L &Low, const H &High, long Step,
                                bool Any, int Closed, int Way) {
  return __accx_distance<L, H>::trips(Low, High, Step, Any, Closed, Way);
}
template <int Operator, class T, bool = __is_arithmetic(T)> struct __accx_slot {
  static void set(T &) {}
  static void add(T &, const T &) {}
};
#define __ACCX_SLOT(Operator, Set, Add)                                        \
  template <class T> struct __accx_slot<Operator, T, true> {                   \
    static void set(T &V) { Set; }                                             \
    static void add(T &V, const T &S) { Add; }                                 \
  }
__ACCX_SLOT(0, V = 0, V = V + S);
__ACCX_SLOT(1, V = 1, V = V * S);
__ACCX_SLOT(2, V = (T)~0, V = V & S);
__ACCX_SLOT(3, V = 0, V = V | S);
__ACCX_SLOT(4, V = 0, V = V ^ S);
__ACCX_SLOT(5, V = 1, V = V && S);
__ACCX_SLOT(6, V = 0, V = V || S);
__ACCX_SLOT(7, , if (S < V) V = S);
__ACCX_SLOT(8, , if (V < S) V = S);
#undef __ACCX_SLOT
extern "C" {
#endif
struct __accx_spread_scope {
  const void *Data;
  unsigned long Bytes;
  const char *Name, *Source;
};
static __inline__ struct __accx_spread_scope
__accx_spread_begin(const void *Data, unsigned long Bytes, const int *Devices,
                    int Count, unsigned long Block, unsigned Flags,
                    const char *Name, const char *Source) {
  struct __accx_spread_scope Scope;
  Scope.Data = Data;
  Scope.Bytes = Bytes;
  Scope.Name = Name;
  Scope.Source = Source;
  __accx_spread_enter(Data, Bytes, Devices, Count, Block, Flags, Name, Source);
  return Scope;
}
static __inline__ void
__accx_spread_end(const struct __accx_spread_scope *Scope) {
  __accx_spread_exit(Scope->Data, Scope->Bytes, Scope->Name, Scope->Source);
}
void __accx_acc_wait(int) __asm__("acc_wait");
void __accx_acc_wait_all(void) __asm__("acc_wait_all");
void __accx_acc_wait_async(int, int) __asm__("acc_wait_async");
void __accx_acc_wait_all_async(int) __asm__("acc_wait_all_async");
void __accx_acc_wait_device(int, int) __asm__("acc_wait_device");
void __accx_acc_wait_all_device(int) __asm__("acc_wait_all_device");
void __accx_acc_wait_device_async(int, int, int)
    __asm__("acc_wait_device_async");
void __accx_acc_wait_all_device_async(int, int)
    __asm__("acc_wait_all_device_async");
void __accx_acc_attach(void **) __asm__("acc_attach");
void __accx_acc_detach(void **) __asm__("acc_detach");
void __accx_acc_detach_finalize(void **) __asm__("acc_detach_finalize");
void __accx_acc_copyout_finalize_async(void *, unsigned long, int)
    __asm__("acc_copyout_finalize_async");
void __accx_acc_copyout_async(void *, unsigned long, int)
    __asm__("acc_copyout_async");
void __accx_acc_delete_async(void *, unsigned long, int)
    __asm__("acc_delete_async");
void __accx_create_zero(void *, unsigned long);
void __accx_beyond(long, long, long, const char *);
static __inline__ void __accx_within(long First, long Count, long Extent,
                                     const char *Where) {
  if (__builtin_expect(Count >= 0 && (First < 0 || Count > Extent - First), 0))
    __accx_beyond(First, Count, Extent, Where);
}
void __accx_data(int);
void __accx_update_present(void *, unsigned long, int, int);
void __accx_use_device(int);
int __accx_gangs(long);
int __accx_counted_gangs(long);
struct __accx_rows {
  void *Table;
  unsigned long Count, Skip, Bytes;
};
static __inline__ struct __accx_rows __accx_rows_of(void *Table,
                                                    unsigned long Count,
                                                    unsigned long Skip,
                                                    unsigned long Bytes) {
  struct __accx_rows Rows;
  Rows.Table = Table;
  Rows.Count = Count;
  Rows.Skip = Skip;
  Rows.Bytes = Bytes;
  return Rows;
}
void __accx_rows_enter(void *, unsigned long, unsigned long, unsigned long,
                       int);
void __accx_rows_exit(void *, unsigned long, unsigned long, unsigned long, int);
void __accx_rows_update(void *, unsigned long, unsigned long, unsigned long,
                        int);
int __accx_dprintf(int, const char *, ...) __asm__("dprintf");
static __inline__ void __accx_whole(long Outer, long First, long Count,
                                    long Extent, const char *Where) {
  if (__builtin_expect(Outer > 1 && (First != 0 || Count != Extent), 0)) {
    __accx_dprintf(2, "accx: %s: an inner dimension has %ld elements, and the "
                      "section %ld from element %ld on: only memory in one "
                      "piece can be spread; write [0:%ld]\n",
                   Where, Extent, Count, First, Extent);
    __builtin_abort();
  }
}
static __inline__ void
__accx_smc_mention(const char *Where, const void *Base, long Type, long Element,
                   long Align, long Dims, long P0, long F0, long E0, long L0,
                   long H0, long P1, long F1, long E1, long L1, long H1,
                   long P2, long F2, long E2, long L2, long H2, long Blocks,
                   long B0, long B1, long B2) {}
static __inline__ void __accx_smc_unavailable(const char *Where) {
  __accx_dprintf(2, "accx: %s: needs a device that runs the iterations of a "
                    "block together; this one does not\n",
                 Where);
  __builtin_abort();
}
static __attribute__((noinline)) void *
__accx_private_new(unsigned long Bytes, const char *Where) {
  void *Memory = __builtin_malloc(Bytes ? Bytes : 1);
  if (!Memory) {
    __builtin_printf("accx: %s: no memory for a private array of %lu bytes; "
                     "LIBOMPTARGET_HEAP_SIZE enlarges a GPU's heap\\n",
                     Where, Bytes);
    __builtin_trap();
  }
  return Memory;
}
static __inline__ void __accx_private_free(void *Where) {
  __builtin_free(*(void **)Where);
}
void __accx_acc_init(int) __asm__("acc_init");
void __accx_acc_init_device(int, int) __asm__("acc_init_device");
void __accx_acc_shutdown(int) __asm__("acc_shutdown");
void __accx_acc_shutdown_device(int, int) __asm__("acc_shutdown_device");
void __accx_acc_set_device_num(int, int) __asm__("acc_set_device_num");
void __accx_acc_set_device_type(int) __asm__("acc_set_device_type");
void __accx_acc_set_default_async(int) __asm__("acc_set_default_async");
)";

/// Closes the prelude.
constexpr StringRef PreludeEnd = R"(
#ifdef __cplusplus
}
#endif
# 1 "<built-in>" 2
)";

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

class Consumer final : public SemaConsumer {
public:
  explicit Consumer(CompilerInstance &CI)
      : CI(CI), IgnoresWarnings(CI.getDiagnostics().getIgnoreAllWarnings()) {
    // The host's compilation of the same source warns; what the device's
    // passes find comes after the source.
    if (CI.getLangOpts().OpenMPIsTargetDevice)
      CI.getDiagnostics().setIgnoreAllWarnings(true);
  }

  void HandleTranslationUnit(ASTContext &) override {
    CI.getDiagnostics().setIgnoreAllWarnings(IgnoresWarnings);
  }

  void InitializeSema(Sema &Analysis) override {
    S = &Analysis;
    Preprocessor &PP = CI.getPreprocessor();
    U = readUnit(PP);
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
    Facts F = gatherFacts(CI);
    completeParameterArrays(U.Directives, F, PP);
    // Once is enough: the host's compilation tells.
    if (!CI.getLangOpts().OpenMPIsTargetDevice)
      reportMistakes(F.Mistakes, CI);
    PlanOptions Options;
    Options.Remarks =
        CI.getCodeGenOpts().OptimizationRemark.patternMatches("accx");
    Options.MissedRemarks =
        Options.Remarks ||
        CI.getCodeGenOpts().OptimizationRemarkMissed.patternMatches("accx");
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
      if (S)
        shareCallingLoops(D, *S);
    }
    return true;
  }

private:
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
  const bool IgnoresWarnings;
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
    Text += Prelude;
    if (CI.getLangOpts().OpenMPIsTargetDevice)
      Text += markers::Declarations;
    PP.setPredefines(Text + PreludeEnd.str());
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
      DiagnosticsEngine &Diags = CI.getDiagnostics();
      Diags.Report(Diags.getCustomDiagID(
          DiagnosticsEngine::Error,
          "unknown argument '%0' of plugin accx; there are 'processor', "
          "'implicit-reductions', 'bare-lengths' and 'check'"))
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
