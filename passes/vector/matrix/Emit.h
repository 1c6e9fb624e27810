//===- Emit.h - Vector code for small matrices ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Makes, for every vector that is stored, the vector code of its lanes'
//   expressions, which have the same operations in the same order. Where the
//   expressions end lanes hold elements of one array:
//
//     the same in all lanes      one element, broadcast
//     consecutive                a load
//     consecutive, repeated      a shorter load, repeated
//     columns of several rows    all columns at once, by a transposing network
//     anything else              permutes of the array in registers
//
//   What was made once is used again: an array is loaded once.
//
// INVARIANTS
//   Only elements that the nest accesses are touched. What fills no vector goes
//   in pieces of powers of two, loads like stores: what another product has
//   just stored can be loaded again without waiting for the memory.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_MATRIX_EMIT_H
#define ACCX_VECTOR_MATRIX_EMIT_H

#include "vector/matrix/Plan.h"

#include "llvm/IR/IRBuilder.h"

#include <map>
#include <tuple>

namespace llvm {
class TargetTransformInfo;
} // namespace llvm

namespace accx::vector {

class MatrixEmitter {
public:
  /// \p Bases are the arrays' addresses; code goes to the end of \p Into.
  MatrixEmitter(const MatrixTrace &Trace, llvm::ArrayRef<llvm::Value *> Bases,
                const llvm::TargetTransformInfo &TTI, llvm::BasicBlock &Into);

  /// Whether all of it could be made. If not, the block is to be thrown away.
  bool emit(const std::vector<MatrixChunk> &Chunks);

private:
  /// Nodes by lane, -1 where a lane is not used.
  using Lanes = std::vector<int>;
  struct Source;

  llvm::Value *bundle(const Lanes &Nodes);
  llvm::Value *makeBundle(const Lanes &Nodes);
  llvm::Value *operate(const Lanes &Nodes, const TraceNode &First);
  llvm::Value *scalar(unsigned Node);
  llvm::Value *elements(const Lanes &Nodes);
  llvm::Value *permute(const Lanes &Nodes, unsigned Array);
  llvm::Value *merge(std::vector<Source> Sources, unsigned Width);
  llvm::Value *column(const Lanes &Nodes, unsigned Array);
  bool transpose(std::vector<llvm::Value *> &Rows, unsigned Width,
                 unsigned Bits);
  llvm::Value *load(Place At, unsigned Count, unsigned Width);
  llvm::Value *loadPiece(Place At, unsigned Count);
  void store(const MatrixChunk &Chunk, llvm::Value *Vector);

  bool isAccessed(Place At) const;
  llvm::Align alignmentAt(Place At) const;
  llvm::Value *addressOf(Place At);
  int64_t offsetOf(int Node) const { return Trace.Nodes[Node].At.Offset; }

  const MatrixTrace &Trace;
  llvm::ArrayRef<llvm::Value *> Bases;
  llvm::IRBuilder<> Builder;
  unsigned RegisterBits;
  std::map<Lanes, llvm::Value *> Bundles;
  std::map<unsigned, llvm::Value *> Scalars;
  std::map<std::tuple<Place, unsigned, unsigned>, llvm::Value *> Loads;
  /// By first row, distance of rows and width.
  std::map<std::tuple<Place, int64_t, unsigned>, std::vector<llvm::Value *>>
      Columns;
};

/// What the code in \p Block costs: TTI's word, but that elements are broadcast
/// as they are loaded.
unsigned costOf(const llvm::BasicBlock &Block,
                const llvm::TargetTransformInfo &TTI);

} // namespace accx::vector

#endif // ACCX_VECTOR_MATRIX_EMIT_H
