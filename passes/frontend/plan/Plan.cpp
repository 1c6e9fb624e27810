//===- Plan.cpp - What each directive becomes -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatch by directive, and what several kinds of directive share.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Plan.h"

#include "frontend/plan/Compute.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

Planner::Planner(const Tree &T, const Facts &F, Preprocessor &PP,
                 const PlanOptions &Options)
    : T(T), F(F), PP(PP), Diags(PP.getDiagnostics()), Options(Options) {}

clang::DiagnosticBuilder Planner::warning(SourceLocation Loc,
                                          StringRef Text) const {
  const bool Quiet =
      PP.getLangOpts().OpenMPIsTargetDevice || Diags.getIgnoreAllWarnings();
  return report(Diags, Loc,
                Quiet ? DiagnosticIDs::Ignored : DiagnosticIDs::Warning, Text);
}

Plan Planner::run() {
  findRoutines();
  for (const auto &N : T.nodes())
    checkSections(*N->D);
  visitAll(T.roots());
  for (auto &[N, R] : Result.Rewrites)
    addSectionChecks(*N->D, R);
  return std::move(Result);
}

void Planner::visitAll(const std::vector<Node *> &Nodes) {
  for (const Node *N : Nodes) {
    visit(*N);
    placeOnDevice(*N);
  }
}

/// Whether \p N may stand where it does; reports it if not.
bool Planner::checkPlace(const Node &N) {
  const DirectiveKind K = N.D->Kind;
  if (K == DirectiveKind::Routine || K == DirectiveKind::Declare)
    return true;
  if (!inFunction(N)) {
    error(N.D->Loc, "'%0' must stand in a function") << row(K).Spelling;
    return false;
  }
  if (K == DirectiveKind::Loop || K == DirectiveKind::Atomic ||
      K == DirectiveKind::Cache || K == DirectiveKind::Fcw ||
      K == DirectiveKind::FcwBarrier || K == DirectiveKind::Barrier ||
      K == DirectiveKind::OpenArc)
    return true;
  for (const Node *Around = N.Parent; Around; Around = Around->Parent) {
    const DirectiveKind Outer = Around->D->Kind;
    if (!isCompute(Outer))
      continue;
    error(N.D->Loc, "'%0' may not stand in a '%1' construct")
        << row(K).Spelling << row(Outer).Spelling;
    return false;
  }
  return true;
}

/// Calls \p Visit(clause, item, facts, dimension) for each section in \p D of
/// an array whose extent in that dimension is known.
template <typename Fn>
static void forEachSection(const Directive &D, const Facts &F, Fn Visit) {
  for (const ListItem &I : itemsOf(D)) {
    if (form(D.Kind, I.clause().Kind) != ArgumentForm::Variables)
      continue;
    const ItemFacts Known = F.item(I);
    const size_t Dims =
        std::min(I.item().Sections.size(), Known.Extents.size());
    for (unsigned Dim = 0; Dim < Dims; ++Dim)
      Visit(I.clause(), I.item(), Known, Dim);
  }
}

/// Sections of arrays stay in the array, where all of them is constant. What is
/// negative Clang tells.
void Planner::checkSections(const Directive &D) {
  forEachSection(
      D, F,
      [&](const Clause &, const Item &Array, const ItemFacts &Facts,
          unsigned Dim) {
        const Section &S = Array.Sections[Dim];
        if ((!Facts.first(Dim) && !S.Lower.empty()) ||
            (!Facts.length(Dim) && !S.Length.empty()))
          return;
        const int64_t Low = Facts.first(Dim).value_or(0);
        const int64_t Count = S.IsElement        ? 1
                              : S.Length.empty() ? 0
                                                 : *Facts.length(Dim);
        const uint64_t Extent = Facts.Extents[Dim];
        if (Low < 0 || Count < 0 ||
            (uint64_t(Low) <= Extent && uint64_t(Count) <= Extent - Low))
          return;
        const auto Elements = [](uint64_t Number) {
          return std::to_string(Number) +
                 (Number == 1 ? " element" : " elements");
        };
        error(Array.Tokens.front().getLocation(),
              "'%0' ends behind the array: '%1' has %2%3, and the "
              "section is %4 from element %5 on, which counts from 0")
            << text(Array.Tokens) << text(Array.Base) << Elements(Extent)
            << (Dim ? " in dimension " + std::to_string(Dim + 1)
                    : std::string())
            << Elements(uint64_t(Count)) << std::to_string(Low);
      });
}

/// Whether evaluating \p Tokens once more changes nothing, as far as they tell.
static bool isPlain(TokenRange Tokens) {
  const Token *Last = nullptr;
  for (const Token &T : Tokens) {
    if (T.isOneOf(tok::plusplus, tok::minusminus, tok::equal, tok::l_brace) ||
        (T.is(tok::l_paren) && Last &&
         Last->isOneOf(tok::identifier, tok::r_paren, tok::r_square)))
      return false;
    Last = &T;
  }
  return true;
}

/// The same where a number is known at run time only: a comparison ahead of the
/// construct.
void Planner::addSectionChecks(const Directive &D, Rewrite &R) {
  // A hint ends no program, and loops are device code.
  if (!isCompute(D.Kind) && D.Kind != DirectiveKind::Data &&
      D.Kind != DirectiveKind::EnterData && D.Kind != DirectiveKind::ExitData &&
      D.Kind != DirectiveKind::Update && D.Kind != DirectiveKind::UpdatePeer &&
      !spreads(D.Kind) && !isOperation(D.Kind))
    return;
  Phrases Checks;
  forEachSection(D, F,
                 [&](const Clause &Of, const Item &Array,
                     const ItemFacts &Facts, unsigned Dim) {
                   const Section &S = Array.Sections[Dim];
                   const bool Known = (S.Lower.empty() || Facts.first(Dim)) &&
                                      (S.Length.empty() || Facts.length(Dim));
                   // An array of one element at the end of a structure may be
                   // longer.
                   if (Known || Facts.Extents[Dim] <= 1 || !isPlain(S.Lower) ||
                       !isPlain(S.Length))
                     return;
                   const bool Counted = !S.Length.empty();
                   Checks.add(S.Lower.empty() ? "__accx_within(0"
                                              : "__accx_within((long)(",
                              S.Lower, S.Lower.empty() ? "" : ")", Of.Loc);
                   Checks.add(Counted ? ", (long)(" : ", ", S.Length,
                              (Counted       ? "), "
                               : S.IsElement ? "1, "
                                             : "0, ") +
                                  std::to_string(Facts.Extents[Dim]) + ", " +
                                  whereOf(Array.Tokens) + ");",
                              Of.Loc);
                 });
  addFirstUnderIf(D, Checks, R.Before);
}

/// Whether what follows a loop directive may be a loop; reports it if not. What
/// begins with a brace, an attribute or a pragma Clang looks into.
bool Planner::checkLoop(const Node &N) {
  if ((N.D->Kind != DirectiveKind::Loop && !N.D->HasLoop) ||
      !N.LoopHeader.empty() || N.Statement.empty())
    return true;
  const UnitTokens &Tokens = T.tokens();
  const size_t I = N.Statement.Begin;
  const bool IsLabel = Tokens[I].is(tok::identifier) && I + 1 < Tokens.size() &&
                       Tokens[I + 1].is(tok::colon);
  if (Tokens[I].isOneOf(tok::kw_for, tok::l_brace, tok::l_square,
                        tok::kw___attribute, tok::kw___extension__) ||
      Tokens[I].isAnnotation() || IsLabel)
    return true;
  error(Tokens[I].getLocation(),
        "what follows '%0' must be a for loop, and this begins with '%1'")
      << (row(N.D->Kind).Spelling +
          (N.D->Kind != DirectiveKind::Loop ? " loop" : ""))
             .str()
      << PP.getSpelling(Tokens[I]);
  return false;
}

void Planner::visit(const Node &N) {
  if (!checkPlace(N) || !checkLoop(N))
    return;
  Rewrite R;
  R.Statement = N.Statement;
  // A directive that is not planned is left out.
  bool IsPlanned = true;
  switch (N.D->Kind) {
  case DirectiveKind::Parallel:
  case DirectiveKind::Kernels:
  case DirectiveKind::Serial:
    return ComputePlanner(*this, N).planConstruct();
  case DirectiveKind::Loop:
    return planOrphan(N);
  case DirectiveKind::Distribute:
    return planDistribute(N);
  case DirectiveKind::TimeTile:
    return planTimeTile(N);
  case DirectiveKind::Barrier:
  case DirectiveKind::OpenArc:
    return planBarrier(N);
  case DirectiveKind::Data:
    planData(N, R);
    break;
  case DirectiveKind::EnterData:
    planEnterData(N, R);
    break;
  case DirectiveKind::ExitData:
    planExitData(N, R);
    break;
  case DirectiveKind::HostData:
    planHostData(N, R);
    break;
  case DirectiveKind::Update:
    planUpdate(N, R);
    break;
  case DirectiveKind::UpdatePeer:
    IsPlanned = planUpdatePeer(N, R);
    break;
  case DirectiveKind::Wait:
    planWaitDirective(N, R);
    break;
  case DirectiveKind::Atomic:
    planAtomic(N, R);
    break;
  case DirectiveKind::Routine:
    IsPlanned = planRoutine(N, R);
    break;
  case DirectiveKind::Declare:
    planDeclare(N, R);
    break;
  case DirectiveKind::Cache:
    IsPlanned = planCache(N, R);
    break;
  case DirectiveKind::FcwBarrier:
    IsPlanned = planSmcBarrier(N, R);
    break;
  case DirectiveKind::Fcw:
    planSmc(N, R);
    break;
  case DirectiveKind::Spread:
  case DirectiveKind::EnterSpread:
  case DirectiveKind::ExitSpread:
  case DirectiveKind::Replicate:
  case DirectiveKind::EnterReplicate:
  case DirectiveKind::ExitReplicate:
    IsPlanned = planSpread(N, R);
    break;
  case DirectiveKind::ReadFile:
  case DirectiveKind::WriteFile:
  case DirectiveKind::Send:
  case DirectiveKind::Recv:
    IsPlanned = planOperation(N, R);
    break;
  case DirectiveKind::Init:
  case DirectiveKind::Shutdown:
  case DirectiveKind::Set:
    planCall(N, R);
    break;
  }
  if (IsPlanned)
    Result.Rewrites.emplace(&N, std::move(R));
  visitAll(N.Children);
}

std::string Planner::text(TokenRange Tokens) const {
  std::string Text;
  for (const Token &T : Tokens) {
    if (!Text.empty() && T.hasLeadingSpace())
      Text += ' ';
    if (!T.isAnnotation())
      Text += PP.getSpelling(T);
  }
  return Text;
}

std::string Planner::text(const Phrases &Clauses) const {
  std::string Text;
  for (const Phrase &C : Clauses)
    Text += " " + C.Before + text(C.Tokens) + C.After;
  return Text;
}

void Planner::remark(const Node &N, const std::string &Text) {
  if (Options.Remarks && !N.D->IsMade)
    frontend::remark(Diags, N.D->Loc, /*Done=*/true, Text);
}

void addQueue(const Clause *Async, const std::string &Before,
              const std::string &After, SourceLocation Loc, Phrases &Out) {
  if (!Async)
    Out.add(Before + "-2" + After, Loc);
  else if (Async->Values.empty() || Async->Kind == ClauseKind::DeviceId)
    Out.add(Before + "-1" + After, Async->Loc);
  else
    Out.add(Before, Async->Values.front(), After, Async->Loc);
}

/// acc_wait and its kin, of device \p Of if that is not empty. Without a list
/// every queue is meant; with \p Async the waiting is that queue's, not the
/// host's.
void Planner::planWait(const Clause &C, const Clause *Async, Phrases &Calls,
                       TokenRange Of) {
  const bool IsList = !Of.empty();
  if (Of.empty() && C.Modifier == "devnum")
    Of = C.ModifierValue;
  const std::string Name =
      std::string("__accx_acc_wait") + (C.Values.empty() ? "_all" : "") +
      (Of.empty() ? "" : "_device") + (Async ? "_async" : "") + "(";
  auto Call = [&](TokenRange Waited) {
    Calls.add(Name, Waited, "", C.Loc);
    if (Async)
      addQueue(Async, Waited.empty() ? "" : ", ", "", C.Loc, Calls);
    if (!Of.empty()) {
      Phrase Number = deviceNumber(PP, Of, IsList ? "device" : "devnum", C.Loc);
      Number.Before.insert(0, Async || !Waited.empty() ? ", " : "");
      Calls.push_back(std::move(Number));
    }
    Calls.add(");", C.Loc);
  };
  if (C.Values.empty())
    Call({});
  for (TokenRange Queue : C.Values)
    Call(Queue);
}

/// The variable that keeps a data construct's queue.
static std::string queueName(const Node &N) {
  return "__accx_queue_" + std::to_string(N.D->Ordinal);
}

void Planner::planQueue(const Node &N, Rewrite &R) {
  const Clause *Async = queueClause(*N.D);
  for (const Clause &C : N.D->Clauses)
    if (C.Kind == ClauseKind::Wait)
      planWait(C, Async, R.Before);
  if (!Async)
    return;
  const bool Data = N.D->Kind == DirectiveKind::Data;
  R.Before.add((Data ? "const long " + queueName(N) + " = " : "") +
                   "__accx_async_begin(",
               Async->Loc);
  addQueue(Async, "", ");", Async->Loc, R.Before);
  R.After.add("__accx_async_end();", Async->Loc);
}

void Planner::leaveQueue(const Node &N, Rewrite &R) {
  const Clause *Async = queueClause(*N.D);
  if (!Async)
    return;
  R.Inside.add("__accx_async_end();", Async->Loc);
  R.InsideEnd.prepend(
      {Phrase("__accx_async_begin(" + queueName(N) + ");", Async->Loc)});
}

bool Planner::leavesAlone(const ListItem &I) const {
  const TypeClass Class = F.item(I).Class;
  return I.clause().Kind == ClauseKind::NoCreate && I.item().Sections.empty() &&
         (Class == TypeClass::Pointer || Class == TypeClass::Unknown);
}

/// What `deviceid` of \p N, or of a construct around it that is none of data,
/// says.
std::string Planner::deviceOf(const Node &N) const {
  for (const Node *At = &N; At; At = At->Parent) {
    if (const Clause *C = At->D->find(ClauseKind::DeviceId))
      return text(C->Arguments);
    if (isCompute(At->D->Kind) || At->D->Kind == DirectiveKind::Data)
      break;
  }
  return "";
}

std::map<std::string, VisibleData> Planner::visibleData(const Node &N) const {
  std::map<std::string, VisibleData> Names;
  auto Add = [&](const Node &At) {
    for (const ListItem &I : itemsOf(*At.D))
      if (row(I.clause().Kind).Form == ArgumentForm::Variables &&
          !I.name().empty() && !leavesAlone(I))
        Names.emplace(I.name().str(),
                      VisibleData{I.clause().Kind, I.item().Sections.empty()});
  };
  // Another device may have other data.
  const std::string Device = deviceOf(N);
  for (const Node *P = N.Parent; P; P = P->Parent)
    if ((P->D->Kind == DirectiveKind::Data ||
         P->D->Kind == DirectiveKind::Kernels) &&
        (P->D->Kind == DirectiveKind::Kernels || deviceOf(*P) == Device))
      Add(*P);
  // `declare` in a block reaches to the block's end.
  for (const auto &Other : T.nodes())
    if (Other->D->Kind == DirectiveKind::Declare && inFunction(*Other) &&
        Other->At < N.At && N.At < Other->Block.End)
      Add(*Other);
  return Names;
}

Plan makePlan(const Tree &T, const Facts &F, Preprocessor &PP,
              const PlanOptions &Options) {
  return Planner(T, F, PP, Options).run();
}

} // namespace accx::frontend
