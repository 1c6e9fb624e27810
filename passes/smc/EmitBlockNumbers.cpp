//===- EmitBlockNumbers.cpp - From block to block -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many blocks a loop of BlockNest.h has, and how a thread's block steps
// through their numbers: in one dimension, in those of a grid, or column by
// column.
//
//===----------------------------------------------------------------------===//

#include "smc/BlockLoopWriter.h"
#include "smc/Emit.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::smc {

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
bool BlockLoopWriter::isSigned(const Value *Trip) {
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

void BlockLoopWriter::countTrips(IRBuilderBase &B) {
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

void BlockLoopWriter::countBlocks() {
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
  Value *Own = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {}, {});
  Value *Step =
      B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {}, {});
  Place.Block = N.Iv;
  Place.FirstBlock = B.CreateZExt(Own, B.getInt64Ty(), "block");
  Value *Far = B.CreateZExt(Step, B.getInt64Ty(), "all.blocks");
  N.Iv->setIncomingValueForBlock(Before, Place.FirstBlock);
  N.Test->setOperand(1, All);
  IRBuilder<> Back(N.Latch->getTerminator());
  N.Iv->setIncomingValueForBlock(N.Latch, Back.CreateAdd(N.Iv, Far, "", true));
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
bool BlockLoopWriter::planGrid() {
  gpu::LaunchGrid Grid;
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

/// The block's number in each dimension: from \p Own on, by \p Step, without
/// a division for each block.
void BlockLoopWriter::stepThrough(IRBuilderBase &B, Value *Own, Value *Step) {
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

/// The block's number in each dimension, as the device has it, and by how
/// many there are: the outermost first, and when it is through the next.
void BlockLoopWriter::stepThroughGrid(IRBuilderBase &B) {
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
void BlockLoopWriter::stepThroughColumns(IRBuilderBase &B) {
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
  Column = new AllocaInst(Int, F.getDataLayout().getAllocaAddrSpace(), "column",
                          F.getEntryBlock().begin());
  B.CreateStore(FirstColumn, Column);
}

/// The loop over columns around the loop at \p Header. Without code of its
/// own the two would become one again.
void BlockLoopWriter::nestColumns(BasicBlock *Header) {
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
  Iv->addIncoming(B.CreateAdd(N.Iv, ConstantInt::get(N.Iv->getType(), 1)), End);
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

} // namespace accx::smc
