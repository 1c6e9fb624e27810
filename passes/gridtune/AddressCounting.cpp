//===- AddressCounting.cpp - Addresses that move with indices -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes an address as a polynomial of the loop's indices, and keeps the part
// that varies in a phi of its own, which moves as the indices do. Addresses
// with equal varying parts share one.
//
//===----------------------------------------------------------------------===//

#include "gridtune/AddressCounting.h"

#include "affine/Polynomial.h"
#include "gridtune/Flatten.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace accx::gridtune {

namespace {

class AddressCounter {
  const gridloop::GridIv &Grid;
  ArrayRef<CountedIndex> Indices;
  BasicBlock *const Header;
  Instruction *const Before;
  Instruction *const After;
  affine::Atoms Values;
  struct Moving {
    PHINode *Phi = nullptr;
    /// The part of its value that does not vary.
    affine::Polynomial Fixed;
  };
  /// Moving addresses by the part that varies.
  std::map<affine::Polynomial, Moving> Known;
  SmallVector<WeakTrackingVH> Old;
  /// Registers are few.
  static constexpr unsigned MaxCounted = 4;
  /// A move costs about as much as a product; those that borrow cost more.
  static constexpr unsigned MinProducts = 2, MaxMoves = 3;

public:
  AddressCounter(const gridloop::GridIv &Grid, ArrayRef<CountedIndex> Indices)
      : Grid(Grid), Indices(Indices), Header(Grid.Nest->getHeader()),
        Before(Grid.Nest->getLoopPreheader()->getTerminator()),
        After(Grid.Nest->getLoopLatch()->getTerminator()),
        Values(Type::getInt64Ty(Header->getContext())) {}

  bool count(Use &PointerUse);
  void removeOld() {
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  }

private:
  /// How \p A moves, if it is the loop's number or a counted index.
  std::optional<CountedIndex> indexOf(const affine::Atoms::Atom &A) const;
  bool isInvariant(const Value &V) const {
    return Grid.Nest->isLoopInvariant(&V);
  }
  bool isCountable(const affine::Polynomial &Varying) const;
  const Moving &counted(const affine::Polynomial &Varying,
                        const affine::Polynomial &Fixed);
};

} // namespace

std::optional<CountedIndex>
AddressCounter::indexOf(const affine::Atoms::Atom &A) const {
  if (A.V == Grid.Iv && A.How == affine::Atoms::Extension::None) {
    CountedIndex Own;
    Own.Phi = Grid.Iv;
    Own.Moves.push_back({nullptr, Grid.Step});
    return Own;
  }
  for (const CountedIndex &I : Indices)
    if (I.Phi == A.V &&
        (I.Phi->getType()->isIntegerTy(64) ||
         (I.Phi->getType()->isIntegerTy(32) &&
          (I.IsSmall || A.How == affine::Atoms::Extension::Zero))))
      return I;
  return std::nullopt;
}

/// Whether each term is an invariant times one index, and it pays.
bool AddressCounter::isCountable(const affine::Polynomial &Varying) const {
  unsigned Products = 0;
  for (const auto &[Term, Coefficient] : Varying) {
    unsigned Count = 0;
    for (unsigned A : Term) {
      if (isInvariant(*Values[A].V))
        continue;
      ++Count;
      const auto Index = indexOf(Values[A]);
      if (!Index || Index->Moves.size() > MaxMoves)
        return false;
    }
    if (Count != 1)
      return false;
    Products += Term.size() > 1;
  }
  return Products >= MinProducts;
}

/// The first access with such an address has nothing to add to it.
const AddressCounter::Moving &
AddressCounter::counted(const affine::Polynomial &Varying,
                        const affine::Polynomial &Fixed) {
  Moving &M = Known[Varying];
  if (M.Phi)
    return M;
  IRBuilder<> B(Before);
  M.Fixed = Fixed;
  Value *Start = Values.emit(B, Fixed);
  MapVector<Value *, Value *> Moves;
  for (const auto &[Term, Coefficient] : Varying) {
    affine::Monomial Rest;
    std::optional<CountedIndex> Index;
    for (unsigned A : Term)
      if (isInvariant(*Values[A].V))
        Rest.push_back(A);
      else
        Index = indexOf(Values[A]);
    Value *Factor = Values.emit(B, {{Rest, Coefficient}});
    const auto Add = [&](Value *To, Value *Amount) {
      return B.CreateAdd(
          To, B.CreateMul(Factor, B.CreateZExt(Amount, B.getInt64Ty())));
    };
    Start =
        Add(Start, Index->Phi->getIncomingValueForBlock(Before->getParent()));
    for (const auto &[Condition, Amount] : Index->Moves) {
      Value *&Sum = Moves[Condition];
      Sum = Add(Sum ? Sum : B.getInt64(0), Amount);
    }
  }
  B.SetInsertPoint(Header, Header->begin());
  M.Phi = B.CreatePHI(B.getInt64Ty(), 2, "bytes");
  B.SetInsertPoint(After);
  Value *Next = M.Phi;
  for (const auto &[Condition, Sum] : Moves)
    Next = B.CreateAdd(
        Next, Condition ? B.CreateSelect(Condition, Sum, B.getInt64(0)) : Sum);
  M.Phi->addIncoming(Start, Before->getParent());
  M.Phi->addIncoming(Next, After->getParent());
  return M;
}

bool AddressCounter::count(Use &PointerUse) {
  affine::Polynomial Varying;
  Value *Base = Values.ofAddress(PointerUse.get(), Varying, Grid.Nest);
  affine::Polynomial Fixed =
      Values.take(Varying, [&](const Value &V) { return isInvariant(V); });
  if (!Base || !isInvariant(*Base) || !isCountable(Varying) ||
      (!Known.count(Varying) && Known.size() == MaxCounted))
    return false;
  const Moving &M = counted(Varying, Fixed);
  Values.add(Fixed, M.Fixed, ~uint64_t(0));
  IRBuilder<> B(Before);
  Value *More = Values.emit(B, Fixed);
  B.SetInsertPoint(cast<Instruction>(PointerUse.getUser()));
  Old.push_back(PointerUse.get());
  Value *Pointer = B.CreatePtrAdd(Base, M.Phi);
  PointerUse.set(Fixed.empty() ? Pointer : B.CreatePtrAdd(Pointer, More));
  return true;
}

unsigned countAddresses(const gridloop::GridIv &Grid,
                        ArrayRef<CountedIndex> Indices) {
  // A body that branches spends most of its time waiting for loads. Values
  // carried from iteration to iteration would only add to that.
  if (Grid.Nest->getNumBlocks() != 1)
    return 0;
  AddressCounter Work(Grid, Indices);
  SmallVector<Use *> Pointers;
  for (Instruction &I : *Grid.Nest->getHeader())
    if (Use *Pointer = addressOf(I))
      Pointers.push_back(Pointer);
  unsigned Count = 0;
  for (Use *Pointer : Pointers)
    Count += Work.count(*Pointer);
  Work.removeOld();
  return Count;
}

} // namespace accx::gridtune
