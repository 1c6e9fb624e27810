//===- Shapes.h - How values differ between lanes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice of whole-function vectorization: a value is the same in all
// active lanes (uniform), has a constant difference from lane to lane
// (strided), or is anything (varying).
//
//   unknown  <  stride 0 (uniform), stride s  <  varying
//
// Uniform and strided values stay scalar; a strided one is represented by what
// lane 0 has or would have. "The same" and "difference" speak of lanes that are
// active where the value is computed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WHOLE_SHAPES_H
#define ACCX_VECTOR_WHOLE_SHAPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instruction.h"

#include <cstdint>

namespace llvm {
class CallBase;
class DataLayout;
class Function;
class PHINode;
} // namespace llvm

namespace accx::vector {

class LaneShape {
public:
  constexpr LaneShape() = default;
  static constexpr LaneShape strided(int64_t Stride) {
    return {Kind::Strided, Stride};
  }
  static constexpr LaneShape uniform() { return strided(0); }
  static constexpr LaneShape varying() { return {Kind::Varying, 0}; }

  bool isUnknown() const { return K == Kind::Unknown; }
  bool isUniform() const { return K == Kind::Strided && Step == 0; }
  bool isStrided() const { return K == Kind::Strided; }
  bool isVarying() const { return K == Kind::Varying; }
  /// Of integers the difference, of pointers that in bytes.
  int64_t stride() const { return Step; }

  LaneShape join(LaneShape Other) const;
  friend bool operator==(LaneShape A, LaneShape B) {
    return A.K == B.K && A.Step == B.Step;
  }

private:
  enum class Kind : uint8_t { Unknown, Strided, Varying };
  constexpr LaneShape(Kind K, int64_t Step) : K(K), Step(Step) {}
  Kind K = Kind::Unknown;
  int64_t Step = 0;
};

/// The pseudo intrinsic of linearized code: is its operand true in any lane?
inline constexpr char AnyLane[] = "accx.lanes.any";

/// Whether the call is a pure function of its arguments and of memory that the
/// lanes share, so that one call does for all lanes that pass the same.
bool isSharedCall(const llvm::CallBase &Call);

/// Shapes of a function's values, from those of its arguments, where control
/// flow does not matter: phis that it splits are told by `forceVarying`.
class LaneShapes {
public:
  LaneShapes(llvm::Function &F, llvm::ArrayRef<LaneShape> Arguments);

  LaneShape of(const llvm::Value *V) const;
  bool isUniform(const llvm::Value *V) const { return of(V).isUniform(); }

  /// Lanes reach the phi by different ways, or leave a loop at different times.
  bool forceVarying(const llvm::PHINode *Phi) {
    return Forced.insert(Phi).second;
  }

  /// Propagates until nothing changes; returns whether anything did.
  bool propagate();

private:
  llvm::Function *F;
  const llvm::DataLayout *Layout;
  llvm::DenseMap<const llvm::Value *, LaneShape> Shapes;
  llvm::DenseSet<const llvm::PHINode *> Forced;

  LaneShape transfer(const llvm::Instruction &I) const;
  LaneShape transferPhi(const llvm::PHINode &Phi) const;
  LaneShape transferAddress(const llvm::Instruction &I) const;
  LaneShape transferSelect(const llvm::Instruction &I) const;
  LaneShape transferArithmetic(const llvm::Instruction &I) const;
  bool mayWrap(const llvm::Value *V) const;
};

} // namespace accx::vector

#endif // ACCX_VECTOR_WHOLE_SHAPES_H
