//===- Emit.cpp - Copies of arrays in shared memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps that write a nest: the loop over blocks, and for each group of
// arrays the shared memory, the barriers, the fetch and the redirected
// accesses. The steps have sources of their own; their order and the choice of
// barriers are here.
//
//===----------------------------------------------------------------------===//

#include "smc/Emit.h"

#include "blocks/Notes.h"
#include "gpu/SharedMemory.h"
#include "ir/LoopCopy.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>

using namespace llvm;
using namespace accx::blocks;

namespace accx::smc {

namespace {

class NestWriter {
  Emission E;
  std::map<const ArrayPlan *, Turns> Turn;
  const bool Stays;

public:
  NestWriter(NestPlan &P, bool Check, bool Stays) : E(P, Check), Stays(Stays) {}

  void write() {
    NestPlan &P = E.P;
    SmallPtrSet<const GroupPlan *, 4> Early;
    SmallPtrSet<const GroupPlan *, 4> ReadBehind;
    for (const GroupPlan &G : P.Groups) {
      if (!isWrittenBefore(G))
        Early.insert(&G);
      if (isReadBehind(G))
        ReadBehind.insert(&G);
    }
    for (GroupPlan &G : P.Groups)
      for (ArrayPlan &A : G.Arrays)
        if (A.InTurn &= !E.Check; A.InTurn)
          takeTurns(A, Turn[&A]);
    SmallVector<CallInst *, 8> Barriers;
    for (BasicBlock *Block : P.Nest.Nest->blocks())
      for (Instruction &I : *Block)
        if (noteOf(I) == NoteKind::Barrier)
          Barriers.push_back(cast<CallInst>(&I));
    PlaceForms Forms(P);
    const bool HasInterior = Stays && !P.Nest.IsWhole;
    if (HasInterior)
      P.Nest.Latch = SplitBlock(P.Nest.Latch, P.Nest.Latch->getTerminator());
    E.Place = emitBlockLoop(P.Nest, P.Shape, Stays);
    P.Grid = E.Place.Grid;
    for (unsigned D = 0; D < P.Shape.size(); ++D) {
      Value *Index = P.Nest.Indices[D].V;
      E.Origins[Index] = E.Origins[E.Place.Own[D]] = E.Place.Origin[D];
      E.Now[Index] = E.Place.Own[D];
    }
    Forms.use(E);
    for (GroupPlan &G : P.Groups) {
      writeGroup(G, Early.contains(&G));
      if (ReadBehind.contains(&G)) {
        IRBuilder<> B(G.Arrays.front().End);
        barrier(B);
      }
    }
    for (CallInst *Note : Barriers) {
      IRBuilder<> B(Note);
      barrier(B);
      Note->eraseFromParent();
    }
    if (HasInterior)
      splitInterior(E);
    if (P.Team && !Stays)
      turnAround(P.Nest);
    // What each of so many steps needs is computed anew in each block: there
    // are no registers to hold it for all.
    constexpr unsigned ManyTurns = 16;
    if (Stays && P.MostTurns > ManyTurns)
      ir::renewLoop(
          *P.Nest.Latch->getTerminator(), {},
          ir::loopOption(P.Nest.Latch->getContext(), "llvm.licm.disable"));
  }

private:
  /// Whether an iteration runs one of \p Which on its way to \p At, or behind
  /// it.
  bool runs(const Instruction &At, bool IsAhead,
            function_ref<bool(const Instruction &)> Which) const {
    const BasicBlock *Own = At.getParent();
    if (any_of(IsAhead ? make_range(Own->begin(), At.getIterator())
                       : make_range(At.getIterator(), Own->end()),
               Which))
      return true;
    const Loop &Nest = *E.P.Nest.Nest;
    SmallPtrSet<const BasicBlock *, 16> Seen = {Nest.getHeader()};
    SmallVector<const BasicBlock *, 16> Work;
    const auto GoOn = [&](const BasicBlock *From) {
      if (IsAhead)
        append_range(Work, predecessors(From));
      else
        append_range(Work, successors(From));
    };
    // The own block, too, counts as a whole where a loop comes back to it.
    GoOn(Own);
    while (!Work.empty()) {
      const BasicBlock *Block = Work.pop_back_val();
      if (!Nest.contains(Block) || !Seen.insert(Block).second)
        continue;
      if (any_of(*Block, Which))
        return true;
      GoOn(Block);
    }
    return false;
  }

  static bool hasParts(const GroupPlan &G) {
    return any_of(G.Arrays, [](const ArrayPlan &A) { return A.Part; });
  }

  static bool isNothing(const Instruction &I) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    const Value *Address = getLoadStorePointerOperand(&I);
    return (Call && Call->isAssumeLikeIntrinsic()) ||
           (Address && localOf(Address));
  }

  /// Whether an iteration may write memory on its way to the group: what is
  /// fetched then depends on what other threads have done.
  bool isWrittenBefore(const GroupPlan &G) const {
    const bool GoesBack = any_of(E.P.Groups, hasParts);
    return runs(*G.Last, /*IsAhead=*/true, [=](const Instruction &I) {
      if (const auto Note = noteOf(I))
        return GoesBack && Note == NoteKind::End;
      return I.mayWriteToMemory() && !isNothing(I);
    });
  }

  /// Whether an iteration may read what the group's copies write back, behind
  /// the statement: each thread writes its part of them.
  bool isReadBehind(const GroupPlan &G) const {
    return hasParts(G) && runs(*G.Arrays.front().End, /*IsAhead=*/false,
                               [](const Instruction &I) {
                                 return I.mayReadFromMemory() && !noteOf(I) &&
                                        !isNothing(I);
                               });
  }

  /// \p IsEarly: the array has what it will have before the barrier, too.
  void writeGroup(GroupPlan &G, bool IsEarly) {
    std::list<Copy> Copies;
    IRBuilder<> B(G.Last);
    bool IsUsed = false;
    for (ArrayPlan &A : G.Arrays) {
      Copy &C = Copies.emplace_back(A);
      if (A.IsPrivate)
        continue;
      C.Tile =
          createShared(A, A.InTurn ? 2 * A.sideBytes() : A.bytes(), ".smc");
      if (A.InTurn)
        C.Turn = &Turn[&A];
      else if (A.Part && A.WritesOwn)
        C.OwnFlag = createFlag(A);
      else if (A.Part)
        C.Flags = createShared(A, A.flagBytes(), ".smc.written");
      for (const DimPlan &D : A.Dims)
        C.First.push_back(E.P.Forms->atOrigin(B, D.First, E.Origins));
      IsUsed |= A.isFetched() || C.Flags || C.Turn;
    }
    // All have read what the copies held before.
    if (IsUsed && !IsEarly)
      barrier(B);
    fetchOwn(E, Copies, *G.Last);
    fetch(E, Copies, *G.Last);
    B.SetInsertPoint(G.Last);
    const bool Carries =
        IsEarly && E.P.Shape.size() > 1 && all_of(Copies, [](const Copy &C) {
          return C.Turn || C.Plan.IsPrivate;
        });
    if (IsUsed && IsEarly && !Carries)
      barrierAgain(G, B);
    for (Copy &C : Copies) {
      if (C.Turn)
        openTurns(E, C, B, Carries);
      storePieces(B, C);
      if (C.Flags)
        clearFlags(E, C, *G.Last);
      B.SetInsertPoint(G.Last);
    }
    if (IsUsed)
      barrier(B);
    for (Copy &C : Copies) {
      if (C.Plan.IsPrivate)
        continue;
      B.SetInsertPoint(G.Last);
      if (C.Turn) {
        for (Access &Each : C.Plan.Accesses)
          redirectInTurn(E, C, Each);
        if (C.Turn->Flag)
          writeBackTurns(E, C);
        continue;
      }
      C.Address = G.IsInLoop ? fixedHere(B, C.Tile) : C.Tile;
      B.CreateAlignmentAssumption(C.Tile->getDataLayout(), C.Address,
                                  C.Tile->getAlign()->value());
      for (Access &Each : C.Plan.Accesses)
        redirect(E, C, Each);
      if (C.OwnFlag)
        writeBackOwn(E, C);
      else if (C.Flags)
        writeBack(E, C);
    }
  }

  /// A barrier that the thread's first block does not need.
  void barrierAgain(const GroupPlan &G, IRBuilderBase &B) {
    if (!G.IsInLoop) {
      Value *Again = B.CreateICmpNE(E.Place.Block, E.Place.FirstBlock);
      B.SetInsertPoint(
          SplitBlockAndInsertIfThen(Again, G.Last, /*Unreachable=*/false));
    }
    barrier(B);
    B.SetInsertPoint(G.Last);
  }

  /// Nothing is written yet at the region's beginning.
  static AllocaInst *createFlag(const ArrayPlan &A) {
    Function &F = *A.Begin->getFunction();
    IRBuilder<> B(A.Begin);
    auto *Flag =
        new AllocaInst(B.getInt1Ty(), F.getDataLayout().getAllocaAddrSpace(),
                       "smc.written", F.getEntryBlock().begin());
    B.CreateStore(B.getFalse(), Flag);
    return Flag;
  }

  static GlobalVariable *createShared(const ArrayPlan &A, int64_t Bytes,
                                      StringRef Suffix) {
    Function &F = *A.Begin->getFunction();
    auto *T = ArrayType::get(Type::getInt8Ty(F.getContext()), Bytes);
    return gpu::createShared(*F.getParent(), *PoisonValue::get(T),
                             F.getName() + Suffix, Align(16));
  }

  static void barrier(IRBuilderBase &B) {
    B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  }
};

} // namespace

void emitNest(NestPlan &P, bool Check, bool Stays) {
  NestWriter(P, Check, Stays).write();
}

} // namespace accx::smc
