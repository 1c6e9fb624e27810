//===- EmitBlockLoop.cpp - Rewrites loops over blocks ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BlockNest.h.
//
//===----------------------------------------------------------------------===//

#include "gridloop/GridLoop.h"
#include "smc/EmitParts.h"
#include "smc/Notes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::smc {

namespace {

class BlockLoopWriter {
  const BlockNest &N;
  const BlockShape &Shape;
  BlockPlace Place;
  /// Trip counts, in each dimension; their last iterations, how many blocks
  /// there are and the block's number, of type Int.
  SmallVector<Value *, 3> Trips, Lasts, Blocks, Numbers;
  Type *Int = nullptr;
  bool IsWide = false;
  /// Numbers of blocks in each of the grid's dimensions, outermost first; then
  /// the block's of rows that are divided.
  SmallVector<Value *, 3> Parts;
  /// There are iterations.
  Value *IsAny = nullptr;
  bool OwnsGrid = false, CarriesNothing = false;
  /// Blocks are to stay: those of a column are a loop of their own, in which
  /// all that depends on the column is computed ahead.
  const bool Stays;
  /// The variable of the column's number, then; its first value, by how much it
  /// grows, and its bound.
  AllocaInst *Column = nullptr;
  Value *FirstColumn = nullptr, *ColumnStep = nullptr, *Columns = nullptr;
  Value *Active = nullptr;

public:
  BlockLoopWriter(const BlockNest &N, const BlockShape &Shape, bool Stays)
      : N(N), Shape(Shape), Stays(Stays) {}

  BlockPlace write() {
    // What the body does is known before anything is added to it.
    SmallVector<Instruction *, 16> Writes;
    for (BasicBlock *Block : N.Nest->blocks())
      for (Instruction &I : *Block)
        if (isWrite(I))
          Writes.push_back(&I);
    SmallVector<PHINode *, 4> Carried;
    for (PHINode &Phi : N.Nest->getHeader()->phis())
      if (&Phi != N.Iv)
        Carried.push_back(&Phi);
    CarriesNothing = Carried.empty();
    SmallVector<User *, 8> Uses;
    for (User *U : N.Iv->users())
      if (U != N.Test && U != N.Next)
        Uses.push_back(U);
    const unsigned Dims = N.Indices.size();
    Instruction *End = N.Latch->getTerminator();
    OwnsGrid = N.ownsGrid();
    countBlocks();
    if (Column)
      nestColumns(N.Nest->getHeader());
    placeThread();
    replaceIndices(Dims, Uses);
    replaceRows();
    // Values that go on to the next iteration.
    for (PHINode *Phi : Carried) {
      IRBuilder<> B(N.Latch->getTerminator());
      const int From = Phi->getBasicBlockIndex(N.Latch);
      Phi->setIncomingValue(
          From, B.CreateSelect(Active, Phi->getIncomingValue(From), Phi));
    }
    if (!N.IsWhole)
      for (Instruction *Write : Writes)
        guard(*Write);
    unmark(*End);
    Place.Active = Active;
    Place.Own.append(Indices.begin(), Indices.end());
    return std::move(Place);
  }

private:
  static bool isWrite(const Instruction &I) {
    const Value *To = nullptr;
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      To = Store->getPointerOperand();
    else if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
      To = Fill->getRawDest();
    else if (isa<AtomicRMWInst>(I))
      return true;
    return To && !isa<AllocaInst>(getUnderlyingObject(To));
  }

  /// The block that now precedes the header.
  BasicBlock *before() const {
    for (BasicBlock *P : predecessors(N.Nest->getHeader()))
      if (P != N.Latch)
        return P;
    return nullptr;
  }

  /// The number that, times \p Divisor, is \p V, where there is one without
  /// dividing: products of trip counts do not wrap. \p Divisor becomes the
  /// factor that it is.
  static Value *otherFactor(Value *V, Value *&Divisor) {
    Value *Product, *L, *R;
    if (match(V, m_Select(m_Value(), m_Zero(), m_Value(Product))))
      V = Product;
    if (!match(V, m_NSWMul(m_Value(L), m_Value(R))) ||
        !V->getType()->isIntegerTy(64))
      return nullptr;
    // Counts of loops that are entered are not negative.
    const auto IsSame = [&](const Value *Factor) {
      const Value *One, *Other;
      return Factor == Divisor ||
             (match(Factor, m_ZExtOrSExt(m_Value(One))) &&
              match(Divisor, m_ZExtOrSExt(m_Value(Other))) && One == Other);
    };
    if (IsSame(R))
      std::swap(L, R);
    else if (!IsSame(L))
      return nullptr;
    Divisor = L;
    return R;
  }

  /// Whether \p Trip, being positive, has less than 32 bits.
  static bool isSigned(const Value *Trip) {
    const Value *V;
    return match(Trip, m_SExt(m_Value(V))) &&
           V->getType()->getScalarSizeInBits() <= 32;
  }

  /// Whether \p Trip is at most 2^32, given that it is positive.
  static bool isNarrow(Value *Trip) {
    Value *V, *Last;
    if (match(Trip, m_Select(m_Value(), m_Zero(), m_Value(V))))
      Trip = V;
    if (match(Trip, m_c_Add(m_Value(Last), m_One())))
      Trip = Last;
    if (const auto *C = dyn_cast<ConstantInt>(Trip))
      return C->getValue().isIntN(32);
    return match(Trip, m_ZExtOrSExt(m_Value(V))) &&
           V->getType()->getScalarSizeInBits() <= 32;
  }

  void countTrips(IRBuilderBase &B) {
    Value *Outer = N.Trip;
    IsAny = B.getTrue();
    IsWide = false;
    for (unsigned D = 0; D < N.Indices.size(); ++D) {
      Value *Divisor = N.Indices[D].Divisor;
      if (Divisor)
        Divisor = B.CreateZExt(Divisor, B.getInt64Ty());
      Value *Trip = Divisor ? otherFactor(Outer, Divisor) : Outer;
      if (!Trip) {
        IsAny = B.CreateAnd(IsAny, B.CreateICmpNE(Outer, B.getInt64(0)));
        Trip = B.CreateUDiv(
            Outer,
            B.CreateBinaryIntrinsic(Intrinsic::umax, Divisor, B.getInt64(1)),
            "trips");
      } else {
        IsAny = B.CreateAnd(IsAny, B.CreateICmpSGT(Trip, B.getInt64(0)));
      }
      IsWide |= !isNarrow(Trip) || Shape[D] == 1;
      Trips.push_back(Trip);
      Outer = Divisor;
    }
  }

  void countBlocks() {
    BasicBlock *Before = before();
    IRBuilder<> B(Before->getTerminator());
    countTrips(B);
    Int = B.getIntNTy(IsWide ? 64 : 32);
    Value *All = nullptr;
    for (unsigned D = 0; D < N.Indices.size(); ++D) {
      Value *Last =
          B.CreateTrunc(B.CreateSub(Trips[D], B.getInt64(1)), Int, "last");
      Lasts.push_back(Last);
      // At least one, to divide by, whatever there is to do.
      Value *Count =
          B.CreateAdd(B.CreateUDiv(Last, ConstantInt::get(Int, Shape[D])),
                      ConstantInt::get(Int, 1), "blocks");
      if (Shape[D] == 1)
        Count = B.CreateBinaryIntrinsic(Intrinsic::umax, Count,
                                        ConstantInt::get(Int, 1));
      Blocks.push_back(Count);
      Count = B.CreateZExt(Count, B.getInt64Ty());
      All = All ? B.CreateMul(All, Count) : Count;
    }
    // Nothing to do in one dimension: nothing to do.
    All = B.CreateSelect(IsAny, All, B.getInt64(0), "all");
    Value *Own =
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {}, {});
    Value *Step =
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {}, {});
    Place.Block = N.Iv;
    Place.FirstBlock = B.CreateZExt(Own, B.getInt64Ty(), "block");
    Value *Far = B.CreateZExt(Step, B.getInt64Ty(), "all.blocks");
    N.Iv->setIncomingValueForBlock(Before, Place.FirstBlock);
    N.Test->setOperand(1, All);
    IRBuilder<> Back(N.Latch->getTerminator());
    N.Iv->setIncomingValueForBlock(N.Latch,
                                   Back.CreateAdd(N.Iv, Far, "", true));
    N.Next->replaceAllUsesWith(PoisonValue::get(N.Next->getType()));
    N.Next->eraseFromParent();
    if (OwnsGrid && planGrid()) {
      if (Stays && !N.IsWhole && Shape.size() == 2 && CarriesNothing)
        stepThroughColumns(B);
      else
        stepThroughGrid(B);
    } else {
      stepThrough(B, B.CreateZExt(Own, Int), B.CreateZExt(Step, Int));
    }
  }

  /// Whether a launch can say how many blocks there are in each dimension.
  bool planGrid() {
    LaunchGrid Grid;
    if (N.IsWhole) {
      Value *Columns = N.Rows.Divisor;
      if (!Columns || Columns->getType() != Int)
        return false;
      Value *Rows = otherFactor(Trips[0], Columns);
      if (!Rows || !Grid.addInner(Trips[1], 0) || !Grid.addInner(Columns, 1))
        return false;
      Grid.addOuter(1);
      Parts = {Rows, Columns};
    } else {
      if (Shape.size() < 2)
        return false;
      for (unsigned D = Shape.size(); --D > 0;)
        if (!Grid.addInner(Trips[D], Shape[D]))
          return false;
      Grid.addOuter(Shape[0]);
      Parts = Blocks;
    }
    Place.Grid = std::move(Grid);
    return true;
  }

  /// The block's number in each dimension, as the device has it, and by how
  /// many there are: the outermost first, and when it is through the next.
  void stepThroughGrid(IRBuilderBase &B) {
    constexpr Intrinsic::ID Own[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                     Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                     Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    constexpr Intrinsic::ID All[] = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                     Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                     Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
    const auto Read = [&](Intrinsic::ID Register) {
      return B.CreateZExt(B.CreateIntrinsic(Register, {}, {}), Int);
    };
    IRBuilder<> Head(N.Iv);
    IRBuilder<> Back(N.Latch->getTerminator());
    const unsigned Last = Parts.size() - 1;
    SmallVector<Value *, 3> Number;
    Value *Carry = nullptr;
    for (unsigned D = 0; D <= Last; ++D) {
      PHINode *Phi = Head.CreatePHI(Int, 2, "number");
      Number.push_back(Phi);
      Value *First = Read(Own[Last - D]), *Step = Read(All[Last - D]);
      if (Carry)
        Step = Back.CreateSelect(Carry, Step, ConstantInt::get(Int, 0));
      Value *Next = Back.CreateAdd(Phi, Step);
      if (D < Last) {
        IsAny = B.CreateAnd(IsAny, B.CreateICmpULT(First, Parts[D]));
        Carry = Back.CreateICmpUGE(Next, Parts[D]);
        Next = Back.CreateSelect(Carry, First, Next);
      }
      Phi->addIncoming(First, B.GetInsertBlock());
      Phi->addIncoming(Next, N.Latch);
    }
    N.Test->setOperand(0, Number[Last]);
    N.Test->setOperand(
        1, B.CreateSelect(IsAny, Parts[Last], ConstantInt::get(Int, 0)));
    (N.IsWhole ? Parts : Numbers) = Number;
  }

  /// The same of two dimensions, where nothing else goes on from block to
  /// block: a loop over columns, and in it one over the blocks of each.
  void stepThroughColumns(IRBuilderBase &B) {
    const auto Read = [&](Intrinsic::ID Register) {
      return B.CreateZExt(B.CreateIntrinsic(Register, {}, {}), Int);
    };
    Value *First = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_y);
    Value *Step = Read(Intrinsic::nvvm_read_ptx_sreg_nctaid_y);
    FirstColumn = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
    ColumnStep = Read(Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
    Columns = B.CreateSelect(IsAny, Parts[1], ConstantInt::get(Int, 0));
    PHINode *Number = IRBuilder<>(N.Iv).CreatePHI(Int, 3, "number");
    IRBuilder<> Back(N.Latch->getTerminator());
    Number->addIncoming(First, B.GetInsertBlock());
    Number->addIncoming(Back.CreateAdd(Number, Step), N.Latch);
    N.Test->setOperand(0, Number);
    N.Test->setOperand(1, Parts[0]);
    Parts = {Number};
    Function &F = *N.Iv->getFunction();
    Column = new AllocaInst(Int, F.getDataLayout().getAllocaAddrSpace(),
                            "column", F.getEntryBlock().begin());
    B.CreateStore(FirstColumn, Column);
  }

  /// The loop over columns around the loop at \p Header. Without code of its
  /// own the two would become one again.
  void nestColumns(BasicBlock *Header) {
    BasicBlock *Before = before();
    auto *Branch = cast<BranchInst>(Header->getTerminator());
    BasicBlock *Exit = Branch->getSuccessor(1);
    Function *F = Header->getParent();
    auto *Begin = BasicBlock::Create(F->getContext(), "column", F, Header);
    auto *End = BasicBlock::Create(F->getContext(), "next.column", F, Exit);
    Branch->setSuccessor(1, End);
    IRBuilder<> B(Begin);
    Value *Number = fixedHere(B, B.CreateLoad(Int, Column));
    Numbers = {Parts[0], Number};
    PHINode *Iv = B.CreatePHI(N.Iv->getType(), 2);
    Iv->moveBefore(*Begin, Begin->begin());
    Iv->addIncoming(N.Iv->getIncomingValueForBlock(Before), Before);
    B.CreateBr(Header);
    for (PHINode &Phi : Header->phis())
      Phi.replaceIncomingBlockWith(Before, Begin);
    N.Iv->setIncomingValueForBlock(Begin, Iv);
    B.SetInsertPoint(End);
    Iv->addIncoming(B.CreateAdd(N.Iv, ConstantInt::get(N.Iv->getType(), 1)),
                    End);
    Number = B.CreateAdd(Number, ColumnStep);
    B.CreateStore(Number, Column);
    B.CreateCondBr(B.CreateICmpULT(Number, Columns), Begin, Exit);
    Instruction *Entry = Before->getTerminator();
    B.SetInsertPoint(Entry);
    B.CreateCondBr(B.CreateICmpULT(FirstColumn, Columns), Begin, Exit);
    Entry->eraseFromParent();
    for (PHINode &Phi : Exit->phis()) {
      Value *V = Phi.getIncomingValueForBlock(Header);
      Phi.replaceIncomingBlockWith(Header, End);
      Phi.addIncoming(V, Before);
    }
  }

  /// The program divides the number of a row, as the device has done.
  void replaceRows() {
    if (!N.IsWhole || Place.Grid.words().empty())
      return;
    N.Rows.Quotient->replaceAllUsesWith(Parts[0]);
    N.Rows.Rest->replaceAllUsesWith(Parts[1]);
  }

  /// The block's number in each dimension: from \p Own on, by \p Step, without
  /// a division for each block.
  void stepThrough(IRBuilderBase &B, Value *Own, Value *Step) {
    const unsigned Dims = Shape.size();
    Numbers.resize(Dims);
    if (Dims == 1 && IsWide) {
      Numbers[0] = N.Iv;
      return;
    }
    IRBuilder<> Head(N.Iv);
    IRBuilder<> Back(N.Latch->getTerminator());
    Value *Carry = nullptr;
    for (unsigned D = Dims; D-- > 0;) {
      PHINode *Number = Head.CreatePHI(Int, 2, "number");
      Numbers[D] = Number;
      Value *First = Own, *By = Step;
      if (D > 0) {
        First = B.CreateURem(Own, Blocks[D]);
        Own = B.CreateUDiv(Own, Blocks[D]);
        By = B.CreateURem(Step, Blocks[D]);
        Step = B.CreateUDiv(Step, Blocks[D]);
      }
      Value *Next = Back.CreateAdd(Number, By);
      if (Carry)
        Next = Back.CreateAdd(Next, Back.CreateZExt(Carry, Int));
      if (D > 0) {
        // Twice the number of blocks fits: one has two iterations, or the
        // number all bits.
        Carry = Back.CreateICmpUGE(Next, Blocks[D]);
        Next = Back.CreateSelect(Carry, Back.CreateSub(Next, Blocks[D]), Next);
      }
      Number->addIncoming(First, B.GetInsertBlock());
      Number->addIncoming(Next, N.Latch);
    }
    if (Dims == 1) {
      Place.Block = Numbers[0];
      Place.FirstBlock = Own;
    }
    // The outermost number says when all are done.
    N.Test->setOperand(0, Numbers[0]);
    N.Test->setOperand(
        1, B.CreateSelect(IsAny, Blocks[0], ConstantInt::get(Int, 0)));
  }

  void placeThread() {
    IRBuilder<> B(N.Body, N.Body->getFirstInsertionPt());
    if (Numbers.empty())
      Numbers = {B.CreateAdd(B.CreateMul(Parts[0], N.Rows.Divisor), Parts[1]),
                 ConstantInt::get(Int, 0)};
    CallInst *Read =
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    // What is computed of it stays in the loop, which mostly has one turn.
    if (N.IsWhole && !Stays)
      Read = cast<CallInst>(fixedHere(B, Read));
    Read->addRangeRetAttr(
        ConstantRange(APInt(32, 0), APInt(32, N.threadsFor(Shape))));
    Place.Thread = Read;
    Value *Thread = Read;
    if (N.threadsFor(Shape) != threadsOf(Shape)) {
      Active = B.CreateICmpULT(Read, B.getInt32(threadsOf(Shape)));
      Place.InShape = Active;
      Thread = B.CreateBinaryIntrinsic(Intrinsic::umin, Read,
                                       B.getInt32(threadsOf(Shape) - 1));
    }
    const unsigned Dims = Shape.size();
    Place.Origin.resize(Dims);
    Place.Count.resize(Dims);
    Place.Rest.resize(Dims);
    Place.Mine.resize(Dims);
    Place.Offset.resize(Dims);
    Indices.resize(Dims);
    for (unsigned D = Dims; D-- > 0;) {
      Value *Mine = Thread;
      if (D > 0) {
        Mine = B.CreateURem(Thread, B.getInt32(Shape[D]));
        Thread = B.CreateUDiv(Thread, B.getInt32(Shape[D]));
      }
      // The same for all, as can be seen.
      if (Shape[D] == 1)
        Mine = B.getInt32(0);
      Value *Origin =
          B.CreateMul(Numbers[D], ConstantInt::get(Int, Shape[D]), "origin",
                      /*HasNUW=*/true,
                      /*HasNSW=*/IsWide || isSigned(Trips[D]));
      // Places in a block have 32 bits, whatever indices have.
      Value *Rest = B.CreateTrunc(
          B.CreateBinaryIntrinsic(Intrinsic::umin,
                                  B.CreateSub(Lasts[D], Origin, "", true),
                                  ConstantInt::get(Int, Shape[D] - 1)),
          B.getInt32Ty(), "rest");
      Place.Origin[D] = B.CreateZExt(Origin, B.getInt64Ty());
      Place.Count[D] = B.CreateAdd(B.CreateZExt(Rest, B.getInt64Ty()),
                                   B.getInt64(1), "", true, true);
      Value *Inside = B.CreateICmpULE(Mine, Rest);
      Active = Active ? B.CreateAnd(Active, Inside, "active") : Inside;
      Place.Rest[D] = Rest;
      Place.Mine[D] = Mine;
      Place.Offset[D] =
          N.IsWhole ? Mine
                    : B.CreateBinaryIntrinsic(Intrinsic::umin, Mine, Rest);
      Indices[D] = B.CreateAdd(Place.Origin[D],
                               B.CreateZExt(Place.Offset[D], B.getInt64Ty()),
                               "index", true, true);
    }
    Linear = Indices[0];
    for (unsigned D = 1; D < Dims; ++D)
      Linear = B.CreateAdd(B.CreateMul(Linear, Trips[D], "", true, true),
                           Indices[D], "", true, true);
  }

  void replaceIndices(unsigned Dims, ArrayRef<User *> Uses) {
    IRBuilder<> B(cast<Instruction>(Linear)->getNextNode());
    for (unsigned D = 0; D < Dims; ++D) {
      Instruction *Old = N.Indices[D].V;
      Indices[D] = B.CreateTrunc(Indices[D], Old->getType());
      Place.Origin[D] = B.CreateTrunc(Place.Origin[D], Old->getType());
      if (Old != N.Iv)
        Old->replaceAllUsesWith(Indices[D]);
    }
    // In place of the counter itself.
    for (User *U : Uses)
      U->replaceUsesOfWith(N.Iv, Linear);
  }

  void guard(Instruction &Write) {
    Instruction *Then =
        SplitBlockAndInsertIfThen(Active, &Write, /*Unreachable=*/false);
    Write.moveBefore(Then);
    if (Write.use_empty())
      return;
    BasicBlock *Tail = Then->getSuccessor(0);
    PHINode *Phi = PHINode::Create(Write.getType(), 2, "", Tail->begin());
    Write.replaceAllUsesWith(Phi);
    Phi->addIncoming(&Write, Then->getParent());
    Phi->addIncoming(Constant::getNullValue(Write.getType()),
                     Then->getParent()->getSinglePredecessor());
  }

  /// It is no grid-stride loop any more.
  static void unmark(Instruction &End) {
    End.setMetadata(LLVMContext::MD_loop,
                    makePostTransformationMetadata(
                        End.getContext(), End.getMetadata(LLVMContext::MD_loop),
                        {gridloop::GridLoopMetadata}, {}));
  }

  SmallVector<Value *, 3> Indices;
  Value *Linear = nullptr;
};

} // namespace

BlockPlace emitBlockLoop(const BlockNest &N, const BlockShape &Shape,
                         bool Stays) {
  return BlockLoopWriter(N, Shape, Stays).write();
}

} // namespace accx::smc
