//===- Forms.h - Sums of places and what is the same for all ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that follow the work-item's places with constant factors:
//
//     factor0 * place0 + factor1 * place1 + rest
//
// as exact numbers of 64 bits, wherever the program may compute the value. A
// condition between two such values follows from a block's corners, or is a
// range of places. What work-items declare together follows from the factors.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_FORMS_H
#define ACCX_WORKITEMS_FORMS_H

#include "affine/Slope.h"
#include "workitems/Code.h"
#include "workitems/Regions.h"

#include <optional>

namespace accx::workitems {

struct Form {
  affine::Slope Factor;
  int64_t Constant = 0;
  /// The rest: values that all work-items have alike, or variables that hold
  /// such, and their factors.
  llvm::SmallVector<std::pair<llvm::Value *, int64_t>, 4> Parts;
  bool IsOfBlock = false;

  bool isPlaced() const { return !Factor.isFlat(); }
  bool operator==(const Form &Other) const {
    return Factor == Other.Factor && Constant == Other.Constant &&
           Parts == Other.Parts;
  }
};

/// Finds forms of a plan's values, and computes them.
class Forms {
  const LoopPlan &Plan;

public:
  /// \p Known says what variables hold that all work-items have alike, as far
  /// as that may be used.
  using Variables = llvm::DenseMap<Slot, llvm::Value *>;

  explicit Forms(const LoopPlan &Plan) : Plan(Plan) {}

  /// \p Left - \p Right. Exact where the program computes both.
  std::optional<Form> difference(llvm::Value *Left, llvm::Value *Right,
                                 const Variables &Known = Variables()) const;
  /// The factors of places in \p V, whatever the rest is.
  std::optional<affine::Slope> slopeOf(llvm::Value *V) const;
  /// The part of the form that all work-items have alike. A sum that does not
  /// fit 64 bits is the nearest that does.
  llvm::Value *rest(Code &B, const Form &F,
                    const Variables &Known = Variables()) const;

private:
  /// Adds \p Scale times \p V. Without \p Known only the places count.
  bool add(Form &F, llvm::Value *V, int64_t Scale, const Variables *Known,
           unsigned Depth) const;
  bool addPart(Form &F, llvm::Value *V, int64_t Scale) const;
};

/// A condition that away from the edges of what a program works on is the same
/// for all: `0 < i`, `i == n - 1`.
struct Edge {
  /// All comparisons with this condition; Inside is their result there.
  llvm::SmallVector<llvm::ICmpInst *, 4> Tests;
  llvm::ICmpInst::Predicate Predicate = llvm::ICmpInst::ICMP_EQ;
  Form Difference;
  bool Inside = false;
};

llvm::SmallVector<Edge, 8> findEdges(const LoopPlan &Plan);
/// Whether all of \p Edges are as inside for all of a whole block.
llvm::Value *isInside(Code &B, const LoopPlan &Plan,
                      llvm::ArrayRef<Edge> Edges);

/// Which work-items have something to do in a region.
struct Range {
  /// Places from From to To, exclusive, of each dimension.
  llvm::Value *From[2] = {};
  llvm::Value *To[2] = {};
  /// The values of conditions for those places.
  llvm::DenseMap<llvm::Value *, bool> Holds;

  /// Whether much is left over behind whole vectors in rows along \p Dimension,
  /// of \p Size places.
  bool isMasked(unsigned Dimension, unsigned Size) const;
  /// Whether it begins at place 0, and is a multiple of \p Length.
  bool isWhole(unsigned Dimension, uint64_t Length) const;
};

/// Finds the range of \p R, which starts at \p Start, among \p Places. \p
/// Assumed: what conditions are known to be. \p Many: the range is that of
/// several blocks at once.
Range findRange(Code &B, const LoopPlan &Plan, const Regions &All,
                llvm::BasicBlock *Start, const Region &R, Range Places,
                const Forms::Variables &Known,
                const llvm::DenseMap<llvm::Value *, bool> &Assumed, bool Many);

// What a block's work-items declare together (Bounds.cpp).

/// What each work-item stores to \p S, if it is affine; else null.
llvm::Value *affineIn(const LoopPlan &Plan, Slot S);

/// How many indices of dimension \p D a whole block declares, where that is
/// constant.
std::optional<uint64_t> spanOf(const LoopPlan &Plan, const ArrayPlan &A,
                               unsigned D);
/// The least of them.
llvm::Value *lowestOf(Code &B, const LoopPlan &Plan, const ArrayPlan &A,
                      unsigned D);
/// \p Others, and whether the array has all of them, of all dimensions.
llvm::Value *andHasAll(Code &B, llvm::Value *Others, const LoopPlan &Plan,
                       const ArrayPlan &A);

/// Whether \p V is one more at the next place of \p Dimension.
bool isNextTo(const LoopPlan &Plan, llvm::Value *V, unsigned Dimension);

/// The least (else the greatest) value of the affine \p V in a block with
/// \p Count work-items in each dimension.
llvm::Value *extreme(Code &B, const LoopPlan &Plan, llvm::Value *V,
                     llvm::ArrayRef<llvm::Value *> Count, bool IsLeast);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_FORMS_H
