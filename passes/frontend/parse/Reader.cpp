//===- Reader.cpp - Reads a translation unit ahead of the parser ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pragma handler, and lexing everything at once.
//
//===----------------------------------------------------------------------===//
//
// Why ahead of the parser: a directive's meaning depends on what follows it
// (the loops inside a compute construct), and looking ahead from inside a
// pragma handler crashes the preprocessor where the statement ends the file.
//
// Clang 19 has a handler of its own for `acc`, which warns and drops the line;
// Parser's constructor registers it, so ours replaces it after that.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Reader.h"

#include "frontend/parse/OmpLine.h"
#include "frontend/parse/Report.h"
#include "frontend/parse/TokenText.h"
#include "frontend/parse/Tokens.h"

#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace clang;

namespace accx::frontend {
namespace {

/// Collects the line, macro-expanded, behind the pragma's name.
TokenVector readLine(Preprocessor &PP, SourceLocation &End) {
  TokenVector Line;
  Token T;
  for (PP.Lex(T); !T.isOneOf(tok::eod, tok::eof); PP.Lex(T))
    Line.push_back(T);
  End = T.getLocation();
  return Line;
}

void enter(Preprocessor &PP, TokenRange Tokens, bool IsReinject) {
  auto Copy = std::make_unique<Token[]>(Tokens.size());
  std::copy(Tokens.begin(), Tokens.end(), Copy.get());
  PP.EnterTokenStream(std::move(Copy), Tokens.size(),
                      /*DisableMacroExpansion=*/true, IsReinject);
}

/// Whether a device_type list names a device that programs of ours may run on.
bool meansOurDevices(const Preprocessor &PP, const Clause &List) {
  for (TokenRange Value : List.Values) {
    if (Value.empty())
      continue;
    const std::string Name = StringRef(PP.getSpelling(Value.back())).lower();
    for (StringRef Known :
         {"*", "host", "multicore", "default", "nvidia", "acc_device_host",
          "acc_device_multicore", "acc_device_default", "acc_device_nvidia"})
      if (Name == Known)
        return true;
  }
  return false;
}

/// Clauses behind a device_type that speaks of our devices stand for those in
/// front of the first one; all others are left out. Which device a program
/// will run on is not known here, so ours count as one.
void selectDeviceParts(const Preprocessor &PP, Directive &D) {
  if (D.Kind == DirectiveKind::Init || D.Kind == DirectiveKind::Shutdown ||
      D.Kind == DirectiveKind::Set)
    return;
  llvm::SmallVector<bool, 4> Ours = {true};
  for (const Clause &C : D.Clauses)
    if (C.Kind == ClauseKind::DeviceType)
      Ours.push_back(meansOurDevices(PP, C));
  if (Ours.size() == 1)
    return;
  // The last part that is ours wins.
  llvm::SmallVector<Clause, 4> Kept;
  for (const Clause &C : D.Clauses) {
    if (C.Kind == ClauseKind::DeviceType || !Ours[C.DevicePart])
      continue;
    if (has(C.Kind, PerDevice))
      llvm::erase_if(Kept, [&](const Clause &Other) {
        return Other.Kind == C.Kind && Other.DevicePart < C.DevicePart;
      });
    Kept.push_back(C);
  }
  D.Clauses = std::move(Kept);
}

/// Of directives that OpenMP code has, too: `#pragma accx`.
constexpr StringRef OwnName = "accx";
/// OpenARC's: `#pragma openarc cuda`.
constexpr StringRef ArcName = "openarc";

/// They are spelled otherwise among OpenACC's.
bool renameOwn(Preprocessor &PP, Directive &D) {
  Token *First = D.Tokens.empty() ? nullptr : D.Tokens.begin();
  const StringRef Word = First ? wordOf(*First) : "";
  if (llvm::any_of(directiveRows(), [&](const DirectiveRow &R) {
        return isOwn(R.Kind) && Word == R.Spelling;
      }))
    return true;
  if ((Word == "enter" || Word == "exit") && D.Tokens.size() > 1)
    if (const StringRef Next = wordOf(D.Tokens[1]);
        Next == "spread" || Next == "replicate")
      return true;
  if (Word == "smc" || Word == "smc_barrier") {
    First->setIdentifierInfo(
        PP.getIdentifierInfo(Word == "smc" ? "fcw" : "fcw_barrier"));
    return true;
  }
  reportError(
      PP.getDiagnostics(), D.Loc,
      "expected 'spread', 'replicate', 'enter' or 'exit' with one of "
      "them, 'distribute', 'read', 'write', 'send', 'recv', 'timetile', "
      "'smc' or 'smc_barrier' after 'accx'");
  return false;
}

/// OpenACC's name does not go with directives that are not its own.
bool checkOwn(Preprocessor &PP, const Directive &D) {
  if (D.IsOwn || !isOwn(D.Kind))
    return true;
  reportError(PP.getDiagnostics(), D.Loc,
              "'%0' is no directive of OpenACC: write '#pragma accx %0'")
      << row(D.Kind).Spelling;
  return false;
}

bool renameArc(Preprocessor &PP, Directive &D) {
  if (!D.Tokens.empty() && wordOf(D.Tokens.front()) == "cuda") {
    D.Tokens.front().setIdentifierInfo(PP.getIdentifierInfo("openarc_cuda"));
    return true;
  }
  reportError(PP.getDiagnostics(), D.Loc, "expected 'cuda' after 'openarc'");
  return false;
}

/// Makes each directive one token.
class Handler final : public PragmaHandler {
public:
  Handler(Unit &U, StringRef Name, unsigned &Ordinals)
      : PragmaHandler(Name), U(U), Ordinals(Ordinals) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer,
                    Token &Name) override {
    SourceLocation End;
    TokenVector Line = readLine(PP, End);
    auto D = std::make_unique<Directive>();
    D->Ordinal = Ordinals++;
    D->Begin = Introducer.Loc;
    D->Loc = Line.empty() ? Name.getLocation() : Line.front().getLocation();
    D->End = End;
    D->Tokens = std::move(Line);
    if ((getName() == OwnName && !renameOwn(PP, *D)) ||
        (getName() == ArcName && !renameArc(PP, *D)))
      return;
    D->IsOwn = getName() == OwnName;
    if (!parseDirective(PP, *D) || !checkOwn(PP, *D))
      return;
    selectDeviceParts(PP, *D);
    Token Mark;
    makeDirectiveToken(Mark, D.get());
    U.Directives.push_back(std::move(D));
    enter(PP, Mark, /*IsReinject=*/false);
  }

private:
  Unit &U;
  unsigned &Ordinals;
};

/// For -E. A directive goes out as it came in, but with its macros expanded:
/// the output has no #define lines that could do it later.
class PreprocessOnlyHandler : public PragmaHandler {
public:
  explicit PreprocessOnlyHandler(StringRef Name = "acc")
      : PragmaHandler(Name) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer,
                    Token &) override {
    SourceLocation End;
    std::string Line;
    for (const Token &T : readLine(PP, End))
      Line += " " + PP.getSpelling(T);
    TokenVector Out;
    if (Introducer.Kind == PIK_HashPragma) {
      lexText(PP, ("#pragma " + getName() + Line).str(), Introducer.Loc, Out);
      Out.front().setFlag(Token::StartOfLine);
      Out.push_back(makeAnnotation(tok::eod, End));
      // The printer ends the line at an annotation.
      Out.push_back(
          makeAnnotation(tok::annot_pragma_openmp_end, Introducer.Loc));
    } else {
      // It may stand anywhere in a line.
      std::string Quoted;
      for (char C : Line) {
        if (C == '"' || C == '\\')
          Quoted += '\\';
        Quoted += C;
      }
      lexText(PP, ("_Pragma(\"" + getName() + Quoted + "\")").str(),
              Introducer.Loc, Out);
    }
    enter(PP, Out, /*IsReinject=*/false);
  }
};

/// readUnit() takes it out of its preprocessor, which cannot give it away. So
/// that it has an owner then, all of them are known.
class OwnPreprocessOnlyHandler : public PreprocessOnlyHandler {
  static std::vector<const PragmaHandler *> &known() {
    static auto *All = new std::vector<const PragmaHandler *>;
    return *All;
  }

public:
  explicit OwnPreprocessOnlyHandler(StringRef Name = OwnName)
      : PreprocessOnlyHandler(Name) {
    known().push_back(this);
  }
  ~OwnPreprocessOnlyHandler() override { llvm::erase(known(), this); }
  OwnPreprocessOnlyHandler(const OwnPreprocessOnlyHandler &) = delete;
};

/// As the registry of plugins makes them, without arguments.
class ArcPreprocessOnlyHandler final : public OwnPreprocessOnlyHandler {
public:
  ArcPreprocessOnlyHandler() : OwnPreprocessOnlyHandler(ArcName) {}
};

} // namespace

void ignoreOwnPragmas(Preprocessor &PP) {
  for (StringRef Name : {OwnName, ArcName}) {
    EmptyPragmaHandler Any(Name);
    PP.RemovePragmaHandler(&Any);
    PP.AddPragmaHandler(new EmptyPragmaHandler(Name));
  }
}

Unit readUnit(Preprocessor &PP) {
  Unit U;
  unsigned Ordinals = 0;
  // RemovePragmaHandler() looks for the name and leaves the handler that it
  // finds to its owner: here the parser, and the registry of plugins.
  Handler Ours(U, "acc", Ordinals), Own(U, OwnName, Ordinals),
      Arc(U, ArcName, Ordinals);
  for (PragmaHandler *H : {&Ours, &Own, &Arc}) {
    PP.RemovePragmaHandler(H);
    PP.AddPragmaHandler(H);
  }
  Token T;
  do {
    PP.Lex(T);
    U.Tokens.push_back(T);
  } while (T.isNot(tok::eof));
  PP.RemovePragmaHandler(&Ours);
  ignoreOwnPragmas(PP);
  // The parser will take the handler of this name out again, unowned.
  static EmptyPragmaHandler None("acc");
  PP.AddPragmaHandler(&None);
  markKernelLoops(U, Ordinals);
  noteReductions(U, PP);
  return U;
}

void replayTokens(Preprocessor &PP, const UnitTokens &Tokens) {
  enter(PP, Tokens, /*IsReinject=*/true);
}

void registerPreprocessOnlyHandler() {
  static PragmaHandlerRegistry::Add<PreprocessOnlyHandler> Entry("acc", "");
  static PragmaHandlerRegistry::Add<OwnPreprocessOnlyHandler> Own("accx", "");
  static PragmaHandlerRegistry::Add<ArcPreprocessOnlyHandler> Arc("openarc",
                                                                  "");
}

} // namespace accx::frontend
