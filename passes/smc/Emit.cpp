//===- Emit.cpp - Copies of arrays in shared memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Emit.h. Offsets have 64 bits, so that constant parts of subscripts meet
// those of ranges.
//
//===----------------------------------------------------------------------===//

#include "smc/Emit.h"

#include "smc/Notes.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace accx::smc {

/// Of NVPTX.
static constexpr unsigned SharedSpace = 3;
/// Pieces that one thread copies in straight line; more are a loop.
static constexpr unsigned MaxPieces = 16;

namespace {

/// An array while it is emitted.
struct Copy {
  ArrayPlan &Plan;
  GlobalVariable *Tile = nullptr;
  /// First indices of the block's union, i64.
  SmallVector<Value *, 3> First;
  /// Loaded, not yet stored: value and the piece's number.
  SmallVector<std::pair<Value *, Value *>, 8> Pieces;

  explicit Copy(ArrayPlan &Plan) : Plan(Plan) {}
  unsigned pieces() const {
    return Plan.elements() * (Plan.Element / Plan.Unit);
  }
  Type *pieceType(LLVMContext &C) const {
    return Plan.Unit == 16 ? static_cast<Type *>(
                                 FixedVectorType::get(Type::getInt32Ty(C), 4))
                           : Type::getIntNTy(C, Plan.Unit * 8);
  }
};

class NestWriter {
  NestPlan &P;
  const bool Check;
  BlockPlace Place;
  unsigned Threads;
  DenseMap<Value *, Value *> Origins, Now;

public:
  NestWriter(NestPlan &P, bool Check)
      : P(P), Check(Check), Threads(threadsOf(P.Shape)) {}

  void write() {
    Place = emitBlockLoop(P.Nest, P.Shape);
    for (unsigned D = 0; D < P.Shape.size(); ++D) {
      Value *Index = P.Nest.Indices[D].V;
      Origins[Index] = Origins[Place.Own[D]] = Place.Origin[D];
      Now[Index] = Place.Own[D];
    }
    for (GroupPlan &G : P.Groups)
      writeGroup(G);
  }

private:
  void writeGroup(GroupPlan &G) {
    std::list<Copy> Copies;
    IRBuilder<> B(G.Last);
    for (ArrayPlan &A : G.Arrays) {
      Copy &C = Copies.emplace_back(A);
      C.Tile = createTile(A);
      for (const DimPlan &D : A.Dims)
        C.First.push_back(P.Forms->atOrigin(B, D.First, Origins));
    }
    barrier(B);
    for (Copy &C : Copies)
      fetch(C, *G.Last);
    B.SetInsertPoint(G.Last);
    for (Copy &C : Copies)
      for (const auto &[V, Piece] : C.Pieces)
        storePiece(B, C, V, Piece);
    barrier(B);
    for (Copy &C : Copies)
      for (Access &Each : C.Plan.Accesses)
        redirect(C, Each);
  }

  static GlobalVariable *createTile(const ArrayPlan &A) {
    Function &F = *A.Begin->getFunction();
    auto *T = ArrayType::get(Type::getInt8Ty(F.getContext()), A.bytes());
    auto *Tile = new GlobalVariable(
        *F.getParent(), T, /*isConstant=*/false, GlobalValue::InternalLinkage,
        PoisonValue::get(T), F.getName() + ".smc", nullptr,
        GlobalValue::NotThreadLocal, SharedSpace);
    Tile->setAlignment(Align(16));
    return Tile;
  }

  static void barrier(IRBuilderBase &B) {
    B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  }

  /// The last index of dimension \p D that a fetch may use, and the first.
  std::pair<Value *, Value *> limits(IRBuilderBase &B, const Copy &C,
                                     unsigned D) const {
    const DimPlan &Dim = C.Plan.Dims[D];
    if (Dim.High)
      return {Dim.Low, B.CreateSub(Dim.High, B.getInt64(1))};
    Value *Last = B.CreateAdd(C.First[D], B.getInt64(Dim.Extent - 1));
    for (unsigned I = 0; I < P.Shape.size(); ++I)
      if (const int64_t Factor = Dim.Form.Factors[I])
        Last = B.CreateAdd(
            Last, B.CreateMul(B.CreateSub(Place.Count[I], B.getInt64(1)),
                              B.getInt64(Factor)));
    return {nullptr, Last};
  }

  /// Loads what this thread fetches. Small copies are stored later, when all
  /// loads are under way.
  void fetch(Copy &C, Instruction &Before) {
    IRBuilder<> B(&Before);
    SmallVector<std::pair<Value *, Value *>, 3> Limits;
    Value *Any = nullptr;
    for (unsigned D = 0; D < C.Plan.Dims.size(); ++D) {
      Limits.push_back(limits(B, C, D));
      if (!Limits.back().first)
        continue;
      Value *Some = B.CreateICmpSLE(Limits.back().first, Limits.back().second);
      Any = Any ? B.CreateAnd(Any, Some) : Some;
    }
    const unsigned Rounds = divideCeil(C.pieces(), Threads);
    if (Rounds > MaxPieces) {
      fetchInLoop(C, Limits, Any, Rounds, Before);
      return;
    }
    for (unsigned R = 0; R < Rounds; ++R)
      C.Pieces.push_back({nullptr, pieceOf(B, C, B.getInt32(R))});
    Instruction *At = &Before;
    if (Any)
      At = SplitBlockAndInsertIfThen(Any, &Before, /*Unreachable=*/false);
    B.SetInsertPoint(At);
    for (auto &[V, Piece] : C.Pieces)
      V = loadPiece(B, C, Limits, Piece);
    if (!Any)
      return;
    // Values of an array without elements are of no interest.
    BasicBlock *Then = At->getParent();
    B.SetInsertPoint(Before.getParent(), Before.getParent()->begin());
    for (auto &[V, Piece] : C.Pieces) {
      PHINode *Phi = B.CreatePHI(V->getType(), 2);
      Phi->addIncoming(V, Then);
      Phi->addIncoming(PoisonValue::get(V->getType()),
                       Then->getSinglePredecessor());
      V = Phi;
    }
  }

  void fetchInLoop(Copy &C, ArrayRef<std::pair<Value *, Value *>> Limits,
                   Value *Any, unsigned Rounds, Instruction &Before) {
    Instruction *At = &Before;
    if (Any)
      At = SplitBlockAndInsertIfThen(Any, &Before, /*Unreachable=*/false);
    auto [Body, Round] = SplitBlockAndInsertSimpleForLoop(
        ConstantInt::get(Type::getInt32Ty(Before.getContext()), Rounds), At);
    IRBuilder<> B(Body);
    Value *Piece = pieceOf(B, C, Round);
    storePiece(B, C, loadPiece(B, C, Limits, Piece), Piece);
  }

  /// The number of a piece, i32. What is more than there are is the last once
  /// more.
  Value *pieceOf(IRBuilderBase &B, const Copy &C, Value *Round) const {
    Value *Piece = B.CreateAdd(
        Place.Thread, B.CreateMul(Round, B.getInt32(Threads)), "", true, true);
    if (C.pieces() % Threads)
      Piece = B.CreateBinaryIntrinsic(Intrinsic::umin, Piece,
                                      B.getInt32(C.pieces() - 1));
    return Piece;
  }

  Value *loadPiece(IRBuilderBase &B, const Copy &C,
                   ArrayRef<std::pair<Value *, Value *>> Limits,
                   Value *Piece) const {
    const ArrayPlan &A = C.Plan;
    const unsigned Parts = A.Element / A.Unit;
    Value *Element = Piece;
    Value *Offset = B.getInt64(0);
    if (Parts > 1) {
      Offset = B.CreateZExt(B.CreateMul(B.CreateURem(Piece, B.getInt32(Parts)),
                                        B.getInt32(A.Unit)),
                            B.getInt64Ty());
      Element = B.CreateUDiv(Piece, B.getInt32(Parts));
    }
    for (unsigned D = A.Dims.size(); D-- > 0;) {
      Value *Index = Element;
      if (D > 0) {
        Index = B.CreateURem(Element, B.getInt32(A.Dims[D].Span));
        Element = B.CreateUDiv(Element, B.getInt32(A.Dims[D].Span));
      }
      Index = B.CreateAdd(C.First[D], B.CreateZExt(Index, B.getInt64Ty()));
      const auto [Low, Last] = Limits[D];
      Index = B.CreateBinaryIntrinsic(Intrinsic::smin, Index, Last);
      if (Low)
        Index = B.CreateBinaryIntrinsic(Intrinsic::smax, Index, Low);
      Offset = B.CreateAdd(Offset, B.CreateMul(Index, A.Dims[D].Pitch));
    }
    return B.CreateAlignedLoad(C.pieceType(B.getContext()),
                               B.CreatePtrAdd(A.Base, Offset), Align(A.Unit));
  }

  static void storePiece(IRBuilderBase &B, const Copy &C, Value *V,
                         Value *Piece) {
    Value *Offset = B.CreateMul(B.CreateZExt(Piece, B.getInt64Ty()),
                                B.getInt64(C.Plan.Unit), "", true, true);
    B.CreateAlignedStore(V, B.CreatePtrAdd(C.Tile, Offset), Align(C.Plan.Unit));
  }

  Value *valueOf(IRBuilderBase &B, const Term &T) const {
    if (!T.V)
      return B.getInt64(T.Factor);
    Value *V = Now.lookup(T.V);
    V = B.CreateSExtOrTrunc(V ? V : T.V, B.getInt64Ty());
    return T.Factor == 1 ? V : B.CreateMul(V, B.getInt64(T.Factor));
  }

  /// Where in the copy \p Each is; \p Inside whether it is there.
  Value *offsetOf(IRBuilderBase &B, const Copy &C, const Access &Each,
                  Value *&Inside) const {
    const ArrayPlan &A = C.Plan;
    const unsigned Rank = A.Dims.size();
    const int64_t Size =
        Each.Load->getDataLayout().getTypeStoreSize(Each.Load->getType());
    Value *Offset = nullptr;
    Inside = B.getTrue();
    if (Rank == 1) {
      for (const Term &T : Each.Terms) {
        Value *V = valueOf(B, T);
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
          Value *V = valueOf(B, T);
          Index = Index ? B.CreateAdd(Index, V) : V;
        }
      if (!Index)
        Index = B.getInt64(0);
      Index = B.CreateSub(Index, C.First[D]);
      Inside = B.CreateAnd(Inside,
                           B.CreateICmpULT(Index, B.getInt64(A.Dims[D].Span)));
      Offset = B.CreateAdd(Offset, B.CreateMul(Index, B.getInt64(Pitch)));
      Pitch *= A.Dims[D].Span;
    }
    return Offset;
  }

  void redirect(Copy &C, Access &Each) {
    LoadInst *Load = Each.Load;
    IRBuilder<> B(Load);
    Value *Inside = nullptr;
    Value *Offset = offsetOf(B, C, Each, Inside);
    const auto FromTile = [&] {
      LoadInst *New =
          B.CreateAlignedLoad(Load->getType(), B.CreatePtrAdd(C.Tile, Offset),
                              std::min(Load->getAlign(), Align(C.Plan.Unit)));
      New->takeName(Load);
      return New;
    };
    if (!Each.NeedsTest && !(Check && !C.Plan.IsTransparent)) {
      Load->replaceAllUsesWith(FromTile());
      Load->eraseFromParent();
      return;
    }
    Instruction *Then = nullptr, *Else = nullptr;
    SplitBlockAndInsertIfThenElse(Inside, Load, &Then, &Else);
    B.SetInsertPoint(Then);
    LoadInst *New = FromTile();
    B.SetInsertPoint(Load->getParent(), Load->getParent()->begin());
    PHINode *Phi = B.CreatePHI(Load->getType(), 2);
    Load->replaceAllUsesWith(Phi);
    Load->moveBefore(Else);
    Phi->addIncoming(New, Then->getParent());
    Phi->addIncoming(Load, Else->getParent());
    if (!Each.NeedsTest)
      report(*Else, C, Offset);
  }

  /// Says that a read was outside of what the directive declares. Distances
  /// are in elements from the first of the copy.
  static void report(Instruction &At, const Copy &C, Value *Offset) {
    IRBuilder<> B(&At);
    Module &M = *At.getModule();
    FunctionCallee Print = M.getOrInsertFunction("vprintf", B.getInt32Ty(),
                                                 B.getPtrTy(), B.getPtrTy());
    Value *Format = B.CreateGlobalString(
        "accx: " + whereOf(*C.Plan.Begin) +
        ": element %lld of the %lld that the block's iterations declare "
        "is read\n");
    IRBuilder<> Entry(&At.getFunction()->getEntryBlock(),
                      At.getFunction()->getEntryBlock().begin());
    auto *Arguments = ArrayType::get(B.getInt64Ty(), 2);
    Value *Buffer = Entry.CreateAlloca(Arguments);
    B.CreateStore(B.CreateSDiv(Offset, B.getInt64(C.Plan.Element)), Buffer);
    B.CreateStore(B.getInt64(C.Plan.elements()),
                  B.CreatePtrAdd(Buffer, B.getInt64(8)));
    B.CreateCall(Print, {Format, Buffer});
  }
};

} // namespace

void emitNest(NestPlan &P, bool Check) { NestWriter(P, Check).write(); }

} // namespace accx::smc
