//===- DistributeLoops.cpp - Loops that devices share ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens in, tokens out, between the probe and the plan.
//
//===----------------------------------------------------------------------===//
//
// Numbers are evaluated once, in front of the region. A pointer's or an
// iterator's expression is evaluated inside of it as well, where it gives an
// address of the device. Which a variable is, its type tells where the unit is
// compiled: both forms are written unless the tokens tell.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/DistributeLoops.h"

#include "frontend/parse/Context.h"
#include "frontend/parse/LoopHead.h"
#include "frontend/parse/OmpLine.h"
#include "frontend/parse/Report.h"
#include "frontend/parse/TokenText.h"
#include "frontend/parse/Tokens.h"
#include "markers/Markers.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

std::string partName(const Directive &D, StringRef What) {
  return ("__accx_part_" + What + "_" + Twine(D.Ordinal)).str();
}

std::string partMarker(const Directive &D) {
  return std::string(markers::PartRange) + "(" + partName(D, "first") + ", " +
         partName(D, "last") + ");";
}

std::optional<size_t> bodyOfNest(const UnitTokens &Tokens, size_t For,
                                 unsigned Depth) {
  for (;;) {
    if (Tokens[For].isNot(tok::kw_for) || Tokens[For + 1].isNot(tok::l_paren))
      return std::nullopt;
    const size_t Body = skipBrackets(Tokens, For + 1);
    if (--Depth == 0)
      return Body;
    For = Body;
    while (Tokens[For].is(tok::l_brace) || isDirective(Tokens[For]))
      ++For;
  }
}

namespace {

class Rewriter {
public:
  Rewriter(Unit &U, Preprocessor &PP) : U(U), In(U.Tokens), PP(PP) {}

  void run() {
    if (llvm::none_of(In, isDistribute))
      return;
    range(0, In.size());
    U.Tokens = std::move(Out);
  }

private:
  void text(const Twine &S) {
    llvm::SmallString<128> Buffer;
    lexText(PP, S.toStringRef(Buffer), Loc, Out);
  }
  void tokens(TokenRange R) { Out.insert(Out.end(), R.begin(), R.end()); }
  std::string name(StringRef What) const { return partName(*D, What); }
  void error(SourceLocation At, StringRef Text) {
    reportError(PP.getDiagnostics(), At, Text);
  }

  void range(size_t I, size_t End) {
    while (I < End)
      if (isDistribute(In[I]))
        I = directive(I);
      else
        Out.push_back(In[I++]);
  }

  size_t directive(size_t I);
  bool expectLoop(size_t I);
  std::string whyWhole(const OmpLine &Line) const;
  static std::string whyWhole(const Directive &Loop);
  void declare(const LoopHead &H);
  std::string count(const LoopHead &H) const;
  void head(const LoopHead &H);
  void position(const LoopHead &H, StringRef Iteration, StringRef Less);
  void pick(const LoopHead &H, llvm::function_ref<void()> Number,
            llvm::function_ref<void()> Other);
  void addPrivates(Directive &Loop);
  size_t nest(size_t For, const LoopHead *H, unsigned Level, unsigned Marked);

  Unit &U;
  const UnitTokens &In;
  Preprocessor &PP;
  UnitTokens Out;
  /// Of the loop at hand.
  Directive *D = nullptr;
  SourceLocation Loc;
  std::string Low, High, Step, Privates;
};

bool Rewriter::expectLoop(size_t I) {
  if (In[I].is(tok::kw_for))
    return true;
  error(In[I].is(tok::eof) ? D->Loc : In[I].getLocation(),
        "'distribute' is for a loop: expected 'for' behind the directive that "
        "follows it");
  return false;
}

std::string Rewriter::whyWhole(const OmpLine &Line) const {
  for (StringRef Ordered : {"lastprivate", "linear", "ordered", "in_reduction",
                            "task_reduction", "allocate"})
    if (Line.find(Ordered))
      return ("of '" + Ordered + "'").str();
  if (!Line.has("for") && !Line.has("distribute") && !Line.has("loop"))
    return "'simd' alone may rely on the order of iterations";
  for (const OmpClause &C : Line.Clauses)
    if (C.Name == "reduction" && C.reductionOperator().empty())
      return "a reduction has a modifier or an operator of the program's own";
  if (const OmpClause *C = Line.find("collapse");
      C && (C->Arguments.size() != 1 ||
            C->Arguments.front().isNot(tok::numeric_constant)))
    return "the number of 'collapse' is no literal";
  return "";
}

std::string Rewriter::whyWhole(const Directive &Loop) {
  if (Loop.Kind == DirectiveKind::Serial || Loop.has(ClauseKind::Seq))
    return "its iterations run in order";
  return "";
}

/// Returns the index to go on at.
size_t Rewriter::directive(size_t I) {
  D = directiveOf(In[I]);
  Loc = D->Loc;
  const size_t At = I + 1;
  const bool Omp = In[At].is(tok::annot_pragma_openmp);
  Directive *const Acc = isDirective(In[At]) ? directiveOf(In[At]) : nullptr;
  const OmpLine Line = Omp ? OmpLine(In, At) : OmpLine();
  if (Omp ? !Line.isTargetLoop()
          : !Acc || !isCompute(Acc->Kind) || !Acc->HasLoop) {
    error(Loc, "what follows 'distribute' must be a loop of a region in one "
               "directive: '#pragma omp target teams distribute parallel for' "
               "or '#pragma omp target teams loop' and the like, '#pragma acc "
               "parallel loop' or '#pragma acc kernels loop'");
    return At;
  }
  const size_t For = Omp ? Line.End : At + 1;
  if (!expectLoop(For))
    return At;
  if (Omp && Line.find("device")) {
    error(Line.find("device")->Begin->getLocation(),
          "'device' and 'distribute' name devices twice: leave 'device' out "
          "and write 'distribute devices(...)'");
    return At;
  }
  if (Acc && Acc->has(ClauseKind::DeviceId)) {
    error(Acc->find(ClauseKind::DeviceId)->Loc,
          "'deviceid' and 'distribute' name devices twice: leave 'deviceid' "
          "out and write 'distribute devices(...)'");
    return At;
  }
  std::optional<LoopHead> H;
  if (const size_t Body = skipBrackets(In, For + 1); Body > For + 3)
    H = LoopHead::parse(TokenRange(In).slice(For + 2, Body - For - 3));
  D->WhyWhole = Omp ? whyWhole(Line) : whyWhole(*Acc);
  unsigned Depth = 1;
  if (const OmpClause *C = Line.find("collapse"); C && D->WhyWhole.empty())
    StringRef(C->Arguments.front().getLiteralData(),
              C->Arguments.front().getLength())
        .getAsInteger(10, Depth);
  if (D->WhyWhole.empty() && (!H || Depth == 0 || !bodyOfNest(In, For, Depth)))
    D->WhyWhole = "its head is not 'for (variable = first; variable < bound; "
                  "variable += step)' or the like";
  if (!D->WhyWhole.empty()) {
    Out.push_back(In[I]);
    return At;
  }
  text("{");
  declare(*H);
  Out.push_back(In[I]);
  if (Acc) {
    addPrivates(*Acc);
    Out.push_back(In[At]);
  } else {
    const Token *T = &In[At];
    if (const OmpClause *C = Line.find("nowait")) {
      tokens(between(T, C->Begin));
      T = C->End;
    }
    tokens(between(T, &In[Line.End - 1]));
    text("firstprivate(" + Privates + ")");
    Out.push_back(In[Line.End - 1]);
  }
  const size_t End = nest(For, &*H, 1, Omp ? Depth : 0);
  text("}");
  return End;
}

/// A literal stands for itself, all else for a variable.
static bool isLiteral(TokenRange R) {
  return R.size() == 1 && R.front().is(tok::numeric_constant);
}

void Rewriter::declare(const LoopHead &H) {
  Privates = name("first") + ", " + name("last") + ", " + name("count");
  auto Use = [&](std::string &Text, TokenRange Value, StringRef What) {
    if (isLiteral(Value)) {
      Text = "(" + PP.getSpelling(Value.front()) + ")";
      return;
    }
    Text = name(What);
    Privates += ", " + Text;
  };
  Use(Low, H.Init, "low");
  Use(High, H.Bound, "high");
  Step = "1";
  if (!H.Step.empty())
    Use(Step, H.Step, "step");
  if (H.declares())
    tokens(H.Declared.drop_back());
  else
    text("__typeof__(" + PP.getSpelling(H.Variable) + ")");
  text(" " + name("low") + " = ");
  tokens(H.Init);
  text("; typedef __typeof__(" + name("low") + ") " + name("type") + ";");
  text("__extension__ const __auto_type " + name("high") + " = ");
  tokens(H.Bound);
  text(";");
  if (!H.Step.empty()) {
    text("__extension__ const __auto_type " + name("step") + " = ");
    tokens(H.Step);
    text(";");
  }
  text("const long " + name("count") + " = " + count(H) + ";");
  text("long " + name("first") + " = 0, " + name("last") + " = " +
       name("count") + ";");
}

/// The number of iterations: a comparison in the loop's own types, and numbers
/// of 64 bits.
std::string Rewriter::count(const LoopHead &H) const {
  const std::string First = name("low"), Bound = name("high");
  const bool Down =
      H.Relation == tok::greater || H.Relation == tok::greaterequal;
  const std::string By = H.Step.empty() ? "1" : name("step");
  const std::string Signed = std::string(H.IsMinus ? "-" : "") + "(long)" + By;
  const std::string Holds =
      First + " " + tok::getPunctuatorSpelling(H.Relation) + " " + Bound;
  const std::string Rest = Signed + ", " + Holds + ", " +
                           (H.isClosed() ? "1" : "0") + ", " +
                           (H.Relation == tok::exclaimequal ? "0"
                            : Down                          ? "-1"
                                                            : "1") +
                           ")";
  if (PP.getLangOpts().CPlusPlus)
    return "__accx_trips(" + First + ", " + Bound + ", " + Rest;
  // In the type in which they are compared; what a pointer's step is in bytes.
  return "__accx_trips((unsigned long)(1 ? " + First + " : " + Bound +
         "), (unsigned long)(0 ? " + First + " : " + Bound +
         "), (unsigned long)((" + name("type") + ")64 + 1) - 64, " + Rest;
}

/// \p Number if the loop's variable is a number, else \p Other.
void Rewriter::pick(const LoopHead &H, llvm::function_ref<void()> Number,
                    llvm::function_ref<void()> Other) {
  if (H.isNumber())
    return Number();
  if (PP.getLangOpts().CPlusPlus) {
    text("(__is_integral(" + name("type") + ") ? ");
    Number();
    text(" : ");
  } else {
    text("__builtin_choose_expr(__builtin_classify_type((" + name("type") +
         ")0) != 5, ");
    Number();
    text(", ");
  }
  Other();
  text(")");
}

/// The variable's value at an iteration, \p Less behind it.
void Rewriter::position(const LoopHead &H, StringRef Iteration,
                        StringRef Less) {
  const std::string Type = "(" + name("type") + ")(";
  const std::string Moved =
      ((H.IsMinus ? " - " : " + ") + Iteration +
       (H.Step.empty() ? std::string() : " * " + Step) + Less + ")")
          .str();
  pick(
      H, [&] { text(Type + Low + Moved); },
      [&] {
        text(Type + "(");
        tokens(H.Init);
        text(")" + Moved);
      });
}

void Rewriter::head(const LoopHead &H) {
  text("for (");
  tokens(H.Declared);
  text(" = ");
  position(H, name("first"), "");
  text("; ");
  Out.push_back(H.Variable);
  text(Twine(" ") + tok::getPunctuatorSpelling(H.Relation) + " (" +
       name("last") + " < " + name("count") + " ? ");
  position(H, name("last"),
           H.Relation == tok::lessequal      ? " - 1"
           : H.Relation == tok::greaterequal ? " + 1"
                                             : "");
  text(" : ");
  pick(
      H, [&] { text(High); },
      [&] {
        text("(");
        tokens(H.Bound);
        text(")");
      });
  text("); ");
  if (H.Step.empty()) {
    text(H.IsMinus ? "--" : "++");
    Out.push_back(H.Variable);
  } else {
    Out.push_back(H.Variable);
    text((H.IsMinus ? " -= " : " += ") + Step);
  }
  text(")");
}

void Rewriter::addPrivates(Directive &Loop) {
  TokenVector &List = Loop.Rewritten.emplace_back();
  lexText(PP, Privates, Loc, List);
  Clause C = Clause::made(ClauseKind::FirstPrivate, Loc);
  C.Arguments = List;
  for (TokenRange Part : splitAtCommas(List, false, true)) {
    Item I;
    I.Tokens = I.Base = Part;
    C.Items.push_back(std::move(I));
  }
  Loop.Clauses.push_back(std::move(C));
}

/// Writes the loop at \p For, with braces around its body and those of loops
/// in it, so that the marker has a place; puts it into the \p Marked th one.
size_t Rewriter::nest(size_t For, const LoopHead *H, unsigned Level,
                      unsigned Marked) {
  const size_t Body = skipBrackets(In, For + 1);
  if (H)
    head(*H);
  else
    tokens(TokenRange(In).slice(For, Body - For));
  const size_t Behind = statementEnd(In, Body);
  const bool Braces = In[Body].is(tok::l_brace);
  size_t I = Body + Braces;
  const size_t End = Behind - Braces;
  text("{");
  if (Level == Marked && PP.getLangOpts().OpenMPIsTargetDevice)
    text(partMarker(*D));
  if (Level != Marked) {
    while (I < End && (In[I].is(tok::l_brace) || isDirective(In[I])) &&
           !isDistribute(In[I]))
      Out.push_back(In[I++]);
    if (I < End && In[I].is(tok::kw_for) && In[I + 1].is(tok::l_paren))
      I = nest(I, nullptr, Level + 1, Marked);
  }
  tokens(TokenRange(In).slice(I, End - I));
  text("}");
  return Behind;
}

} // namespace

void distributeLoops(Unit &U, Preprocessor &PP) { Rewriter(U, PP).run(); }

} // namespace accx::frontend
