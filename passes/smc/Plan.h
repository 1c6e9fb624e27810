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

#include "blocks/Region.h"
#include "smc/Affine.h"
#include "smc/BlockNest.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

#include <list>
#include <vector>

namespace accx::smc {

/// Bytes of shared memory that a block may have. The device runtime's own are
/// less than the rest of 48 KiB.
inline constexpr int64_t SharedBytes = 44 << 10;

/// A dimension of an array with a copy. Low and High are null where it is not
/// known how long the array is.
struct DimPlan : blocks::Dimension {
  Affine Form;
  /// Elements that an iteration declares, and that the copy has.
  int64_t Own = 0;
  int64_t Span = 0;

  explicit DimPlan(const blocks::Dimension &Declared) : Dimension(Declared) {}
};

/// A load or a store that goes to the copy.
struct Access {
  llvm::Instruction *At = nullptr;
  llvm::SmallVector<blocks::Term, 4> Terms;
  /// It may be outside of the copy.
  bool NeedsTest = false;
  /// Each thread accesses the element that has the thread's place in the copy.
  bool IsOwn = false;

  bool isWrite() const { return llvm::isa<llvm::StoreInst>(At); }
  llvm::Type *type() const { return llvm::getLoadStoreType(At); }
  int64_t size() const { return At->getDataLayout().getTypeStoreSize(type()); }
};

struct ArrayPlan : blocks::Array {
  /// Bytes that are copied at a time.
  int64_t Unit = 0;
  llvm::SmallVector<DimPlan, 3> Dims;
  std::vector<Access> Accesses;
  /// Bytes of a written part, of which it is noted whether it is to go to the
  /// array; 0: nothing is.
  int64_t Part = 0;
  /// Each thread fetches the element of its own iteration, and no other.
  bool FetchesOwn = false;
  /// Threads read only that element, and none writes: there is no copy.
  bool IsPrivate = false;
  /// Threads write only that element, as a whole: each notes its own.
  bool WritesOwn = false;
  /// They do so by barriers whose places are known, and each iteration has an
  /// element: there are two copies in turn.
  bool InTurn = false;

  int64_t elements() const {
    int64_t Count = 1;
    for (const DimPlan &D : Dims)
      Count *= D.Span;
    return Count;
  }
  int64_t bytes() const { return elements() * Element; }
  /// The distance from one copy to the other.
  int64_t sideBytes() const { return llvm::alignTo(bytes(), 16); }
  /// The bytes of the flags, one for each part.
  int64_t flagBytes() const {
    return Part && !WritesOwn ? llvm::alignTo(bytes() / Part, 4) : 0;
  }
};

/// The barriers around a write of a channel type that hoistWrites has placed.
struct WriteBarriers {
  llvm::CallInst *Before = nullptr, *After = nullptr;
};
WriteBarriers barriersOf(const llvm::Instruction &Write);

/// Arrays whose regions begin and end together share barriers.
struct GroupPlan {
  /// The marker at which all of them are open.
  llvm::CallInst *Last = nullptr;
  std::vector<ArrayPlan> Arrays;
  /// An iteration may open them more than once.
  bool IsInLoop = false;
};

struct NestPlan {
  BlockNest Nest;
  BlockShape Shape;
  std::unique_ptr<AffineForms> Forms;
  std::vector<GroupPlan> Groups;
  /// The marker of a block with barriers of the program alone, and no arrays:
  /// Team.cpp.
  llvm::CallInst *Team = nullptr;
  /// All loops of such a block become straight code.
  bool IsStraight = false;
  /// Loops over copies, of few iterations that are constant in number.
  llvm::SmallPtrSet<llvm::Loop *, 4> ShortLoops;
  /// Most turns of one of them.
  unsigned MostTurns = 0;
  /// Loops over copies of more iterations.
  llvm::SmallPtrSet<llvm::Loop *, 4> LongLoops;
  /// The grid of the blocks, once they are emitted.
  gpu::LaunchGrid Grid;

  void print(llvm::raw_ostream &OS) const;
};

/// Is told of an array that is left out, of the reason, and of numbers that
/// belong to it.
using RefuseAt = llvm::function_ref<void(llvm::CallInst &Begin, Refusal,
                                         const llvm::Twine &Detail)>;

// Before planning: a kernel that has regions becomes one function, its
// variables values, its loops as they were written, its writes and barriers
// where all threads of a block are.

/// Makes functions that have notes part of their callers, until the notes
/// stand in kernels or cannot be moved. Whether anything changed.
bool inlineNotes(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Makes calls of \p Kernel's body part of it, and its variables values.
void makeValues(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM);

/// `a && b` becomes one branch, so that a write under it leaves one.
void foldConditions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Brings \p Kernel's writes of channel types, and barriers of the program in
/// their regions, to where all threads of a block are. The result is a note of
/// kind Write with the indices, a store to the array's base, and notes of kind
/// Barrier around both. False if \p Refuse was called.
bool hoistWrites(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM,
                 RefuseAt Refuse);

/// Whether a region of \p Kernel is of type Team.
bool hasTeam(llvm::Function &Kernel);

/// Puts the objects that team notes name into shared memory, and a barrier at
/// the end of regions, so that the next block finds them free. False if
/// \p Refuse was called.
bool shareTeamObjects(llvm::Function &Kernel, RefuseAt Refuse);

/// Calls \p Refuse where not all threads of a block come to each of \p Kernel's
/// barriers; for nests that are emitted.
void checkTeamBarriers(llvm::Function &Kernel,
                       llvm::FunctionAnalysisManager &FAM, RefuseAt Refuse);

/// Plans all of \p Kernel's regions; \p Refuse is told of each array that is
/// left out.
std::vector<NestPlan> planKernel(llvm::Function &Kernel,
                                 llvm::FunctionAnalysisManager &FAM,
                                 RefuseAt Refuse);

// Parts of it (Accesses.cpp).

/// Reads the array that \p Begin declares: all of \p A that does not depend on
/// blocks. False if numbers are no constants.
bool readArray(llvm::CallInst &Begin, ArrayPlan &A);
/// The terms of \p Address in \p A.
inline std::optional<llvm::SmallVector<blocks::Term, 4>>
splitAddress(llvm::Value *Address, const ArrayPlan &A,
             const llvm::DataLayout &Layout) {
  return blocks::splitAddress(Address, *A.Base, A, Layout, /*IsStrict=*/true);
}
/// Whether \p Address may be derived from \p A's base.
bool mayBeIn(const llvm::Value *Address, const ArrayPlan &A);
/// Finds \p A.Accesses: the region's reads of its array, and its writes where
/// these go to a copy.
Refusal findAccesses(const blocks::Region &R, ArrayPlan &A,
                     llvm::ScalarEvolution &SE, const llvm::LoopInfo &Loops,
                     const llvm::DominatorTree &DT);

} // namespace accx::smc

#endif // ACCX_SMC_PLAN_H
