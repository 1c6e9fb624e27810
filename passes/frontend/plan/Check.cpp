//===- Check.cpp - Loops that are parallel if a check holds ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of a kernels construct whose pointers may overlap becomes two regions,
// a parallel one and a sequential one; the host compares addresses and chooses.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"

#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace clang;

namespace accx::frontend {

/// What has to hold for \p Loop, which stands for the whole construct or is
/// one of its statements; null if nothing has to.
const RangeCheck *ComputePlanner::rangeCheck(const Node *Loop) const {
  if (!Kernels || !Loop || Loop->D->has(ClauseKind::Independent) ||
      Loop->D->has(ClauseKind::Seq))
    return nullptr;
  const StatementFacts &Facts = P.F.statement(Loop->D->Ordinal);
  return Facts.Known && !Facts.Ranges.empty() ? &Facts.Ranges : nullptr;
}

void ComputePlanner::addRangeCheck(Rewrite &R) {
  const RangeCheck *Check =
      Fused && Fused->parallel() ? rangeCheck(Fused->N) : nullptr;
  if (!Check)
    return;
  std::set<std::string> Bases;
  for (const auto &[A, B] : Check->Apart) {
    R.Condition += llvm::formatv("{0}(__accx_high_{1} <= __accx_low_{2} || "
                                 "__accx_high_{2} <= __accx_low_{1})",
                                 R.Condition.empty() ? "" : " && ", A, B)
                       .str();
    Bases.insert({A, B});
  }
  std::string Code;
  for (const std::string &Base : Bases)
    Code += llvm::formatv("const char *__accx_low_{0} = (const char *)~0ul, "
                          "*__accx_high_{0} = (const char *)0; ",
                          Base)
                .str();
  R.Before.push_back(phrase(Code + Check->Code, {}, "", D.Loc));
  ComputePlanner InOrder(P, N);
  InOrder.Kernels = true;
  InOrder.OnDevice = OnDevice;
  InOrder.findNames();
  Rewrite Other;
  InOrder.planRegion(Other);
  R.Otherwise = std::move(Other.Directives.front());
  P.remark(*Fused->N, "the loop runs in parallel where memory does not "
                      "overlap, which is checked at run time: else " +
                          P.F.statement(Fused->N->D->Ordinal).Dependence);
}

} // namespace accx::frontend
