//===- Emit.cpp - Vector code for small matrices --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions, loads and stores of Emit.h; Permute.cpp has what
// moves elements between lanes.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Emit.h"

#include "vector/Lanes.h"
#include "vector/Width.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace accx::vector {

MatrixEmitter::MatrixEmitter(const MatrixTrace &Trace, ArrayRef<Value *> Bases,
                             const TargetTransformInfo &TTI, BasicBlock &Into)
    : Trace(Trace), Bases(Bases), Builder(&Into),
      RegisterBits(registerBits(TTI)) {}

bool MatrixEmitter::isAccessed(Place At) const {
  return Trace.Arrays[At.Array].Accesses.count(At.Offset) != 0;
}

Align MatrixEmitter::alignmentAt(Place At) const {
  const TracedArray &Array = Trace.Arrays[At.Array];
  Align Known = Array.Accesses.at(At.Offset).Alignment;
  if (!Array.Base.Sum.empty())
    return Known;
  Align Root = Array.Base.Root->getPointerAlignment(
      Builder.GetInsertBlock()->getDataLayout());
  return std::max(Known, commonAlignment(Root, uint64_t(At.Offset)));
}

Value *MatrixEmitter::addressOf(Place At) {
  return At.Offset == 0
             ? Bases[At.Array]
             : Builder.CreatePtrAdd(Bases[At.Array],
                                    Builder.getInt64(uint64_t(At.Offset)));
}

Value *MatrixEmitter::loadPiece(Place At, unsigned Count) {
  const TracedArray &Array = Trace.Arrays[At.Array];
  Type *Ty = Array.Element;
  if (Count > 1)
    Ty = FixedVectorType::get(Ty, Count);
  auto *Load = Builder.CreateAlignedLoad(Ty, addressOf(At), alignmentAt(At));
  Load->setAAMetadata(Array.Tags);
  return Load;
}

/// \p Count elements from \p At in a vector of \p Width lanes.
Value *MatrixEmitter::load(Place At, unsigned Count, unsigned Width) {
  Value *&Made = Loads[std::tuple(At, Count, Width)];
  if (Made)
    return Made;
  int64_t Size = Trace.Arrays[At.Array].Size;
  for (unsigned Begin = 0; Begin < Count;) {
    unsigned Length = bit_floor(Count - Begin);
    Value *Piece = loadPiece({At.Array, At.Offset + Begin * Size}, Length);
    if (Length == 1) {
      Made = Builder.CreateInsertElement(
          Made
              ? Made
              : PoisonValue::get(FixedVectorType::get(Piece->getType(), Width)),
          Piece, uint64_t(Begin));
    } else {
      if (Length < Width)
        Piece = Builder.CreateShuffleVector(
            Piece, createSequentialMask(0, Length, Width - Length));
      SmallVector<int, 16> Lanes(Width);
      for (unsigned Lane = 0; Lane < Width; ++Lane)
        Lanes[Lane] = Lane < Begin            ? int(Lane)
                      : Lane < Begin + Length ? int(Width + Lane - Begin)
                                              : -1;
      Made = Made ? Builder.CreateShuffleVector(Made, Piece, Lanes) : Piece;
    }
    Begin += Length;
  }
  return Made;
}

Value *MatrixEmitter::scalar(unsigned Index) {
  const TraceNode &Node = Trace.Nodes[Index];
  if (Node.Kind == TraceNode::Outside)
    return Node.From;
  if (auto Found = Scalars.find(Index); Found != Scalars.end())
    return Found->second;
  Value *Made = nullptr;
  if (Node.Kind == TraceNode::Element) {
    auto *Load = Builder.CreateAlignedLoad(Node.Type, addressOf(Node.At),
                                           alignmentAt(Node.At));
    Load->setAAMetadata(Trace.Arrays[Node.At.Array].Tags);
    Made = Load;
  } else {
    Instruction *Copy = Node.Op->clone();
    for (unsigned Operand = 0; Operand < Node.Operands.size(); ++Operand)
      Copy->setOperand(Operand, scalar(Node.Operands[Operand]));
    Copy->dropUnknownNonDebugMetadata();
    Made = Builder.Insert(Copy);
  }
  Scalars[Index] = Made;
  return Made;
}

Value *MatrixEmitter::bundle(const Lanes &Nodes) {
  if (auto Found = Bundles.find(Nodes); Found != Bundles.end())
    return Found->second;
  Value *Made = makeBundle(Nodes);
  if (Made)
    Bundles[Nodes] = Made;
  return Made;
}

Value *MatrixEmitter::makeBundle(const Lanes &Nodes) {
  int Any = *find_if(Nodes, [](int Node) { return Node >= 0; });
  if (all_of(Nodes, [&](int Node) { return Node == Any || Node < 0; }))
    return Builder.CreateVectorSplat(unsigned(Nodes.size()),
                                     scalar(unsigned(Any)));
  const TraceNode &First = Trace.Nodes[Any];
  for (int Node : Nodes)
    if (Node >= 0 && (Trace.Nodes[Node].Kind != First.Kind ||
                      Trace.Nodes[Node].Type != First.Type))
      return nullptr;
  if (First.Kind == TraceNode::Element)
    return elements(Nodes);
  if (First.Kind == TraceNode::Operation)
    return operate(Nodes, First);
  SmallVector<Constant *, 16> Constants;
  for (int Node : Nodes) {
    auto *C = Node < 0 ? PoisonValue::get(First.Type)
                       : dyn_cast<Constant>(Trace.Nodes[Node].From);
    if (!C)
      return nullptr;
    Constants.push_back(C);
  }
  return ConstantVector::get(Constants);
}

/// The same operation in all lanes, with the flags that all of them have.
Value *MatrixEmitter::operate(const Lanes &Nodes, const TraceNode &First) {
  for (int Index : Nodes) {
    if (Index < 0)
      continue;
    const TraceNode &Node = Trace.Nodes[Index];
    if (Node.Op->getOpcode() != First.Op->getOpcode() ||
        Node.Operands.size() != First.Operands.size())
      return nullptr;
    if (const auto *Call = dyn_cast<CallBase>(First.Op);
        Call &&
        Call->getIntrinsicID() != cast<CallBase>(Node.Op)->getIntrinsicID())
      return nullptr;
  }
  SmallVector<Value *, 3> Operands;
  for (unsigned Operand = 0; Operand < First.Operands.size(); ++Operand) {
    Lanes Below;
    for (int Index : Nodes)
      Below.push_back(Index < 0 ? -1
                                : int(Trace.Nodes[Index].Operands[Operand]));
    Operands.push_back(bundle(Below));
    if (!Operands.back())
      return nullptr;
  }
  auto *Ty = FixedVectorType::get(First.Type, unsigned(Nodes.size()));
  Value *Made = createLike(Builder, *First.Op, Operands, Ty);
  if (auto *Op = dyn_cast_or_null<Instruction>(Made))
    for (int Index : Nodes)
      if (Index >= 0)
        Op->andIRFlags(Trace.Nodes[Index].Op);
  return Made;
}

void MatrixEmitter::store(const MatrixChunk &Chunk, Value *Vector) {
  const TracedArray &Array = Trace.Arrays[Chunk.Array];
  auto *Ty = cast<FixedVectorType>(Vector->getType());
  unsigned Width = Ty->getNumElements();
  auto Plain = [&](unsigned Begin, Value *Part) {
    Place At = {Chunk.Array, Chunk.Offset + Begin * Array.Size};
    Builder.CreateAlignedStore(Part, addressOf(At), alignmentAt(At))
        ->setAAMetadata(Array.Tags);
  };
  if (Width == Chunk.Count) {
    Plain(0, Vector);
    return;
  }
  unsigned Begin = 0;
  for (unsigned Size = Width / 2; Size > 0; Size /= 2) {
    if (Begin + Size > Chunk.Count)
      continue;
    Plain(Begin, Size == 1
                     ? Builder.CreateExtractElement(Vector, uint64_t(Begin))
                     : Builder.CreateShuffleVector(
                           Vector, createSequentialMask(Begin, Size, 0)));
    Begin += Size;
  }
}

bool MatrixEmitter::emit(const std::vector<MatrixChunk> &Chunks) {
  bool Early = mayStoreEarly(Trace, Chunks);
  SmallVector<std::pair<const MatrixChunk *, Value *>, 16> Late;
  for (const MatrixChunk &Chunk : Chunks) {
    const TracedArray &Array = Trace.Arrays[Chunk.Array];
    Lanes Nodes(size_t(PowerOf2Ceil(std::max(2u, Chunk.Count))), -1);
    for (unsigned Lane = 0; Lane < Chunk.Count; ++Lane)
      Nodes[Lane] =
          int(Trace.Stored.at({Chunk.Array, Chunk.Offset + Lane * Array.Size}));
    Value *Vector =
        Chunk.Count == 1 ? scalar(unsigned(Nodes[0])) : bundle(Nodes);
    if (!Vector)
      return false;
    if (Chunk.Count == 1) {
      auto *Ty = FixedVectorType::get(Array.Element, 2);
      Vector = Builder.CreateInsertElement(PoisonValue::get(Ty), Vector,
                                           uint64_t(0));
    }
    if (Early)
      store(Chunk, Vector);
    else
      Late.push_back({&Chunk, Vector});
  }
  for (auto &[Chunk, Vector] : Late)
    store(*Chunk, Vector);
  return true;
}

static bool isLoadedScalar(const Value *V) {
  const auto *Insert = dyn_cast<InsertElementInst>(V);
  return Insert && isa<LoadInst>(Insert->getOperand(1));
}

unsigned costOf(const BasicBlock &Block, const TargetTransformInfo &TTI) {
  InstructionCost Sum = 0;
  for (const Instruction &I : Block) {
    if (isLoadedScalar(&I))
      continue;
    const auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
    if (Shuffle && Shuffle->isZeroEltSplat() &&
        isLoadedScalar(Shuffle->getOperand(0)))
      continue;
    Sum += TTI.getInstructionCost(&I, TargetTransformInfo::TCK_RecipThroughput);
  }
  return Sum.isValid() ? unsigned(*Sum.getValue()) : ~0u;
}

} // namespace accx::vector
