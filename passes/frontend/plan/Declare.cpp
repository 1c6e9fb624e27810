//===- Declare.cpp - routine and declare ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives that speak of declarations: what they mean begins here and ends
// behind a function, a declaration or a block.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Functions.h"
#include "frontend/plan/Planner.h"

#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

static unsigned levelsFrom(const Directive &D) {
  const unsigned Levels = writtenLevels(D);
  return Levels & GangLevel     ? AllLevels
         : Levels & WorkerLevel ? ThreadLevels
                                : Levels;
}

/// Whether the block of \p N holds statements, not members or declarations of
/// a namespace.
bool Planner::inFunction(const Node &N) const {
  if (N.Block.empty() || N.Block.Begin == 0)
    return false;
  const UnitTokens &Tokens = T.tokens();
  size_t I = N.Block.Begin - 1;
  // `namespace a::b {`, `class x : base {`, `extern "C" {`: look back to where
  // the head began. A function's has parentheses.
  bool Parentheses = false, Class = false;
  while (I > 0 && !Tokens[I].isOneOf(tok::semi, tok::l_brace, tok::r_brace)) {
    Parentheses |= Tokens[I].is(tok::l_paren);
    Class |= Tokens[I].isOneOf(tok::kw_class, tok::kw_struct, tok::kw_union,
                               tok::kw_enum);
    if (Tokens[I].is(tok::kw_namespace))
      return false;
    if (Tokens[I].is(tok::kw_extern) &&
        tok::isStringLiteral(Tokens[I + 1].getKind()) && I + 2 == N.Block.Begin)
      return false;
    --I;
  }
  if (Class && !Parentheses)
    return false;
  return true;
}

void Planner::findRoutines() {
  const UnitTokens &Tokens = T.tokens();
  for (const auto &N : T.nodes()) {
    if (N->D->Kind == DirectiveKind::Declare && !inFunction(*N))
      DeviceGlobals.merge(namesIn(*N->D, ClauseSet::all()));
    if (N->D->Kind != DirectiveKind::Routine)
      continue;
    const unsigned Levels = levelsFrom(*N->D);
    if (const Clause *List = N->D->find(ClauseKind::Argument)) {
      for (const Item &I : List->Items)
        RoutineNames[I.name().str()] = Levels;
      for (TokenRange Value : List->Values)
        RoutineNames[text(Value)] = Levels;
      continue;
    }
    const Span Where = declarationAt(Tokens, N->At + 1);
    RoutineNames[functionName(Tokens, Where)] = Levels;
    RoutineBodies.push_back({Where, Levels});
  }
}

std::optional<unsigned> Planner::routineLevels(const Node &N) const {
  for (const auto &[Where, Levels] : RoutineBodies)
    if (Where.Begin <= N.At && N.At < Where.End)
      return Levels;
  for (const std::string &Name : namesAround(T.tokens(), N.At))
    if (const auto Found = RoutineNames.find(Name); Found != RoutineNames.end())
      return Found->second;
  return std::nullopt;
}

void Planner::findDeviceNames() {
  const UnitTokens &Tokens = T.tokens();
  std::vector<std::string> New;
  auto Mention = [&](llvm::StringRef Name) {
    if (DeviceNames.insert(Name.str()).second)
      New.push_back(Name.str());
  };
  auto MentionAll = [&](Span S) {
    for (const Token &Tok : T.text(S))
      if (Tok.is(tok::identifier))
        Mention(Tok.getIdentifierInfo()->getName());
  };
  for (const auto &N : T.nodes()) {
    if (isCompute(N->D->Kind))
      MentionAll(N->Statement);
    if (N->D->Kind != DirectiveKind::Routine)
      continue;
    if (const Clause *Bind = N->D->find(ClauseKind::Bind))
      Mention(StringRef(text(Bind->Values.front())).trim('"'));
  }
  for (const auto &[Where, Levels] : RoutineBodies)
    MentionAll(Where);
  for (const auto &[Name, Levels] : RoutineNames)
    Mention(Name);
  std::multimap<std::string, Span> Bodies;
  for (const NamedCode &C : namedCode(Tokens))
    Bodies.emplace(C.Name, C.Body);
  while (!New.empty()) {
    const std::string Name = New.back();
    New.pop_back();
    for (auto [It, End] = Bodies.equal_range(Name); It != End; ++It)
      MentionAll(It->second);
  }
}

bool Planner::isImplicitRoutine(const Node &N) {
  if (DeviceNames.empty())
    findDeviceNames();
  // Tokens do not tell who calls an operator.
  return llvm::any_of(namesAround(T.tokens(), N.At), [&](StringRef Name) {
    return DeviceNames.count(Name.str()) || Name.starts_with("operator");
  });
}

/// Whether \p I, which \p N makes a routine, is a name of several functions: no
/// single one was found, but it is there.
bool Planner::isOverloaded(const Node &N, const ListItem &I) const {
  const TokenRange Base = I.item().Base;
  if (!PP.getLangOpts().CPlusPlus || Base.size() != 1 || F.item(I).Resolved)
    return false;
  return llvm::any_of(T.text({0, N.At}), [&](const Token &Tok) {
    return Tok.is(tok::identifier) &&
           Tok.getIdentifierInfo() == Base.front().getIdentifierInfo();
  });
}

/// OpenMP's `declare target` takes no name of several functions: those that the
/// unit defines are put between its lines. Of the others a call is enough.
void Planner::planOverloads(const Node &N, llvm::StringRef Name) {
  for (const NamedCode &C : namedCode(T.tokens())) {
    if (C.IsLambda || C.Name != Name)
      continue;
    Result.insert(C.At, {"begin declare target", {}, N.D->Loc});
    Result.insert(C.Body.End, {"end declare target", {}, N.D->Loc});
  }
}

bool Planner::planRoutine(const Node &N, Rewrite &R) {
  const SourceLocation Loc = N.D->Loc;
  const Clause *Bind = N.D->find(ClauseKind::Bind);
  if (N.D->has(ClauseKind::Argument)) {
    OmpDirective Enter{"declare target", {}, Loc};
    for (const ListItem &I : itemsOf(*N.D, {ClauseKind::Argument}))
      if (isOverloaded(N, I))
        planOverloads(N, I.name());
      else
        Enter.Clauses.add("to(", I.item().Tokens, ")", I.clause().Loc);
    if (!Enter.Clauses.empty())
      R.Directives.push_back(std::move(Enter));
    if (Bind)
      planBind(N, *Bind, {});
    return true;
  }
  const Span Where = declarationAt(T.tokens(), N.At + 1);
  if (functionName(T.tokens(), Where).empty()) {
    error(Loc, "'routine' without a name must stand in front of a function or "
               "a lambda");
    return false;
  }
  // Code for a local lambda is made where a device calls it.
  const bool IsLocal = inFunction(N) && lambdaIn(T.tokens(), Where) < Where.End;
  if (Bind)
    planBind(N, *Bind, Where);
  if (IsLocal)
    return false;
  R.Directives.push_back({"begin declare target", {}, Loc});
  Result.insert(Where.End, {"end declare target", {}, Loc});
  return true;
}

void Planner::planDeclare(const Node &N, Rewrite &R) {
  if (inFunction(N))
    return planLocalDeclare(N, R);
  for (const Clause &C : N.D->Clauses) {
    OmpDirective Enter{"declare target", {}, N.D->Loc};
    const bool Link = C.Kind == ClauseKind::Link;
    for (const Item &I : C.Items)
      Enter.Clauses.add(Link ? "link(" : "to(", I.Base, ")", C.Loc);
    if (!C.Items.empty())
      R.Directives.push_back(std::move(Enter));
  }
}

/// Past the function or class that begins at \p I inside a block: what stands
/// in it jumps within it. \p I itself if none begins.
static size_t skipNested(const UnitTokens &T, size_t I, size_t End) {
  size_t Body = I;
  if (T[I].isOneOf(tok::kw_class, tok::kw_struct, tok::kw_union)) {
    while (Body < End && !T[Body].isOneOf(tok::l_brace, tok::semi, tok::l_paren,
                                          tok::equal, tok::star))
      ++Body;
  } else if (T[I].is(tok::l_square) && T[I + 1].isNot(tok::l_square) &&
             !T[I - 1].isOneOf(tok::identifier, tok::r_square, tok::r_paren,
                               tok::l_square)) {
    // A lambda: captures, maybe parameters and what follows them, a body.
    Body = skipBrackets(T, I);
    while (Body < End && !T[Body].isOneOf(tok::l_brace, tok::semi, tok::comma))
      Body = T[Body].is(tok::l_paren) ? skipBrackets(T, Body) : Body + 1;
  } else {
    return I;
  }
  return Body < End && T[Body].is(tok::l_brace) ? skipBrackets(T, Body) : I;
}

/// The data live from here to the block's end, and to every return out of it.
/// A construct would not do: control may not leave one by `return`.
void Planner::planLocalDeclare(const Node &N, Rewrite &R) {
  OmpDirective Enter{"target enter data", {}, N.D->Loc};
  OmpDirective Exit{"target exit data", {}, N.D->Loc};
  for (const Clause &C : N.D->Clauses) {
    // deviceptr is a promise; link is for globals.
    if (C.Kind == ClauseKind::DevicePtr || C.Kind == ClauseKind::Link)
      continue;
    const bool In = C.Kind == ClauseKind::Copy || C.Kind == ClauseKind::CopyIn,
               Out =
                   C.Kind == ClauseKind::Copy || C.Kind == ClauseKind::CopyOut,
               Present = C.Kind == ClauseKind::Present;
    for (const Item &I : C.Items) {
      Enter.Clauses.add(In        ? "map(to: "
                        : Present ? "map(present, alloc: "
                                  : "map(alloc: ",
                        I.Tokens, ")", C.Loc);
      Exit.Clauses.add(Out ? "map(from: " : "map(release: ", I.Tokens, ")",
                       C.Loc);
    }
  }
  if (Enter.Clauses.empty())
    return;
  R.Directives.push_back(std::move(Enter));
  const UnitTokens &Tokens = T.tokens();
  // Loops and switches inside keep their own break and continue.
  size_t OwnBreak = 0, OwnContinue = 0;
  for (size_t I = N.At + 1; I < N.Block.End - 1; ++I) {
    if (const size_t Past = skipNested(Tokens, I, N.Block.End); Past != I) {
      I = Past - 1;
      continue;
    }
    const Token &Tok = Tokens[I];
    if (Tok.isOneOf(tok::kw_for, tok::kw_while, tok::kw_do, tok::kw_switch)) {
      OwnBreak = std::max(OwnBreak, statementEnd(Tokens, I));
      if (Tok.isNot(tok::kw_switch))
        OwnContinue = std::max(OwnContinue, statementEnd(Tokens, I));
    }
    if (Tok.is(tok::kw_goto))
      error(
          Tok.getLocation(),
          "'goto' in a block whose 'declare' would have to give its data back");
    if (Tok.is(tok::kw_return) || (Tok.is(tok::kw_break) && I >= OwnBreak) ||
        (Tok.is(tok::kw_continue) && I >= OwnContinue))
      leaveAt(I, Exit);
  }
  // Last: a jump may end where the block does.
  Result.insert(N.Block.End - 1, Exit);
}

/// Puts \p Exit in front of the jump at token \p I.
void Planner::leaveAt(size_t I, const OmpDirective &Exit) {
  Result.Insertions.emplace(I, Insertion{Exit, {}, "{", ""});
  Result.Insertions.emplace(statementEnd(T.tokens(), I),
                            Insertion{{}, {}, "", "}"});
}

} // namespace accx::frontend
