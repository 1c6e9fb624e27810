//===- Index.h - Overlapping host ranges in order ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index of host ranges that may overlap: which contain a range, overlap it,
// or come next.
//
//===----------------------------------------------------------------------===//
//
// Ranges are kept in one bin a power of two of size. Each bin is a B+-tree over
// (start, end, item) whose inner nodes know the furthest end and the smallest
// size below each child:
//
//   bin 2^12   [ start | start | ... ]       inner: + furthest end, least size
//               /         \                         of every child
//          [s e item]   [s e item] ...       leaf:  contiguous arrays
//
// Without bins one huge range in every leaf would make "furthest end" useless
// for finding a tight container; with them, all ranges of a bin that touch a
// point start within two bin sizes of it, and the first bin, from small to
// large, that has a container has the smallest one.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_INDEX_H
#define ACCX_DIRECTORY_INDEX_H

#include "directory/Directory.h"
#include "directory/Pool.h"

#include <algorithm>
#include <bit>

namespace accx {

/// Ranges with an untyped item each. The same range may stand there several
/// times, with different items. No range is empty.
class IntervalIndex {
public:
  IntervalIndex() = default;
  IntervalIndex(const IntervalIndex &) = delete;
  IntervalIndex &operator=(const IntervalIndex &) = delete;

  void insert(HostRange R, void *Item);
  /// \p R and \p Item must be there.
  void remove(HostRange R, void *Item);

  bool empty() const { return Nonempty == 0; }
  size_t size() const { return Count; }
  /// Whether there may be a range of this size.
  bool mayHave(size_t Size) const { return Nonempty >> binOf(Size) & 1; }

  /// Whether any range overlaps \p R (not empty).
  bool overlaps(HostRange R) const {
    // Larger ones first: where one contains R, the first look finds it or one
    // that is almost as large.
    unsigned From = binOf(R.size());
    uint64_t Larger = Nonempty >> From << From;
    return overlapsIn(Larger, R) || overlapsIn(Nonempty ^ Larger, R);
  }

  /// The smallest range that contains \p R (not empty), among equals the one
  /// with the lowest start; null if there is none.
  void *smallestContaining(HostRange R) const;

  /// The furthest end of the ranges that start at or before \p P, or \p P if
  /// none reaches beyond it. \p Item, unless null, gets one that ends there.
  uintptr_t reach(uintptr_t P, void **Item) const;

  /// The range with the lowest start at or after \p P, the smallest of them.
  void *next(uintptr_t P, HostRange &Range) const;

  /// Calls Visit(Item) for every range that overlaps \p R until it returns
  /// false; bin by bin, within a bin in order. Returns whether all were seen.
  template <typename F> bool forEachOverlap(HostRange R, F &&Visit) const {
    for (uint64_t M = Nonempty; M; M &= M - 1) {
      const Bin &B = Bins[std::countr_zero(M)];
      if (B.Low < R.End && B.High > R.Begin &&
          !visitOverlaps(B.Root, B.Height, R, Visit))
        return false;
    }
    return true;
  }

  /// Cuts \p R into covered pieces, Piece(Item, HostRange) with an item that
  /// contains the piece, and gaps, Gap(HostRange); in ascending order. Every
  /// range that overlaps \p R overlaps one of the reported items' ranges or is
  /// one of them.
  template <typename PieceF, typename GapF>
  void walk(HostRange R, PieceF &&Piece, GapF &&Gap) const {
    uintptr_t P = R.Begin;
    while (P < R.End) {
      void *Item = nullptr;
      uintptr_t End = reach(P, &Item);
      if (End > P) {
        End = std::min(End, R.End);
        Piece(Item, HostRange{P, End});
        P = End;
        continue;
      }
      HostRange Next;
      if (!next(P, Next) || Next.Begin >= R.End)
        Next.Begin = R.End;
      Gap(HostRange{P, Next.Begin});
      P = Next.Begin;
    }
  }

  /// The gaps of walk().
  template <typename GapF> void gaps(HostRange R, GapF &&Gap) const {
    uintptr_t P = R.Begin;
    while (P < R.End) {
      if (uintptr_t End = reach(P, nullptr); End > P) {
        P = End;
        continue;
      }
      HostRange Next;
      if (!next(P, Next) || Next.Begin >= R.End)
        Next.Begin = R.End;
      Gap(HostRange{P, Next.Begin});
      P = Next.Begin;
    }
  }

  /// Whether ranges cover every byte of \p R.
  bool covers(HostRange R) const {
    uintptr_t P = R.Begin;
    while (P < R.End) {
      uintptr_t End = reach(P, nullptr);
      if (End == P)
        return false;
      P = End;
    }
    return true;
  }

private:
  /// One less than a power of two: the count shares the starts' last line.
  static constexpr unsigned Fan = 31;

  struct Key {
    uintptr_t Begin, End;
    void *Item;
  };
  struct alignas(64) Leaf {
    uintptr_t Begin[Fan];
    uintptr_t Count = 0;
    alignas(64) uintptr_t End[Fan];
    alignas(64) void *Item[Fan];
  };
  /// The key of a child is not above any key below it, and above all keys of
  /// the child before.
  struct alignas(64) Inner {
    uintptr_t Begin[Fan];
    uintptr_t Count = 0;
    alignas(64) uintptr_t MaxEnd[Fan];
    alignas(64) uintptr_t MinSize[Fan];
    alignas(64) void *Child[Fan];
    alignas(64) uintptr_t End[Fan];
    alignas(64) void *Item[Fan];
  };
  struct Bin {
    /// A Leaf if Height is 0, else an Inner.
    void *Root = nullptr;
    unsigned Height = 0;
    /// Not above any start; the furthest end.
    uintptr_t Low = 0;
    uintptr_t High = 0;
  };
  struct Sum {
    uintptr_t MaxEnd, MinSize;
    friend bool operator==(Sum, Sum) = default;
  };
  struct Step {
    Inner *Node;
    unsigned Child;
  };
  struct Best {
    void *Item = nullptr;
    uintptr_t Size = ~uintptr_t(0);
    uintptr_t Begin = ~uintptr_t(0);
  };
  /// 64 bits of keys at 2 children a node at least.
  static constexpr unsigned MaxHeight = 64;

  /// Starts loading the arrays that a search looks at: the first three of a
  /// leaf, the first four of an inner node. They lie in many lines, which would
  /// otherwise be waited for one after another.
  static void prefetch(const void *Node) {
    constexpr size_t Bytes = (Fan + 1) * sizeof(uintptr_t) * 3;
    for (size_t I = 0; I < Bytes; I += 64)
      __builtin_prefetch(static_cast<const char *>(Node) + I);
  }

  static unsigned binOf(size_t Size) { return 63 - std::countl_zero(Size); }

  /// How many of \p N ascending values are below \p X.
  static unsigned countBelow(const uintptr_t *A, unsigned N, uintptr_t X) {
    unsigned Lo = 0;
    while (N) {
      unsigned Half = N / 2;
      bool Right = A[Lo + Half] < X;
      Lo = Right ? Lo + Half + 1 : Lo;
      N = Right ? N - Half - 1 : Half;
    }
    return Lo;
  }
  static unsigned countUpTo(const uintptr_t *A, unsigned N, uintptr_t X) {
    return X == ~uintptr_t(0) ? N : countBelow(A, N, X + 1);
  }
  template <typename NodeT>
  static unsigned lowerBound(const NodeT *N, const Key &K);
  static unsigned childFor(const Inner *N, const Key &K);
  template <typename NodeT> static void open(NodeT *N, unsigned At);
  template <typename NodeT> static void close(NodeT *N, unsigned At);
  template <typename NodeT>
  static void append(NodeT *To, const NodeT *From, unsigned First,
                     unsigned Count);
  static Sum sumOf(const Leaf *L);
  static Sum sumOf(const Inner *N);
  static Sum sumOf(const void *N, unsigned Height);
  static void setChild(Inner *N, unsigned At, const Key &K, Sum S, void *C);
  void refresh(Bin &B);
  void grow(Bin &B, Step *Path, unsigned Depth, const Key &K, Sum S,
            void *Child);
  void shrink(Bin &B, Step *Path, unsigned Depth);
  bool mergeChild(Inner *N, unsigned At, unsigned ChildHeight);

  bool overlapsIn(uint64_t Mask, HostRange R) const {
    for (; Mask; Mask &= Mask - 1) {
      const Bin &B = Bins[std::countr_zero(Mask)];
      if (B.Low < R.End && B.High > R.Begin && anyOverlap(B.Root, B.Height, R))
        return true;
    }
    return false;
  }
  static bool anyOverlap(const void *N, unsigned Height, HostRange R);
  static uintptr_t reachIn(const void *N, unsigned Height, uintptr_t P);
  static void *itemReaching(const void *N, unsigned Height, uintptr_t P,
                            uintptr_t End);
  static bool nextIn(const void *N, unsigned Height, uintptr_t P, Key &K);
  static void smallestIn(const void *N, unsigned Height, HostRange R,
                         uintptr_t After, uintptr_t Upper, Best &B);

  template <typename F>
  static bool visitOverlaps(const void *Node, unsigned Height, HostRange R,
                            F &&Visit) {
    if (Height == 0) {
      auto *L = static_cast<const Leaf *>(Node);
      unsigned N = countBelow(L->Begin, L->Count, R.End);
      for (unsigned I = 0; I < N; ++I)
        if (L->End[I] > R.Begin && !Visit(L->Item[I]))
          return false;
      return true;
    }
    auto *I = static_cast<const Inner *>(Node);
    unsigned N = countBelow(I->Begin, I->Count, R.End);
    for (unsigned C = 0; C < N; ++C)
      if (I->MaxEnd[C] > R.Begin &&
          !visitOverlaps(I->Child[C], Height - 1, R, Visit))
        return false;
    return true;
  }

  uint64_t Nonempty = 0;
  size_t Count = 0;
  Bin Bins[64];
  Pool<Leaf> Leaves;
  Pool<Inner> Inners;
};

/// An index of objects by one of their members, a HostRange T::*.
template <typename T, auto Range> class RangeIndex {
  IntervalIndex I;

public:
  void insert(T *Item) { I.insert(Item->*Range, Item); }
  void remove(T *Item) { I.remove(Item->*Range, Item); }
  bool empty() const { return I.empty(); }
  size_t size() const { return I.size(); }
  bool mayHave(size_t Size) const { return I.mayHave(Size); }
  bool overlaps(HostRange R) const { return I.overlaps(R); }
  bool covers(HostRange R) const { return I.covers(R); }
  T *smallestContaining(HostRange R) const {
    return static_cast<T *>(I.smallestContaining(R));
  }
  T *next(uintptr_t P) const {
    HostRange R;
    return static_cast<T *>(I.next(P, R));
  }
  template <typename F> bool forEachOverlap(HostRange R, F &&Visit) const {
    return I.forEachOverlap(
        R, [&](void *Item) { return Visit(static_cast<T *>(Item)); });
  }
  template <typename PieceF, typename GapF>
  void walk(HostRange R, PieceF &&Piece, GapF &&Gap) const {
    I.walk(
        R,
        [&](void *Item, HostRange Part) {
          Piece(static_cast<T *>(Item), Part);
        },
        Gap);
  }
  template <typename GapF> void gaps(HostRange R, GapF &&Gap) const {
    I.gaps(R, Gap);
  }
};

} // namespace accx

#endif // ACCX_DIRECTORY_INDEX_H
