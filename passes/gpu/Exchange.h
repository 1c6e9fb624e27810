//===- Exchange.h - Combines values of a warp's lanes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed code for lanes of a warp to hand values to each other, and to combine
// them by an operator.
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
#include "llvm/IR/IRBuilder.h"

namespace accx::gpu {

/// Lanes of a warp.
inline constexpr unsigned WarpLanes = 32;

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

  /// Combines by \p Op, which commutes, over groups of \p Lanes neighbours, a
  /// power of two, of which all must take part; each lane gets its group's
  /// result, the same to the bit. One instruction where the GPU that the
  /// function is compiled for has it.
  llvm::Value *reduce(llvm::Value *V, llvm::Instruction::BinaryOps Op,
                      unsigned Lanes = WarpLanes) const;

private:
  using WordExchange = llvm::function_ref<llvm::Value *(llvm::Value *)>;
  llvm::Value *exchange(llvm::Value *V, WordExchange OfWord) const;
  llvm::Value *reduceByInstruction(llvm::Value *V,
                                   llvm::Instruction::BinaryOps Op) const;
};

} // namespace accx::gpu

#endif // ACCX_GPU_EXCHANGE_H
