//===- Emit.h - Linearized code, for all lanes at once ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates a linearized function instruction by instruction: uniform and
// strided values remain scalars, varying ones become vectors with an element a
// lane. Memory is accessed under the block's mask: at one address, in one
// piece, or by gather and scatter. What has no vector form is executed lane by
// lane, for those lanes that are there.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WHOLE_EMIT_H
#define ACCX_VECTOR_WHOLE_EMIT_H

#include "vector/whole/Linearize.h"
#include "vector/whole/Shapes.h"

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace accx::vector {

class Widener;

/// Finds vector forms of called functions.
class VariantCaller {
public:
  virtual ~VariantCaller() = default;
  /// The call for all lanes, at the widener's place; null if there is no form
  /// that fits the shapes of its arguments. `Mask` is null if all lanes are
  /// there.
  virtual llvm::Value *call(Widener &To, llvm::CallBase &Call,
                            llvm::Value *Mask) = 0;
};

class Widener {
public:
  Widener(const LaneShapes &Shapes, const BlockMasks &Masks, unsigned Lanes,
          const llvm::TargetLibraryInfo *Library, VariantCaller *Variants);

  /// Emits the body of `From`, entered from `Entry`, which has what the
  /// arguments are: scalars for strided ones, else vectors. An argument more
  /// than values stands for the mask: `Mask`, or null for all lanes. Returns
  /// why it is impossible.
  llvm::StringRef run(llvm::Function &From, llvm::BasicBlock *Entry,
                      llvm::ArrayRef<llvm::Value *> Arguments);

  llvm::IRBuilder<> &builder() { return Builder; }
  unsigned lanes() const { return Lanes; }
  LaneShape shapeOf(const llvm::Value *V) const { return Shapes.of(V); }
  /// A uniform value, or lane 0 of a strided one.
  llvm::Value *scalar(llvm::Value *V);
  llvm::Value *vector(llvm::Value *V);

private:
  const LaneShapes &Shapes;
  const BlockMasks &Masks;
  const unsigned Lanes;
  const llvm::TargetLibraryInfo *Library;
  VariantCaller *Variants;
  llvm::IRBuilder<> Builder;
  llvm::BasicBlock *Entry = nullptr;
  llvm::StringRef Failure;

  llvm::DenseMap<const llvm::Value *, llvm::Value *> Scalars;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Vectors;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Begin;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> End;

  llvm::FixedVectorType *widened(llvm::Type *Ty) const;
  /// Null if all lanes are there.
  llvm::Value *maskOf(const llvm::Instruction &I);
  /// A mask for an intrinsic.
  llvm::Value *explicitMask(llvm::Value *Mask);
  /// `<Mask> as an integer`, a bit a lane.
  llvm::Value *bitsOf(llvm::Value *Mask);
  llvm::Value *broadcast(llvm::Value *V, llvm::Value *Scalar);
  /// The value that one lane has.
  llvm::Value *laneOf(llvm::Value *V, llvm::Value *Lane);

  void emit(llvm::Instruction &I);
  void emitScalar(llvm::Instruction &I);
  void emitVector(llvm::Instruction &I);
  void emitAddress(llvm::Instruction &I);
  void emitTerminator(llvm::Instruction &I);
  void emitPhi(llvm::Instruction &I);
  void emitAlloca(llvm::Instruction &I);
  void fillPhis(llvm::Function &From);
  void define(llvm::Instruction &I, llvm::Value *Vector);

  void emitLoad(llvm::Instruction &I);
  void emitStore(llvm::Instruction &I);
  bool hasPlainElements(llvm::Type *Ty) const;
  /// The lowest address of lanes side by side, or null; sets whether lane 0 is
  /// the last of them.
  llvm::Value *wholeAddress(llvm::Value *Address, llvm::Type *Ty,
                            bool &Reversed);

  void emitCall(llvm::Instruction &I);
  bool emitIntrinsic(llvm::CallBase &Call);
  /// Lane by lane.
  void emitLanes(llvm::Instruction &I);
  llvm::Value *emitLane(llvm::Instruction &I, llvm::Value *Lane);
};

/// What cannot be widened: empty, or the reason. Says nothing of control flow.
llvm::StringRef unwidenable(const llvm::Instruction &I, LaneShape Shape,
                            const LaneShapes &Shapes);

} // namespace accx::vector

#endif // ACCX_VECTOR_WHOLE_EMIT_H
