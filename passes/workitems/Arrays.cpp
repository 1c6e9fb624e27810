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

#include "markers/Markers.h"
#include "offload/DeviceCalls.h"
#include "workitems/Plan.h"
#include "workitems/Prepare.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::workitems {

namespace smc = markers::smc;

static unsigned dimension(unsigned D, unsigned What) {
  return smc::FirstDim + D * smc::DimArguments + What;
}

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
  MapVector<Instruction *, Stop> &Stops;
  const DataLayout &DL;
  Refused Result;

public:
  ArrayPlanner(LoopPlan &Plan, MapVector<Instruction *, Stop> &Stops)
      : Plan(Plan), Stops(Stops), DL(Plan.W.Header->getDataLayout()) {}

  Refused run() {
    SmallVector<CallInst *, 4> Begins, Barriers;
    for (BasicBlock *Block : Plan.Body)
      for (Instruction &I : *Block)
        if (isChannelBegin(I))
          Begins.push_back(cast<CallInst>(&I));
        else if (offload::calledName(I) == markers::SmcBarrier)
          Barriers.push_back(cast<CallInst>(&I));
    Plan.TeamObjects = teamObjects(Plan.Body.getArrayRef());
    for (CallInst *Begin : Begins) {
      if (isTeamBegin(*Begin)) {
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
    A.Begin = &Begin;
    const StringRef Place = placeOf(Begin);
    A.Where = Place.empty() ? "an array" : Place.str();
    Result.Where = A.Where;
    const auto Type = offload::constantArgument(Begin, smc::Type),
               Element = offload::constantArgument(Begin, smc::Element),
               Align = offload::constantArgument(Begin, smc::Align),
               Dims = offload::constantArgument(Begin, smc::Dims);
    if (!Type || !Element || !Align || !Dims || *Element <= 0 || *Align <= 0 ||
        *Dims < 1 || *Dims > int64_t(MaxDims))
      return refuse(Refusal::NotConstant);
    A.Type = *Type;
    A.Element = *Element;
    A.Align = *Align;
    A.Dims = *Dims;
    DenseSet<Instruction *> Scope;
    if (!findScope(A, Scope))
      return refuse(Refusal::NoEnd);
    Value *Root = Begin.getArgOperand(smc::Base)->stripPointerCasts();
    // A variable that is read again at each access would hide accesses.
    if (auto *I = dyn_cast<Instruction>(Root); I && Plan.W.Nest->contains(I))
      return refuse(Refusal::NotInvariant);
    if (auto *Global = dyn_cast<Constant>(Root))
      convertUsersOfConstantsToInstructions({Global},
                                            Plan.W.Header->getParent());
    SmallVector<Access, 8> Accesses;
    if (!findAccesses(*Root, Scope, Accesses))
      return false;
    A.IsWritten = any_of(Accesses, [](const Access &X) { return X.IsWrite; });
    if (A.IsWritten && !redirectAll(A, *Root, Accesses))
      return false;
    if (A.IsWritten)
      Plan.Arrays.push_back(std::move(A));
    return true;
  }

  /// What stands between the marker and its end.
  bool findScope(ArrayPlan &A, DenseSet<Instruction *> &Scope) {
    struct Way {
      Instruction *At;
      unsigned Depth;
    };
    SmallVector<Way, 8> Worklist = {{A.Begin->getNextNode(), 1}};
    DenseSet<BasicBlock *> Seen;
    while (!Worklist.empty()) {
      auto [I, Depth] = Worklist.pop_back_val();
      for (; I; I = I->getNextNode()) {
        const StringRef Name = offload::calledName(*I);
        if (Name == markers::SmcBegin) {
          ++Depth;
        } else if (Name == markers::SmcEnd && --Depth == 0) {
          if (A.End && A.End != I)
            return false;
          A.End = cast<CallInst>(I);
          break;
        }
        Scope.insert(I);
        if (!I->isTerminator())
          continue;
        for (BasicBlock *Next : successors(I->getParent())) {
          if (!Plan.Body.contains(Next))
            return false;
          if (Seen.insert(Next).second)
            Worklist.push_back({&Next->front(), Depth});
        }
      }
    }
    return A.End != nullptr;
  }

  bool findAccesses(Value &Root, const DenseSet<Instruction *> &Scope,
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
      if (!Scope.contains(I) || isa<ICmpInst>(I) ||
          offload::calledName(*I).starts_with(markers::Prefix) ||
          I->isLifetimeStartOrEnd())
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
    const auto Take = [&](unsigned Index) {
      return aheadOf(Plan, A.Begin->getArgOperand(Index));
    };
    A.Base = Take(smc::Base);
    bool All = A.Base != nullptr;
    for (unsigned D = 0; D < A.Dims; ++D) {
      A.Pitch[D] = Take(dimension(D, smc::Pitch));
      A.Low[D] = Take(dimension(D, smc::Low));
      A.High[D] = Take(dimension(D, smc::High));
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
    if (A.Type & smc::WriteBack)
      A.Dirty = createSlot(Plan, B.getPtrTy(), "wi.dirty");
    for (unsigned D = 0; D < A.Dims; ++D) {
      A.First[D] = createSlot(Plan, I64, "wi.low");
      A.Past[D] = createSlot(Plan, I64, "wi.past");
      if (D + 1 < A.Dims)
        A.Step[D] = createSlot(Plan, I64, "wi.step");
      Value *First = A.Begin->getArgOperand(dimension(D, smc::First));
      B.CreateStore(First, A.First[D]);
      B.CreateStore(B.CreateNSWAdd(First, A.Begin->getArgOperand(
                                              dimension(D, smc::Extent))),
                    A.Past[D]);
    }
    // A copy of memory is redirected first where it reads.
    for (const bool Writes : {false, true})
      for (const Access &X : Accesses)
        if (X.IsWrite == Writes && !redirect(A, Root, X))
          return refuse(Refusal::AddressForm);
    const unsigned Number = Plan.Arrays.size();
    addStop(*A.Begin, StopKind::Begin, Number);
    if (A.Type & smc::WriteBack)
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
        const StringRef Name = offload::calledName(I);
        if (Name != markers::SmcBegin && Name != markers::SmcEnd &&
            Name != markers::SmcBarrier && Name != markers::SmcTeam)
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
          Found != Stops.end() && Found->second.Kind == Kind &&
          offload::calledName(*I).starts_with(markers::Prefix)) {
        New = Found->second;
        Stops.erase(I);
        break;
      }
      if (I->mayReadOrWriteMemory() && !isa<AllocaInst>(I) &&
          !offload::calledName(*I).starts_with(markers::Prefix) &&
          !(isa<StoreInst>(I) && isa<AllocaInst>(I->getOperand(1))))
        break;
    }
    New.Arrays.push_back(Array);
    Stops[&Marker] = New;
  }

  static bool multiplies(const Value *V, const Value *Length,
                         unsigned Depth = 0) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth > 8 || isa<LoadInst, PHINode, CallBase>(I))
      return false;
    return (I->getOpcode() == Instruction::Mul &&
            is_contained(I->operands(), Length)) ||
           any_of(I->operands(), [&](const Use &U) {
             return multiplies(U, Length, Depth + 1);
           });
  }

  /// Adds \p V times \p Scale bytes to indices or the rest.
  bool addTerm(const ArrayPlan &A, IRBuilder<> &B, Value *V, int64_t Scale,
               SmallVectorImpl<Value *> &Index, Value *&Rest) {
    Type *I64 = B.getInt64Ty();
    const auto AddTo = [&](Value *&Sum, Value *What, int64_t Factor) {
      What = B.CreateSExtOrTrunc(What, I64);
      if (Factor != 1)
        What = B.CreateNSWMul(What, B.getInt64(Factor));
      Sum = Sum ? B.CreateNSWAdd(Sum, What) : What;
    };
    for (unsigned D = 0; D < A.Dims; ++D) {
      if (const auto Pitch =
              offload::constantArgument(*A.Begin, dimension(D, smc::Pitch))) {
        if (*Pitch == 0 || Scale % *Pitch != 0)
          continue;
        AddTo(Index[D], V, Scale / *Pitch);
        return true;
      }
      // A pitch of `unit * length`, an index of `i * length`.
      Value *Pitch = A.Begin->getArgOperand(dimension(D, smc::Pitch));
      Value *Length = nullptr;
      const APInt *Factor0 = nullptr;
      int64_t Unit = 1;
      if (match(Pitch, m_c_Mul(m_APInt(Factor0), m_Value(Length))))
        Unit = Factor0->getSExtValue();
      else
        Length = Pitch;
      Value *Factor = nullptr;
      if (V == Length)
        Factor = B.getInt64(1);
      else if (!match(V, m_c_Mul(m_Specific(Length), m_Value(Factor)))) {
        // An index of several dimensions at once.
        if (multiplies(V, Length))
          return false;
        continue;
      }
      if (Unit == 0 || Scale % Unit != 0)
        return false;
      AddTo(Index[D], Factor, Scale / Unit);
      return true;
    }
    AddTo(Rest, V, Scale);
    // A rest that is no whole element must not be more than one.
    return A.Dims == 1 || Scale < A.Element;
  }

  bool redirect(const ArrayPlan &A, Value &Root, const Access &X) {
    IRBuilder<> B(X.I);
    SmallVector<Value *, MaxDims> Index(A.Dims, nullptr);
    Value *Rest = nullptr;
    Value *V = X.I->getOperand(X.Operand);
    while (V != &Root && V->stripPointerCasts() != &Root) {
      auto *Gep = dyn_cast<GEPOperator>(V);
      if (!Gep)
        return false;
      const unsigned Bits = DL.getIndexTypeSizeInBits(V->getType());
      MapVector<Value *, APInt> Terms;
      APInt Constant(Bits, 0);
      if (!Gep->collectOffset(DL, Bits, Terms, Constant))
        return false;
      for (const auto &[Term, Scale] : Terms)
        if (!addTerm(A, B, Term, Scale.getSExtValue(), Index, Rest))
          return false;
      int64_t Left = Constant.getSExtValue();
      for (unsigned D = 0; D < A.Dims && Left != 0; ++D)
        if (const auto Pitch =
                offload::constantArgument(*A.Begin, dimension(D, smc::Pitch));
            Pitch && *Pitch != 0) {
          if (Left / *Pitch != 0 &&
              !addTerm(A, B, B.getInt64(Left / *Pitch), *Pitch, Index, Rest))
            return false;
          Left %= *Pitch;
        }
      if (Left != 0 && !addTerm(A, B, B.getInt64(Left), 1, Index, Rest))
        return false;
      V = Gep->getPointerOperand();
    }
    Value *Elements = nullptr;
    for (unsigned D = 0; D < A.Dims; ++D) {
      if (!Index[D])
        continue;
      Value *Part = Index[D];
      if (A.Step[D])
        Part = B.CreateNSWMul(Part, B.CreateLoad(B.getInt64Ty(), A.Step[D]));
      Elements = Elements ? B.CreateNSWAdd(Elements, Part) : Part;
    }
    if (!Elements)
      Elements = B.getInt64(0);
    Value *Bytes = B.CreateNSWMul(Elements, B.getInt64(A.Element));
    if (Rest)
      Bytes = B.CreateNSWAdd(Bytes, Rest);
    Value *Address =
        B.CreateGEP(B.getInt8Ty(), B.CreateLoad(B.getPtrTy(), A.Copy), Bytes);
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
      B.CreateStore(B.getInt8(1),
                    B.CreateGEP(B.getInt8Ty(),
                                B.CreateLoad(B.getPtrTy(), A.Dirty), Elements));
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

Refused planArrays(LoopPlan &Plan, MapVector<Instruction *, Stop> &Stops) {
  return ArrayPlanner(Plan, Stops).run();
}

} // namespace accx::workitems
