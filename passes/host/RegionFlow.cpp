//===- RegionFlow.cpp - Where regions may be under way --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RegionFlow.h. What instructions see is in Sight.cpp.
//
//===----------------------------------------------------------------------===//

#include "host/RegionFlow.h"

#include "offload/DeviceCalls.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace accx::host {

bool isLaunch(const Instruction &I) {
  return isa<CallInst>(I) && offload::calledName(I) == Launch &&
         cast<CallInst>(I).arg_size() == RegionArgs + 1;
}

const Function *RegionFlow::openCallee(const Instruction &I) const {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Open.contains(Callee) ? Callee : nullptr;
}

RegionFlow::RegionFlow(Function &F, const FunctionSet &Open,
                       const TargetTasks &Tasks)
    : F(F), Open(Open), Tasks(Tasks),
      Some{true, true, hasTargetTasks(*F.getParent())} {}

UnderWay RegionFlow::started(const Instruction &I) const {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return {};
  if (openCallee(I))
    return Some;
  return Late.contains(const_cast<CallInst *>(Call)) ? leftBy(I) : UnderWay();
}

/// What the launch or task \p I leaves under way if it is late.
UnderWay RegionFlow::leftBy(const Instruction &I) const {
  return Tasks.isHandedOver(I) ? UnderWay{false, false, true}
                               : UnderWay{true, true, false};
}

Sight RegionFlow::seen(const Instruction &I) const {
  if ((isa<ReturnInst>(I) && isOpen()) || openCallee(I))
    return {};
  return Sights.lookup(&I);
}

bool RegionFlow::hasLaunch(const Loop &L) const {
  return any_of(L.blocks(), [&](const BasicBlock *B) {
    return any_of(*B, [&](const Instruction &I) { return started(I).any(); });
  });
}

/// A loop without launches would wait again and again, for nothing but once.
void RegionFlow::lookAhead(const Loop &L) {
  if (hasLaunch(L)) {
    for (const Loop *Inner : L)
      lookAhead(*Inner);
    return;
  }
  Sight Most;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (const Sight S = seen(I); S.What < Most.What)
        Most = S;
  if (!Most.sees())
    return;
  Most.OfLoop = true;
  for (BasicBlock *From : predecessors(L.getHeader()))
    if (!L.contains(From))
      if (Sight &Known = Ahead[From]; Most.What < Known.What)
        Known = Most;
}

void RegionFlow::lookAhead(const LoopInfo &Loops) {
  Ahead.clear();
  for (const Loop *L : Loops)
    lookAhead(*L);
}

/// Goes on to the end of \p B with what is under way, \p U. Visits launches,
/// and what sees regions, with what is under way there.
void RegionFlow::walk(BasicBlock &B, BasicBlock::iterator From, UnderWay &U,
                      Visitor Visit) {
  for (Instruction &I : make_range(From, B.end())) {
    if (I.isTerminator())
      if (auto Loop = Ahead.find(&B); Loop != Ahead.end()) {
        Visit(I, Loop->second, U);
        U.settle(Loop->second);
      }
    if (const UnderWay More = started(I); More.any()) {
      Visit(I, Sight(), U);
      U.join(More);
    } else if (settlesItself(I)) {
      U = UnderWay();
    } else if (const Sight S = seen(I); S.sees()) {
      Visit(I, S, U);
      U.settle(S);
    }
  }
}

/// \p U on the way to \p To: where a launch says that the region has to run on
/// the host, the runtime has waited for all others.
UnderWay RegionFlow::along(const BasicBlock &From, const BasicBlock &To,
                           UnderWay U) {
  using namespace PatternMatch;
  ICmpInst::Predicate Predicate;
  Instruction *Call = nullptr;
  BasicBlock *Then = nullptr, *Else = nullptr;
  if (!match(From.getTerminator(),
             m_Br(m_ICmp(Predicate, m_Instruction(Call), m_Zero()),
                  m_BasicBlock(Then), m_BasicBlock(Else))) ||
      Then == Else || !ICmpInst::isEquality(Predicate) ||
      Call->getParent() != &From || !isLaunch(*Call))
    return U;
  // Behind it there is none.
  for (const Instruction *I = Call; (I = I->getNextNode());)
    if (isLaunch(*I))
      return U;
  return &To == (Predicate == ICmpInst::ICMP_EQ ? Else : Then) ? UnderWay() : U;
}

void RegionFlow::flow() {
  Begin.clear();
  if (isOpen())
    Begin[&F.getEntryBlock()] = Some;
  const ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *B : Order) {
      UnderWay U = Begin.lookup(B);
      walk(*B, B->begin(), U, [](Instruction &, const Sight &, UnderWay) {});
      for (BasicBlock *To : successors(B))
        Changed |= Begin[To].join(along(*B, *To, U));
    }
  }
}

void RegionFlow::visit(Visitor Visit) {
  for (BasicBlock &B : F) {
    UnderWay U = Begin.lookup(&B);
    walk(B, B.begin(), U, Visit);
  }
}

void RegionFlow::follow(
    CallInst &From, function_ref<void(Instruction &, const Sight &)> Visit) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<BasicBlock *, 16> Ways;
  auto Look = [&](BasicBlock &B, BasicBlock::iterator I) {
    UnderWay U = leftBy(From);
    walk(B, I, U, [&](Instruction &Next, const Sight &S, UnderWay Now) {
      if (S.sees() ? Now.isSeenBy(S) : Now.any())
        Visit(Next, S);
    });
    for (BasicBlock *To : successors(&B))
      if (along(B, *To, U).any() && Seen.insert(To).second)
        Ways.push_back(To);
  };
  Look(*From.getParent(), std::next(From.getIterator()));
  while (!Ways.empty()) {
    BasicBlock &B = *Ways.pop_back_val();
    Look(B, B.begin());
  }
}

} // namespace accx::host
