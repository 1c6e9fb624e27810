//===- NarrowPlan.cpp - A reduction without some of its variables ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the shorter list, and the functions that combine and move it, for a
// reduction some of whose arrays blocks combine otherwise.
//
//===----------------------------------------------------------------------===//

#include "reduce/NarrowPlan.h"

#include "ir/CodeWriter.h"
#include "offload/PointerList.h"
#include "offload/ReductionMark.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using accx::offload::loadSlot;
using accx::offload::slotAt;

namespace accx::reduce {

/// Whether \p Pointer is what \p List has at \p Index.
static bool isFromList(const Value *Pointer, const Argument &List,
                       unsigned Index, const DataLayout &Layout) {
  APInt Inside(64, 0);
  const auto *Load = dyn_cast<LoadInst>(
      Pointer->stripAndAccumulateConstantOffsets(Layout, Inside, true));
  return Load && Inside == 0 &&
         offload::slotOf(Load->getPointerOperand(), &List, Layout) == Index;
}

std::optional<ElementLoop> loopOf(Function &Combine, unsigned Index) {
  const DataLayout &Layout = Combine.getParent()->getDataLayout();
  for (BasicBlock &Block : Combine) {
    const auto L = ElementLoop::match(Block);
    if (L && L->From &&
        isFromList(L->Into, *Combine.getArg(0), Index, Layout) &&
        isFromList(L->From, *Combine.getArg(1), Index, Layout))
      return L;
  }
  return std::nullopt;
}

namespace {

class Narrower {
  ReductionPlan &Plan;
  const BitVector &Out;
  LLVMContext &C;
  const unsigned Before;
  SmallVector<unsigned, 4> Kept;
  Type *Ptr, *Int;

public:
  Narrower(ReductionPlan &Plan, const BitVector &Out)
      : Plan(Plan), Out(Out), C(Plan.Combine->getContext()),
        Before(Plan.Variables.size()), Ptr(PointerType::getUnqual(C)),
        Int(Type::getInt32Ty(C)) {
    for (unsigned I = 0; I < Before; ++I)
      if (!Out.test(I))
        Kept.push_back(I);
  }

  void run();

private:
  void shortenList();
  void writeCombine();
  Function *startHelper(const char *Name) {
    return ir::createHelper(Twine(offload::ReductionHelper) + Name,
                            Type::getVoidTy(C), {Ptr, Int, Ptr}, *Plan.Combine);
  }
  Value *field(ir::CodeWriter &B, Function &F, unsigned Index);
  Function *writeMove(const char *Name, bool ToRecord);
  Function *writeCombineRecord(const char *Name, bool ToRecord);
};

} // namespace

void Narrower::shortenList() {
  ir::CodeWriter B(*Plan.Call);
  AllocaInst *Short = B.local(ArrayType::get(Ptr, Kept.size()), "kept");
  for (unsigned I = 0; I < Kept.size(); ++I)
    B.CreateStore(loadSlot(B, Plan.List, Kept[I]), slotAt(B, Short, I));
  Plan.List = Short;
}

/// Clang's function takes full lists. It does not use the places of variables
/// that are taken out.
void Narrower::writeCombine() {
  ValueToValueMapTy Map;
  Function *Rest = CloneFunction(Plan.Combine, Map);
  Rest->setLinkage(GlobalValue::InternalLinkage);
  for (const unsigned I : Out.set_bits())
    loopOf(*Rest, I)->remove();
  Function *F = ir::createHelper(Twine(offload::ReductionHelper) + "combine",
                                 Type::getVoidTy(C), {Ptr, Ptr}, *Plan.Combine);
  ir::CodeWriter B(*F);
  SmallVector<Value *, 2> Full;
  for (Argument &Short : F->args()) {
    Full.push_back(B.local(ArrayType::get(Ptr, Before), "full"));
    for (unsigned I = 0; I < Kept.size(); ++I)
      B.CreateStore(loadSlot(B, &Short, I), slotAt(B, Full.back(), Kept[I]));
    for (const unsigned I : Out.set_bits())
      B.CreateStore(ConstantPointerNull::get(B.getPtrTy()),
                    slotAt(B, Full.back(), I));
  }
  B.CreateCall(Rest, Full);
  B.CreateRetVoid();
  Plan.Combine = F;
}

/// Where variable \p Index is in the record that \p F is asked for.
Value *Narrower::field(ir::CodeWriter &B, Function &F, unsigned Index) {
  StructType *Record = StructType::get(C, Plan.Variables);
  return B.CreateInBoundsGEP(
      Record, F.getArg(0),
      {B.CreateZExt(F.getArg(1), B.getInt64Ty()), B.getInt32(Index)});
}

Function *Narrower::writeMove(const char *Name, bool ToRecord) {
  Function *F = startHelper(Name);
  ir::CodeWriter B(*F);
  const DataLayout &Layout = F->getParent()->getDataLayout();
  for (unsigned I = 0; I < Kept.size(); ++I) {
    Value *Record = field(B, *F, I);
    Value *Variable = loadSlot(B, F->getArg(2), I);
    const Align A = Layout.getABITypeAlign(Plan.Variables[I]);
    B.CreateMemCpy(ToRecord ? Record : Variable, A,
                   ToRecord ? Variable : Record, A,
                   Layout.getTypeAllocSize(Plan.Variables[I]));
  }
  B.CreateRetVoid();
  return F;
}

Function *Narrower::writeCombineRecord(const char *Name, bool ToRecord) {
  Function *F = startHelper(Name);
  ir::CodeWriter B(*F);
  AllocaInst *Record = B.local(ArrayType::get(Ptr, Kept.size()), "record");
  for (unsigned I = 0; I < Kept.size(); ++I)
    B.CreateStore(field(B, *F, I), slotAt(B, Record, I));
  Value *List = F->getArg(2);
  if (ToRecord)
    B.CreateCall(Plan.Combine, {Record, List});
  else
    B.CreateCall(Plan.Combine, {List, Record});
  B.CreateRetVoid();
  return F;
}

void Narrower::run() {
  shortenList();
  writeCombine();
  SmallVector<Type *, 4> Types;
  for (const unsigned I : Kept)
    Types.push_back(Plan.Variables[I]);
  Plan.Variables.assign(Types.begin(), Types.end());
  const auto Bytes = Plan.Call->getModule()->getDataLayout().getTypeAllocSize(
      StructType::get(C, Plan.Variables));
  Plan.Bytes = Plan.BufferedBytes = Bytes;
  if (!Plan.AcrossTeams)
    return;
  Plan.StoreRecord = writeMove("store", /*ToRecord=*/true);
  Plan.LoadRecord = writeMove("load", /*ToRecord=*/false);
  Plan.CombineIntoRecord = writeCombineRecord("into", /*ToRecord=*/true);
  Plan.CombineFromRecord = writeCombineRecord("from", /*ToRecord=*/false);
}

void narrow(ReductionPlan &Plan, const BitVector &Out) {
  Narrower(Plan, Out).run();
}

} // namespace accx::reduce
