//===- Probing.cpp - Facts of a program in a string -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probing.h"

#include "frontend/facts/Probe.h"
#include "frontend/parse/Reader.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace clang;

namespace accx::test {
namespace {

/// Everything that is written to a file descriptor while it lives.
class Capture {
public:
  explicit Capture(int Descriptor) : Descriptor(Descriptor) {
    std::fflush(nullptr);
    File = std::tmpfile();
    Saved = dup(Descriptor);
    dup2(fileno(File), Descriptor);
  }
  std::string stop() {
    std::fflush(nullptr);
    dup2(Saved, Descriptor);
    close(Saved);
    std::string Text;
    std::rewind(File);
    for (int C = std::fgetc(File); C != EOF; C = std::fgetc(File))
      Text += static_cast<char>(C);
    std::fclose(File);
    return Text;
  }

private:
  int Descriptor, Saved;
  std::FILE *File;
};

class Consumer final : public SemaConsumer {
public:
  Consumer(CompilerInstance &CI, Probed &Out) : CI(CI), Out(Out) {}
  void InitializeSema(Sema &) override {
    Preprocessor &PP = CI.getPreprocessor();
    U = frontend::readUnit(PP);
    Capture Errors(2), Normal(1);
    Out.Facts = frontend::gatherFacts(CI, frontend::readUnit);
    Out.Output = Normal.stop();
    Out.Output += Errors.stop();
    Out.Ran = true;
    // Nothing of the unit is parsed here, whatever state it is in.
    frontend::replayTokens(PP, {U.Tokens.back()});
  }

private:
  CompilerInstance &CI;
  Probed &Out;
  frontend::Unit U;
};

class Action final : public ASTFrontendAction {
public:
  explicit Action(Probed &Out) : Out(Out) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    Preprocessor &PP = CI.getPreprocessor();
    PP.setPredefines(PP.getPredefines() + "#define INJECTED 1\n");
    return std::make_unique<Consumer>(CI, Out);
  }

private:
  Probed &Out;
};

} // namespace

Probed probe(const std::string &Code, std::vector<std::string> Args) {
  // As in the plugin: what reads a unit takes these handlers out again.
  frontend::registerPreprocessOnlyHandler();
  Probed Out;
  for (const char *A : {"-triple", "x86_64-pc-linux-gnu", "-fopenmp",
                        "-fopenmp-version=52", "-w"})
    Args.emplace_back(A);
  std::vector<const char *> Arguments;
  for (const std::string &A : Args)
    Arguments.push_back(A.c_str());

  CompilerInstance CI;
  CI.createDiagnostics(new IgnoringDiagConsumer);
  if (!CompilerInvocation::CreateFromArgs(CI.getInvocation(), Arguments,
                                          CI.getDiagnostics()))
    return Out;
  if (!Code.empty()) {
    const InputKind Kind = CI.getFrontendOpts().DashX;
    CI.getFrontendOpts().Inputs = {
        FrontendInputFile(llvm::MemoryBufferRef(Code, "test"), Kind)};
  }
  CI.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  Action Act(Out);
  CI.ExecuteAction(Act);
  return Out;
}

} // namespace accx::test
