//===- LoopOrder.h - Digits of collapsed loops, and their order -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The digits of a grid-stride loop's number as nested loops, what accesses of a
// warp cost where each is innermost, and other numbers for the iterations; see
// GridOrder.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_LOOPORDER_H
#define ACCX_GRIDTUNE_LOOPORDER_H

#include "affine/Polynomial.h"
#include "gridloop/GridIv.h"
#include "gridtune/Distances.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace accx::gridtune {

/// The quotient of the iteration's number by a divisor, or of what another
/// digit leaves of it.
struct Place {
  llvm::Value *Dividend = nullptr;
  llvm::Value *Divisor = nullptr;
  llvm::SmallVector<llvm::Instruction *, 2> Quotients;
  /// Dividend % Divisor.
  llvm::SmallVector<llvm::Instruction *, 2> Rests;

  /// What stands for the quotient where addresses are compared.
  llvm::Value &atom() const {
    return *(Quotients.empty() ? Rests.front() : Quotients.front());
  }
};

/// One loop.
class LoopOrder {
  llvm::Loop &L;
  const gridloop::GridIv &Grid;
  llvm::ScalarEvolution &SE;
  const llvm::DataLayout &Layout;
  /// The outermost loop's place, and the middle one's if there are three.
  llvm::SmallVector<Place, 2> Places;

public:
  LoopOrder(const gridloop::GridIv &Grid, llvm::ScalarEvolution &SE)
      : L(*Grid.Nest), Grid(Grid), SE(SE),
        Layout(L.getHeader()->getModule()->getDataLayout()) {}

  /// Whether the digits are those of two or three loops.
  bool findPlaces();
  /// The place whose loop goes innermost; none where the order is right.
  const Place *best();
  /// The place with the divisor \p Size; null if there is none.
  const Place *placeOf(const llvm::Value &Size) const {
    const auto *At = llvm::find_if(
        Places, [&](const Place &P) { return P.Divisor == &Size; });
    return At == Places.end() ? nullptr : At;
  }
  /// How often \p P's divisor the trip count has; null where that is not known
  /// to come out even.
  llvm::Value *cofactorOf(const Place &P) const;
  /// Makes \p First's loop the innermost, with those outside of it, which have
  /// \p Count iterations in all. Of two loops outside of the third one the
  /// inner one becomes the innermost then.
  void reorder(const Place &First, llvm::Value *Count);

private:
  bool isNumber(const llvm::Instruction &Division) const;
  bool isSure(const llvm::Instruction &Division) const;
  bool addDivision(llvm::Instruction &I);
  std::optional<affine::Polynomial> viewOf(Distances &D, llvm::Value &V) const;
  bool varies(const llvm::Value *V) const;
  std::optional<affine::Polynomial> distanceOf(Distances &D,
                                               const affine::Polynomial &Bytes,
                                               const Place *Moved) const;
  bool isPositiveOrZero(llvm::Value *V) const;
  llvm::Value *factorLike(llvm::Value *Divisor) const;
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_LOOPORDER_H
