//===- Plan.h - Which arrays of a kernel are cached, and how ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What smc-tile decides before it changes anything: the shape of a block, the
// copies, and the reads that go to them. A copy is the union of what the
// block's iterations declare:
//
//     first(origin)                     first(last) + extent
//        |----- growth ------|------ extent ------|
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_PLAN_H
#define ACCX_SMC_PLAN_H

#include "smc/Affine.h"
#include "smc/BlockNest.h"
#include "smc/Refusal.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"

#include <list>
#include <vector>

namespace accx::smc {

/// A dimension of an array with a copy.
struct DimPlan {
  llvm::Value *Pitch = nullptr;
  llvm::Value *First = nullptr;
  Affine Form;
  int64_t Extent = 0;
  /// Elements that the copy has in this dimension.
  int64_t Span = 0;
  /// Null where it is not known how long the array is.
  llvm::Value *Low = nullptr;
  llvm::Value *High = nullptr;
};

/// A part of a subscript.
struct Term {
  /// The array's dimension; one behind the last: bytes within an element.
  unsigned Dim = 0;
  /// Null: the number 1.
  llvm::Value *V = nullptr;
  int64_t Factor = 1;
};

/// A read that goes to the copy.
struct Access {
  llvm::LoadInst *Load = nullptr;
  llvm::SmallVector<Term, 4> Terms;
  /// It may be outside of the copy.
  bool NeedsTest = false;
};

struct ArrayPlan {
  llvm::CallInst *Begin = nullptr;
  llvm::Value *Base = nullptr;
  bool IsTransparent = false;
  int64_t Element = 0;
  /// Bytes that are copied at a time.
  int64_t Unit = 0;
  llvm::SmallVector<DimPlan, 3> Dims;
  std::vector<Access> Accesses;

  int64_t elements() const {
    int64_t Count = 1;
    for (const DimPlan &D : Dims)
      Count *= D.Span;
    return Count;
  }
  int64_t bytes() const { return elements() * Element; }
};

/// Arrays whose regions begin and end together share barriers.
struct GroupPlan {
  /// Where all of them are open.
  llvm::CallInst *Last = nullptr;
  std::vector<ArrayPlan> Arrays;
};

struct NestPlan {
  BlockNest Nest;
  BlockShape Shape;
  std::unique_ptr<AffineForms> Forms;
  std::vector<GroupPlan> Groups;
  /// Loops over copies, of few iterations that are constant in number.
  llvm::SmallPtrSet<llvm::Loop *, 4> ShortLoops;

  void print(llvm::raw_ostream &OS) const;
};

using RefuseAt = llvm::function_ref<void(llvm::CallInst &Begin, Refusal)>;

/// Plans all of \p Kernel's regions; \p Refuse hears of each array that is left
/// out.
std::vector<NestPlan> planKernel(llvm::Function &Kernel,
                                 llvm::FunctionAnalysisManager &FAM,
                                 RefuseAt Refuse);

} // namespace accx::smc

#endif // ACCX_SMC_PLAN_H
