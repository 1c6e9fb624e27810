// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled without RTTI, as Clang is: it derives from Clang's classes.

#include "Rig.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangStandard.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/ModuleLoader.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

#include <cstdio>
#include <cstdlib>

using namespace clang;

namespace accx::test {

namespace {
class Recorder : public DiagnosticConsumer {
public:
  std::vector<Message> Messages;

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    Message M{Message::Error, std::string(Text), false, 0, 0};
    if (Level == DiagnosticsEngine::Note)
      M.Kind = Message::Note;
    else if (Level <= DiagnosticsEngine::Warning)
      M.Kind = Message::Warning;
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      PresumedLoc Place =
          Info.getSourceManager().getPresumedLoc(Info.getLocation());
      M.Placed = Place.isValid();
      if (M.Placed) {
        M.Line = Place.getLine();
        M.Column = Place.getColumn();
      }
    }
    Messages.push_back(std::move(M));
  }
};

class Collector : public PragmaHandler {
public:
  explicit Collector(std::vector<Rig::Line> &Lines)
      : PragmaHandler("acc"), Lines(Lines) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer,
                    Token &) override {
    Rig::Line L;
    L.Begin = Introducer.Loc;
    Token T;
    for (PP.Lex(T); !T.isOneOf(tok::eod, tok::eof); PP.Lex(T))
      L.Tokens.push_back(T);
    L.End = T.getLocation();
    Lines.push_back(std::move(L));
  }

private:
  std::vector<Rig::Line> &Lines;
};
} // namespace

struct Rig::State {
  explicit State(Language L)
      : Diags(new DiagnosticIDs, new DiagnosticOptions, &Messages,
              /*ShouldOwnClient=*/false),
        Files(FileSystemOptions()), Sources(Diags, Files),
        TargetOpts(new TargetOptions) {
    TargetOpts->Triple = "x86_64-pc-linux-gnu";
    Target = TargetInfo::CreateTargetInfo(Diags, TargetOpts);
    std::vector<std::string> Includes;
    bool CPlusPlus = L == Language::CPlusPlus;
    LangOptions::setLangDefaults(
        Options, CPlusPlus ? clang::Language::CXX : clang::Language::C,
        Target->getTriple(), Includes,
        CPlusPlus ? LangStandard::lang_gnucxx20 : LangStandard::lang_gnu17);
    // The driver's default, which the above leaves to it.
    Options.CXXOperatorNames = CPlusPlus;
  }

  Recorder Messages;
  DiagnosticsEngine Diags;
  FileManager Files;
  SourceManager Sources;
  std::shared_ptr<TargetOptions> TargetOpts;
  IntrusiveRefCntPtr<TargetInfo> Target;
  LangOptions Options;
  TrivialModuleLoader Modules;
  std::unique_ptr<HeaderSearch> Headers;
  std::unique_ptr<Preprocessor> PP;
  std::vector<Line> Lines;
};

Rig::Rig(const std::string &Code, Language L) : S(new State(L)) {
  S->Sources.setMainFileID(
      S->Sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(Code)));
  S->Headers = std::make_unique<HeaderSearch>(
      std::make_shared<HeaderSearchOptions>(), S->Sources, S->Diags, S->Options,
      S->Target.get());
  S->PP = std::make_unique<Preprocessor>(
      std::make_shared<PreprocessorOptions>(), S->Diags, S->Options, S->Sources,
      *S->Headers, S->Modules);
  S->PP->Initialize(*S->Target);
  S->PP->AddPragmaHandler(new Collector(S->Lines)); // owned by PP
  S->Messages.BeginSourceFile(S->Options, S->PP.get());
  S->PP->EnterMainSourceFile();
  Token T;
  do
    S->PP->Lex(T);
  while (T.isNot(tok::eof));
}

Rig::~Rig() = default;

const std::vector<Rig::Line> &Rig::lines() const { return S->Lines; }

bool Rig::parse(frontend::Directive &D) {
  return frontend::parseDirective(*S->PP, D);
}

const std::vector<Message> &Rig::messages() const {
  return S->Messages.Messages;
}

void Rig::clear() { S->Messages.Messages.clear(); }

std::string Rig::text(frontend::TokenRange R) const {
  std::string Text;
  for (const Token &T : R) {
    if (!Text.empty())
      Text += ' ';
    Text += S->PP->getSpelling(T);
  }
  return Text;
}

static const char Introduction[] = "#pragma acc ";

Parsed::Parsed(const std::string &Line, Language L, const std::string &Before)
    : R(Before + "\n" + Introduction + Line + "\n", L) {
  if (R.lines().size() != 1 || !R.messages().empty()) {
    std::fprintf(stderr, "the test's own line is wrong: %s\n", Line.c_str());
    std::abort();
  }
  const Rig::Line &Only = R.lines().front();
  D.Begin = Only.Begin;
  D.End = Only.End;
  D.Tokens = Only.Tokens;
  Good = R.parse(D);
}

const frontend::Clause &Parsed::clause(frontend::ClauseKind K) const {
  const frontend::Clause *Found = D.find(K);
  if (!Found) {
    std::fprintf(stderr, "no clause of kind %u\n", static_cast<unsigned>(K));
    std::abort();
  }
  return *Found;
}

std::string Parsed::report() const {
  static const char *const Kinds[] = {"note", "warning", "error"};
  std::string Text;
  for (const Message &M : R.messages()) {
    int Column = static_cast<int>(M.Column) - sizeof(Introduction) + 1;
    Text += std::to_string(Column) + ": " + Kinds[M.Kind] + ": " + M.Text;
    Text += '\n';
  }
  return Text;
}

std::vector<std::string> Parsed::errors() const {
  std::vector<std::string> Texts;
  for (const Message &M : R.messages())
    if (M.Kind == Message::Error)
      Texts.push_back(M.Text);
  return Texts;
}

} // namespace accx::test
