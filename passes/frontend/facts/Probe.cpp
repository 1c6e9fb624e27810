//===- Probe.cpp - Learns what a unit's variables are ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second, silent compiler instance over the same files.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/Probe.h"

#include "frontend/facts/FactsReader.h"
#include "frontend/facts/ProbeTokens.h"
#include "frontend/parse/Reader.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/CodeCompleteConsumer.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

using namespace clang;

namespace accx::frontend {
namespace {

class Consumer final : public SemaConsumer {
public:
  Consumer(CompilerInstance &Probe, UnitReader Read, TreeReader Others,
           Facts &Out)
      : Probe(Probe), Read(Read), Others(Others), Out(Out) {}

  void InitializeSema(Sema &) override {
    Preprocessor &PP = Probe.getPreprocessor();
    U = Read(PP);
    const Tree T(U.Tokens);
    replayTokens(PP, makeProbeTokens(PP, T));
    U.Tokens = {};
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    Out = readFacts(Context, U.Directives,
                    /*StrictAliasing=*/
                    !Probe.getCodeGenOpts().RelaxedAliasing, Others);
  }

private:
  CompilerInstance &Probe;
  UnitReader Read;
  TreeReader Others;
  Facts &Out;
  Unit U; // its directives' items are names in the tree until the end
};

class Action final : public ASTFrontendAction {
public:
  Action(const CompilerInstance &Original, UnitReader Read, TreeReader Others,
         Facts &Out)
      : Original(Original), Read(Read), Others(Others), Out(Out) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Probe,
                                                 llvm::StringRef) override {
    // What plugins have injected is there; what they would do is not.
    Probe.getPreprocessor().setPredefines(
        Original.getPreprocessor().getPredefines());
    return std::make_unique<Consumer>(Probe, Read, Others, Out);
  }

private:
  const CompilerInstance &Original;
  UnitReader Read;
  TreeReader Others;
  Facts &Out;
};

/// Clang gives every frontend action the consumers of all plugins that are
/// loaded, except in a run for code completion. This makes the probe look like
/// one for as long as that takes; no completion is ever asked for.
class NoCompletion final : public CodeCompleteConsumer {
public:
  NoCompletion()
      : CodeCompleteConsumer(CodeCompleteOptions()),
        Info(std::make_shared<GlobalCodeCompletionAllocator>()) {}
  CodeCompletionAllocator &getAllocator() override {
    return Info.getAllocator();
  }
  CodeCompletionTUInfo &getCodeCompletionTUInfo() override { return Info; }

private:
  CodeCompletionTUInfo Info;
};

} // namespace

/// What decides how the unit parses, without anything that writes.
static std::shared_ptr<CompilerInvocation>
silentCopy(const CompilerInvocation &Of, const FrontendInputFile &Input) {
  auto Copy = std::make_shared<CompilerInvocation>(Of);

  const FrontendOptions &Old = Of.getFrontendOpts();
  FrontendOptions &New = Copy->getFrontendOpts();
  New = FrontendOptions();
  New.ProgramAction = clang::frontend::ParseSyntaxOnly;
  New.Inputs.push_back(Input);
  New.DashX = Old.DashX;
  New.GenerateGlobalModuleIndex = false;
  New.UseGlobalModuleIndex = Old.UseGlobalModuleIndex;
  New.IsSystemModule = Old.IsSystemModule;
  New.AllowPCMWithCompilerErrors = Old.AllowPCMWithCompilerErrors;
  New.ModulesShareFileManager = Old.ModulesShareFileManager;
  New.OriginalModuleMap = Old.OriginalModuleMap;
  New.ModuleFileExtensions = Old.ModuleFileExtensions;
  New.ModuleMapFiles = Old.ModuleMapFiles;
  New.ModuleFiles = Old.ModuleFiles;
  New.OverrideRecordLayoutsFile = Old.OverrideRecordLayoutsFile;
  New.AuxTriple = Old.AuxTriple;
  New.AuxTargetCPU = Old.AuxTargetCPU;
  New.AuxTargetFeatures = Old.AuxTargetFeatures;

  Copy->getDependencyOutputOpts() = DependencyOutputOptions();
  Copy->getHeaderSearchOpts().Verbose = false;

  DiagnosticOptions &Diags = Copy->getDiagnosticOpts();
  llvm::erase_if(Diags.Warnings, [](llvm::StringRef W) {
    return W.starts_with("error") || W.starts_with("fatal-errors");
  });
  Diags.Remarks.clear();
  Diags.DiagnosticLogFile.clear();
  Diags.DiagnosticSerializationFile.clear();
  Diags.VerifyDiagnostics = false;
  Diags.PedanticErrors = false;
  Diags.IgnoreWarnings = true;
  Diags.ShowCarets = false; // Clang prints its count of errors with them
  Diags.ErrorLimit = 0;

  LangOptions &Lang = Copy->getLangOpts();
  Lang.SpellChecking = false;
  Lang.RecoveryAST = true;
  Lang.RecoveryASTType = true;
  Lang.DumpRecordLayouts = false;
  Lang.DumpRecordLayoutsSimple = false;
  Lang.DumpRecordLayoutsCanonical = false;
  Lang.DumpRecordLayoutsComplete = false;
  Lang.DumpVTableLayouts = false;

  PreprocessorOptions &PP = Copy->getPreprocessorOpts();
  PP.RetainRemappedFileBuffers = true; // they stay the original's
  PP.DisablePragmaDebugCrash = true;
  PP.DumpDeserializedPCHDecls = false;
  PP.DeserializedPCHDeclsToErrorOn.clear();
  return Copy;
}

Facts gatherFacts(CompilerInstance &CI, UnitReader Read, TreeReader Others) {
  Facts Out;
  if (!CI.hasPreprocessor() || !CI.hasSourceManager())
    return Out;
  SourceManager &SM = CI.getSourceManager();
  const FileID Main = SM.getMainFileID();
  const OptionalFileEntryRef File = SM.getFileEntryRefForID(Main);
  const llvm::MemoryBufferRef Buffer = SM.getBufferOrFake(Main);

  // One invocation may name several inputs; the file tells which it is.
  const auto &Inputs = CI.getFrontendOpts().Inputs;
  const FrontendInputFile *Input = nullptr;
  for (const FrontendInputFile &I : Inputs)
    if (!Input || (File && I.isFile() && I.getFile() == File->getName()))
      Input = &I;
  const InputKind Kind = Input ? Input->getKind() : CI.getFrontendOpts().DashX;
  if (Kind.getFormat() == InputKind::Precompiled)
    return Out;
  // Standard input is read already and is a file of the file manager now.
  const FrontendInputFile Again =
      !File ? FrontendInputFile(Buffer, Kind)
            : FrontendInputFile(
                  Input && Input->isFile() ? Input->getFile() : File->getName(),
                  Kind,
                  SM.getFileCharacteristic(SM.getLocForStartOfFile(Main)) !=
                      SrcMgr::C_User);

  CompilerInstance Probe(CI.getPCHContainerOperations());
  Probe.setInvocation(silentCopy(CI.getInvocation(), Again));
  Probe.createDiagnostics(new IgnoringDiagConsumer, /*ShouldOwnClient=*/true);
  Probe.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  if (!Probe.createTarget())
    return Out;
  Probe.setFileManager(&CI.getFileManager());
  Probe.createSourceManager(CI.getFileManager());
  // A pipe cannot be read twice, and an editor's text is not in the file.
  if (File)
    Probe.getSourceManager().overrideFileContents(*File, Buffer);

  Action Act(CI, Read, Others, Out);
  Probe.setCodeCompletionConsumer(new NoCompletion);
  if (!Act.BeginSourceFile(Probe, Again))
    return Out;
  Probe.setCodeCompletionConsumer(nullptr);
  llvm::consumeError(Act.Execute());
  Act.EndSourceFile();
  return Out;
}

} // namespace accx::frontend
