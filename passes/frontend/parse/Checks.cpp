//===- Checks.cpp - Rules between clauses ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of a directive's clauses together. The rules are rows and
// flags of the table; rules that need the surrounding code are elsewhere.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Context.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

using clang::SourceLocation;
using clang::Token;
using llvm::SmallVector;
using llvm::StringRef;

namespace accx::frontend {

static void checkDeviceParts(ParseContext &Context) {
  const Clause *Selector = nullptr;
  for (const Clause &C : Context.D.Clauses) {
    if (!C.DevicePart)
      continue;
    if (C.Kind == ClauseKind::DeviceType) {
      Selector = &C;
    } else if (!has(C.Kind, PerDevice)) {
      Context.error(C.Loc, "'%0' cannot depend on the device type")
          << C.Spelling;
      if (Selector) // else it had a mistake of its own
        Context.note(Selector->Loc, "put it before this '%0'")
            << Selector->Spelling;
    }
  }
}

static bool mayRepeat(const Directive &D, const Clause &C) {
  // Where device_type begins no part it is an argument like others.
  if (C.Kind == ClauseKind::DeviceType && !C.DevicePart)
    return false;
  return repeatable(D.Kind, C.Kind);
}

static bool excludes(const Directive &D, ClauseKind A, ClauseKind B) {
  return llvm::any_of(exclusiveRows(), [&](const ClauseSetRow &R) {
    bool Applies = R.Directive == D.Kind ||
                   (D.HasLoop && R.Directive == DirectiveKind::Loop);
    return Applies && R.Clauses.contains(A) && R.Clauses.contains(B);
  });
}

/// Repetitions and conflicts: at most one report for each clause.
static void checkPairs(ParseContext &Context) {
  const Directive &D = Context.D;
  for (const Clause &C : D.Clauses)
    for (const Clause &Earlier : D.Clauses) {
      if (&Earlier == &C)
        break;
      if (Earlier.DevicePart != C.DevicePart)
        continue;
      if (Earlier.Kind == C.Kind && !mayRepeat(D, C)) {
        Context.error(C.Loc, "'%0' may stand only once on '%1'")
            << C.Spelling << Context.directiveName();
        Context.note(Earlier.Loc, "the first one is here");
        break;
      }
      if (Earlier.Kind != C.Kind && excludes(D, C.Kind, Earlier.Kind)) {
        Context.error(C.Loc, "'%0' and '%1' exclude each other on '%2'")
            << C.Spelling << Earlier.Spelling << Context.directiveName();
        Context.note(Earlier.Loc, "'%0' is here; leave one of them out")
            << Earlier.Spelling;
        break;
      }
    }
}

static void checkRequired(ParseContext &Context) {
  const Directive &D = Context.D;
  for (const ClauseSetRow &R : requiredRows()) {
    if (R.Directive != D.Kind)
      continue;
    SmallVector<StringRef, 12> Names;
    bool Present = false;
    for (const ClauseRow &Row : clauseRows())
      if (R.Clauses.contains(Row.Kind)) {
        Names.push_back(Row.Spelling);
        Present |= D.has(Row.Kind);
      }
    // A data construct without data does nothing, and other compilers take it.
    if (!Present && D.Kind == DirectiveKind::Data)
      Context.warning(D.Loc, "'data' without data clauses does nothing; "
                             "OpenACC asks for at least one of %0")
          << listOf(Names, "and");
    else if (!Present)
      Context.error(D.Loc, "'%0' needs %select{at least one of |}1%2")
          << Context.directiveName() << (Names.size() == 1)
          << listOf(Names, "and");
    if (!Present && isOperation(D.Kind))
      for (const ClauseRow &Row : clauseRows())
        if (R.Clauses.contains(Row.Kind))
          Context.note(Context.locOf(Context.end()), "add '%0'")
              << usage(D.Kind, Row.Kind);
  }
}

/// A routine without a level runs sequentially; older programs leave it out.
static void checkLevel(ParseContext &Context) {
  const Directive &D = Context.D;
  if (D.Kind != DirectiveKind::Routine)
    return;
  if (D.has(ClauseKind::Gang) || D.has(ClauseKind::Worker) ||
      D.has(ClauseKind::Vector) || D.has(ClauseKind::Seq))
    return;
  Context.warning(D.Loc, "'routine' without 'gang', 'worker', 'vector' or "
                         "'seq'; 'seq' is assumed");
}

/// What clauses \p A and \p B do together, if that is what a third clause does
/// alone. Only where a construct gives back what it took: elsewhere each clause
/// counts by itself. What moves no data may be said twice.
static std::optional<ClauseKind> together(const Directive &D, ClauseKind A,
                                          ClauseKind B) {
  static constexpr ClauseSet Joined = {ClauseKind::Copy, ClauseKind::CopyIn,
                                       ClauseKind::CopyOut, ClauseKind::Create};
  static constexpr ClauseSet Repeated = {
      ClauseKind::Present, ClauseKind::NoCreate, ClauseKind::DevicePtr};
  bool Dynamic =
      D.Kind == DirectiveKind::EnterData || D.Kind == DirectiveKind::ExitData;
  if (!Dynamic && A == B && Repeated.contains(A))
    return A;
  if (Dynamic || !Joined.contains(A) || !Joined.contains(B))
    return std::nullopt;
  if (A == B || B == ClauseKind::Create)
    return A;
  return A == ClauseKind::Create ? B : ClauseKind::Copy;
}

/// Puts item \p I, which clauses \p A and \p B name, in a clause of its own.
static Clause joined(const Clause &A, const Clause &B, const Item &I,
                     ClauseKind K) {
  Clause C = Clause::made(K, B.Loc);
  C.EndLoc = B.EndLoc;
  C.HasArguments = true;
  C.Arguments = I.Tokens;
  C.Items.push_back(I);
  for (const Clause *From : {&A, &B})
    for (StringRef M : From->Modifiers)
      if (llvm::is_contained(modifiers(K), M) && !C.hasModifier(M))
        C.Modifiers.push_back(M);
  if (!C.Modifiers.empty())
    C.Modifier = C.Modifiers.front();
  return C;
}

static void removeItem(Clause &C, const Token *At) {
  llvm::erase_if(C.Items,
                 [At](const Item &I) { return I.Tokens.begin() == At; });
}

/// One variable has one place. Clauses that agree are joined, so that every
/// item stands in one mapping clause; others are errors.
static void joinMappings(ParseContext &Context) {
  struct Mention {
    size_t Clause;
    const Token *At;
  };
  Directive &D = Context.D;
  llvm::StringMap<Mention> Named;
  // Joined clauses are appended, and looked at in their turn.
  for (size_t Index = 0; Index < D.Clauses.size(); ++Index) {
    if (!has(D.Clauses[Index].Kind, Mapping))
      continue;
    const auto Items = D.Clauses[Index].Items; // which lose joined ones
    for (const Item &I : Items) {
      std::string Text = Context.textOf(I.Tokens);
      auto [Place, New] =
          Named.try_emplace(Text, Mention{Index, I.Tokens.begin()});
      if (New || Place->second.At == I.Tokens.begin())
        continue;
      Mention First = Place->second;
      SourceLocation Loc = I.Tokens.front().getLocation();
      Clause &A = D.Clauses[First.Clause], &B = D.Clauses[Index];
      auto Kind = together(D, A.Kind, B.Kind);
      if (!Kind) {
        Context.error(Loc,
                      "'%0' stands more than once in the data clauses of '%1'")
            << Text << Context.directiveName() << Context.rangeOf(I.Tokens);
        Context.note(First.At->getLocation(),
                     "it is first named here; leave one of them out");
        continue;
      }
      Context.warning(Loc, "'%0' stands more than once in the data clauses of "
                           "'%1'; together they are '%2'")
          << Text << Context.directiveName() << row(*Kind).Spelling
          << Context.rangeOf(I.Tokens);
      Context.note(First.At->getLocation(), "it is first named here");
      Clause Both = joined(A, B, I, *Kind);
      removeItem(A, First.At);
      removeItem(B, I.Tokens.begin());
      Place->second = {D.Clauses.size(), I.Tokens.begin()};
      D.Clauses.push_back(std::move(Both));
    }
  }
  llvm::erase_if(D.Clauses, [](const Clause &C) {
    return has(C.Kind, Mapping) && C.Items.empty();
  });
}

void checkClauses(ParseContext &Context) {
  // A clause that was not understood may be the one that is missed.
  bool Complete = !Context.failed();
  checkDeviceParts(Context);
  checkPairs(Context);
  joinMappings(Context);
  if (!Complete)
    return;
  checkRequired(Context);
  checkLevel(Context);
}

} // namespace accx::frontend
