//===- Spread.cpp - Arrays on several devices -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `accx spread` and `accx replicate`: one call for each array. The call behind
// a statement is that of a variable which leaves its scope, so that it comes
// however the statement is left, and in reverse order. What names the array is
// evaluated once, in front.
//
// docs/internals/distribute.md is the contract.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/SectionLayout.h"
#include "frontend/plan/Planner.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

/// The flags of the runtime's call.
enum SpreadFlags : unsigned { Replicated = 1, AccNumbers = 2 };

bool Planner::isOpenAcc() const {
  return llvm::any_of(T.nodes(), [](const auto &N) { return !N->D->IsOwn; });
}

std::string Planner::addDevices(const Directive &D, Phrases &Before) {
  const Clause *Devices = D.find(ClauseKind::Devices);
  if (!Devices || Devices->Values.empty())
    return "(const int *)0, -1, ";
  const std::string Name = "__accx_devices_" + std::to_string(D.Ordinal);
  Before.push_back(phrase("const int " + Name + "[] = {", {}, "", D.Loc));
  for (TokenRange Device : Devices->Values)
    Before.push_back(phrase("(int)(", Device, "), ", Devices->Loc));
  Before.push_back(phrase("};", {}, "", D.Loc));
  return Name + ", " + std::to_string(Devices->Values.size()) + ", ";
}

/// Where it is known at run time only that a section is in one piece: a check.
void Planner::addWholeChecks(const Item &I, const Clause &C, Phrases &Out) {
  std::string Element;
  for (unsigned Dim = 0; Dim < I.Sections.size(); ++Dim, Element += "[0]") {
    const Section &S = I.Sections[Dim];
    if (Dim == 0 || (S.Lower.empty() && S.Length.empty()))
      continue;
    Out.push_back(phrase("__accx_whole(1", {}, "", C.Loc));
    for (unsigned Outer = 0; Outer < Dim; ++Outer)
      if (const Section &Around = I.Sections[Outer]; !Around.IsElement) {
        if (Around.Length.empty()) {
          Out.push_back(phrase(" * 2", {}, "", C.Loc));
          continue;
        }
        Out.push_back(phrase(" * (long)(", Around.Length, ")", C.Loc));
      }
    Out.push_back(phrase(S.Lower.empty() ? ", 0" : ", (long)(", S.Lower,
                         S.Lower.empty() ? ", " : "), ", C.Loc));
    if (S.IsElement)
      Out.push_back(phrase("1, ", {}, "", C.Loc));
    else if (!S.Length.empty())
      Out.push_back(phrase("(long)(", S.Length, "), ", C.Loc));
    else
      addCount(I, S, Element, C, Out);
    if (!S.IsElement && S.Length.empty())
      Out.push_back(phrase("1, ", {}, "", C.Loc));
    addExtent(I, Element, C, Out);
    Out.push_back(phrase(
        "1, " + whereOf(PP, I.Tokens.front().getLocation(), text(I.Tokens)) +
            ");",
        {}, "", C.Loc));
  }
}

/// Whether an item names memory that can be spread; reports it if not.
bool Planner::checkSpreadItem(const Node &N, unsigned C, unsigned Index) {
  const Item &I = N.D->Clauses[C].Items[Index];
  const ItemFacts Known = F.item(N.D->Ordinal, C, Index);
  const SourceLocation Loc = I.Tokens.front().getLocation();
  const StringRef Name = row(N.D->Kind).Spelling;
  if (Known.IsFunction || Known.Class == TypeClass::Scalar) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is no array, and '%1' takes arrays alone; a scalar needs no "
           "directive")
        << text(I.Base) << Name;
    return false;
  }
  if (Known.Class == TypeClass::Record) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is no array, and '%1' takes arrays alone; name what it holds "
           "by a pointer, as in 'p[0:n]'")
        << text(I.Base) << Name;
    return false;
  }
  if (I.Sections.empty() && Known.Class == TypeClass::Pointer) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is a pointer: '%1' needs the array's part, as in "
           "'%0[first:length]'")
        << text(I.Tokens) << Name;
    return false;
  }
  if (namesRows(N, C, Index)) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is a table of pointers, whose rows are no memory in one "
           "piece; '%1' one row, or allocate them together")
        << text(I.Base) << Name;
    return false;
  }
  for (unsigned Dim = 0; Dim < I.Sections.size(); ++Dim) {
    const auto Length = Known.Bounds.find(2 * Dim + 1);
    if (Length == Known.Bounds.end() || Length->second >= 0)
      continue;
    report(Loc, DiagnosticsEngine::Error,
           "the length of '%0' is negative: %1 elements")
        << text(I.Tokens) << std::to_string(Length->second);
    return false;
  }
  if (!mayBeContiguous(I, Known)) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' leaves parts of the rows of '%1' out: only memory in one "
           "piece can be in '%2'; name all of the inner dimensions, as in "
           "'[:]'")
        << text(I.Tokens) << text(I.Base) << Name;
    return false;
  }
  if (!I.Sections.empty() && I.Sections.front().Length.empty() &&
      !I.Sections.front().IsElement && Known.Class == TypeClass::Pointer) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' has no length, and '%1' is a pointer: write "
           "'%1[first:length]'")
        << text(I.Tokens) << text(I.Base);
    return false;
  }
  return true;
}

/// Whether two parts of one array share an element for certain.
static bool overlap(const Item &A, const ItemFacts &OfA, const Item &B,
                    const ItemFacts &OfB) {
  if (A.Sections.empty() || B.Sections.empty())
    return true;
  auto Bound = [](const ItemFacts &Known, unsigned Which, bool Has) {
    const auto Found = Known.Bounds.find(Which);
    return Found != Known.Bounds.end() ? std::optional(Found->second)
           : Has                       ? std::nullopt
                                       : std::optional<int64_t>(0);
  };
  const auto FirstA = Bound(OfA, 0, !A.Sections[0].Lower.empty()),
             FirstB = Bound(OfB, 0, !B.Sections[0].Lower.empty()),
             LengthA = Bound(OfA, 1, true), LengthB = Bound(OfB, 1, true);
  // Without a number for an end, two that begin together overlap.
  if (!FirstA || !FirstB)
    return false;
  if (*FirstA == *FirstB)
    return (!LengthA || *LengthA) && (!LengthB || *LengthB);
  if (*FirstA < *FirstB)
    return LengthA && *FirstA + *LengthA > *FirstB && (!LengthB || *LengthB);
  return LengthB && *FirstB + *LengthB > *FirstA && (!LengthA || *LengthA);
}

bool Planner::checkSpread(const Node &N, unsigned C) {
  const auto &Items = N.D->Clauses[C].Items;
  bool Good = true;
  for (unsigned I = 0; I < Items.size(); ++I) {
    if (!checkSpreadItem(N, C, I)) {
      Good = false;
      continue;
    }
    for (unsigned Other = 0; Other < I; ++Other) {
      if (text(Items[Other].Base) != text(Items[I].Base) ||
          !overlap(Items[Other], F.item(N.D->Ordinal, C, Other), Items[I],
                   F.item(N.D->Ordinal, C, I)))
        continue;
      report(Items[I].Tokens.front().getLocation(), DiagnosticsEngine::Error,
             "'%0' and '%1' overlap: an element is in one spread array; leave "
             "one of them out of '%2'")
          << text(Items[I].Tokens) << text(Items[Other].Tokens)
          << row(N.D->Kind).Spelling;
      Good = false;
      break;
    }
  }
  return Good;
}

/// `elements * bytes of one`: of what the item's brackets count.
static void addBlock(const Clause *Block, const Clause &C, const Item &I,
                     const ItemFacts &Known, Phrases &Out) {
  if (!Block || Block->Values.empty()) {
    Out.push_back(phrase("0, ", {}, "", C.Loc));
    return;
  }
  size_t Dims = I.Sections.size();
  if (Dims == 0)
    Dims = std::max<size_t>(1, Known.InnerExtents.size() + 1);
  std::string Element;
  for (size_t Dim = 0; Dim < Dims; ++Dim)
    Element += "[0]";
  Out.push_back(
      phrase("(unsigned long)(", Block->Values.front(), ") * ", Block->Loc));
  Out.push_back(phrase("sizeof((", I.Base, ")" + Element + "), ", C.Loc));
}

void Planner::planSpread(const Node &N) {
  const Directive &D = *N.D;
  const DirectiveKind K = D.Kind;
  const bool Statement =
      K == DirectiveKind::Spread || K == DirectiveKind::Replicate;
  const bool Exit =
      K == DirectiveKind::ExitSpread || K == DirectiveKind::ExitReplicate;
  const Clause *Of = D.find(ClauseKind::Argument);
  if (!Of || !checkSpread(N, Of - D.Clauses.begin()))
    return;
  if (Statement && N.Statement.empty()) {
    report(D.Loc, DiagnosticsEngine::Error,
           "expected a statement or a block behind '%0'; 'enter %0' and "
           "'exit %0' stand alone")
        << row(K).Spelling;
    return;
  }
  Rewrite R;
  R.Statement = N.Statement;
  const unsigned Flags =
      (K == DirectiveKind::Replicate || K == DirectiveKind::EnterReplicate
           ? Replicated
           : 0) |
      (isOpenAcc() ? AccNumbers : 0);
  const std::string Devices = Exit ? "" : addDevices(D, R.Before);
  std::vector<Phrases> Calls;
  for (unsigned Index = 0; Index < Of->Items.size(); ++Index) {
    const Item &I = Of->Items[Index];
    Phrases Call;
    if (!Exit)
      addWholeChecks(I, *Of, Call);
    if (Statement)
      Call.push_back(phrase("struct __accx_spread_scope __accx_spread_" +
                                std::to_string(D.Ordinal) + "_" +
                                std::to_string(Index) +
                                " __attribute__((cleanup(__accx_spread_end))) "
                                "= ",
                            {}, "", D.Loc));
    addCallOn(Exit        ? "__accx_spread_exit"
              : Statement ? "__accx_spread_begin"
                          : "__accx_spread_enter",
              *Of, I, ", " + Devices, Call);
    if (!Exit) {
      addBlock(D.find(ClauseKind::Block), *Of, I,
               F.item(D.Ordinal, Of - D.Clauses.begin(), Index), Call);
      Call.push_back(phrase(std::to_string(Flags) + "u, ", {}, "", Of->Loc));
    }
    Call.push_back(phrase(
        record(PP, I.Tokens.front().getLocation(), text(I.Tokens), true) +
            ", " + record(PP, D.Loc, row(K).Spelling.str(), false) + ");",
        {}, "", D.Loc));
    Calls.push_back(std::move(Call));
  }
  if (Exit)
    std::reverse(Calls.begin(), Calls.end());
  for (const Phrases &Call : Calls)
    R.Before.insert(R.Before.end(), Call.begin(), Call.end());
  const Clause *Listed = D.find(ClauseKind::Devices);
  remark(N, ("'" + row(K).Spelling + "(" + text(Of->Arguments) + ")' becomes " +
             (Exit ? "calls that take the arrays back, in reverse order"
              : Listed && !Listed->Values.empty()
                  ? "calls for the devices " + text(Listed->Arguments)
                  : "calls for all devices"))
                .str());
  Result.Rewrites.emplace(&N, std::move(R));
}

} // namespace accx::frontend
