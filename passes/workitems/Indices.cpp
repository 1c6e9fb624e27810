//===- Indices.cpp - Places of work-items for loop counters ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iteration's index is the first of its block plus its place in the block.
// What programs compute from it to find their place in the block themselves,
// `i >> 8` and `i & 255` in blocks of 256, then is the number of the block and
// the place: uniform the one, consecutive the other.
//
//===----------------------------------------------------------------------===//

#include "affine/Factors.h"
#include "workitems/Code.h"
#include "workitems/Plan.h"

#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::workitems {

namespace {

class Recovery {
  LoopPlan &Plan;
  Type *const Ty;
  Code B;
  Value *Block[2] = {}, *Place[2] = {}, *Index[2] = {};
  /// The row and the column of a team.
  Value *Row = nullptr, *Column = nullptr;

public:
  explicit Recovery(LoopPlan &Plan)
      : Plan(Plan), Ty(Plan.W.Counter->getAllocatedType()),
        B(Plan.W.Body, Plan.W.Body->getFirstInsertionPt()) {}

  Refusal run() {
    SmallVector<LoadInst *, 8> Counters;
    for (User *U : Plan.W.Counter->users())
      if (auto *Load = dyn_cast<LoadInst>(U);
          Load && Plan.W.Nest->contains(Load))
        Counters.push_back(Load);
    // The two loops of a nest are divided by the inner one's length.
    SmallVector<BinaryOperator *, 4> Rows;
    for (LoadInst *Counter : Counters)
      for (User *U : Counter->users())
        if (match(U, m_IDiv(m_Specific(Counter), m_Value())) && isInBody(*U))
          Rows.push_back(cast<BinaryOperator>(U));
    if (Plan.Block.Dims == 0) {
      Plan.Block.Dims = Rows.empty() ? 1 : 2;
      Plan.Block.Size[0] = Rows.empty() ? 256 : 16;
      Plan.Block.Size[1] = Rows.empty() ? 1 : 16;
    }
    if (Plan.Block.Dims == 2) {
      if (Rows.empty() || any_of(Rows, [&](BinaryOperator *R) {
            return R->getOperand(1) != Rows.front()->getOperand(1);
          }))
        return Refusal::BlockShape;
      Plan.Columns = aheadOf(Plan, Rows.front()->getOperand(1));
      if (!Plan.Columns)
        return Refusal::BlockShape;
    }
    for (unsigned D = 0; D < Plan.Block.Dims; ++D) {
      Plan.FirstOf[D] = createSlot(Plan, Ty, "wi.first");
      Plan.BlockOf[D] = createSlot(Plan, Ty, "wi.block");
      Plan.PlaceOf[D] = createSlot(Plan, Ty, "wi.place");
      Block[D] = B.get(Plan.BlockOf[D]);
      Place[D] = B.get(Plan.PlaceOf[D]);
      if (Plan.Block.Size[D] == 1) // the same for all, as can be seen
        Place[D] = ConstantInt::get(Ty, 0);
      Index[D] =
          B.CreateAdd(B.get(Plan.FirstOf[D]), Place[D], "wi.index", true, true);
    }
    if (Plan.RowLength) {
      Plan.RowOf = createSlot(Plan, Ty, "wi.row");
      Plan.ColumnOf = createSlot(Plan, Ty, "wi.column");
      Row = B.get(Plan.RowOf);
      Column = B.get(Plan.ColumnOf);
    }
    Value *Linear = Index[0];
    if (Plan.Block.Dims == 2)
      Linear = B.CreateAdd(B.CreateMul(Index[0], Plan.Columns, "", true, true),
                           Index[1], "wi.linear", true, true);
    for (BinaryOperator *Row : Rows) {
      if (Plan.Block.Dims < 2)
        break;
      for (User *Rest : Row->getOperand(0)->users())
        if (affine::isRestOf(*Rest, *Row))
          Rest->replaceAllUsesWith(Index[1]);
      Row->replaceAllUsesWith(Index[0]);
    }
    // The header's may serve the body, too.
    for (LoadInst *Counter : Counters)
      Counter->replaceUsesWithIf(
          Linear, [&](Use &U) { return isInBody(*U.getUser()); });
    // Blocks count themselves.
    for (User *U : make_early_inc_range(Plan.W.Counter->users()))
      if (auto *Store = dyn_cast<StoreInst>(U); Store && isInBody(*Store))
        Store->eraseFromParent();
    for (unsigned D = 0; D < Plan.Block.Dims; ++D)
      simplify(Index[D], D);
    return Refusal::None;
  }

private:
  bool isInBody(const User &U) const {
    return Plan.Body.contains(
        const_cast<BasicBlock *>(cast<Instruction>(U).getParent()));
  }

  /// The users of \p V, which is an index of dimension \p D.
  void simplify(Value *V, unsigned D) {
    for (User *U : make_early_inc_range(V->users())) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || !I->getType()->isIntegerTy())
        continue;
      if (isa<TruncInst, SExtInst, ZExtInst>(I) ||
          match(I, m_c_Add(m_Specific(V), m_Zero())) ||
          match(I, m_c_Mul(m_Specific(V), m_One()))) {
        simplify(I, D);
        if (V == Index[D])
          narrow(*I, D);
        continue;
      }
      if (Value *New = inBlock(*I, *V, D))
        I->replaceAllUsesWith(New);
    }
  }

  /// Collapsed loops are counted in 64 bits, and their variables cut from that.
  /// Nothing is lost where the loop is short enough.
  void narrow(Instruction &I, unsigned D) {
    if (!isa<TruncInst>(I) || !I.getType()->isIntegerTy(32) || Plan.RowLength)
      return;
    B.SetInsertPoint(&I);
    Value *First = B.CreateTrunc(B.get(Plan.FirstOf[D]), I.getType());
    Value *InBlock = Plan.Block.Size[D] == 1
                         ? ConstantInt::get(I.getType(), 0)
                         : B.CreateTrunc(B.get(Plan.PlaceOf[D]), I.getType());
    I.replaceAllUsesWith(B.CreateAdd(First, InBlock, "wi.index", false, true));
    Plan.IsNarrow[D] = true;
  }

  /// \p I, a user of an index, by number of block and place.
  Value *inBlock(Instruction &I, Value &V, unsigned D) {
    const unsigned Size = Plan.Block.Size[D];
    const APInt *C = nullptr;
    uint64_t Part = 0;
    bool IsRest = false;
    if (match(&I, m_Shr(m_Specific(&V), m_APInt(C))) && C->ult(13)) {
      Part = uint64_t(1) << C->getZExtValue();
    } else if (match(&I, m_IDiv(m_Specific(&V), m_APInt(C)))) {
      Part = C->getLimitedValue(Size + 1);
    } else if (match(&I, m_And(m_Specific(&V), m_APInt(C))) &&
               (*C + 1).isPowerOf2()) {
      Part = C->getLimitedValue(Size) + 1;
      IsRest = true;
    } else if (match(&I, m_IRem(m_Specific(&V), m_APInt(C)))) {
      Part = C->getLimitedValue(Size + 1);
      IsRest = true;
    }
    if (Part == 0 || Part > Size || Size % Part != 0)
      return nullptr;
    B.SetInsertPoint(&I);
    Value *New = nullptr;
    if (D == 1 && Part == Plan.RowLength) // the team's only block
      New = IsRest ? Column : Row;
    else if (IsRest)
      New = Part == Size ? Place[D]
                         : B.CreateURem(Place[D], ConstantInt::get(Ty, Part));
    else if (Part == Size)
      New = Block[D];
    else
      New =
          B.CreateAdd(B.CreateMul(Block[D], ConstantInt::get(Ty, Size / Part)),
                      B.CreateUDiv(Place[D], ConstantInt::get(Ty, Part)));
    return B.CreateZExtOrTrunc(New, I.getType());
  }
};

} // namespace

Refusal recoverIndices(LoopPlan &Plan) { return Recovery(Plan).run(); }

} // namespace accx::workitems
