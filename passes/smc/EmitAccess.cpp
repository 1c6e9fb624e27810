//===- EmitAccess.cpp - Reads and writes of copies ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets in copies have 32 bits, in which constant parts of subscripts and of
// ranges meet however they were extended; those with a test have 64.
//
//===----------------------------------------------------------------------===//

#include "blocks/Notes.h"
#include "smc/Emit.h"

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace accx::blocks;

namespace accx::smc {

static Value *valueOf(IRBuilderBase &B, const Emission &E, const Term &T) {
  if (!T.V)
    return B.getInt64(T.Factor);
  Value *V = B.CreateSExtOrTrunc(E.now(T.V), B.getInt64Ty());
  return T.Factor == 1 ? V : B.CreateMul(V, B.getInt64(T.Factor));
}

/// Where in the copy \p Each is; \p Inside whether it is there.
static Value *offsetOf(IRBuilderBase &B, const Emission &E, const Copy &C,
                       const Access &Each, Value *&Inside) {
  const ArrayPlan &A = C.Plan;
  const unsigned Rank = A.Dims.size();
  const int64_t Size = Each.size();
  Value *Offset = nullptr;
  Inside = B.getTrue();
  if (Rank == 1) {
    for (const Term &T : Each.Terms) {
      Value *V = valueOf(B, E, T);
      Offset = Offset ? B.CreateAdd(Offset, V) : V;
    }
    if (!Offset)
      Offset = B.getInt64(0);
    Offset =
        B.CreateSub(Offset, B.CreateMul(C.First[0], B.getInt64(A.Element)));
    Inside = A.bytes() < Size
                 ? B.getFalse()
                 : B.CreateICmpULE(Offset, B.getInt64(A.bytes() - Size));
    return Offset;
  }
  int64_t Rest = 0;
  for (const Term &T : Each.Terms)
    if (T.Dim == Rank)
      Rest += T.Factor;
  if (Rest < 0 || Rest + Size > A.Element)
    Inside = B.getFalse();
  Offset = B.getInt64(Rest);
  int64_t Pitch = A.Element;
  for (unsigned D = Rank; D-- > 0;) {
    Value *Index = nullptr;
    for (const Term &T : Each.Terms)
      if (T.Dim == D) {
        Value *V = valueOf(B, E, T);
        Index = Index ? B.CreateAdd(Index, V) : V;
      }
    if (!Index)
      Index = B.getInt64(0);
    Index = B.CreateSub(Index, C.First[D]);
    Inside =
        B.CreateAnd(Inside, B.CreateICmpULT(Index, B.getInt64(A.Dims[D].Span)));
    Offset = B.CreateAdd(Offset, B.CreateMul(Index, B.getInt64(Pitch)));
    Pitch *= A.Dims[D].Span;
  }
  return Offset;
}

/// The offset of \p Each in the copy, given that it is there, and a number that
/// divides it. With \p FromOwn the offset is a sum with that of the thread's
/// own element; null where it is no such sum.
static Value *nearOffsetOf(IRBuilderBase &B, Emission &E, const Copy &C,
                           const Access &Each, Align &Known, bool FromOwn) {
  const ArrayPlan &A = C.Plan;
  const unsigned Rank = A.Dims.size();
  Type *Int = B.getInt32Ty();
  Value *Offset = nullptr;
  const auto Add = [&](Value *&To, Value *V, bool IsExact) {
    To = To ? B.CreateAdd(To, V, "", IsExact, IsExact) : V;
  };
  int64_t Rest = 0, Pitch = A.Element;
  Value *Bytes = nullptr;
  for (unsigned D = Rank; D-- > 0;) {
    Value *Index = nullptr;
    // The first of an index's parts that is near the block's first.
    bool IsNear = false;
    for (const Term &T : Each.Terms) {
      // In one dimension all are bytes.
      const bool IsElements =
          Rank == 1 && T.V && T.Factor % A.Element == 0 && T.Factor != 0;
      if (T.Dim != D && !IsElements) {
        if (D == 0 && T.Dim == Rank && !T.V)
          Rest += T.Factor;
        else if (D == 0 && T.Dim == Rank)
          Add(Bytes,
              B.CreateMul(B.CreateSExtOrTrunc(E.now(T.V), Int),
                          ConstantInt::getSigned(Int, T.Factor)),
              false);
        continue;
      }
      const int64_t Factor = IsElements ? T.Factor / A.Element : T.Factor;
      if (!T.V) {
        Add(Index, ConstantInt::getSigned(Int, Factor), false);
        continue;
      }
      Value *V = nullptr;
      if (!IsNear && Factor == 1)
        V = distanceOf(E, T.V, C.First[D],
                       FromOwn ? A.Dims[D].Form.Factors : Emission::Factors{});
      IsNear |= V != nullptr;
      if (!V)
        V = B.CreateSExtOrTrunc(E.now(T.V), Int);
      Add(Index,
          Factor == 1 ? V : B.CreateMul(V, ConstantInt::getSigned(Int, Factor)),
          false);
    }
    if (FromOwn && !IsNear)
      return nullptr;
    Value *First =
        IsNear ? ConstantInt::get(Int, 0) : B.CreateTrunc(C.First[D], Int);
    if (Rank == 1) {
      const int64_t Within = (Rest % A.Element + A.Element) % A.Element;
      if (Rest != Within)
        Add(Index, ConstantInt::getSigned(Int, (Rest - Within) / A.Element),
            false);
      Rest = Within;
    }
    if (!Index)
      Index = ConstantInt::get(Int, 0);
    // Bytes that are a part of no index may make up for one, as may the own
    // element's distance.
    const bool IsExact = !Bytes && !FromOwn;
    Add(Offset,
        B.CreateMul(B.CreateSub(Index, First), B.getInt32(Pitch), "", IsExact,
                    IsExact),
        IsExact);
    Pitch *= A.Dims[D].Span;
  }
  const Align Elements(std::min<uint64_t>(16, A.Element & -A.Element));
  if (FromOwn)
    Offset = B.CreateAdd(C.OwnOffset, Offset);
  Known = Bytes ? Align() : commonAlignment(Elements, Rest);
  if (Bytes)
    Offset = B.CreateAdd(Offset, Bytes);
  if (Rest)
    Offset = B.CreateAdd(Offset, ConstantInt::getSigned(Int, Rest));
  return B.CreateZExt(Offset, B.getInt64Ty(), "", /*IsNonNeg=*/true);
}

/// The same access, of the copy.
static Instruction *accessCopy(IRBuilderBase &B, const Copy &C,
                               const Access &Each, Value *Offset, Align Known) {
  Value *Place = B.CreatePtrAdd(C.Address, Offset);
  const Align By = std::max(
      Known, std::min(getLoadStoreAlignment(Each.At), Align(C.Plan.Unit)));
  if (!Each.isWrite())
    return B.CreateAlignedLoad(Each.type(), Place, By);
  Instruction *Store = B.CreateAlignedStore(
      cast<StoreInst>(Each.At)->getValueOperand(), Place, By);
  if (C.OwnFlag)
    B.CreateStore(B.getTrue(), C.OwnFlag);
  if (!C.Flags)
    return Store;
  const int64_t Part = C.Plan.Part;
  Value *Flag = B.CreatePtrAdd(
      C.Flags, B.CreateUDiv(Offset, B.getInt64(Part), "", /*isExact=*/true));
  for (int64_t P = 0; P < Each.size() / Part; ++P)
    B.CreateStore(B.getInt8(1), B.CreatePtrAdd(Flag, B.getInt64(P)));
  return Store;
}

/// Says that an access was outside of what the directive declares. Distances
/// are in elements from the first of the copy.
static void report(Instruction &At, const Copy &C, Value *Offset,
                   bool IsWrite) {
  IRBuilder<> B(&At);
  Module &M = *At.getModule();
  FunctionCallee Print = M.getOrInsertFunction("vprintf", B.getInt32Ty(),
                                               B.getPtrTy(), B.getPtrTy());
  Value *Format = B.CreateGlobalString(
      "accx: " + whereOf(*C.Plan.Begin) +
      ": element %lld of the %lld that the block's iterations declare is " +
      (IsWrite ? "written\n" : "read\n"));
  IRBuilder<> Entry(&At.getFunction()->getEntryBlock(),
                    At.getFunction()->getEntryBlock().begin());
  auto *Arguments = ArrayType::get(B.getInt64Ty(), 2);
  Value *Buffer = Entry.CreateAlloca(Arguments);
  B.CreateStore(B.CreateSDiv(Offset, B.getInt64(C.Plan.Element)), Buffer);
  B.CreateStore(B.getInt64(C.Plan.elements()),
                B.CreatePtrAdd(Buffer, B.getInt64(8)));
  B.CreateCall(Print, {Format, Buffer});
}

/// A write was made to the base, with its indices before it: where it would go
/// in the array.
static void aimAtArray(const Emission &E, const Copy &C, const Access &Each) {
  const unsigned Rank = C.Plan.Dims.size();
  IRBuilder<> B(Each.At);
  Value *Offset = B.getInt64(0);
  for (const Term &T : Each.Terms) {
    Value *V = valueOf(B, E, T);
    if (T.Dim < Rank)
      V = B.CreateMul(V, C.Plan.Dims[T.Dim].Pitch);
    Offset = B.CreateAdd(Offset, V);
  }
  cast<StoreInst>(Each.At)->setOperand(StoreInst::getPointerOperandIndex(),
                                       B.CreatePtrAdd(C.Plan.Base, Offset));
}

void redirect(Emission &E, Copy &C, Access &Each) {
  Instruction *Old = Each.At;
  IRBuilder<> B(Old);
  const bool IsChecked = E.Check && !C.Plan.isTransparent();
  if (!Each.NeedsTest && !IsChecked) {
    Align Known;
    Value *Offset = C.OwnOffset
                        ? nearOffsetOf(B, E, C, Each, Known, /*FromOwn=*/true)
                        : nullptr;
    if (!Offset)
      Offset = nearOffsetOf(B, E, C, Each, Known, /*FromOwn=*/false);
    Instruction *New = accessCopy(B, C, Each, Offset, Known);
    if (!Each.isWrite()) {
      New->takeName(Old);
      Old->replaceAllUsesWith(New);
    }
    Old->eraseFromParent();
    return;
  }
  Value *Inside = nullptr;
  Value *Offset = offsetOf(B, E, C, Each, Inside);
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(Inside, Old, &Then, &Else);
  B.SetInsertPoint(Then);
  Instruction *New = accessCopy(B, C, Each, Offset, Align());
  if (Each.isWrite()) {
    Old->moveBefore(Else);
    aimAtArray(E, C, Each);
  } else {
    B.SetInsertPoint(Old->getParent(), Old->getParent()->begin());
    PHINode *Phi = B.CreatePHI(Old->getType(), 2);
    Old->replaceAllUsesWith(Phi);
    Old->moveBefore(Else);
    Phi->addIncoming(New, Then->getParent());
    Phi->addIncoming(Old, Else->getParent());
  }
  if (IsChecked)
    report(*Else, C, Offset, Each.isWrite());
}

} // namespace accx::smc
