//===- LoopStreams.cpp - What a loop reads and writes evenly --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups the accesses of a loop into streams by scalar evolution, and finds the
// streams of stores that leave no byte out. It only analyses: StreamStores.cpp
// decides by it, StreamLoop.cpp writes.
//
//===----------------------------------------------------------------------===//

#include "processor/LoopStreams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace accx;
using namespace accx::processor;

/// Reads that are no further apart are one stream, and what is read so close to
/// what is written is an update.
static constexpr int64_t Near = 4096;

bool processor::isVectorStore(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store || !Store->isSimple() || Store->getPointerAddressSpace() != 0 ||
      Store->hasMetadata(LLVMContext::MD_nontemporal))
    return false;
  auto *Ty = dyn_cast<FixedVectorType>(Store->getValueOperand()->getType());
  if (!Ty || Ty->getElementType()->isPointerTy())
    return false;
  const DataLayout &DL = I.getDataLayout();
  const uint64_t Bits = DL.getTypeSizeInBits(Ty);
  return (Bits == 128 || Bits == 256 || Bits == 512) &&
         DL.typeSizeEqualsStoreSize(Ty->getElementType());
}

/// Nothing if it is not known where \p I accesses memory, or when.
std::optional<Stream> LoopStreams::streamOf(Instruction &I) const {
  const DataLayout &DL = I.getDataLayout();
  Value *Pointer = nullptr;
  Type *Ty = nullptr;
  bool Writes = isa<StoreInst>(I);
  if (isa<LoadInst, StoreInst>(I) && !I.isVolatile() && !I.isAtomic()) {
    Pointer = getLoadStorePointerOperand(&I);
    Ty = getLoadStoreType(&I);
  } else if (auto *Known = dyn_cast<IntrinsicInst>(&I)) {
    if (Known->getIntrinsicID() == Intrinsic::masked_load) {
      Pointer = Known->getArgOperand(0);
      Ty = Known->getType();
    } else if (Known->getIntrinsicID() == Intrinsic::masked_store) {
      Pointer = Known->getArgOperand(1);
      Ty = Known->getArgOperand(0)->getType();
      Writes = true;
    }
  }
  if (!Pointer || Pointer->getType()->getPointerAddressSpace() != 0 ||
      Ty->isScalableTy())
    return std::nullopt;
  Stream S = {SE.getSCEV(Pointer),
              DL.getTypeStoreSize(Ty).getFixedValue(),
              0,
              Writes,
              {}};
  if (SE.isLoopInvariant(S.Start, &L))
    return S;
  const auto *Moves = dyn_cast<SCEVAddRecExpr>(S.Start);
  if (!Moves || Moves->getLoop() != &L || !Moves->isAffine())
    return std::nullopt;
  const auto *Step = dyn_cast<SCEVConstant>(Moves->getStepRecurrence(SE));
  if (!Step)
    return std::nullopt;
  S.Start = Moves->getStart();
  S.Step = Step->getAPInt().getSExtValue();
  return S;
}

/// The distance between the starts of two streams that move alike.
std::optional<int64_t> LoopStreams::distance(const Stream &From,
                                             const Stream &To) const {
  if (From.Step != To.Step)
    return std::nullopt;
  const auto *Bytes =
      dyn_cast<SCEVConstant>(SE.getMinusSCEV(To.Start, From.Start));
  if (!Bytes)
    return std::nullopt;
  return Bytes->getAPInt().getSExtValue();
}

void LoopStreams::addRead(const Stream &S) {
  for (Stream &Other : All) {
    const std::optional<int64_t> Off = distance(Other, S);
    if (Other.Writes || !Off || *Off < -Near || *Off > Near)
      continue;
    if (*Off < 0) {
      Other.Start = S.Start;
      Other.Extent += uint64_t(-*Off);
    }
    Other.Extent =
        std::max(Other.Extent, uint64_t(std::max<int64_t>(*Off, 0)) + S.Extent);
    return;
  }
  All.push_back(S);
}

/// Joins stores that move alike, in the order of their addresses. A stream ends
/// where the next store is not beside the one before, or where all bytes of a
/// round are written.
void LoopStreams::addStores(SmallVectorImpl<Stream> &Stores) {
  while (!Stores.empty()) {
    const Stream First = Stores.front();
    SmallVector<std::pair<int64_t, Stream>, 8> Alike;
    erase_if(Stores, [&](const Stream &S) {
      const std::optional<int64_t> Off = distance(First, S);
      if (Off)
        Alike.push_back({*Off, S});
      return Off.has_value();
    });
    sort(Alike, less_first());
    for (size_t Begin = 0, End; Begin < Alike.size(); Begin = End) {
      Stream S = Alike[Begin].second;
      const uint64_t Width = S.Extent;
      for (End = Begin + 1; End < Alike.size(); ++End) {
        const auto &[Off, Next] = Alike[End];
        if (Next.Extent != Width || int64_t(S.Extent) == S.Step ||
            Off - Alike[Begin].first != int64_t(S.Extent))
          break;
        S.Output.append(Next.Output);
        S.Extent += Width;
      }
      if (int64_t(S.Extent) != S.Step)
        S.Output.clear();
      All.push_back(S);
    }
  }
}

/// Drops the outputs that are next to other streams: memory that is read is in
/// the cache anyway.
void LoopStreams::dropUpdates() {
  for (Stream &S : All)
    for (const Stream &Other : All) {
      if (S.Output.empty() || &S == &Other)
        continue;
      const std::optional<int64_t> Off = distance(S, Other);
      if (Off && *Off < S.Step + Near &&
          *Off + int64_t(Other.Extent) > -S.Step - Near)
        S.Output.clear();
    }
}

const char *LoopStreams::find() {
  SmallVector<Stream, 8> Stores;
  for (Instruction &I : *L.getHeader()) {
    if (!I.mayReadOrWriteMemory() && !I.mayHaveSideEffects())
      continue;
    std::optional<Stream> S = streamOf(I);
    if (!S)
      return "not all of its accesses move evenly";
    if (isVectorStore(I) && S->Step > 0) {
      S->Output.push_back(cast<StoreInst>(&I));
      Stores.push_back(*S);
    } else if (S->Writes) {
      All.push_back(*S);
    } else {
      addRead(*S);
    }
  }
  addStores(Stores);
  if (none_of(All, [](const Stream &S) { return !S.Output.empty(); }))
    return "its stores leave bytes out";
  dropUpdates();
  if (none_of(All, [](const Stream &S) { return !S.Output.empty(); }))
    return "it reads what it writes";
  return reads() ? nullptr : "it only writes";
}

bool LoopStreams::reads() const {
  return any_of(All, [](const Stream &S) { return !S.Writes && S.Step != 0; });
}

const SCEV *LoopStreams::span(const Stream &S, const SCEV *Rounds) const {
  Type *I64 = Rounds->getType();
  const SCEV *Step = SE.getConstant(I64, uint64_t(std::abs(S.Step)));
  return SE.getAddExpr(SE.getMulExpr(Rounds, Step),
                       SE.getConstant(I64, S.Extent));
}

const SCEV *LoopStreams::footprint(const SCEV *Rounds) const {
  Type *I64 = Rounds->getType();
  MapVector<const SCEV *, const SCEV *> OfArrays;
  for (const Stream &S : All) {
    if (S.Step == 0)
      continue;
    const SCEV *Bytes = span(S, Rounds), *Start = S.Start;
    for (const Loop *Around = L.getParentLoop(); Around;
         Around = Around->getParentLoop()) {
      const auto *Moves = dyn_cast<SCEVAddRecExpr>(Start);
      if (!Moves || Moves->getLoop() != Around || !Moves->isAffine())
        continue;
      Start = Moves->getStart();
      const SCEV *More = SE.getBackedgeTakenCount(Around);
      const SCEV *Step = Moves->getStepRecurrence(SE);
      if (isa<SCEVCouldNotCompute>(More) ||
          SE.getTypeSizeInBits(More->getType()) > 64 ||
          SE.getTypeSizeInBits(Step->getType()) != 64)
        continue;
      More = SE.getNoopOrZeroExtend(More, I64);
      // Rows may overlap.
      Bytes = SE.getUMinExpr(
          SE.getAddExpr(Bytes, SE.getMulExpr(More, SE.getAbsExpr(Step, false))),
          SE.getMulExpr(Bytes, SE.getAddExpr(More, SE.getOne(I64))));
    }
    const SCEV *&OfArray = OfArrays[SE.getPointerBase(S.Start)];
    OfArray = OfArray ? SE.getUMaxExpr(OfArray, Bytes) : Bytes;
  }
  const SCEV *Sum = SE.getZero(I64);
  for (const auto &[Base, Bytes] : OfArrays)
    Sum = SE.getAddExpr(Sum, Bytes);
  return Sum;
}
