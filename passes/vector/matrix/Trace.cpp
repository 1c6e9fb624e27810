//===- Trace.cpp - What a nest of short loops computes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk through a nest's iterations, block by block; see Trace.h.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Tracer.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::vector {

/// 8x8x8 turns of some thirty instructions.
static constexpr unsigned MostSteps = 32768;

bool Tracer::isIgnored(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  HasScopes |= isa<NoAliasScopeDeclInst>(Call);
  return isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(Call);
}

void Tracer::enter(BasicBlock *From, BasicBlock *To) {
  SmallVector<std::pair<PHINode *, Known>, 8> Taken;
  for (PHINode &Phi : To->phis())
    Taken.push_back({&Phi, known(Phi.getIncomingValueForBlock(From))});
  for (auto &[Phi, K] : Taken)
    Values[Phi] = std::move(K);
}

BasicBlock *Tracer::next(BasicBlock *Block) {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  if (!Branch)
    return nullptr;
  if (Branch->isUnconditional())
    return Branch->getSuccessor(0);
  std::optional<int64_t> Condition = known(Branch->getCondition()).asInteger();
  return Condition ? Branch->getSuccessor(*Condition ? 0 : 1) : nullptr;
}

StringRef Tracer::finish(BasicBlock *From, BasicBlock *Exit) {
  Trace.Exit = Exit;
  for (PHINode &Phi : Exit->phis()) {
    Known K = known(Phi.getIncomingValueForBlock(From));
    TracedLiveOut Out{&Phi, nullptr, {}};
    if (K.Kind == Known::Number)
      Out.Fixed = K.Fixed;
    else if (K.Kind == Known::Linear && Phi.getType()->isPointerTy())
      Out.Linear = K.Form;
    else if (K.Kind == Known::Node &&
             Trace.Nodes[K.Index].Kind == TraceNode::Outside)
      Out.Fixed = Trace.Nodes[K.Index].From;
    else
      return "a value of the last iteration is used behind it";
    Trace.LiveOuts.push_back(std::move(Out));
  }
  // Scopes that begin with every iteration say nothing about all of them.
  if (HasScopes)
    for (TracedArray &Array : Trace.Arrays)
      Array.Tags.Scope = Array.Tags.NoAlias = nullptr;
  return {};
}

StringRef Tracer::run() {
  BasicBlock *From = L.getLoopPreheader(), *Block = L.getHeader();
  unsigned Steps = 0;
  while (L.contains(Block)) {
    enter(From, Block);
    for (Instruction &I : *Block) {
      if (isa<PHINode>(I) || I.isTerminator() || isIgnored(I))
        continue;
      if (++Steps > MostSteps)
        return "it takes too many steps";
      Values[&I] = execute(I);
      if (!Why.empty())
        return Why;
    }
    if (++Steps > MostSteps)
      return "it takes too many steps";
    From = Block;
    Block = next(Block);
    if (!Block)
      return "it decides by what is not known";
  }
  return finish(From, Block);
}

StringRef traceNest(Loop &L, MatrixTrace &Trace) {
  return Tracer(L, Trace).run();
}

} // namespace accx::vector
