//===- StreamLoop.cpp - A loop whose stores bypass the cache --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loop that bypasses the cache: its first round, the rotated vectors
// of each round, and the end. Whether a loop gets one is decided in
// StreamStores.cpp.
//
//===----------------------------------------------------------------------===//

#include "processor/LoopStreams.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace accx;
using namespace accx::processor;

std::optional<Rotation> Rotation::of(const Function &F,
                                     const TargetTransformInfo &TTI,
                                     unsigned Bytes) {
  if (!TTI.isTypeLegal(
          FixedVectorType::get(Type::getInt32Ty(F.getContext()), Bytes / 4)))
    return std::nullopt;
  SmallVector<StringRef, 64> Features;
  F.getFnAttribute("target-features").getValueAsString().split(Features, ',');
  const auto Has = [&](StringRef Name) { return is_contained(Features, Name); };
  const bool Any = Has("+avx512vbmi");
  if (Bytes == 64)
    return Any ? Rotation{1, Intrinsic::x86_avx512_permvar_qi_512}
               : Rotation{4, Intrinsic::x86_avx512_permvar_si_512};
  if (Bytes == 32 && Any && Has("+avx512vl"))
    return Rotation{1, Intrinsic::x86_avx512_permvar_qi_256};
  if (Bytes == 32 && Has("+avx2"))
    return Rotation{4, Intrinsic::x86_avx2_permd};
  if (Bytes == 16 && Has("+ssse3"))
    return Rotation{1, Intrinsic::x86_ssse3_pshuf_b_128};
  return Rotation{Bytes};
}

static Value *of(const ValueToValueMapTy &Map, Value *V) {
  Value *New = Map.lookup(V);
  return New ? New : V;
}

namespace {

/// One array, in the version that bypasses the cache.
class Past {
  const Stream &S;
  const Rotation &How;
  unsigned Width;
  /// The type of the vectors that are rotated.
  FixedVectorType *Ty;
  Value *Offset = nullptr, *Places = nullptr, *IsBefore = nullptr;
  PHINode *Before = nullptr;

  Value *rotate(IRBuilder<> &B, Value *V) const;

public:
  Past(const Stream &S, const Rotation &How);
  void prepare(IRBuilder<> &B, ValueToValueMapTy &First);
  void enter(BasicBlock *From, BasicBlock *To, ValueToValueMapTy &First);
  void write(IRBuilder<> &B, ValueToValueMapTy &Round);
  void finish(IRBuilder<> &B, ValueToValueMapTy &Round) const;
};

} // namespace

Past::Past(const Stream &S, const Rotation &How) : S(S), How(How) {
  Type *Vector = S.Output.front()->getValueOperand()->getType();
  Width = unsigned(S.Output.front()
                       ->getDataLayout()
                       .getTypeStoreSize(Vector)
                       .getFixedValue());
  const unsigned Granule = How.Granule == 1 ? 1 : 4;
  Ty = FixedVectorType::get(IntegerType::get(Vector->getContext(), 8 * Granule),
                            Width / Granule);
}

Value *Past::rotate(IRBuilder<> &B, Value *V) const {
  V = B.CreateBitCast(V, Ty);
  return Places ? B.CreateIntrinsic(How.Permute, {}, {V, Places}) : V;
}

/// Prepares the rotation in the first round. The address there says by how much
/// vectors are off.
void Past::prepare(IRBuilder<> &B, ValueToValueMapTy &First) {
  if (How.Granule == Width)
    return;
  Type *I64 = B.getInt64Ty();
  Value *Address = of(First, S.Output.front()->getPointerOperand());
  Offset = B.CreateAnd(B.CreatePtrToInt(Address, I64), uint64_t(Width - 1));
  const unsigned Lanes = Ty->getNumElements();
  SmallVector<Constant *, 64> Numbers;
  for (unsigned I = 0; I < Lanes; ++I)
    Numbers.push_back(ConstantInt::get(Ty->getElementType(), I));
  Value *Lane = ConstantVector::get(Numbers);
  Value *Shift = B.CreateVectorSplat(
      Lanes, B.CreateTrunc(B.CreateUDiv(Offset, B.getInt64(How.Granule)),
                           Ty->getElementType()));
  Places =
      B.CreateAnd(B.CreateSub(Lane, Shift), ConstantInt::get(Ty, Lanes - 1));
  IsBefore = B.CreateSExt(B.CreateICmpULT(Lane, Shift), Ty);
  Offset = B.CreateNeg(Offset);
}

void Past::enter(BasicBlock *From, BasicBlock *To, ValueToValueMapTy &First) {
  if (!Places)
    return;
  IRBuilder<> B(From->getTerminator());
  Value *Rotated = rotate(B, of(First, S.Output.back()->getValueOperand()));
  B.SetInsertPoint(To, To->begin());
  Before = B.CreatePHI(Ty, 2);
  Before->addIncoming(Rotated, From);
}

void Past::write(IRBuilder<> &B, ValueToValueMapTy &Round) {
  Value *Last = Before, *Address = nullptr;
  for (const auto &[Index, Store] : enumerate(S.Output)) {
    auto *Old = cast<StoreInst>(Round.lookup(Store));
    if (!Address) {
      Address = Old->getPointerOperand();
      if (Offset)
        Address = B.CreatePtrAdd(Address, Offset);
    }
    Value *Own = rotate(B, Old->getValueOperand()), *Whole = Own;
    // Lanes below the shift come from the vector before.
    if (Places)
      Whole = B.CreateXor(Own, B.CreateAnd(B.CreateXor(Own, Last), IsBefore));
    Last = Own;
    StoreInst *New = B.CreateAlignedStore(
        Whole, B.CreatePtrAdd(Address, B.getInt64(Index * Width)),
        Align(Width));
    New->setDebugLoc(Old->getDebugLoc());
    New->setMetadata(
        LLVMContext::MD_nontemporal,
        MDNode::get(B.getContext(), ConstantAsMetadata::get(B.getInt32(1))));
  }
  if (Before)
    Before->addIncoming(Last, B.GetInsertBlock());
}

/// The last vector's end, of a round whose other stores are done.
void Past::finish(IRBuilder<> &B, ValueToValueMapTy &Round) const {
  auto *Old = cast<StoreInst>(Round.lookup(S.Output.back()));
  if (Places)
    B.Insert(Old->clone());
}

namespace {

/// Two versions of a loop's only block.
class Writer {
  BasicBlock *Body, *Exit;
  SmallVector<Past, 4> Arrays;
  ValueToValueMapTy First, Round;

  BasicBlock *addBlock(const Twine &Name);
  void clone(BasicBlock *To, ValueToValueMapTy &Map);
  void leave(BasicBlock *Last);

public:
  Writer(Loop &L, ArrayRef<std::pair<const Stream *, Rotation>> Outputs);
  BasicBlock *write(BasicBlock *Preheader);
  void dropStores(ArrayRef<std::pair<const Stream *, Rotation>> Outputs);
};

} // namespace

Writer::Writer(Loop &L, ArrayRef<std::pair<const Stream *, Rotation>> Outputs)
    : Body(L.getHeader()), Exit(L.getExitBlock()) {
  for (const auto &[S, How] : Outputs)
    Arrays.emplace_back(*S, How);
}

BasicBlock *Writer::addBlock(const Twine &Name) {
  return BasicBlock::Create(Body->getContext(), Body->getName() + Name,
                            Body->getParent(), Exit);
}

/// Clones all but phis and the branch.
void Writer::clone(BasicBlock *To, ValueToValueMapTy &Map) {
  for (Instruction &I : make_range(Body->getFirstNonPHIIt(),
                                   Body->getTerminator()->getIterator())) {
    Instruction *New = I.clone();
    New->insertInto(To, To->end());
    RemapInstruction(New, Map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    Map[&I] = New;
  }
}

/// Behind the loop the values are those of this version.
void Writer::leave(BasicBlock *Last) {
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(of(Round, Phi.getIncomingValueForBlock(Body)), Last);
}

BasicBlock *Writer::write(BasicBlock *Preheader) {
  BasicBlock *Begin = addBlock(".first"), *Stream = addBlock(".stream"),
             *Last = addBlock(".last");
  for (PHINode &Phi : Body->phis())
    First[&Phi] = Phi.getIncomingValueForBlock(Preheader);
  clone(Begin, First);
  IRBuilder<> B(Begin);
  for (Past &P : Arrays)
    P.prepare(B, First);
  B.CreateBr(Stream);

  B.SetInsertPoint(Stream);
  for (PHINode &Phi : Body->phis()) {
    PHINode *New = B.CreatePHI(Phi.getType(), 2, Phi.getName());
    New->addIncoming(of(First, Phi.getIncomingValueForBlock(Body)), Begin);
    Round[&Phi] = New;
  }
  clone(Stream, Round);
  for (PHINode &Phi : Body->phis())
    cast<PHINode>(Round[&Phi])
        ->addIncoming(of(Round, Phi.getIncomingValueForBlock(Body)), Stream);
  for (Past &P : Arrays) {
    P.enter(Begin, Stream, First);
    B.SetInsertPoint(Stream);
    P.write(B, Round);
  }
  Instruction *Branch = Body->getTerminator()->clone();
  Branch->insertInto(Stream, Stream->end());
  RemapInstruction(Branch, Round,
                   RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  Branch->setMetadata(LLVMContext::MD_loop, nullptr);
  Branch->replaceSuccessorWith(Body, Stream);
  Branch->replaceSuccessorWith(Exit, Last);

  B.SetInsertPoint(Last);
  // The next stores are to lines of the last ones.
  B.CreateIntrinsic(Intrinsic::x86_sse_sfence, {}, {});
  for (Past &P : Arrays)
    P.finish(B, Round);
  B.CreateBr(Exit);
  leave(Last);
  return Begin;
}

void Writer::dropStores(ArrayRef<std::pair<const Stream *, Rotation>> Outputs) {
  for (const auto &[S, How] : Outputs)
    for (StoreInst *Store : S->Output)
      cast<StoreInst>(Round.lookup(Store))->eraseFromParent();
}

void processor::writeStreamLoop(
    Loop &L, BasicBlock *Entry, Value *Condition,
    ArrayRef<std::pair<const Stream *, Rotation>> Outputs) {
  Writer W(L, Outputs);
  BasicBlock *Begin = W.write(L.getLoopPreheader());
  W.dropStores(Outputs);
  auto *Old = cast<BranchInst>(Entry->getTerminator());
  BranchInst::Create(Begin, Old->getSuccessor(0), Condition, Old);
  Old->eraseFromParent();
}
