//===- Plan.cpp - Which vectors a small matrix becomes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of Plan.h.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace accx::vector {

/// Several rows of a wider register take permutes that processors with units of
/// half its width do in two steps; single rows take none, and rows of 128 bits
/// those within such blocks only.
static constexpr unsigned ManyRowsBits = 256, BlockBits = 128;

namespace {
/// The products of elements that are added up for one element.
class Terms {
public:
  explicit Terms(const MatrixTrace &Trace) : Trace(Trace) {}

  void visit(unsigned Index);

  unsigned Products = 0;
  std::set<Place> Left, Right;

private:
  /// The element behind conversions and factors.
  const TraceNode *elementOf(unsigned Index) const;
  void addProduct(unsigned X, unsigned Y);

  const MatrixTrace &Trace;
};
} // namespace

const TraceNode *Terms::elementOf(unsigned Index) const {
  const TraceNode &Node = Trace.Nodes[Index];
  if (Node.Kind == TraceNode::Element)
    return &Node;
  if (Node.Kind == TraceNode::Outside)
    return nullptr;
  if (isa<CastInst>(Node.Op))
    return elementOf(Node.Operands[0]);
  unsigned Opcode = Node.Op->getOpcode();
  if (Opcode != Instruction::FMul && Opcode != Instruction::Mul)
    return nullptr;
  const TraceNode *X = elementOf(Node.Operands[0]);
  const TraceNode *Y = elementOf(Node.Operands[1]);
  return X && Y ? nullptr : (X ? X : Y);
}

void Terms::addProduct(unsigned X, unsigned Y) {
  const TraceNode *A = elementOf(X), *B = elementOf(Y);
  if (!A || !B)
    return;
  ++Products;
  Left.insert(A->At);
  Right.insert(B->At);
}

void Terms::visit(unsigned Index) {
  const TraceNode &Node = Trace.Nodes[Index];
  if (Node.Kind != TraceNode::Operation)
    return;
  switch (Node.Op->getOpcode()) {
  case Instruction::FMul:
  case Instruction::Mul:
    addProduct(Node.Operands[0], Node.Operands[1]);
    // The sum may have a factor.
    for (unsigned Operand : Node.Operands)
      if (!elementOf(Operand))
        visit(Operand);
    return;
  case Instruction::Call:
    addProduct(Node.Operands[0], Node.Operands[1]);
    for (unsigned Operand : Node.Operands)
      if (!elementOf(Operand))
        visit(Operand);
    return;
  default:
    for (unsigned Operand : Node.Operands)
      visit(Operand);
  }
}

/// Whether elements change their order. A copy of rows keeps it, however far
/// apart its rows are: LLVM has vectors for it, also across iterations of a
/// loop around the nest.
static bool isTransposed(const MatrixTrace &Trace, unsigned Array) {
  std::set<int64_t> Distances;
  std::map<unsigned, int64_t> Last;
  bool InOrder = true;
  for (const auto &[At, Index] : Trace.Stored) {
    if (At.Array != Array)
      continue;
    const TraceNode &Node = Trace.Nodes[Index];
    if (Node.Kind != TraceNode::Element)
      return false;
    Distances.insert(At.Offset - Node.At.Offset);
    auto [Before, First] = Last.try_emplace(Node.At.Array, Node.At.Offset);
    InOrder &= First || Before->second <= Node.At.Offset;
    Before->second = Node.At.Offset;
  }
  return Distances.size() > 2 && !InOrder;
}

/// Whether scalar code is as good: few elements, few that wait for what was
/// stored just before, or a diagonal that stays while all others move in place.
static bool isPoor(const MatrixTrace &Trace, unsigned Array, bool Transposed) {
  const TracedArray &Of = Trace.Arrays[Array];
  unsigned Stored = 0, Updated = 0;
  for (const auto &[Offset, Access] : Of.Accesses) {
    Stored += Access.Written;
    Updated += Access.Written && Access.Read;
  }
  if (Transposed)
    return Stored < 16 || (Updated && (Of.Size > 4 || Stored < 56));
  return Updated && Stored <= 9;
}

MatrixKinds findKinds(const MatrixTrace &Trace) {
  MatrixKinds Kinds;
  for (unsigned Array = 0; Array < Trace.Arrays.size(); ++Array) {
    if (!Trace.Arrays[Array].Written)
      continue;
    bool Transposed = isTransposed(Trace, Array);
    if (isPoor(Trace, Array, Transposed))
      return {};
    if (Transposed) {
      ++Kinds.Transposes;
      continue;
    }
    Terms Sum(Trace);
    unsigned Fewest = ~0u, Stored = 0;
    for (const auto &[At, Index] : Trace.Stored) {
      if (At.Array != Array)
        continue;
      unsigned Before = Sum.Products;
      Sum.visit(Index);
      Fewest = std::min(Fewest, Sum.Products - Before);
      ++Stored;
    }
    // Of n x n matrices each element is used n times.
    if (Stored < 4 || Fewest < 2 || Sum.Left.size() * 2 > Sum.Products ||
        Sum.Right.size() * 2 > Sum.Products)
      return {};
    ++Kinds.Products;
  }
  return Kinds;
}

std::vector<ElementRun> findRuns(const MatrixTrace &Trace, unsigned Array,
                                 bool StoredOnly) {
  std::vector<ElementRun> Runs;
  const TracedArray &Of = Trace.Arrays[Array];
  for (const auto &[Offset, Access] : Of.Accesses) {
    if (StoredOnly && !Access.Written)
      continue;
    if (!Runs.empty() && Runs.back().Last == Offset)
      Runs.back().Last += Of.Size;
    else
      Runs.push_back({Offset, Offset + Of.Size});
  }
  return Runs;
}

std::vector<MatrixChunk> cutStores(const MatrixTrace &Trace, MatrixShape Shape,
                                   unsigned RegisterBits) {
  std::vector<MatrixChunk> Chunks;
  for (unsigned Array = 0; Array < Trace.Arrays.size(); ++Array) {
    const TracedArray &Of = Trace.Arrays[Array];
    if (!Of.Written)
      continue;
    auto Most = unsigned(RegisterBits / 8 / Of.Size);
    for (const ElementRun &Run : findRuns(Trace, Array, /*StoredOnly=*/true)) {
      auto Left = unsigned((Run.Last - Run.First) / Of.Size);
      int64_t At = Run.First;
      while (Left > 0) {
        // Rows that are longer than a register are cut.
        unsigned Row = std::min(Shape.Columns * Shape.Rows, Left);
        Left -= Row;
        while (Row > 0) {
          unsigned Count = std::min(Row, Most);
          Chunks.push_back({Array, At, Count});
          At += Count * Of.Size;
          Row -= Count;
        }
      }
    }
  }
  return Chunks;
}

SmallVector<MatrixShape, 8> findShapes(const MatrixTrace &Trace,
                                       ArrayRef<unsigned> TripCounts,
                                       unsigned RegisterBits) {
  SmallVector<MatrixShape, 8> Shapes;
  for (unsigned Columns : TripCounts) {
    unsigned MostRows = ~0u;
    bool Fits = Columns >= 2;
    for (unsigned Array = 0; Array < Trace.Arrays.size() && Fits; ++Array) {
      const TracedArray &Of = Trace.Arrays[Array];
      if (!Of.Written)
        continue;
      for (const ElementRun &Run :
           findRuns(Trace, Array, /*StoredOnly=*/true)) {
        auto Count = unsigned((Run.Last - Run.First) / Of.Size);
        Fits &= Count % Columns == 0;
        MostRows = std::min(MostRows, Count / Columns);
      }
      bool IsBlock = Of.Size == 4 && Columns * Of.Size * 8 == BlockBits;
      unsigned Widest =
          IsBlock ? RegisterBits : std::min(RegisterBits, ManyRowsBits);
      auto Most = unsigned(Widest / 8 / Of.Size);
      MostRows = std::min(MostRows, std::max(1u, Most / Columns));
    }
    if (!Fits)
      continue;
    Shapes.push_back({Columns, 1});
    // Several rows of other lengths would move elements in every step.
    if (isPowerOf2_32(Columns))
      for (unsigned Rows = 2; Rows <= MostRows; Rows *= 2)
        Shapes.push_back({Columns, Rows});
  }
  return Shapes;
}

unsigned countScalar(const MatrixTrace &Trace) {
  auto Count = unsigned(Trace.Stored.size());
  for (const TraceNode &Node : Trace.Nodes)
    Count += Node.Kind != TraceNode::Outside;
  return Count;
}

bool mayStoreEarly(const MatrixTrace &Trace,
                   const std::vector<MatrixChunk> &Chunks) {
  std::map<Place, unsigned> Owners;
  for (unsigned Index = 0; Index < Chunks.size(); ++Index)
    for (unsigned Lane = 0; Lane < Chunks[Index].Count; ++Lane) {
      unsigned Array = Chunks[Index].Array;
      Owners[{Array, Chunks[Index].Offset + Lane * Trace.Arrays[Array].Size}] =
          Index;
    }
  // A node may be used by many: each is visited once for each vector.
  std::set<std::pair<unsigned, unsigned>> Seen;
  SmallVector<std::pair<unsigned, unsigned>, 32> Work;
  for (const auto &[At, Node] : Trace.Stored)
    Work.push_back({Node, Owners[At]});
  while (!Work.empty()) {
    auto [Index, Owner] = Work.pop_back_val();
    if (!Seen.insert({Index, Owner}).second)
      continue;
    const TraceNode &Node = Trace.Nodes[Index];
    if (Node.Kind == TraceNode::Element)
      if (auto Found = Owners.find(Node.At);
          Found != Owners.end() && Found->second != Owner)
        return false;
    for (unsigned Operand : Node.Operands)
      Work.push_back({Operand, Owner});
  }
  return true;
}

} // namespace accx::vector
