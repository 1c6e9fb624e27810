//===- Emit.h - Copies of arrays in shared memory ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of a plan: the loop over blocks, shared memory for each array,
// its fetch by all threads of the block, and the accesses that go there.
//
//     barrier          all have read what the copy held before
//     element t, t + threads, ... of the copy = the array's, within its extent
//     barrier          all of it is there
//
// Its sources share a copy's place in shared memory and its numbering:
//
//     piece     what a thread fetches at a time: an element, or parts of one
//     part      what is written back at a time
//
// Piece t, t + threads, ... is thread t's.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_EMIT_H
#define ACCX_SMC_EMIT_H

#include "smc/Plan.h"

#include "llvm/IR/IRBuilder.h"

#include <map>

namespace accx::smc {

/// Rewrites what \p P describes. With \p Check, reads outside of their declared
/// range are reported when they happen; with \p Stays there are fewer blocks of
/// threads than of iterations.
void emitNest(NestPlan &P, bool Check, bool Stays);

// The rest is for the emitter's sources.

/// A nest after its loop was rewritten.
struct Emission {
  NestPlan &P;
  BlockPlace Place;
  /// Threads of a block.
  unsigned Threads;
  /// Values of the block's first iteration, and of the thread's, by what they
  /// were before.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Origins, Now;
  /// How far those of the thread are from the block's first, i32.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Distances;
  /// The factors of the thread's place in each dimension.
  using Factors = affine::Slope;
  llvm::DenseMap<llvm::Value *, Factors> PlaceFactors;
  /// The same of other values, by what it is the distance from, and by whether
  /// that is the thread's own.
  std::map<std::pair<const llvm::Value *, Factors>,
           llvm::DenseMap<llvm::Value *, llvm::Value *>>
      Chosen;
  /// Reads and writes outside of their ranges are reported.
  bool Check;

  Emission(NestPlan &P, bool Check)
      : P(P), Threads(P.Nest.threadsFor(P.Shape)), Check(Check) {}

  /// \p V as it is now.
  llvm::Value *now(llvm::Value *V) const {
    llvm::Value *New = Now.lookup(V);
    return New ? New : V;
  }
};

/// The state of an array with two copies in turn.
struct Turns {
  /// Variables: the thread's own element, the bytes from the first copy to the
  /// one that is read, and whether its element goes to the array.
  llvm::AllocaInst *Own = nullptr, *Side = nullptr, *Flag = nullptr;
  /// The barriers behind its writes.
  llvm::SmallVector<llvm::CallInst *, 4> Swaps;
};

struct Copy {
  ArrayPlan &Plan;
  llvm::GlobalVariable *Tile = nullptr;
  /// Its address, for the region's accesses (fixedHere).
  llvm::Value *Address = nullptr;
  /// A byte for each part; null where nothing is written back.
  llvm::GlobalVariable *Flags = nullptr;
  /// Whether the thread has written its own element, which alone it writes.
  llvm::AllocaInst *OwnFlag = nullptr;
  /// Null where there is one copy.
  Turns *Turn = nullptr;
  /// Where the thread's own element is in the copy, in bytes, an i32; null
  /// where that is not known.
  llvm::Value *OwnOffset = nullptr;
  /// First indices of the block's union, i64.
  llvm::SmallVector<llvm::Value *, 3> First;
  /// Loaded, not yet stored: value and the piece's number.
  llvm::SmallVector<std::pair<llvm::Value *, llvm::Value *>, 8> Pieces;

  explicit Copy(ArrayPlan &Plan) : Plan(Plan) {}
  unsigned pieces() const {
    return Plan.elements() * (Plan.Element / Plan.Unit);
  }
  unsigned parts() const { return Plan.bytes() / Plan.Part; }
};

/// What the indices of the body are in terms of the thread's place in the
/// block, as far as blocks know: found before the loop is rewritten, used
/// after.
class PlaceForms {
  struct Found {
    llvm::Instruction *I;
    Affine Form;
  };
  llvm::SmallVector<Found, 16> All;

public:
  explicit PlaceForms(const NestPlan &P);
  void use(Emission &E);
};

/// How far \p V, an index, is from \p First of the block, i32; null if it is
/// not made of the thread's place by choice and constants alone. With \p Own,
/// the factors of places in an index whose first of the block is \p First, how
/// far it is from the thread's.
llvm::Value *distanceOf(Emission &E, llvm::Value *V, llvm::Value *First,
                        const Emission::Factors &Own = {});

/// A value of so many bytes, 16 at most.
llvm::Type *wordOf(llvm::IRBuilderBase &B, int64_t Bytes);

/// Copies so many bytes.
void copyBytes(llvm::IRBuilderBase &B, llvm::Value *To, llvm::Value *From,
               llvm::Align By, int64_t Bytes);

/// Number \p Round of the thread's own of \p Count things, an i32. A number
/// beyond the last stands for the last once more.
llvm::Value *ownOf(llvm::IRBuilderBase &B, const Emission &E, unsigned Count,
                   llvm::Value *Round);

/// Byte \p Offset of element number \p Element of the copy, in the array.
/// \p Limits has the first and last index of each dimension, or is empty.
llvm::Value *
addressOf(llvm::IRBuilderBase &B, const Copy &C, llvm::Value *Element,
          llvm::Value *Offset,
          llvm::ArrayRef<std::pair<llvm::Value *, llvm::Value *>> Limits);

/// \p V as a value that the code around knows nothing of. What is computed from
/// it is computed where it is used, and takes no registers elsewhere.
llvm::Value *fixedHere(llvm::IRBuilderBase &B, llvm::Value *V);

/// Loads what the thread fetches before \p Before, all arrays in one go; small
/// copies are stored later, by storePieces, when all loads are under way.
void fetch(const Emission &E, std::list<Copy> &Copies,
           llvm::Instruction &Before);
void storePieces(llvm::IRBuilderBase &B, Copy &C);

/// The same where each thread has an element of its own, for those that are
/// only read in place of a copy.
void fetchOwn(Emission &E, std::list<Copy> &Copies, llvm::Instruction &Before);

/// The thread's own element: in the array, and its number in the copy, an i32.
llvm::Value *ownAddress(llvm::IRBuilderBase &B, const Emission &E,
                        const Copy &C);
llvm::Value *ownNumber(llvm::IRBuilderBase &B, Emission &E, const Copy &C);

/// Two copies in turn: ahead of the rewriting of the nest, writes go to
/// variables.
void takeTurns(ArrayPlan &A, Turns &T);
/// Puts what was fetched, or nothing, into the copy, and what is written into
/// the other. With \p Carries the copy is not the one that the thread's last
/// block ended with.
void openTurns(Emission &E, Copy &C, llvm::IRBuilderBase &B, bool Carries);
void redirectInTurn(Emission &E, Copy &C, Access &Each);
void writeBackTurns(const Emission &E, Copy &C);

/// Notes before \p Before that nothing was written.
void clearFlags(const Emission &E, Copy &C, llvm::Instruction &Before);
/// Writes to the array what was written to the copy, at the region's end.
void writeBack(const Emission &E, Copy &C);
/// The same, where the thread that wrote an element writes it back.
void writeBackOwn(Emission &E, Copy &C);

/// In the rewritten loop of \p N, which mostly has one turn, only threads that
/// go on meet the last barrier.
void turnAround(const BlockNest &N);

/// A body of their own for blocks that have all iterations and no index near an
/// end. The nest's latch has nothing but what goes on to the next block.
void splitInterior(Emission &E);

/// \p Each goes to the copy.
void redirect(Emission &E, Copy &C, Access &Each);

} // namespace accx::smc

#endif // ACCX_SMC_EMIT_H
