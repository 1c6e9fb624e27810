//===- PlainLoops.cpp - Loops of kernels without a directive --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of the marked loops stay marked, from the outermost inwards:
//   - a loop that is proven, and what is tightly nested in it and proven, too;
//     what else is inside runs in order, in one thread;
//   - a loop that is not proven but has such a loop inside, with `seq`;
//   - none of the others: the construct is what it would be without marks.
//
// Beyond the proof nothing that the loop leaves behind may be lost: a variable
// that iterations have of their own must not be read after the loop.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/PlainLoops.h"

#include "frontend/parse/Report.h"
#include "frontend/parse/TokenText.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Preprocessor.h"

#include <set>

using namespace clang;

namespace accx::frontend {
namespace {

class Settler {
public:
  Settler(const Tree &T, Facts &F, Preprocessor &PP, bool Remarks)
      : T(T), F(F), PP(PP), Remarks(Remarks) {
    for (const auto &N : T.nodes())
      for (const ListItem &I : itemsOf(*N->D)) {
        const ClauseKind K = I.clause().Kind;
        if (row(K).Form != ArgumentForm::Variables ||
            K == ClauseKind::Private || K == ClauseKind::FirstPrivate)
          continue;
        InData.insert(I.name().str());
        if (I.item().Sections.empty() || N->D->Kind == DirectiveKind::Declare)
          OnDevice.insert(I.name().str());
      }
  }

  std::set<const Directive *> Dropped;

  void run() {
    for (const auto &N : T.nodes()) {
      if (N->D->Kind != DirectiveKind::Kernels)
        continue;
      const RangeCheck *Made =
          N->D->HasLoop ? settleOwn(*N, N.get(), nullptr) : nullptr;
      settle(N->Children, N.get(), Made);
    }
  }

private:
  /// Whether some of the \p Nodes are parallel loops, or have such inside.
  /// \p Construct: the kernels construct, if they are directly in it.
  /// \p Made: what is checked ahead of the loop around.
  bool settle(const std::vector<Node *> &Nodes, const Node *Construct,
              const RangeCheck *Made = nullptr) {
    bool Any = false;
    for (const Node *N : Nodes) {
      if (N->D->Kind != DirectiveKind::Loop)
        continue;
      if (!N->D->Implied) {
        settle(N->Children, nullptr, settleOwn(*N, Construct, Made));
        Any = true;
        continue;
      }
      Any |= settle(*N, [&](const RangeCheck &Check) {
        return Construct && canCheck(Check, *Construct);
      });
    }
    return Any;
  }

  /// \p Allows: whether a check can be made ahead of the loop.
  bool settle(const Node &N,
              llvm::function_ref<bool(const RangeCheck &)> Allows) {
    const std::string Why = findReason(N, Allows);
    if (Why.empty()) {
      addMissing(N);
      const auto IsMade = [&](const RangeCheck &Inner) {
        return isPartOf(Inner, F.statement(N.D->Ordinal).Ranges);
      };
      const Node *Inner = N.Children.size() == 1 ? N.Children.front() : nullptr;
      if (Inner && Inner->D->Implied &&
          isWhole(T.tokens(), N.LoopBody, *Inner) &&
          findReason(*Inner, IsMade).empty())
        settle(*Inner, IsMade);
      else
        drop(N.Children);
      return true;
    }
    if (Remarks)
      remark(PP.getDiagnostics(), N.D->Loc, /*Done=*/false,
             "loop runs sequentially: " + Why);
    if (!settle(N.Children, nullptr)) {
      Dropped.insert(N.D);
      return false;
    }
    N.D->Clauses.push_back(Clause::made(ClauseKind::Seq, N.D->Loc));
    return true;
  }

  /// A loop with a directive of its own. Returns what is checked ahead of it.
  const RangeCheck *settleOwn(const Node &N, const Node *Construct,
                              const RangeCheck *Made) {
    RangeCheck &Check = F.Records[N.D->Ordinal].Statement.Ranges;
    const bool IsPromised = N.D->has(ClauseKind::Independent);
    if (Check.empty() || IsPromised) {
      addMissing(N);
      return IsPromised ? nullptr : Made;
    }
    if (!N.D->HasLoop && Made && isPartOf(Check, *Made)) {
      addMissing(N);
      return Made;
    }
    if (Construct && !N.D->has(ClauseKind::Seq) &&
        canCheck(Check, *Construct) && !hasPrivates(N)) {
      addMissing(N);
      return &Check;
    }
    if (Construct)
      Check = {};
    return nullptr;
  }

  static bool isPartOf(const RangeCheck &Inner, const RangeCheck &Made) {
    return llvm::all_of(Inner.Apart, [&](const auto &Pair) {
      return llvm::is_contained(Made.Apart, Pair);
    });
  }

  /// Whether directives give iterations variables of their own: without them,
  /// in order, the loop would be another one.
  static bool hasPrivates(const Node &N) {
    return N.D->has(ClauseKind::Private) ||
           N.D->has(ClauseKind::FirstPrivate) ||
           llvm::any_of(N.Children,
                        [](const Node *Inner) { return hasPrivates(*Inner); });
  }

  void drop(const std::vector<Node *> &Nodes) {
    for (const Node *N : Nodes) {
      if (N->D->Implied)
        Dropped.insert(N->D);
      drop(N->Children);
    }
  }

  /// Whether what \p Check computes is the same on host and device, and stays
  /// so until the loop runs.
  bool canCheck(const RangeCheck &Check, const Node &Construct) const {
    const StatementFacts &S = F.statement(Construct.D->Ordinal);
    if (Check.ReadsMembers && S.WritesMembers)
      return false;
    return S.Known && llvm::none_of(Check.Names, [&](const std::string &Name) {
             const Variable *V = S.find(Name);
             return OnDevice.count(Name) ||
                    (V && V->Written && V->Class != TypeClass::Array);
           });
  }

  /// Why the loop cannot run in parallel; empty if it can.
  std::string
  findReason(const Node &N,
             llvm::function_ref<bool(const RangeCheck &)> Allows) const {
    const StatementFacts &S = F.statement(N.D->Ordinal);
    if (!S.Known || (!S.Independent && S.Dependence.empty()))
      return "its iterations are not counted";
    if (!S.Independent && S.Missing.empty() && S.Ranges.empty())
      return S.Dependence;
    if (!S.Ranges.empty() && !Allows(S.Ranges))
      return S.Dependence;
    for (const Variable &V : S.Outer) {
      const bool Reduced = llvm::any_of(
          S.Missing, [&](const auto &M) { return M.Name == V.Name; });
      if (!V.Written || V.Class == TypeClass::Array || V.WrittenAtomically ||
          Reduced)
        continue;
      const std::string Name =
          "'" + V.Name + "' (line " + std::to_string(V.Line) + ")";
      if (InData.count(V.Name))
        return Name + " has a data clause, and all iterations assign it";
      if (V.Class != TypeClass::Scalar && V.Class != TypeClass::Pointer)
        return Name + " is assigned as a whole";
      if (V.LiveAfter)
        return "the value of " + Name + " may be needed after the loop";
    }
    return {};
  }

  void addMissing(const Node &N) {
    StatementFacts &S = F.Records[N.D->Ordinal].Statement;
    if (N.D->has(ClauseKind::Independent)) {
      addAsserted(N, S);
      return;
    }
    if (N.D->has(ClauseKind::Seq) || S.Missing.empty())
      return;
    for (const MissingReduction &R : S.Missing)
      addReduction(*N.D, R, PP);
    S.Missing.clear();
    S.Independent = S.Ranges.empty();
    if (S.Independent)
      S.Dependence.clear();
  }

  /// `independent` speaks of what iterations access, and a sum is no less one:
  /// scalars of a kernels construct are shared, and it would be a race.
  void addAsserted(const Node &N, const StatementFacts &S) {
    const std::set<std::string> Listed =
        namesIn(*N.D, {ClauseKind::Private, ClauseKind::Reduction});
    for (const Variable &V : S.Outer)
      if (V.ReducedOnly && !V.WrittenAtomically &&
          V.Class == TypeClass::Scalar && !Listed.count(V.Name) &&
          !StringRef(V.Name).contains(':'))
        addReduction(*N.D, {V.Name, V.ReductionOperator}, PP);
  }

  const Tree &T;
  Facts &F;
  Preprocessor &PP;
  const bool Remarks;
  std::set<std::string> InData;
  /// Of these the device may have another value than the host.
  std::set<std::string> OnDevice;
};

} // namespace

void settlePlainLoops(Unit &U, Facts &F, Preprocessor &PP, bool Remarks) {
  const Tree T(U.Tokens);
  Settler S(T, F, PP, Remarks);
  S.run();
  llvm::erase_if(U.Tokens, [&](const Token &T) {
    return isDirective(T) && S.Dropped.count(directiveOf(T));
  });
}

void addReduction(Directive &D, const MissingReduction &R, Preprocessor &PP) {
  TokenVector &Name = D.Rewritten.emplace_back();
  lexText(PP, R.Name, D.Loc, Name);
  Clause C = Clause::made(ClauseKind::Reduction, D.Loc);
  for (StringRef Operator : modifiers(ClauseKind::Reduction))
    if (Operator == R.Operator)
      C.Modifier = Operator; // a literal, which stays
  Item I;
  I.Tokens = I.Base = Name;
  C.Items.push_back(std::move(I));
  D.Clauses.push_back(std::move(C));
}

} // namespace accx::frontend
