//===- Trace.h - What a nest of short loops computes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A nest whose trip counts are small constants is executed, at compile time,
//   on symbols: integers and branches are known numbers, addresses are an
//   array plus a known offset, and what is computed from memory is an
//   expression over the elements that the arrays held before. What is left is
//   the last value stored in each element, whatever the loops' order, their
//   storage order, or where sums were kept meanwhile.
//
// INVARIANTS
//   - Arrays are told apart by their base address. Elements of one array are
//     followed exactly; two arrays of which one is written are taken to be
//     disjoint, which whoever uses the trace has to establish.
//   - An expression has the operations of the program in their order: nothing
//     is reassociated. Of additions of zero only those go that may.
//
// REFUSALS
//   A branch that depends on what is not known, volatile and atomic accesses,
//   calls other than of fused multiply-add, accesses of one array by different
//   types or in overlapping places, values used behind the nest that are
//   computed from memory, and too many steps.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_MATRIX_TRACE_H
#define ACCX_VECTOR_MATRIX_TRACE_H

#include "affine/Polynomial.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/Alignment.h"

#include <map>
#include <vector>

namespace llvm {
class BasicBlock;
class Constant;
class Instruction;
class Loop;
class PHINode;
class Type;
class Value;
} // namespace llvm

namespace accx::vector {

/// Root + Sum, in bytes if it is an address.
struct LinearForm {
  llvm::Value *Root = nullptr;
  affine::Polynomial Sum;

  bool operator==(const LinearForm &) const = default;
};

/// An element of an array: bytes from its base.
struct Place {
  unsigned Array;
  int64_t Offset;

  bool operator<(const Place &Other) const {
    return Array != Other.Array ? Array < Other.Array : Offset < Other.Offset;
  }
};

/// A value: what an element held, something from outside, or an operation.
struct TraceNode {
  enum NodeKind { Element, Outside, Operation };

  NodeKind Kind;
  llvm::Type *Type;
  Place At = {0, 0};
  llvm::Value *From = nullptr;
  llvm::Instruction *Op = nullptr;
  llvm::SmallVector<unsigned, 3> Operands;
};

struct TracedArray {
  struct Access {
    bool Read = false;
    bool Written = false;
    llvm::Align Alignment;
  };

  /// Without constant.
  LinearForm Base;
  llvm::Type *Element = nullptr;
  int64_t Size = 0;
  std::map<int64_t, Access> Accesses;
  llvm::AAMDNodes Tags;
  bool Written = false;

  int64_t low() const { return Accesses.begin()->first; }
  int64_t high() const { return Accesses.rbegin()->first + Size; }
};

/// A phi behind the nest, and what the nest hands to it.
struct TracedLiveOut {
  llvm::PHINode *Phi;
  llvm::Value *Fixed = nullptr;
  LinearForm Linear;
};

struct MatrixTrace {
  /// What linear forms are made of.
  affine::Atoms Atoms;
  std::vector<TraceNode> Nodes;
  std::vector<TracedArray> Arrays;
  /// The value in each element that was stored to.
  std::map<Place, unsigned> Stored;
  std::vector<TracedLiveOut> LiveOuts;
  llvm::BasicBlock *Exit = nullptr;

  explicit MatrixTrace(llvm::LLVMContext &C)
      : Atoms(llvm::Type::getInt64Ty(C)) {}
};

/// Executes \p L, which is in simplified form and closed. Returns why that is
/// impossible, or nothing.
llvm::StringRef traceNest(llvm::Loop &L, MatrixTrace &Trace);

} // namespace accx::vector

#endif // ACCX_VECTOR_MATRIX_TRACE_H
