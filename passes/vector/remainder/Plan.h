//===- Plan.h - How a loop is split for masks -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A loop of n iterations becomes up to three parts that run after each other,
//   all of them vector code, with VF lanes and W = VF * UF:
//
//     wide   iterations [0, n & -W)          UF vectors at a time, if n >= W
//     plain  iterations [n & -W, n & -VF)    one vector at a time, if UF > 1
//     masked iterations [n & -VF, n)         one vector whose first n & (VF-1)
//                                            lanes are active, without a loop
//
//   A constant n below the width that the cost model likes is one masked
//   vector of the next power of two. n is never zero: loops are rotated.
//
// INVARIANTS
//   - A part starts where the one before ended: an affine phi of the loop at
//     start + step * (iterations done), every other phi at its last value.
//   - What is used after the loop is a closed form of n or the last value of a
//     reduction; nothing else can come out of a masked vector. For anything
//     else the last iteration is computed once more without its stores, if
//     these change nothing that it loads; else it is peeled off, and n is one
//     less.
//   - The vectorizer's own verdict on the loop as it stands decides legality
//     (reassociation of floating point included), profit, VF and UF: the parts
//     carry width hints, under which it would no longer ask.
//
// REFUSALS
//   Each is a name and a sentence for -Rpass-missed=simd-remainder.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_PLAN_H
#define ACCX_VECTOR_REMAINDER_PLAN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class AAResults;
class Loop;
class PHINode;
class SCEV;
class ScalarEvolution;
class TargetTransformInfo;
class Value;
} // namespace llvm

namespace accx::vector {

/// Why a loop stays as it is. Without a sentence it is no loop of ours, and
/// nothing is said.
struct Refusal {
  llvm::StringRef Name;
  std::string Why;
};

/// A phi of the loop's header.
struct CarriedValue {
  llvm::PHINode *Phi;
  /// {start,+,step} if it has that form: then it depends on the iterations
  /// done only. Null where the last value of a part starts the next.
  const llvm::SCEV *Recurrence;
};

/// A value used after the loop, as the phi of the exit block that takes it.
struct LiveOut {
  /// Closed: its value has a closed form; Invariant: it does not change;
  /// Carried: it is a carried value of after the loop; Last: it belongs to the
  /// last iteration.
  enum Form { Closed, Invariant, Carried, Last };

  llvm::PHINode *Phi;
  Form Is;
  const llvm::SCEV *After = nullptr;
  unsigned Index = 0;

  /// What the loop hands to the phi.
  llvm::Value *value() const;
};

struct RemainderPlan {
  /// Of the parts, at 64 bits.
  const llvm::SCEV *TripCount = nullptr;
  std::optional<uint64_t> ConstantTrip;
  unsigned Lanes = 0;
  unsigned Interleave = 1;
  /// The last iteration runs by itself, because what it computes is used after
  /// the loop, and which lane that would be depends on the count.
  bool PeelsLast = false;
  /// The last iteration is computed again, without its stores.
  bool RepeatsLast = false;
  llvm::SmallVector<CarriedValue, 4> Carried;
  llvm::SmallVector<LiveOut, 2> LiveOuts;

  /// Iterations of a turn of the wide part.
  uint64_t width() const { return uint64_t(Lanes) * Interleave; }
  /// Lanes of the last part: no more than a known rest needs, unless a vector
  /// is carried into it. What reaches less far past the end delays fewer loads
  /// of what follows there.
  unsigned lastLanes() const;
  /// Sets VF and UF from what the vectorizer chose for the loop.
  void setShape(unsigned Lanes, unsigned Interleave);
  void print(llvm::raw_ostream &OS) const;
};

/// What holds of the loop before the vectorizer is asked. Fills all of the plan
/// but its shape.
std::optional<Refusal> planLoop(llvm::Loop &L, llvm::ScalarEvolution &SE,
                                llvm::AAResults &AA, RemainderPlan &Plan);

/// Whether loads would wait for masked stores between or behind whose active
/// lanes they load: such stores cannot be forwarded.
std::optional<Refusal> checkStrides(llvm::Loop &L, llvm::ScalarEvolution &SE,
                                    const RemainderPlan &Plan);

/// Whether run-time checks of overlap would fail for certain: vectors would be
/// there in vain, and make the scalar loop another one than without them.
std::optional<Refusal> checkOverlap(llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Whether the target has masks for every access.
std::optional<Refusal> checkMasks(llvm::Loop &L,
                                  const llvm::TargetTransformInfo &TTI);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_PLAN_H
