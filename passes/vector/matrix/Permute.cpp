//===- Permute.cpp - Elements of small matrices in their lanes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and permutes of Emit.h.
//
//===----------------------------------------------------------------------===//

#include "vector/matrix/Emit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace accx::vector {

/// A vector of which some lanes are needed.
struct MatrixEmitter::Source {
  Value *Vector;
  /// For each lane of the result the lane here, or -1.
  SmallVector<int, 16> From;
};

static Value *repeat(IRBuilder<> &Builder, Value *Vector, unsigned Width) {
  unsigned Period = cast<FixedVectorType>(Vector->getType())->getNumElements();
  SmallVector<int, 16> Mask;
  for (unsigned Lane = 0; Lane < Width; ++Lane)
    Mask.push_back(int(Lane % Period));
  return Builder.CreateShuffleVector(Vector, Mask);
}

/// The shortest period of the lanes, a power of two.
static unsigned periodOf(const std::vector<int> &Nodes) {
  for (unsigned Period = 2; Period < Nodes.size(); Period *= 2) {
    bool Repeats = true;
    for (size_t Lane = Period; Lane < Nodes.size() && Repeats; ++Lane)
      Repeats = Nodes[Lane] < 0 || Nodes[Lane] == Nodes[Lane % Period];
    if (Repeats)
      return Period;
  }
  return unsigned(Nodes.size());
}

Value *MatrixEmitter::elements(const Lanes &Nodes) {
  Place First = Trace.Nodes[Nodes[0]].At;
  int64_t Size = Trace.Arrays[First.Array].Size;
  auto Width = unsigned(Nodes.size());
  unsigned Count = 0;
  bool Consecutive = true;
  for (unsigned Lane = 0; Lane < Width; ++Lane) {
    if (Nodes[Lane] < 0)
      continue;
    const TraceNode &Node = Trace.Nodes[Nodes[Lane]];
    if (Node.At.Array != First.Array ||
        (Node.At.Offset - First.Offset) % Size != 0)
      return nullptr;
    Consecutive &= Node.At.Offset == First.Offset + Lane * Size;
    Count = Lane + 1;
  }
  if (Consecutive)
    return load(First, Count, Width);
  unsigned Period = periodOf(Nodes);
  if (Period < Width) {
    Lanes Once(Nodes.begin(), Nodes.begin() + Period);
    bool Loads = true;
    for (unsigned Lane = 0; Lane < Period; ++Lane)
      Loads &= offsetOf(Once[Lane]) == First.Offset + Lane * Size;
    if (Loads) {
      // Ahead of wider loads of the same, from which LLVM would take the
      // elements instead of loading them into all places at once. What is
      // loaded is what was there before any store.
      IRBuilder<>::InsertPoint Here = Builder.saveIP();
      BasicBlock *Block = Here.getBlock();
      Builder.SetInsertPoint(Block, Block->getFirstInsertionPt());
      Value *Short = bundle(Once);
      Builder.restoreIP(Here);
      if (Short)
        return repeat(Builder, Short, Width);
    }
  }
  return permute(Nodes, First.Array);
}

Value *MatrixEmitter::permute(const Lanes &Nodes, unsigned Array) {
  const TracedArray &Of = Trace.Arrays[Array];
  auto Width = unsigned(Nodes.size());
  // A register that holds all of it, or registers like the result.
  auto Total =
      unsigned(PowerOf2Ceil(uint64_t((Of.high() - Of.low()) / Of.Size)));
  unsigned Part = Width;
  std::vector<ElementRun> Runs = findRuns(Trace, Array, /*StoredOnly=*/false);
  if (Runs.size() == 1 && uint64_t(Total) * Of.Size * 8 <= RegisterBits)
    Part = Total;
  std::map<int64_t, unsigned> Known;
  std::vector<Source> Sources;
  for (unsigned Lane = 0; Lane < Width; ++Lane) {
    if (Nodes[Lane] < 0)
      continue;
    int64_t Offset = offsetOf(Nodes[Lane]);
    const ElementRun &Run = *find_if(Runs, [&](const ElementRun &R) {
      return R.First <= Offset && Offset < R.Last;
    });
    int64_t Begin =
        Run.First + (Offset - Run.First) / (Part * Of.Size) * Part * Of.Size;
    auto Count =
        unsigned(std::min<int64_t>(Part, (Run.Last - Begin) / Of.Size));
    Value *Loaded = load({Array, Begin}, Count, Part);
    auto [Found, New] = Known.insert({Begin, unsigned(Sources.size())});
    if (New)
      Sources.push_back({Loaded, SmallVector<int, 16>(Width, -1)});
    Sources[Found->second].From[Lane] = int((Offset - Begin) / Of.Size);
  }
  if (Sources.size() == 1)
    return Builder.CreateShuffleVector(Sources[0].Vector, Sources[0].From);
  if (unsigned Period = periodOf(Nodes); Period < Width)
    if (Value *Short = bundle(Lanes(Nodes.begin(), Nodes.begin() + Period)))
      return repeat(Builder, Short, Width);
  if (Sources.size() > 2)
    if (Value *Made = column(Nodes, Array))
      return Made;
  return merge(std::move(Sources), Width);
}

/// Pairs of vectors become one, until one is left.
Value *MatrixEmitter::merge(std::vector<Source> Sources, unsigned Width) {
  if (cast<FixedVectorType>(Sources[0].Vector->getType())->getNumElements() !=
      Width)
    return nullptr;
  while (Sources.size() > 1) {
    std::vector<Source> Merged;
    for (size_t Index = 0; Index + 1 < Sources.size(); Index += 2) {
      const Source &X = Sources[Index], &Y = Sources[Index + 1];
      SmallVector<int, 16> Mask(Width, -1), From(Width, -1);
      for (unsigned Lane = 0; Lane < Width; ++Lane) {
        if (X.From[Lane] >= 0)
          Mask[Lane] = X.From[Lane];
        else if (Y.From[Lane] >= 0)
          Mask[Lane] = Y.From[Lane] + int(Width);
        if (Mask[Lane] >= 0)
          From[Lane] = int(Lane);
      }
      Merged.push_back(
          {Builder.CreateShuffleVector(X.Vector, Y.Vector, Mask), From});
    }
    if (Sources.size() % 2)
      Merged.push_back(Sources.back());
    Sources = std::move(Merged);
  }
  return Sources[0].Vector;
}

/// A lane's elements are one row apart: the transposed rows hold this column
/// and those beside it.
Value *MatrixEmitter::column(const Lanes &Nodes, unsigned Array) {
  const TracedArray &Of = Trace.Arrays[Array];
  auto Width = unsigned(Nodes.size());
  unsigned Count = 0;
  int64_t First = offsetOf(Nodes[0]), Pitch = offsetOf(Nodes[1]) - First;
  for (unsigned Lane = 0; Lane < Width && Nodes[Lane] >= 0; ++Lane) {
    if (offsetOf(Nodes[Lane]) != First + Lane * Pitch)
      return nullptr;
    Count = Lane + 1;
  }
  if (Pitch <= Of.Size || Pitch % Of.Size != 0)
    return nullptr;
  auto Index = unsigned((First - Of.low()) % Pitch / Of.Size);
  unsigned Begin = Index / Width * Width;
  int64_t Start = First - (Index - Begin) * Of.Size;
  auto Key = std::tuple(Place{Array, Start}, Pitch, Width);
  std::vector<Value *> &Made = Columns[Key];
  if (Made.empty()) {
    auto Row = unsigned(Pitch / Of.Size);
    for (unsigned Lane = 0; Lane < Width; ++Lane) {
      int64_t At = Start + Lane * Pitch;
      unsigned Length = 0;
      while (Lane < Count && Length < std::min(Width, Row - Begin) &&
             isAccessed({Array, At + Length * Of.Size}))
        ++Length;
      if (Lane < Count && Length == 0) {
        Columns.erase(Key);
        return nullptr;
      }
      Made.push_back(
          Length ? load({Array, At}, Length, Width)
                 : PoisonValue::get(FixedVectorType::get(Of.Element, Width)));
    }
    if (!transpose(Made, Width, unsigned(Of.Size * 8))) {
      Columns.erase(Key);
      return nullptr;
    }
  }
  return Made[Index - Begin];
}

/// As many rows as lanes. Every step exchanges one bit of a row's number for
/// one of the lane's, in a way that is one instruction for each row:
///
///     32 bits:  rows 2i, 2i+1: interleave the 128-bit blocks' halves
///     wider:    rows i, i+b:   exchange blocks of b lanes
///
/// The first leaves the lowest two bits of the row's number in the wrong order.
bool MatrixEmitter::transpose(std::vector<Value *> &Rows, unsigned Width,
                              unsigned Bits) {
  if (Bits != 32 && Bits != 64)
    return false;
  auto Combine = [&](unsigned I, unsigned J, auto First, auto Second) {
    SmallVector<int, 16> Low, High;
    for (unsigned Lane = 0; Lane < Width; ++Lane) {
      Low.push_back(First(Lane));
      High.push_back(Second(Lane));
    }
    Value *X = Rows[I], *Y = Rows[J];
    Rows[I] = Builder.CreateShuffleVector(X, Y, Low);
    Rows[J] = Builder.CreateShuffleVector(X, Y, High);
  };
  bool Interleaves = Bits == 32 && Width > 2;
  if (Interleaves)
    for (unsigned I = 0; I < Width; I += 2) {
      auto Half = [&](unsigned Offset) {
        return [=](unsigned Lane) {
          return int(Lane / 4 * 4 + Offset + Lane % 4 / 2 +
                     (Lane % 2 ? Width : 0));
        };
      };
      Combine(I, I + 1, Half(0), Half(2));
    }
  for (unsigned Block = Interleaves ? 2 : 1; Block < Width; Block *= 2)
    for (unsigned I = 0; I < Width; ++I)
      if (!(I & Block))
        Combine(
            I, I + Block,
            [&](unsigned Lane) {
              return int(Lane & Block ? (Lane ^ Block) + Width : Lane);
            },
            [&](unsigned Lane) {
              return int(Lane & Block ? Lane + Width : Lane | Block);
            });
  if (Interleaves)
    for (unsigned I = 0; I < Width; I += 4)
      std::swap(Rows[I + 1], Rows[I + 2]);
  return true;
}

} // namespace accx::vector
