//===- Copies.cpp - A block's copies of arrays ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the code of a copy whose size the run decides: it takes memory, copies
// the array's part in, and copies the elements that were written out. Copies of
// constant size are in Fixed.cpp, those of several blocks in Group.cpp.
//
//===----------------------------------------------------------------------===//

#include "workitems/Copies.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::workitems {

/// Beyond it sums of sizes might overflow; no block needs as much.
static constexpr int64_t MaxBytes = int64_t(1) << 40;

Copies::Copies(LoopPlan &Plan) : Plan(Plan) {
  LLVMContext &Context = Plan.W.Header->getContext();
  Type *Ptr = PointerType::get(Context, 0), *I64 = Type::getInt64Ty(Context);
  for (const ArrayPlan &A : Plan.Arrays) {
    Memory M;
    M.Buffer = createSlot(Plan, Ptr, "wi.buffer");
    M.Room = createSlot(Plan, I64, "wi.room");
    // Four times what work-items declare that need an element each.
    const uint64_t Bytes =
        std::clamp<uint64_t>(4 * Plan.Block.items() * A.Element, 4096, 65536);
    M.Own = createSlot(Plan, ArrayType::get(Type::getInt8Ty(Context), Bytes),
                       "wi.own");
    M.Own->setAlignment(Align(64));
    for (unsigned D = 0; D < A.Rank; ++D) {
      M.From[D] = createSlot(Plan, I64, "wi.from");
      M.To[D] = createSlot(Plan, I64, "wi.to");
    }
    Memories.push_back(M);
  }
}

void Copies::collect(SmallVectorImpl<AllocaInst *> &Slots) const {
  for (const Memory &M : Memories) {
    Slots.append({M.Buffer, M.Room});
    for (unsigned D = 0; D < MaxDims; ++D)
      if (M.From[D])
        Slots.append({M.From[D], M.To[D]});
  }
}

void Copies::start(Code &B) {
  for (const Memory &M : Memories) {
    B.CreateStore(M.Own, M.Buffer);
    B.CreateStore(
        B.getInt64(
            cast<ArrayType>(M.Own->getAllocatedType())->getNumElements()),
        M.Room);
  }
}

void Copies::finish(Code &B) {
  const FunctionCallee Free = Plan.W.Header->getModule()->getOrInsertFunction(
      "free", FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false));
  for (const Memory &M : Memories) {
    Value *Buffer = B.get(M.Buffer);
    B.when(B.CreateICmpNE(Buffer, M.Own), [&] { B.CreateCall(Free, Buffer); });
  }
}

/// ptr grow(ptr old, ptr own, long bytes, ptr where): other memory than old,
/// which is own or from here.
Function *Copies::growFunction() {
  Module &M = *Plan.W.Header->getModule();
  constexpr char Name[] = "accx.workitems.grow";
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &Context = M.getContext();
  Type *Ptr = PointerType::get(Context, 0), *I64 = Type::getInt64Ty(Context),
       *Void = Type::getVoidTy(Context);
  Function *F =
      Function::Create(FunctionType::get(Ptr, {Ptr, Ptr, I64, Ptr}, false),
                       GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoUnwind);
  Code B(BasicBlock::Create(Context, "", F));
  B.when(B.CreateICmpNE(F->getArg(0), F->getArg(1)),
         [&] { B.call("free", Void, {Ptr}, {F->getArg(0)}); });
  Value *New = B.call("malloc", Ptr, {I64}, {F->getArg(2)});
  Value *Fails =
      B.CreateOr(B.CreateICmpEQ(New, ConstantPointerNull::get(B.getPtrTy())),
                 B.CreateICmpSGT(F->getArg(2), B.getInt64(MaxBytes)));
  B.when(Fails, [&] {
    B.fail("accx: %s: a block's copy needs %ld bytes, which there are not\n",
           {F->getArg(3), F->getArg(2)});
  });
  B.CreateRet(New);
  return F;
}

/// Has the array's buffer hold \p Bytes.
void Copies::take(Code &B, unsigned Array, Value *Bytes) {
  const Memory &M = Memories[Array];
  Value *Room = B.get(M.Room);
  B.when(B.CreateICmpSGT(Bytes, Room), [&] {
    Value *Where = Plan.Arrays[Array].Begin
                       ? B.CreateGlobalStringPtr(Plan.Arrays[Array].Where)
                       : nullptr;
    Value *New =
        B.CreateCall(growFunction(), {B.get(M.Buffer), M.Own, Bytes, Where});
    B.CreateStore(New, M.Buffer);
    B.CreateStore(Bytes, M.Room);
  });
}

/// Calls \p Row with the array's and the copy's address of the first element
/// of each row that both have, and the element's number in the copy.
void Copies::rows(Code &B, unsigned Array, unsigned D, Value *Outer,
                  Value *Elements,
                  function_ref<void(Value *, Value *, Value *)> Row) {
  const ArrayPlan &A = Plan.Arrays[Array];
  const Memory &M = Memories[Array];
  Value *From = B.get(M.From[D]);
  const auto Down = [&](Value *Index) {
    Value *Address = B.CreatePtrAdd(Outer, B.CreateMul(Index, A.Pitch[D]));
    Value *Number = A.Step[D] ? B.CreateMul(Index, B.get(A.Step[D])) : Index;
    Number = B.CreateAdd(Elements, Number);
    if (D + 1 < A.Rank) {
      rows(B, Array, D + 1, Address, Number, Row);
      return;
    }
    Row(Address,
        B.CreatePtrAdd(B.get(A.Copy),
                       B.CreateMul(Number, B.getInt64(A.Element))),
        Number);
  };
  if (D + 1 == A.Rank) {
    Down(From);
    return;
  }
  Value *Count = B.CreateSub(B.get(M.To[D]), From);
  B.forEach(Count, [&](Value *I) { Down(B.CreateAdd(From, I)); });
}

void Copies::begin(Code &B, unsigned Array, ArrayRef<Value *> Low,
                   ArrayRef<Value *> Past) {
  const ArrayPlan &A = Plan.Arrays[Array];
  const Memory &M = Memories[Array];
  // Keeps sizes beyond sense from overflowing.
  SmallVector<Value *, MaxDims> Size(A.Rank);
  for (unsigned D = 0; D < A.Rank; ++D)
    Size[D] = B.smin(B.smax(B.CreateSub(Past[D], Low[D]), B.getInt64(0)),
                     B.getInt64(int64_t(1) << 20));
  Value *Elements = B.getInt64(1), *Bias = B.getInt64(0);
  for (unsigned D = A.Rank; D-- > 0;) {
    if (A.Step[D])
      B.CreateStore(Elements, A.Step[D]);
    Bias = B.CreateAdd(Bias, B.CreateMul(Low[D], Elements));
    Elements = B.CreateMul(Elements, Size[D]);
  }
  Value *Bytes = B.CreateMul(Elements, B.getInt64(A.Element));
  // 2^60 elements times a size fit if the size is small; others are refused.
  take(B, Array, A.Dirty ? B.CreateAdd(Bytes, Elements) : Bytes);
  Value *Buffer = B.get(M.Buffer);
  B.CreateStore(B.CreatePtrAdd(Buffer, B.CreateNeg(B.CreateMul(
                                           Bias, B.getInt64(A.Element)))),
                A.Copy);
  if (A.Dirty) {
    Value *Dirty = B.CreatePtrAdd(Buffer, Bytes);
    B.CreateMemSet(Dirty, B.getInt8(0), Elements, MaybeAlign());
    B.CreateStore(B.CreatePtrAdd(Dirty, B.CreateNeg(Bias)), A.Dirty);
  }
  for (unsigned D = 0; D < A.Rank; ++D) {
    B.CreateStore(B.smax(Low[D], A.Low[D]), M.From[D]);
    B.CreateStore(B.smin(Past[D], A.High[D]), M.To[D]);
  }
  if (!A.isFetched())
    return;
  Value *Length =
      B.CreateSub(B.get(M.To[A.Rank - 1]), B.get(M.From[A.Rank - 1]));
  const auto CopyRows = [&](Value *Number) {
    rows(B, Array, 0, A.Base, B.getInt64(0),
         [&](Value *Theirs, Value *Ours, Value *) {
           B.CreateMemCpy(Ours, Align(1), Theirs, Align(1),
                          B.CreateMul(Number, B.getInt64(A.Element)));
         });
  };
  // Away from the array's edges the length is the block's, often a constant.
  Value *IsWhole = B.CreateICmpEQ(Length, Size.back());
  B.when(IsWhole, [&] { CopyRows(Size.back()); });
  B.when(
      B.CreateAnd(B.CreateNot(IsWhole), B.CreateICmpSGT(Length, B.getInt64(0))),
      [&] { CopyRows(Length); });
}

void Copies::end(Code &B, unsigned Array) {
  const ArrayPlan &A = Plan.Arrays[Array];
  const Memory &M = Memories[Array];
  Value *Length =
      B.CreateSub(B.get(M.To[A.Rank - 1]), B.get(M.From[A.Rank - 1]));
  const bool IsWord = A.Element <= 8 && isPowerOf2_64(A.Element);
  Type *Word = IsWord ? B.getIntNTy(8 * A.Element) : nullptr;
  // The array's own alignment holds where its pitches keep it.
  rows(B, Array, 0, A.Base, B.getInt64(0),
       [&](Value *Theirs, Value *Ours, Value *Number) {
         Parallel Group(B.getContext());
         Value *Dirty = B.CreatePtrAdd(B.get(A.Dirty), Number);
         BranchInst *Back = B.forEach(Length, [&](Value *I) {
           LoadInst *Flag =
               B.CreateLoad(B.getInt8Ty(), B.CreatePtrAdd(Dirty, I));
           Group.add(*Flag);
           B.when(B.CreateICmpNE(Flag, B.getInt8(0)), [&] {
             Value *Offset = B.CreateMul(I, B.getInt64(A.Element));
             Value *To = B.CreatePtrAdd(Theirs, Offset);
             Value *From = B.CreatePtrAdd(Ours, Offset);
             if (!IsWord) {
               B.CreateMemCpy(To, Align(1), From, Align(1), A.Element);
               return;
             }
             LoadInst *Load = B.CreateAlignedLoad(Word, From, Align(1));
             Group.add(*Load);
             Group.add(*B.CreateAlignedStore(Load, To, Align(1)));
           });
         });
         Group.mark(*Back);
       });
}

} // namespace accx::workitems
