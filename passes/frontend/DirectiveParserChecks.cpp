//===- DirectiveParserChecks.cpp - Rules between clauses ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of a directive's clauses together. The rules are rows and
// flags of the table; rules that need the surrounding code are elsewhere.
//
//===----------------------------------------------------------------------===//

#include "frontend/DirectiveParserContext.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

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
    if (!Present)
      Context.error(D.Loc, "'%0' needs %select{at least one of |}1%2")
          << Context.directiveName() << (Names.size() == 1)
          << listOf(Names, "and");
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

/// One variable has one place: it is not both copied and created.
static void checkMappings(ParseContext &Context) {
  llvm::StringMap<const Item *> Named;
  for (const Clause &C : Context.D.Clauses) {
    if (!has(C.Kind, Mapping))
      continue;
    for (const Item &I : C.Items) {
      std::string Text = Context.textOf(I.Tokens);
      auto [Place, New] = Named.try_emplace(Text, &I);
      if (New)
        continue;
      Context.error(I.Tokens.front().getLocation(),
                    "'%0' stands more than once in the data clauses of '%1'")
          << Text << Context.directiveName() << Context.rangeOf(I.Tokens);
      Context.note(Place->second->Tokens.front().getLocation(),
                   "it is first named here; leave one of them out");
    }
  }
}

void checkClauses(ParseContext &Context) {
  // A clause that was not understood may be the one that is missed.
  bool Complete = !Context.failed();
  checkDeviceParts(Context);
  checkPairs(Context);
  checkMappings(Context);
  if (!Complete)
    return;
  checkRequired(Context);
  checkLevel(Context);
}

} // namespace accx::frontend
