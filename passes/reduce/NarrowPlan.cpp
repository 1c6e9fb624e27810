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
#include "reduce/GridFold.h"

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
  Value *recordOf(ir::CodeWriter &B, Function &F);
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

/// The record that \p F is asked for.
Value *Narrower::recordOf(ir::CodeWriter &B, Function &F) {
  return B.CreateInBoundsGEP(Plan.recordType(), F.getArg(0),
                             B.CreateZExt(F.getArg(1), B.getInt64Ty()));
}

Function *Narrower::writeMove(const char *Name, bool ToRecord) {
  Function *F = startHelper(Name);
  ir::CodeWriter B(*F);
  copyRecord(B, Plan, F->getArg(2), recordOf(B, *F), ToRecord);
  B.CreateRetVoid();
  return F;
}

Function *Narrower::writeCombineRecord(const char *Name, bool ToRecord) {
  Function *F = startHelper(Name);
  ir::CodeWriter B(*F);
  AllocaInst *Record = B.local(ArrayType::get(Ptr, Kept.size()), "record");
  Value *From = recordOf(B, *F);
  for (unsigned I = 0; I < Kept.size(); ++I)
    B.CreateStore(B.CreateStructGEP(Plan.recordType(), From, I),
                  slotAt(B, Record, I));
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
      Plan.recordType());
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
