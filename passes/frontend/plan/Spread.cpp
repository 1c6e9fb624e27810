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
  Before.add("const int " + Name + "[] = {", D.Loc);
  for (TokenRange Device : Devices->Values)
    Before.add("(int)(", Device, "), ", Devices->Loc);
  Before.add("};", D.Loc);
  return Name + ", " + std::to_string(Devices->Values.size()) + ", ";
}

/// Where it is known at run time only that a section is in one piece: a check.
void Planner::addWholeChecks(const Item &I, const Clause &C, Phrases &Out) {
  std::string Element;
  for (unsigned Dim = 0; Dim < I.Sections.size(); ++Dim, Element += "[0]") {
    const Section &S = I.Sections[Dim];
    if (Dim == 0 || (S.Lower.empty() && S.Length.empty()))
      continue;
    Out.add("__accx_whole(1", C.Loc);
    for (unsigned Outer = 0; Outer < Dim; ++Outer)
      if (const Section &Around = I.Sections[Outer]; !Around.IsElement) {
        if (Around.Length.empty()) {
          Out.add(" * 2", C.Loc);
          continue;
        }
        Out.add(" * (long)(", Around.Length, ")", C.Loc);
      }
    Out.add(S.Lower.empty() ? ", 0" : ", (long)(", S.Lower,
            S.Lower.empty() ? ", " : "), ", C.Loc);
    if (S.IsElement)
      Out.add("1, ", C.Loc);
    else if (!S.Length.empty())
      Out.add("(long)(", S.Length, "), ", C.Loc);
    else
      addCount(I, S, Element, C, Out);
    if (!S.IsElement && S.Length.empty())
      Out.add("1, ", C.Loc);
    addExtent(I, Element, C, Out);
    Out.add("1, " + whereOf(I.Tokens) + ");", C.Loc);
  }
}

/// Whether an item names memory that can be spread; reports it if not.
bool Planner::checkSpreadItem(const ListItem &At) {
  const Item &I = At.item();
  const ItemFacts Known = F.item(At);
  const SourceLocation Loc = I.Tokens.front().getLocation();
  const StringRef Name = row(At.Of->Kind).Spelling;
  if (Known.IsFunction || Known.Class == TypeClass::Scalar) {
    error(Loc, "'%0' is no array, and '%1' takes arrays alone; a scalar needs "
               "no directive")
        << text(I.Base) << Name;
    return false;
  }
  if (Known.Class == TypeClass::Record) {
    error(Loc, "'%0' is no array, and '%1' takes arrays alone; name what it "
               "holds by a pointer, as in 'p[0:n]'")
        << text(I.Base) << Name;
    return false;
  }
  if (I.Sections.empty() && Known.Class == TypeClass::Pointer) {
    error(Loc, "'%0' is a pointer: '%1' needs the array's part, as in "
               "'%0[first:length]'")
        << text(I.Tokens) << Name;
    return false;
  }
  if (namesRows(At)) {
    error(Loc, "'%0' is a table of pointers, whose rows are no memory in one "
               "piece; '%1' one row, or allocate them together")
        << text(I.Base) << Name;
    return false;
  }
  if (!checkLengths(At))
    return false;
  if (!mayBeContiguous(I, Known)) {
    error(Loc,
          "'%0' leaves parts of the rows of '%1' out: only memory in one piece "
          "can be in '%2'; name all of the inner dimensions, as in '[:]'")
        << text(I.Tokens) << text(I.Base) << Name;
    return false;
  }
  if (I.hasNoLength() && Known.Class == TypeClass::Pointer) {
    error(Loc,
          "'%0' has no length, and '%1' is a pointer: write '%1[first:length]'")
        << text(I.Tokens) << text(I.Base);
    return false;
  }
  return true;
}

bool Planner::checkLengths(const ListItem &At) {
  const Item &I = At.item();
  for (unsigned Dim = 0; Dim < I.Sections.size(); ++Dim)
    if (const auto Length = F.item(At).length(Dim); Length && *Length < 0) {
      error(I.Tokens.front().getLocation(),
            "the length of '%0' is negative: %1 elements")
          << text(I.Tokens) << std::to_string(*Length);
      return false;
    }
  return true;
}

/// Whether two parts of one array share an element for certain.
static bool overlap(const Item &A, const ItemFacts &OfA, const Item &B,
                    const ItemFacts &OfB) {
  if (A.Sections.empty() || B.Sections.empty())
    return true;
  auto First = [](const Item &I, const ItemFacts &Known) {
    return I.Sections[0].Lower.empty() ? 0 : Known.first(0);
  };
  const auto FirstA = First(A, OfA), FirstB = First(B, OfB),
             LengthA = OfA.length(0), LengthB = OfB.length(0);
  // Without a number for an end, two that begin together overlap.
  if (!FirstA || !FirstB)
    return false;
  if (*FirstA == *FirstB)
    return (!LengthA || *LengthA) && (!LengthB || *LengthB);
  if (*FirstA < *FirstB)
    return LengthA && *FirstA + *LengthA > *FirstB && (!LengthB || *LengthB);
  return LengthB && *FirstB + *LengthB > *FirstA && (!LengthA || *LengthA);
}

bool Planner::checkSpread(const Node &N) {
  const auto Items = itemsOf(*N.D, {ClauseKind::Argument});
  bool Good = true;
  for (const ListItem &I : Items) {
    if (!checkSpreadItem(I)) {
      Good = false;
      continue;
    }
    for (const ListItem &Other : ArrayRef(Items).take_front(I.Index)) {
      if (text(Other.item().Base) != text(I.item().Base) ||
          !overlap(Other.item(), F.item(Other), I.item(), F.item(I)))
        continue;
      error(I.item().Tokens.front().getLocation(),
            "'%0' and '%1' overlap: an element is in one spread array; leave "
            "one of them out of '%2'")
          << text(I.item().Tokens) << text(Other.item().Tokens)
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
  if (!Block) {
    Out.add("0, ", C.Loc);
    return;
  }
  const size_t Dims =
      I.Sections.empty() ? Known.InnerExtents.size() + 1 : I.Sections.size();
  Out.add("(unsigned long)(", Block->Values.front(), ") * ", Block->Loc);
  Out.add("sizeof((", I.Base, element(Dims) + "), ", C.Loc);
}

bool Planner::planSpread(const Node &N, Rewrite &R) {
  const Directive &D = *N.D;
  const DirectiveKind K = D.Kind;
  const bool Statement =
      K == DirectiveKind::Spread || K == DirectiveKind::Replicate;
  const bool Exit =
      K == DirectiveKind::ExitSpread || K == DirectiveKind::ExitReplicate;
  const Clause &Of = *D.find(ClauseKind::Argument);
  if (!checkSpread(N))
    return false;
  if (Statement && N.Statement.empty()) {
    error(D.Loc, "expected a statement or a block behind '%0'; 'enter %0' and "
                 "'exit %0' stand alone")
        << row(K).Spelling;
    return false;
  }
  const unsigned Flags =
      (K == DirectiveKind::Replicate || K == DirectiveKind::EnterReplicate
           ? Replicated
           : 0) |
      (isOpenAcc() ? AccNumbers : 0);
  const std::string Devices = Exit ? "" : addDevices(D, R.Before);
  std::vector<Phrases> Calls;
  for (const ListItem &At : itemsOf(D, {ClauseKind::Argument})) {
    const Item &I = At.item();
    Phrases Call;
    if (!Exit)
      addWholeChecks(I, Of, Call);
    if (Statement)
      Call.add("struct __accx_spread_scope __accx_spread_" +
                   std::to_string(D.Ordinal) + "_" + std::to_string(At.Index) +
                   " __attribute__((cleanup(__accx_spread_end))) = ",
               D.Loc);
    addCallOn(Exit        ? "__accx_spread_exit"
              : Statement ? "__accx_spread_begin"
                          : "__accx_spread_enter",
              Of, I, ", " + Devices, Call);
    if (!Exit) {
      addBlock(D.find(ClauseKind::Block), Of, I, F.item(At), Call);
      Call.add(std::to_string(Flags) + "u, ", Of.Loc);
    }
    Call.add(recordOf(I) + ", " +
                 record(PP, D.Loc, row(K).Spelling.str(), false) + ");",
             D.Loc);
    Calls.push_back(std::move(Call));
  }
  if (Exit)
    std::reverse(Calls.begin(), Calls.end());
  for (const Phrases &Call : Calls)
    R.Before.append(Call);
  const Clause *Listed = D.find(ClauseKind::Devices);
  remark(N, ("'" + row(K).Spelling + "(" + text(Of.Arguments) + ")' becomes " +
             (Exit ? "calls that take the arrays back, in reverse order"
              : Listed && !Listed->Values.empty()
                  ? "calls for the devices " + text(Listed->Arguments)
                  : "calls for all devices"))
                .str());
  return true;
}

} // namespace accx::frontend
