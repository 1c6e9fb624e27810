//===- OrderCosts.cpp - What a warp's accesses cost in an order -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of collapsed loops should be innermost, by the bytes that neighbours'
// accesses are apart.
//
//===----------------------------------------------------------------------===//

#include "affine/Factors.h"
#include "gridtune/LoopOrder.h"
#include "ir/Remark.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> Always("accx-grid-order-always", cl::init(false),
                            cl::Hidden,
                            cl::desc("Give all collapsed loops another order"));

namespace accx::gridtune {

/// Rests as what they are of the number.
std::optional<affine::Polynomial> LoopOrder::viewOf(Distances &D,
                                                    Value &V) const {
  for (const Place &P : Places) {
    if (is_contained(P.Quotients, &V))
      return D.atom(P.atom());
    if (!is_contained(P.Rests, &V))
      continue;
    affine::Polynomial Rest = D.of(*P.Dividend);
    D.Atoms.add(Rest, D.Atoms.multiply(D.atom(P.atom()), D.of(*P.Divisor)),
                ~uint64_t(0));
    return Rest;
  }
  return std::nullopt;
}

static constexpr unsigned Lanes = 32;

/// What a warp's access costs whose lanes are \p Distance apart, in sectors.
static uint64_t sectorsOf(const affine::Polynomial &Distance) {
  if (Distance.empty())
    return 1;
  if (Distance.size() > 1 || !Distance.begin()->first.empty())
    return Lanes;
  const uint64_t Bytes = Distance.begin()->second;
  // Indices of 32 bits may have wrapped on the way.
  const int64_t Least =
      std::min(std::abs(static_cast<int64_t>(Bytes)),
               std::abs(int64_t(static_cast<int32_t>(Bytes))));
  return static_cast<uint64_t>(std::clamp<int64_t>(Least, 1, Lanes));
}

/// Whether \p V may be another value for a neighbour, in a way that is not
/// known: what loops inside count from the same for all is not.
bool LoopOrder::varies(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return false;
  const auto *Counter = dyn_cast<PHINode>(I);
  const Loop *Inner = nullptr;
  for (const Loop *Sub : L.getLoopsInPreorder())
    if (Counter && Sub != &L && Sub->getHeader() == Counter->getParent())
      Inner = Sub;
  if (!Inner)
    return true;
  const auto *Next =
      Inner->getLoopLatch()
          ? dyn_cast<BinaryOperator>(
                Counter->getIncomingValueForBlock(Inner->getLoopLatch()))
          : nullptr;
  const BasicBlock *Before = Inner->getLoopPredecessor();
  return !Next || !Before || Next->getOpcode() != Instruction::Add ||
         !is_contained(Next->operands(), Counter) ||
         !all_of(Next->operands(),
                 [&](const Value *By) {
                   return By == Counter || L.isLoopInvariant(By);
                 }) ||
         !L.isLoopInvariant(Counter->getIncomingValueForBlock(Before));
}

/// How far neighbours of the loop of \p Moved access what lies \p Bytes behind
/// something, those of the innermost if that is null. None where this is not
/// known.
std::optional<affine::Polynomial>
LoopOrder::distanceOf(Distances &D, const affine::Polynomial &Bytes,
                      const Place *Moved) const {
  const auto AtomOf = [&](Value &V) {
    return D.atom(V).begin()->first.front();
  };
  const unsigned Number = AtomOf(*Grid.Iv);
  affine::Polynomial Distance;
  for (const auto &[Factors, Times] : Bytes) {
    affine::Monomial Others;
    std::optional<affine::Polynomial> By;
    for (unsigned Atom : Factors) {
      const auto *Of = find_if(
          Places, [&](const Place &P) { return AtomOf(P.atom()) == Atom; });
      if (Atom != Number && Of == Places.end()) {
        if (varies(D.valueOf(Atom)))
          return std::nullopt;
        Others.push_back(Atom);
        continue;
      }
      if (By)
        return std::nullopt; // A product of two.
      if (Atom == Number)
        By = Moved ? D.of(*Moved->Divisor) : D.Atoms.constant(1);
      else
        By = D.Atoms.constant(Of == Moved);
    }
    if (By)
      D.Atoms.add(Distance, D.Atoms.multiply({{Others, 1}}, *By), Times);
  }
  return Distance;
}

/// Loops in \p L around \p Block.
static unsigned depthIn(const Loop &L, const BasicBlock &Block) {
  return static_cast<unsigned>(
      count_if(L.getLoopsInPreorder(), [&](const Loop *Sub) {
        return Sub != &L && Sub->contains(&Block);
      }));
}

const Place *LoopOrder::best() {
  Distances D(L.getHeader()->getContext(), [&](Value &V) {
    return V.getType()->isIntegerTy() ? viewOf(D, V) : std::nullopt;
  });
  // Of neighbours of the innermost loop, and of each other one's.
  SmallVector<uint64_t, 3> Costs(1 + Places.size());
  for (BasicBlock *Block : L.blocks()) {
    const unsigned Bits = std::min(3 * depthIn(L, *Block), 12u);
    for (Instruction &I : *Block) {
      Value *Pointer = getLoadStorePointerOperand(&I), *Base = nullptr;
      if (!Pointer)
        continue;
      const affine::Polynomial Bytes = D.ofAddress(*Pointer, L, Base);
      const bool IsKnown = Base && L.isLoopInvariant(Base);
      for (unsigned Which = 0; Which < Costs.size(); ++Which) {
        const auto Distance =
            IsKnown ? distanceOf(D, Bytes, Which ? &Places[Which - 1] : nullptr)
                    : std::nullopt;
        // What is not known speaks for the order as it is.
        Costs[Which] += (Distance ? sectorsOf(*Distance)
                         : Which  ? Lanes
                                  : 1)
                        << Bits;
      }
    }
  }
  // A digit of what is left of the number is one of the number only if the
  // divisors are multiples.
  if (Places.size() == 2 &&
      !affine::isMultipleOf(*Places[0].Divisor, *Places[1].Divisor))
    Costs.pop_back();
  unsigned Best = 0;
  for (unsigned Which = 1; Which < Costs.size(); ++Which)
    if (Costs[Which] < Costs[Best])
      Best = Which;
  ir::printPlan(L, [&](raw_ostream &OS) {
    OS << "sectors of a warp: " << Costs[0] << " as it is";
    for (unsigned Which = 1; Which < Costs.size(); ++Which)
      OS << ", " << Costs[Which] << " by loop " << Which;
  });
  if (Best && Costs[Best] * 2 <= Costs[0])
    return &Places[Best - 1];
  return Always ? &Places[Costs.size() - 2] : nullptr;
}

} // namespace accx::gridtune
