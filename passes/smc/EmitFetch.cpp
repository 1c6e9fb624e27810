//===- EmitFetch.cpp - What goes to copies, and back ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches and write-backs by all threads of a block. Most blocks have all of
// their range in the array: a place in the array then is a sum of one part that
// is the same for all threads and one that is the same for all blocks.
//
//===----------------------------------------------------------------------===//

#include "smc/Emit.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <numeric>

using namespace llvm;

namespace accx::smc {

/// Pieces that one thread copies in straight line; more are a loop.
static constexpr unsigned MaxPieces = 16;

Value *fixedHere(IRBuilderBase &B, Value *V) {
  const bool IsShort = V->getType()->isIntegerTy(32);
  auto *Type = FunctionType::get(V->getType(), {V->getType()}, false);
  return B.CreateCall(
      InlineAsm::get(Type, IsShort ? "mov.b32 $0, $1;" : "mov.b64 $0, $1;",
                     IsShort ? "=r,r" : "=l,l", /*hasSideEffects=*/true),
      {V});
}

Type *wordOf(IRBuilderBase &B, int64_t Bytes) {
  if (Bytes == 16)
    return FixedVectorType::get(B.getInt32Ty(), 4);
  return B.getIntNTy(Bytes * 8);
}

void copyBytes(IRBuilderBase &B, Value *To, Value *From, Align By,
               int64_t Bytes) {
  if (isPowerOf2_64(Bytes) && Bytes <= 8)
    B.CreateAlignedStore(B.CreateAlignedLoad(wordOf(B, Bytes), From, By), To,
                         By);
  else
    B.CreateMemCpyInline(To, By, From, By, B.getInt64(Bytes));
}

Value *ownOf(IRBuilderBase &B, const Emission &E, unsigned Count,
             Value *Round) {
  Value *Own =
      B.CreateAdd(E.Place.Thread, B.CreateMul(Round, B.getInt32(E.Threads)), "",
                  true, true);
  if (Count % E.Threads)
    Own = B.CreateBinaryIntrinsic(Intrinsic::umin, Own, B.getInt32(Count - 1));
  return Own;
}

Value *addressOf(IRBuilderBase &B, const Copy &C, Value *Element, Value *Offset,
                 ArrayRef<std::pair<Value *, Value *>> Limits) {
  const ArrayPlan &A = C.Plan;
  Value *Common = nullptr;
  for (unsigned D = A.Dims.size(); D-- > 0;) {
    Value *Index = Element;
    if (D > 0) {
      Index = B.CreateURem(Element, B.getInt32(A.Dims[D].Span));
      Element = B.CreateUDiv(Element, B.getInt32(A.Dims[D].Span));
    }
    Index = B.CreateZExt(Index, B.getInt64Ty());
    if (Limits.empty()) {
      Value *First = B.CreateMul(C.First[D], A.Dims[D].Pitch);
      Common = Common ? B.CreateAdd(Common, First) : First;
    } else {
      Index = B.CreateAdd(C.First[D], Index);
      const auto [Low, Last] = Limits[D];
      Index = B.CreateBinaryIntrinsic(Intrinsic::smin, Index, Last);
      if (Low)
        Index = B.CreateBinaryIntrinsic(Intrinsic::smax, Index, Low);
    }
    Offset = B.CreateAdd(Offset, B.CreateMul(Index, A.Dims[D].Pitch));
  }
  Value *Base = Common ? B.CreatePtrAdd(A.Base, Common) : A.Base;
  return B.CreatePtrAdd(Base, Offset);
}

/// The element that piece \p Number of \p Bytes is in, and where in it, i64.
static std::pair<Value *, Value *> pieceOf(IRBuilderBase &B, const ArrayPlan &A,
                                           Value *Number, int64_t Bytes) {
  const unsigned Count = A.Element / Bytes;
  if (Count <= 1)
    return {Number, B.getInt64(0)};
  Value *Offset = B.CreateMul(
      B.CreateZExt(B.CreateURem(Number, B.getInt32(Count)), B.getInt64Ty()),
      B.getInt64(Bytes));
  return {B.CreateUDiv(Number, B.getInt32(Count)), Offset};
}

namespace {

/// First and last index of each dimension; no first where it is not known.
using Limits = SmallVector<std::pair<Value *, Value *>, 3>;

class Fetcher {
  const Emission &E;
  Instruction &Before;
  struct Part {
    Copy &C;
    Limits Within = {};
    /// Something of it is there; null: always.
    Value *Any = nullptr;
  };
  std::list<Part> Parts;
  /// Whether all ranges are there in full.
  Value *IsWhole = nullptr;

public:
  Fetcher(const Emission &E, std::list<Copy> &Copies, Instruction &Before)
      : E(E), Before(Before) {
    for (Copy &C : Copies)
      if (C.Plan.isFetched() && !C.Plan.FetchesOwn && !C.Plan.IsPrivate)
        Parts.push_back({C});
  }

  void fetch() {
    IRBuilder<> B(&Before);
    for (Part &P : Parts)
      addLimits(B, P);
    SmallVector<Part *, 4> Straight;
    for (Part &P : Parts) {
      const unsigned Rounds = divideCeil(P.C.pieces(), E.Threads);
      if (Rounds > MaxPieces) {
        fetchInLoop(P, Rounds);
        continue;
      }
      B.SetInsertPoint(&Before);
      for (unsigned R = 0; R < Rounds; ++R)
        P.C.Pieces.push_back(
            {nullptr, ownOf(B, E, P.C.pieces(), B.getInt32(R))});
      Straight.push_back(&P);
    }
    if (Straight.empty())
      return;
    Instruction *Whole = nullptr, *Border = nullptr;
    SplitBlockAndInsertIfThenElse(IsWhole, &Before, &Whole, &Border);
    SmallVector<Value *, 16> Inside, Clamped;
    for (Part *P : Straight)
      loadAll(*P, *Whole, {}, Inside);
    for (Part *P : Straight)
      loadClamped(*P, *Border, Clamped);
    B.SetInsertPoint(Before.getParent(), Before.getParent()->begin());
    unsigned At = 0;
    for (Part *P : Straight)
      for (auto &[V, Piece] : P->C.Pieces) {
        PHINode *Phi = B.CreatePHI(Inside[At]->getType(), 2);
        Phi->addIncoming(Inside[At], Whole->getParent());
        Phi->addIncoming(Clamped[At++], Border->getParent());
        V = Phi;
      }
  }

private:
  void addLimits(IRBuilderBase &B, Part &P) {
    const auto And = [&](Value *&To, Value *Other) {
      To = To ? B.CreateAnd(To, Other) : Other;
    };
    if (!IsWhole)
      IsWhole = B.getTrue();
    for (unsigned D = 0; D < P.C.Plan.Dims.size(); ++D) {
      const DimPlan &Dim = P.C.Plan.Dims[D];
      Value *First = P.C.First[D];
      if (Dim.High) {
        Value *Last = B.CreateSub(Dim.High, B.getInt64(1));
        P.Within.push_back({Dim.Low, Last});
        And(P.Any, B.CreateICmpSLE(Dim.Low, Last));
        And(IsWhole, B.CreateICmpSGE(First, Dim.Low));
        And(IsWhole,
            B.CreateICmpSLE(
                B.CreateAdd(First, B.getInt64(Dim.Span - 1), "", false, true),
                Last));
        continue;
      }
      // Only iterations that exist declare elements.
      Value *Last = B.CreateAdd(First, B.getInt64(Dim.Own - 1));
      for (unsigned I = 0; I < E.P.Shape.size(); ++I)
        if (const int64_t Factor = Dim.Form.Factors[I]) {
          Last = B.CreateAdd(
              Last, B.CreateMul(B.CreateSub(E.Place.Count[I], B.getInt64(1)),
                                B.getInt64(Factor)));
          And(IsWhole,
              B.CreateICmpEQ(E.Place.Count[I], B.getInt64(E.P.Shape[I])));
        }
      P.Within.push_back({nullptr, Last});
    }
  }

  static void loadAll(const Part &P, Instruction &At,
                      ArrayRef<std::pair<Value *, Value *>> Within,
                      SmallVectorImpl<Value *> &Loaded) {
    IRBuilder<> B(&At);
    for (const auto &[V, Piece] : P.C.Pieces)
      Loaded.push_back(
          load(B, P.C, Within.empty() ? Piece : fixedHere(B, Piece), Within));
  }

  static void loadClamped(const Part &P, Instruction &Border,
                          SmallVectorImpl<Value *> &Loaded) {
    if (!P.Any) {
      loadAll(P, Border, P.Within, Loaded);
      return;
    }
    BasicBlock *Left = Border.getParent();
    Instruction *Some =
        SplitBlockAndInsertIfThen(P.Any, &Border, /*Unreachable=*/false);
    SmallVector<Value *, 8> There;
    loadAll(P, *Some, P.Within, There);
    // Values of an array without elements are of no interest.
    IRBuilder<> B(Border.getParent(), Border.getParent()->begin());
    for (Value *V : There) {
      PHINode *Phi = B.CreatePHI(V->getType(), 2);
      Phi->addIncoming(V, Some->getParent());
      Phi->addIncoming(PoisonValue::get(V->getType()), Left);
      Loaded.push_back(Phi);
    }
  }

  void fetchInLoop(const Part &P, unsigned Rounds) const {
    Instruction *At = &Before;
    if (P.Any)
      At = SplitBlockAndInsertIfThen(P.Any, At, /*Unreachable=*/false);
    auto [Body, Round] = SplitBlockAndInsertSimpleForLoop(
        ConstantInt::get(Type::getInt32Ty(At->getContext()), Rounds), At);
    IRBuilder<> B(Body);
    Value *Piece = ownOf(B, E, P.C.pieces(), Round);
    Value *V = load(B, P.C, Piece, P.Within);
    storePiece(B, P.C, V, Piece);
  }

  static Value *load(IRBuilderBase &B, const Copy &C, Value *Piece,
                     ArrayRef<std::pair<Value *, Value *>> Within) {
    const ArrayPlan &A = C.Plan;
    const auto [Element, Offset] = pieceOf(B, A, Piece, A.Unit);
    return B.CreateAlignedLoad(wordOf(B, A.Unit),
                               addressOf(B, C, Element, Offset, Within),
                               Align(A.Unit));
  }

  static void storePiece(IRBuilderBase &B, const Copy &C, Value *V,
                         Value *Piece) {
    Value *Offset = B.CreateMul(B.CreateZExt(Piece, B.getInt64Ty()),
                                B.getInt64(C.Plan.Unit), "", true, true);
    B.CreateAlignedStore(V, B.CreatePtrAdd(C.Tile, Offset), Align(C.Plan.Unit));
  }

public:
  static void storeAll(IRBuilderBase &B, Copy &C) {
    for (const auto &[V, Piece] : C.Pieces)
      storePiece(B, C, V, Piece);
    C.Pieces.clear();
  }
};

} // namespace

void fetch(const Emission &E, std::list<Copy> &Copies, Instruction &Before) {
  Fetcher(E, Copies, Before).fetch();
}

void storePieces(IRBuilderBase &B, Copy &C) { Fetcher::storeAll(B, C); }

/// Calls \p Each with a place before \p Before and the number of each of the
/// thread's own of \p Count things.
static void forOwn(const Emission &E, unsigned Count, Instruction &Before,
                   function_ref<void(Instruction &At, Value *Own)> Each) {
  const unsigned Rounds = divideCeil(Count, E.Threads);
  if (Rounds <= MaxPieces) {
    for (unsigned R = 0; R < Rounds; ++R) {
      IRBuilder<> B(&Before);
      Each(Before, ownOf(B, E, Count, B.getInt32(R)));
    }
    return;
  }
  auto [Body, Round] = SplitBlockAndInsertSimpleForLoop(
      ConstantInt::get(Type::getInt32Ty(Before.getContext()), Rounds), &Before);
  IRBuilder<> B(Body);
  Value *Own = ownOf(B, E, Count, Round);
  Each(*Body, Own);
}

void clearFlags(const Emission &E, Copy &C, Instruction &Before) {
  constexpr unsigned Word = 4;
  forOwn(E, C.Plan.flagBytes() / Word, Before,
         [&](Instruction &At, Value *Own) {
           IRBuilder<> B(&At);
           Value *Offset = B.CreateMul(B.CreateZExt(Own, B.getInt64Ty()),
                                       B.getInt64(Word), "", true, true);
           B.CreateAlignedStore(B.getInt32(0), B.CreatePtrAdd(C.Flags, Offset),
                                Align(Word));
         });
}

void writeBack(const Emission &E, Copy &C) {
  const ArrayPlan &A = C.Plan;
  // Parts that two threads have (ownOf) are stored twice, as they are.
  forOwn(E, C.parts(), *A.End, [&](Instruction &At, Value *Own) {
    IRBuilder<> B(&At);
    Value *Number = B.CreateZExt(Own, B.getInt64Ty());
    Value *Written = B.CreateICmpNE(
        B.CreateLoad(B.getInt8Ty(), B.CreatePtrAdd(C.Flags, Number)),
        B.getInt8(0));
    Instruction *Then =
        SplitBlockAndInsertIfThen(Written, &At, /*Unreachable=*/false);
    B.SetInsertPoint(Then);
    const auto [Element, Offset] = pieceOf(B, A, Own, A.Part);
    Value *From = B.CreatePtrAdd(
        C.Tile, B.CreateMul(Number, B.getInt64(A.Part), "", true, true));
    Value *To = addressOf(B, C, Element, Offset, {});
    copyBytes(B, To, From, Align(std::gcd(A.Part, A.Unit)), A.Part);
  });
}

} // namespace accx::smc
