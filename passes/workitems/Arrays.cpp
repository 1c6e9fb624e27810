//===- Arrays.cpp - Arrays of channel types and their accesses ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of a statement to its array go to the block's copy:
//
//     base + i * pitch0 + j * element + rest
//     copy + (i * step + j) * element + rest
//
// where `copy` is moved so that index 0 need not be in it. An array that the
// statement does not write needs no copy: reading the array is the same.
//
//===----------------------------------------------------------------------===//

#include "blocks/Notes.h"
#include "workitems/Code.h"
#include "workitems/Plan.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace accx::blocks;

namespace accx::workitems {

namespace {

/// An access to an array of a region.
struct Access {
  Instruction *I = nullptr;
  /// The operand of I that holds the address.
  unsigned Operand = 0;
  bool IsWrite = false;
};

class ArrayPlanner {
  LoopPlan &Plan;
  const LoopInfo &Loops;
  MapVector<Instruction *, Stop> &Stops;
  const DataLayout &DL;
  const DominatorTree DT;
  Refused Result;

public:
  ArrayPlanner(LoopPlan &Plan, const LoopInfo &Loops,
               MapVector<Instruction *, Stop> &Stops)
      : Plan(Plan), Loops(Loops), Stops(Stops),
        DL(Plan.W.Header->getDataLayout()), DT(*Plan.W.Header->getParent()) {}

  Refused run(ArrayRef<CallInst *> Begins) {
    SmallVector<CallInst *, 4> Barriers;
    for (BasicBlock *Block : Plan.Body)
      for (Instruction &I : *Block)
        if (const Value *Object = teamObject(I))
          Plan.TeamObjects.insert(Object);
        else if (noteOf(I) == NoteKind::Barrier)
          Barriers.push_back(cast<CallInst>(&I));
    for (CallInst *Begin : Begins) {
      if (isTeam(*Begin)) {
        Plan.IsTeam = true;
        continue;
      }
      if (!plan(*Begin))
        return Result;
    }
    for (CallInst *Barrier : Barriers)
      addBarrier(*Barrier->getNextNode());
    removeMarkers();
    return Result;
  }

private:
  bool refuse(Refusal Why) {
    Result.Why = Why;
    return false;
  }

  bool plan(CallInst &Begin) {
    ArrayPlan A;
    Result.Where = A.Where = whereOf(Begin);
    if (!A.read(Begin))
      return refuse(Refusal::NotConstant);
    const blocks::Region R(Begin, Loops, DT);
    if (!R.IsClosed || R.EndsProgram || !R.End)
      return refuse(Refusal::NoEnd);
    A.End = R.End;
    Value *Root = A.Base->stripPointerCasts();
    // A variable that is read again at each access would hide accesses.
    if (auto *I = dyn_cast<Instruction>(Root); I && Plan.W.Nest->contains(I))
      return refuse(Refusal::NotInvariant);
    if (auto *Global = dyn_cast<Constant>(Root))
      convertUsersOfConstantsToInstructions({Global},
                                            Plan.W.Header->getParent());
    SmallVector<Access, 8> Accesses;
    if (!findAccesses(*Root, R, Accesses))
      return false;
    if (none_of(Accesses, [](const Access &X) { return X.IsWrite; }))
      return true;
    if (!redirectAll(A, *Root, Accesses))
      return false;
    Plan.Arrays.push_back(std::move(A));
    return true;
  }

  bool findAccesses(Value &Root, const blocks::Region &R,
                    SmallVectorImpl<Access> &Accesses) {
    SmallVector<Use *, 16> Worklist;
    DenseSet<const Value *> Seen;
    const auto Follow = [&](Value &V) {
      if (Seen.insert(&V).second)
        for (Use &U : V.uses())
          Worklist.push_back(&U);
    };
    Follow(Root);
    while (!Worklist.empty()) {
      Use &U = *Worklist.pop_back_val();
      auto *I = dyn_cast<Instruction>(U.getUser());
      if (!I || I->getFunction() != Plan.W.Header->getParent())
        continue;
      if (isa<GetElementPtrInst>(I)) {
        Follow(*I);
        continue;
      }
      if (isa<PHINode, SelectInst>(I) && Plan.Body.contains(I->getParent()))
        return refuse(Refusal::AddressForm);
      if (!R.Code.contains(I) || isa<ICmpInst>(I) || I->isLifetimeStartOrEnd())
        continue;
      if (I->isAtomic() || I->isVolatile())
        return refuse(Refusal::Access);
      Access X{I, U.getOperandNo(), false};
      if (isa<StoreInst>(I)) {
        if (X.Operand != StoreInst::getPointerOperandIndex())
          return refuse(Refusal::Escapes);
        X.IsWrite = true;
      } else if (isa<MemIntrinsic>(I)) {
        X.IsWrite = X.Operand == 0;
      } else if (!isa<LoadInst>(I)) {
        return refuse(Refusal::Escapes);
      }
      Accesses.push_back(X);
    }
    return true;
  }

  /// Values of the marker from ahead of the loop.
  bool takeInvariants(ArrayPlan &A) {
    A.Base = aheadOf(Plan, A.Base);
    bool All = A.Base != nullptr;
    for (unsigned D = 0; D < A.Rank; ++D) {
      const Dimension Of = A.dimension(D);
      A.Pitch[D] = aheadOf(Plan, Of.Pitch);
      A.Low[D] = aheadOf(Plan, Of.Low);
      A.High[D] = aheadOf(Plan, Of.High);
      All = All && A.Pitch[D] && A.Low[D] && A.High[D];
    }
    return All || refuse(Refusal::NotInvariant);
  }

  bool redirectAll(ArrayPlan &A, Value &Root, ArrayRef<Access> Accesses) {
    if (!takeInvariants(A))
      return false;
    IRBuilder<> B(A.Begin);
    Type *I64 = B.getInt64Ty();
    A.Copy = createSlot(Plan, B.getPtrTy(), "wi.copy");
    if (A.isWrittenBack())
      A.Dirty = createSlot(Plan, B.getPtrTy(), "wi.dirty");
    for (unsigned D = 0; D < A.Rank; ++D) {
      A.First[D] = createSlot(Plan, I64, "wi.low");
      A.Past[D] = createSlot(Plan, I64, "wi.past");
      if (D + 1 < A.Rank)
        A.Step[D] = createSlot(Plan, I64, "wi.step");
      const Dimension Of = A.dimension(D);
      B.CreateStore(Of.First, A.First[D]);
      B.CreateStore(B.CreateNSWAdd(Of.First, Of.Extent), A.Past[D]);
    }
    // A copy of memory is redirected first where it reads.
    for (const bool Writes : {false, true})
      for (const Access &X : Accesses)
        if (X.IsWrite == Writes && !redirect(A, Root, X))
          return refuse(Refusal::AddressForm);
    const unsigned Number = Plan.Arrays.size();
    addStop(*A.Begin, StopKind::Begin, Number);
    if (A.isWrittenBack())
      addStop(*A.End, StopKind::End, Number);
    return true;
  }

  void addBarrier(Instruction &I) {
    Stop &S = Stops[&I];
    if (S.Arrays.empty())
      S.Kind = StopKind::Barrier;
  }

  /// An instruction that does nothing.
  Instruction *createPlace(Instruction &Before) {
    return new FreezeInst(ConstantInt::getTrue(Before.getContext()), "wi.stop",
                          &Before);
  }

  /// Leaves the places of stops; no marker is needed any more.
  void removeMarkers() {
    for (BasicBlock *Block : Plan.Body)
      for (Instruction &I : make_early_inc_range(*Block)) {
        if (!noteOf(I))
          continue;
        if (const auto Found = Stops.find(&I); Found != Stops.end()) {
          const Stop Moved = Found->second;
          Stops.erase(&I);
          // A place of its own: what two stops do is done one after the other.
          Instruction *Place = createPlace(I);
          Stops[Place] = Moved;
        }
        I.eraseFromParent();
      }
  }

  /// Markers in a row are one stop, at the last.
  void addStop(CallInst &Marker, StopKind Kind, unsigned Array) {
    Stop New;
    New.Kind = Kind;
    for (Instruction *I = Marker.getPrevNode(); I; I = I->getPrevNode()) {
      if (const auto Found = Stops.find(I);
          Found != Stops.end() && Found->second.Kind == Kind && noteOf(*I)) {
        New = Found->second;
        Stops.erase(I);
        break;
      }
      if (I->mayReadOrWriteMemory() && !isa<AllocaInst>(I) && !noteOf(*I) &&
          !(isa<StoreInst>(I) && isa<AllocaInst>(I->getOperand(1))))
        break;
    }
    New.Arrays.push_back(Array);
    Stops[&Marker] = New;
  }

  bool redirect(const ArrayPlan &A, Value &Root, const Access &X) {
    Code B(X.I);
    const auto Terms = splitAddress(X.I->getOperand(X.Operand), Root, A, DL,
                                    /*IsStrict=*/false);
    if (!Terms)
      return false;
    SmallVector<Value *, MaxDims> Index(A.Rank, nullptr);
    Value *Rest = nullptr;
    const auto AddTo = [&](Value *&Sum, Value *V, int64_t Factor) {
      if (Factor == 0)
        return;
      V = V ? B.CreateSExtOrTrunc(V, B.getInt64Ty()) : B.getInt64(1);
      if (Factor != 1)
        V = B.CreateNSWMul(V, B.getInt64(Factor));
      Sum = Sum ? B.CreateNSWAdd(Sum, V) : V;
    };
    for (const Term &T : *Terms) {
      const int64_t Part = A.Rank == 1 ? T.Factor % A.Element : T.Factor;
      if (T.Dim < A.Rank) {
        AddTo(Index[T.Dim], T.V, T.Factor);
      } else if (!T.V || Part == 0) {
        AddTo(Index[0], T.V, (T.Factor - Part) / A.Element);
        AddTo(Rest, T.V, Part);
      } else {
        AddTo(Rest, T.V, T.Factor);
      }
    }
    Value *Elements = nullptr;
    for (unsigned D = 0; D < A.Rank; ++D) {
      if (!Index[D])
        continue;
      Value *Part = Index[D];
      if (A.Step[D])
        Part = B.CreateNSWMul(Part, B.get(A.Step[D]));
      Elements = Elements ? B.CreateNSWAdd(Elements, Part) : Part;
    }
    if (!Elements)
      Elements = B.getInt64(0);
    Value *Bytes = B.CreateNSWMul(Elements, B.getInt64(A.Element));
    if (Rest)
      Bytes = B.CreateNSWAdd(Bytes, Rest);
    Value *Address = B.CreatePtrAdd(B.get(A.Copy), Bytes);
    if (!X.IsWrite) {
      X.I->setOperand(X.Operand, Address);
      return true;
    }
    if (auto *Set = dyn_cast<MemIntrinsic>(X.I)) {
      const auto *Length = dyn_cast<ConstantInt>(Set->getLength());
      if (!Length || Length->getLimitedValue() > uint64_t(A.Element))
        return false;
    }
    splitCopy(X);
    X.I->setOperand(X.Operand, Address);
    if (A.Dirty)
      B.CreateStore(B.getInt8(1), B.CreatePtrAdd(B.get(A.Dirty), Elements));
    Stops[X.I].Kind = StopKind::Write;
    Stops.insert({X.I->getNextNode(), Stop{StopKind::Written, {}, nullptr, 0}});
    return true;
  }

  /// A copy of memory reads ahead of the stop, and writes behind it.
  void splitCopy(const Access &X) {
    auto *Copy = dyn_cast<MemTransferInst>(X.I);
    const auto *Length =
        Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
    if (!Length)
      return;
    IRBuilder<> B(X.I);
    Slot Between = createSlot(
        Plan, ArrayType::get(B.getInt8Ty(), Length->getZExtValue()), "wi.held");
    Between->setAlignment(Align(16));
    B.CreateMemCpy(Between, Align(16), Copy->getRawSource(),
                   Copy->getSourceAlign(), Copy->getLength());
    Copy->setSource(Between);
  }
};

} // namespace

Refused planArrays(LoopPlan &Plan, ArrayRef<CallInst *> Begins,
                   const LoopInfo &Loops,
                   MapVector<Instruction *, Stop> &Stops) {
  return ArrayPlanner(Plan, Loops, Stops).run(Begins);
}

} // namespace accx::workitems
