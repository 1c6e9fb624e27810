//===- InstanceFacts.cpp - Facts of templates from their instances --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template's directives are planned once, as tokens, for all of its
// instances. What depends on its parameters is known in the instances: a fact
// counts where all of the unit's agree.
//
// Joins the facts of a template's instances into those of the template. What
// one instance may do the template may do, and what is known of all is known of
// it.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/StatementFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace accx::frontend {

/// What holds of \p A and of \p B.
static void join(Variable &A, const Variable &B) {
  A.IsReference |= B.IsReference;
  A.IsConst &= B.IsConst;
  A.HasVariableLength |= B.HasVariableLength;
  A.Written |= B.Written;
  A.WrittenAtomically &= B.WrittenAtomically;
  A.Assigned |= B.Assigned;
  A.SurelyWritten |= B.SurelyWritten;
  A.WrittenFirst &= B.WrittenFirst;
  A.LiveAfter |= B.LiveAfter;
  A.PointeeWritten |= B.PointeeWritten;
  A.ReducesExactly &= B.ReducesExactly;
  A.ReadFirst |= B.ReadFirst;
  A.ReducedOnly &= B.ReducedOnly && A.ReductionOperator == B.ReductionOperator;
  if (!A.ReducedOnly)
    A.ReductionOperator.clear();
}

/// A variable whose type depends on a parameter.
static void addVariable(Variable &Of,
                        llvm::ArrayRef<StatementFacts> Instances) {
  Variable All;
  bool IsFirst = true;
  for (const StatementFacts &I : Instances) {
    const Variable *V = I.find(Of.Name);
    if (!V || (!IsFirst && V->Class != All.Class))
      return;
    if (IsFirst)
      All = *V;
    else
      join(All, *V);
    IsFirst = false;
  }
  All.Line = Of.Line;
  Of = std::move(All);
}

static bool isSame(const MissingReduction &A, const MissingReduction &B) {
  return A.Name == B.Name && A.Operator == B.Operator;
}

static bool isSame(const RangeCheck &A, const RangeCheck &B) {
  return A.Apart == B.Apart && A.Code == B.Code && A.Names == B.Names;
}

/// Whether iterations are independent.
static void addIndependence(StatementFacts &Pattern,
                            llvm::ArrayRef<StatementFacts> Instances) {
  const auto IsProven = [](const StatementFacts &I) {
    return I.Independent || !I.Missing.empty() || !I.Ranges.empty();
  };
  const StatementFacts *Refused = llvm::find_if_not(Instances, IsProven);
  if (Refused != Instances.end()) {
    if (!Refused->Dependence.empty())
      Pattern.Dependence = Refused->Dependence;
    return;
  }
  // One that has to be checked, or reduces, speaks for those that need not.
  const StatementFacts *Most = &Instances.front();
  for (const StatementFacts &I : Instances)
    if (I.Ranges.Apart.size() > Most->Ranges.Apart.size() ||
        I.Missing.size() > Most->Missing.size())
      Most = &I;
  for (const StatementFacts &I : Instances)
    if ((!I.Ranges.empty() && !isSame(I.Ranges, Most->Ranges)) ||
        !std::equal(I.Missing.begin(), I.Missing.end(), Most->Missing.begin(),
                    Most->Missing.end(), [](const auto &A, const auto &B) {
                      return isSame(A, B);
                    })) {
      Pattern.Dependence = "instances of the template differ";
      return;
    }
  Pattern.Independent = Most->Independent;
  Pattern.Dependence = Most->Dependence;
  Pattern.Missing = Most->Missing;
  Pattern.Ranges = Most->Ranges;
}

void addInstances(StatementFacts &Pattern,
                  llvm::ArrayRef<StatementFacts> Instances) {
  if (Instances.empty())
    return;
  for (Variable &V : Pattern.Outer)
    if (V.Class == TypeClass::Unknown)
      addVariable(V, Instances);
  for (const StatementFacts &I : Instances)
    Pattern.WritesMembers |= I.WritesMembers;
  if (!Pattern.Independent && Pattern.Missing.empty() &&
      Pattern.Ranges.empty() && !Pattern.Dependence.empty())
    addIndependence(Pattern, Instances);
  if (Pattern.Certain.empty() &&
      llvm::all_of(Instances, [](const StatementFacts &I) {
        return !I.Certain.empty();
      })) {
    Pattern.Certain = Instances.front().Certain;
    Pattern.CertainName = Instances.front().CertainName;
  }
}

} // namespace accx::frontend
