//===- WorkLoop.cpp - A loop dealt out to teams or threads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches a worksharing loop from its call of static init to its exit, and
// checks that nothing but the loop's control is in between. Passes for GPUs and
// for processors both use it.
//
//===----------------------------------------------------------------------===//

#include "offload/WorkLoop.h"

#include "offload/DeviceCalls.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::offload {

/// Whether nothing but loads, stores and \p Init touches \p Local.
static bool isPrivateTo(const AllocaInst &Local, const CallInst *Init) {
  return all_of(Local.users(), [&](const User *U) {
    if (U == Init)
      return true;
    if (const auto *Load = dyn_cast<LoadInst>(U))
      return Load->isSimple();
    if (const auto *Store = dyn_cast<StoreInst>(U))
      return Store->isSimple() && Store->getPointerOperand() == &Local;
    return cast<Instruction>(U)->isLifetimeStartOrEnd();
  });
}

/// The value that \p Local holds at \p At: that of the last store that comes
/// before it on all ways. Other stores must come after. Loops that initialize
/// private arrays may stand in between.
static Value *heldAt(const AllocaInst &Local, Instruction &At,
                     const LoopInfo &Loops) {
  for (Instruction *I = At.getPrevNode(); I; I = I->getPrevNode())
    if (auto *Store = dyn_cast<StoreInst>(I);
        Store && Store->getPointerOperand() == &Local)
      return Store->getValueOperand();
  if (Loops.getLoopFor(At.getParent()))
    return nullptr;
  const DominatorTree DT(*At.getFunction());
  const StoreInst *Last = nullptr;
  for (const User *U : Local.users()) {
    const auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || DT.dominates(&At, Store))
      continue;
    if (!DT.dominates(Store, &At) || Loops.getLoopFor(Store->getParent()))
      return nullptr;
    if (!Last || DT.dominates(Last, Store))
      Last = Store;
    else if (!DT.dominates(Store, Last))
      return nullptr;
  }
  return Last ? const_cast<Value *>(Last->getValueOperand()) : nullptr;
}

/// The variable that takes the values of \p Lower.
static AllocaInst *counterOf(const AllocaInst &Lower) {
  AllocaInst *Counter = nullptr;
  for (const User *U : Lower.users()) {
    if (!isa<LoadInst>(U))
      continue;
    for (const User *Use : U->users()) {
      const auto *Store = dyn_cast<StoreInst>(Use);
      auto *Target =
          Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
      if (!Target || Target == &Lower ||
          Target->getAllocatedType() != Lower.getAllocatedType())
        continue;
      if (Counter && Counter != Target)
        return nullptr;
      Counter = const_cast<AllocaInst *>(Target);
    }
  }
  return Counter;
}

AllocaInst *testedVariable(const BasicBlock &Block) {
  const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  const auto *Compare = Branch && Branch->isConditional()
                            ? dyn_cast<ICmpInst>(Branch->getCondition())
                            : nullptr;
  auto *Load = Compare
                   ? dyn_cast<LoadInst>(stripExtensions(Compare->getOperand(0)))
                   : nullptr;
  return Load && Load->getParent() == &Block
             ? dyn_cast<AllocaInst>(Load->getPointerOperand())
             : nullptr;
}

static Refusal matchArguments(WorkLoop &W, const LoopInfo &Loops) {
  StringRef Suffix = calledName(*W.Init);
  W.IsDistribute = Suffix.consume_front(DistributeInit);
  if (!W.IsDistribute && !Suffix.consume_front(ForInit))
    return Refusal::UnknownSchedule;
  if ((Suffix != "4" && Suffix != "4u" && Suffix != "8" && Suffix != "8u") ||
      W.Init->arg_size() <= staticinit::Chunk)
    return Refusal::UnknownSchedule;
  W.Is64 = Suffix.starts_with("8");
  W.IsUnsigned = Suffix.ends_with("u");
  W.Schedule = constantArgument(*W.Init, staticinit::Schedule).value_or(0);
  W.Chunk = constantArgument(*W.Init, staticinit::Chunk).value_or(0);
  if (auto *Chunk = dyn_cast<Instruction>(
          stripExtensions(W.Init->getArgOperand(staticinit::Chunk))))
    W.ChunkIsBlock = calledName(*Chunk) == BlockThreads;
  if (constantArgument(*W.Init, staticinit::Increment) != 1)
    return Refusal::BoundsUnknown;

  Type *Wanted = IntegerType::get(W.Init->getContext(), W.Is64 ? 64 : 32);
  const auto Take = [&](unsigned Argument, AllocaInst *&Local) {
    Local = dyn_cast<AllocaInst>(W.Init->getArgOperand(Argument));
    return Local && isPrivateTo(*Local, W.Init) &&
           (Argument == staticinit::Last ||
            Local->getAllocatedType() == Wanted);
  };
  if (!Take(staticinit::Last, W.Last) || !Take(staticinit::Lower, W.Lower) ||
      !Take(staticinit::Upper, W.Upper) || !Take(staticinit::Stride, W.Stride))
    return Refusal::VariableNotLocal;
  W.First = heldAt(*W.Lower, *W.Init, Loops);
  W.End = heldAt(*W.Upper, *W.Init, Loops);
  return W.First && W.End ? Refusal::None : Refusal::BoundsUnknown;
}

Refusal WorkLoop::match(CallInst &Init, const LoopInfo &Loops, WorkLoop &W) {
  W = WorkLoop();
  W.Init = &Init;
  if (Refusal R = matchArguments(W, Loops); R != Refusal::None)
    return R;
  W.Counter = counterOf(*W.Lower);
  if (!W.Counter || !isPrivateTo(*W.Counter, nullptr))
    return Refusal::VariableNotLocal;

  for (const Loop *L : Loops.getLoopsInPreorder()) {
    if (testedVariable(*L->getHeader()) != W.Counter)
      continue;
    if (W.Nest)
      return Refusal::LoopUnknown;
    W.Nest = L;
  }
  if (!W.Nest || W.Nest->contains(&Init))
    return Refusal::LoopUnknown;
  W.Header = W.Nest->getHeader();
  W.Latch = W.Nest->getLoopLatch();
  if (!W.Latch)
    return Refusal::LoopUnknown;
  if (W.Nest->getExitingBlock() != W.Header)
    return Refusal::SeveralExits;
  const auto *Branch = cast<BranchInst>(W.Header->getTerminator());
  const bool FirstIsBody = W.Nest->contains(Branch->getSuccessor(0));
  W.Body = Branch->getSuccessor(FirstIsBody ? 0 : 1);
  W.Exit = Branch->getSuccessor(FirstIsBody ? 1 : 0);
  // The counter is set where the body begins.
  if (W.Body->getSinglePredecessor() != W.Header)
    return Refusal::LoopUnknown;
  BasicBlock *const Done = W.Exit;
  const Loop *const Around = Loops.getLoopFor(Init.getParent());
  if (const Loop *Chunks = W.Nest->getParentLoop(); Chunks != Around) {
    W.Exit = Chunks ? Chunks->getUniqueExitBlock() : nullptr;
    if (!W.Exit || Chunks->getParentLoop() != Around)
      return Refusal::LoopUnknown;
  }
  if (isa<PHINode>(W.Header->front()) || isa<PHINode>(W.Exit->front()))
    return Refusal::LoopUnknown;
  if (!W.onlyControl(std::next(Init.getIterator())) ||
      !W.onlyControl(Done->begin()))
    return Refusal::CodeBetween;
  W.IsRepeated = Around;
  return Around ? Refusal::LoopUnknown : Refusal::None;
}

bool WorkLoop::onlyControl(BasicBlock::iterator From) const {
  SmallPtrSet<const Value *, 32> Skipped;
  SmallPtrSet<BasicBlock *, 8> Visited;
  SmallVector<BasicBlock *, 8> Worklist;
  const auto MayStoreTo = [&](const Value *Pointer) {
    return Pointer == Counter || Pointer == Lower || Pointer == Upper;
  };
  const auto Scan = [&](BasicBlock::iterator Begin) {
    for (Instruction &I : make_range(Begin, Begin->getParent()->end())) {
      Skipped.insert(&I);
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        if (!Load->isSimple() || !isa<AllocaInst>(Load->getPointerOperand()))
          return false;
      } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
        if (!Store->isSimple() || !MayStoreTo(Store->getPointerOperand()))
          return false;
      } else if (!isMarker(I) && !isa<CastInst, BinaryOperator, CmpInst,
                                      SelectInst, PHINode, BranchInst>(I)) {
        return false;
      }
    }
    append_range(Worklist, successors(Begin->getParent()));
    return true;
  };
  if (From->getParent() == Exit || From->getParent() == Header)
    return true;
  if (!Scan(From))
    return false;
  while (!Worklist.empty()) {
    BasicBlock *Next = Worklist.pop_back_val();
    if (Next == Header || Next == Exit || !Visited.insert(Next).second)
      continue;
    if (!Scan(Next->begin()))
      return false;
  }
  return all_of(Skipped, [&](const Value *I) {
    return all_of(I->users(), [&](const User *U) { return Skipped.count(U); });
  });
}

bool WorkLoop::readsLast() const {
  return any_of(Last->users(), [](const User *U) { return isa<LoadInst>(U); });
}

bool WorkLoop::isCyclic() const {
  if (IsDistribute)
    return Schedule == schedule::DistributeChunked && ChunkIsBlock;
  // Without a chunk size a thread takes its share of a chunk of the team: one
  // iteration where that chunk has as many iterations as the team has threads.
  return Schedule == schedule::Static ||
         (Schedule == schedule::StaticChunked && Chunk == 1);
}

/// An expression over arguments, as far as it can be read.
static void printValue(raw_ostream &OS, Value *V, unsigned Depth = 0) {
  V = originOf(V);
  if (auto *Constant = dyn_cast<ConstantInt>(V)) {
    OS << Constant->getSExtValue();
    return;
  }
  if (auto *Captured = dyn_cast<Argument>(V)) {
    OS << "arg" << Captured->getArgNo();
    return;
  }
  auto *Binary = dyn_cast<BinaryOperator>(V);
  if (!Binary || Depth > 8) {
    OS << '?';
    return;
  }
  auto *Right = dyn_cast<ConstantInt>(Binary->getOperand(1));
  const unsigned Op = Binary->getOpcode();
  const bool IsNeutral =
      Right &&
      ((Right->isZero() &&
        (Op == Instruction::Add || Op == Instruction::Sub)) ||
       (Right->isOne() && (Op == Instruction::Mul || Op == Instruction::SDiv ||
                           Op == Instruction::UDiv)));
  if (IsNeutral) {
    printValue(OS, Binary->getOperand(0), Depth + 1);
    return;
  }
  OS << '(';
  printValue(OS, Binary->getOperand(0), Depth + 1);
  OS << ' ' << Binary->getOpcodeName() << ' ';
  printValue(OS, Binary->getOperand(1), Depth + 1);
  OS << ')';
}

void WorkLoop::print(raw_ostream &OS) const {
  OS << (IsDistribute ? "distribute" : "for") << ": "
     << (IsUnsigned ? 'u' : 'i') << (Is64 ? 64 : 32) << " 0..";
  printValue(OS, End);
  OS << ", schedule ";
  switch (Schedule) {
  case schedule::Static:
  case schedule::Distribute:
    OS << "static";
    break;
  case schedule::StaticChunked:
  case schedule::DistributeChunked:
    OS << "static, chunk ";
    if (ChunkIsBlock)
      OS << "of a block";
    else if (Chunk)
      OS << Chunk;
    else
      OS << '?';
    break;
  default:
    OS << '?';
  }
  if (readsLast())
    OS << ", lastprivate";
}

} // namespace accx::offload
