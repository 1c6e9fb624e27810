//===- Exchange.h - Combines values of a warp's lanes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed code for lanes of a warp to hand values to each other, and to combine
// them by the operators of reductions.
//
//     lane      0   1   2   3   4   5   6   7
//     down 4    4>  5>  6>  7>                  a lane takes what lane + 4 has
//     butterfly 4<->0, 5<->1, ...               both take
//
// Values may have any type of a register or be structures and arrays of such:
// they travel in words of 32 bits. Integers narrower than that are extended.
//
// Convergence: all lanes named by the members' mask must execute the same
// exchange together, else it never ends. Code that only some lanes of a warp
// run must pass a mask of just these.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_EXCHANGE_H
#define ACCX_GPU_EXCHANGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace accx::gpu {

/// Lanes of a warp.
inline constexpr unsigned WarpLanes = 32;

enum class Operator : uint8_t {
  Add,
  Mul,
  Max,
  Min,
  And,
  Or,
  Xor,
  LogicalAnd,
  LogicalOr
};

/// As directives spell it.
llvm::StringRef spellingOf(Operator Op);

/// An operator on a type. Complex numbers are structures of two alike
/// floating-point numbers, for + and *.
struct Combiner {
  Operator Op = Operator::Add;
  /// Of integers, for max and min.
  bool IsUnsigned = false;

  bool supports(const llvm::Type *T) const;

  /// What leaves the other operand as it is (a truth value for && and ||).
  llvm::Constant *identity(llvm::Type *T) const;

  /// Commutative to the bit, so that lanes that combine the same values in
  /// mirrored order agree: max and min of floating-point numbers ignore NaNs
  /// and order zeros.
  llvm::Value *combine(llvm::IRBuilderBase &B, llvm::Value *L,
                       llvm::Value *R) const;
};

class Exchange {
  llvm::IRBuilderBase &B;
  llvm::Value *Members;

public:
  /// \p Members: an i32, a bit for each lane that takes part.
  Exchange(llvm::IRBuilderBase &B, llvm::Value *Members)
      : B(B), Members(Members) {}
  /// All lanes of the warp take part.
  explicit Exchange(llvm::IRBuilderBase &B) : Exchange(B, B.getInt32(~0U)) {}

  /// Whether values of type \p T can travel.
  static bool supports(const llvm::Type *T);

  /// The value of lane + \p Distance; a lane's own beyond the warp's end.
  llvm::Value *down(llvm::Value *V, llvm::Value *Distance) const;
  /// The value of lane ^ \p Mask.
  llvm::Value *butterfly(llvm::Value *V, llvm::Value *Mask) const;
  /// The value of lane \p Lane of each group of \p Lanes lanes, a power of two.
  llvm::Value *fromLane(llvm::Value *V, llvm::Value *Lane,
                        unsigned Lanes = WarpLanes) const;

  /// Combines over groups of \p Lanes neighbours, a power of two, of which all
  /// must take part; each lane gets its group's result. One instruction where
  /// the GPU that the function is compiled for has it.
  llvm::Value *reduce(llvm::Value *V, const Combiner &C,
                      unsigned Lanes = WarpLanes) const;

private:
  using WordExchange = llvm::function_ref<llvm::Value *(llvm::Value *)>;
  llvm::Value *exchange(llvm::Value *V, WordExchange OfWord) const;
  llvm::Value *reduceByInstruction(llvm::Value *V, const Combiner &C) const;
};

} // namespace accx::gpu

#endif // ACCX_GPU_EXCHANGE_H
