//===- IndexUpdate.cpp - Changes of the interval index --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Insertion and removal in the bins' trees; see Index.h.
//
//===----------------------------------------------------------------------===//

#include "directory/Index.h"

#include <cassert>

namespace accx {

/// The first slot whose key is not below \p K.
template <typename NodeT>
unsigned IntervalIndex::lowerBound(const NodeT *N, const Key &K) {
  unsigned I = countBelow(N->Begin, N->Count, K.Begin);
  while (I < N->Count && N->Begin[I] == K.Begin &&
         (N->End[I] < K.End || (N->End[I] == K.End && N->Item[I] < K.Item)))
    ++I;
  return I;
}

template <typename T> static void shiftUp(T *A, unsigned At, unsigned Count) {
  std::copy_backward(A + At, A + Count, A + Count + 1);
}
template <typename T> static void shiftDown(T *A, unsigned At, unsigned Count) {
  std::copy(A + At + 1, A + Count, A + At);
}

/// The last child whose key is not above \p K, or the first child. A key may be
/// older than all that is below its child, so it can equal \p K even though
/// \p K is not there.
unsigned IntervalIndex::childFor(const Inner *N, const Key &K) {
  unsigned C = lowerBound(N, K);
  if (C < N->Count && N->Begin[C] == K.Begin && N->End[C] == K.End &&
      N->Item[C] == K.Item)
    return C;
  return C ? C - 1 : 0;
}

/// Makes room for one slot; the count grows.
template <typename NodeT> void IntervalIndex::open(NodeT *N, unsigned At) {
  shiftUp(N->Begin, At, N->Count);
  shiftUp(N->End, At, N->Count);
  shiftUp(N->Item, At, N->Count);
  if constexpr (std::is_same_v<NodeT, Inner>) {
    shiftUp(N->MaxEnd, At, N->Count);
    shiftUp(N->MinSize, At, N->Count);
    shiftUp(N->Child, At, N->Count);
  }
  ++N->Count;
}

/// Takes one slot out.
template <typename NodeT> void IntervalIndex::close(NodeT *N, unsigned At) {
  shiftDown(N->Begin, At, N->Count);
  shiftDown(N->End, At, N->Count);
  shiftDown(N->Item, At, N->Count);
  if constexpr (std::is_same_v<NodeT, Inner>) {
    shiftDown(N->MaxEnd, At, N->Count);
    shiftDown(N->MinSize, At, N->Count);
    shiftDown(N->Child, At, N->Count);
  }
  --N->Count;
}

/// Adds \p Count slots of \p From, starting with \p First, at the end of \p To.
template <typename NodeT>
void IntervalIndex::append(NodeT *To, const NodeT *From, unsigned First,
                           unsigned Count) {
  std::copy_n(From->Begin + First, Count, To->Begin + To->Count);
  std::copy_n(From->End + First, Count, To->End + To->Count);
  std::copy_n(From->Item + First, Count, To->Item + To->Count);
  if constexpr (std::is_same_v<NodeT, Inner>) {
    std::copy_n(From->MaxEnd + First, Count, To->MaxEnd + To->Count);
    std::copy_n(From->MinSize + First, Count, To->MinSize + To->Count);
    std::copy_n(From->Child + First, Count, To->Child + To->Count);
  }
  To->Count += Count;
}

IntervalIndex::Sum IntervalIndex::sumOf(const Leaf *L) {
  Sum S{0, ~uintptr_t(0)};
  for (unsigned I = 0; I < L->Count; ++I) {
    S.MaxEnd = std::max(S.MaxEnd, L->End[I]);
    S.MinSize = std::min(S.MinSize, L->End[I] - L->Begin[I]);
  }
  return S;
}

IntervalIndex::Sum IntervalIndex::sumOf(const Inner *N) {
  Sum S{0, ~uintptr_t(0)};
  for (unsigned I = 0; I < N->Count; ++I) {
    S.MaxEnd = std::max(S.MaxEnd, N->MaxEnd[I]);
    S.MinSize = std::min(S.MinSize, N->MinSize[I]);
  }
  return S;
}

IntervalIndex::Sum IntervalIndex::sumOf(const void *N, unsigned Height) {
  return Height ? sumOf(static_cast<const Inner *>(N))
                : sumOf(static_cast<const Leaf *>(N));
}

void IntervalIndex::setChild(Inner *N, unsigned At, const Key &K, Sum S,
                             void *C) {
  N->Begin[At] = K.Begin;
  N->End[At] = K.End;
  N->Item[At] = K.Item;
  N->MaxEnd[At] = S.MaxEnd;
  N->MinSize[At] = S.MinSize;
  N->Child[At] = C;
}

/// Brings the box around a bin up to date.
void IntervalIndex::refresh(Bin &B) {
  uint64_t Bit = uint64_t(1) << (&B - Bins);
  if (!B.Root) {
    Nonempty &= ~Bit;
    return;
  }
  Nonempty |= Bit;
  B.Low = B.Height ? static_cast<Inner *>(B.Root)->Begin[0]
                   : static_cast<Leaf *>(B.Root)->Begin[0];
  B.High = sumOf(B.Root, B.Height).MaxEnd;
}

void IntervalIndex::insert(HostRange R, void *Item) {
  assert(!R.empty() && "nothing to index");
  Bin &B = Bins[binOf(R.size())];
  Key K{R.Begin, R.End, Item};
  Sum S{R.End, R.size()};
  ++Count;
  if (!B.Root) {
    Leaf *L = Leaves.create();
    L->Begin[0] = K.Begin;
    L->End[0] = K.End;
    L->Item[0] = K.Item;
    L->Count = 1;
    B.Root = L;
    B.Height = 0;
    refresh(B);
    return;
  }
  B.High = std::max(B.High, R.End);
  B.Low = std::min(B.Low, R.Begin);

  Step Path[MaxHeight];
  void *Node = B.Root;
  bool Rightmost = true;
  for (unsigned D = 0; D < B.Height; ++D) {
    auto *N = static_cast<Inner *>(Node);
    unsigned C = childFor(N, K);
    if (C == 0 && lowerBound(N, K) == 0) {
      N->Begin[0] = K.Begin;
      N->End[0] = K.End;
      N->Item[0] = K.Item;
    }
    N->MaxEnd[C] = std::max(N->MaxEnd[C], S.MaxEnd);
    N->MinSize[C] = std::min(N->MinSize[C], S.MinSize);
    Rightmost &= C + 1 == N->Count;
    Path[D] = {N, C};
    Node = N->Child[C];
    prefetch(Node);
  }

  auto *L = static_cast<Leaf *>(Node);
  unsigned At = lowerBound(L, K);
  Leaf *Into = L;
  if (L->Count == Fan) {
    // Ascending insertion fills its nodes: the last leaf is not halved.
    unsigned Keep = Rightmost && At == Fan ? Fan : Fan / 2;
    Leaf *Right = Leaves.create();
    append(Right, L, Keep, Fan - Keep);
    L->Count = Keep;
    if (At > Keep || Keep == Fan) {
      Into = Right;
      At -= Keep;
    }
    open(Into, At);
    Into->Begin[At] = K.Begin;
    Into->End[At] = K.End;
    Into->Item[At] = K.Item;
    if (B.Height) {
      Step &Up = Path[B.Height - 1];
      Sum Left = sumOf(L);
      Up.Node->MaxEnd[Up.Child] = Left.MaxEnd;
      Up.Node->MinSize[Up.Child] = Left.MinSize;
    }
    grow(B, Path, B.Height, {Right->Begin[0], Right->End[0], Right->Item[0]},
         sumOf(Right), Right);
    return;
  }
  open(Into, At);
  Into->Begin[At] = K.Begin;
  Into->End[At] = K.End;
  Into->Item[At] = K.Item;
}

/// Hangs \p Child, split off at depth \p Depth, beside the node it came from.
void IntervalIndex::grow(Bin &B, Step *Path, unsigned Depth, const Key &FirstK,
                         Sum FirstS, void *Child) {
  Key K = FirstK;
  Sum S = FirstS;
  while (Depth) {
    auto [N, C] = Path[--Depth];
    unsigned At = C + 1;
    if (N->Count < Fan) {
      open(N, At);
      setChild(N, At, K, S, Child);
      return;
    }
    unsigned Keep = At == Fan ? Fan : Fan / 2;
    Inner *Right = Inners.create();
    append(Right, N, Keep, Fan - Keep);
    N->Count = Keep;
    Inner *Into = N;
    if (At > Keep || Keep == Fan) {
      Into = Right;
      At -= Keep;
    }
    open(Into, At);
    setChild(Into, At, K, S, Child);
    if (Depth) {
      Sum Left = sumOf(N);
      Path[Depth - 1].Node->MaxEnd[Path[Depth - 1].Child] = Left.MaxEnd;
      Path[Depth - 1].Node->MinSize[Path[Depth - 1].Child] = Left.MinSize;
    }
    K = {Right->Begin[0], Right->End[0], Right->Item[0]};
    S = sumOf(Right);
    Child = Right;
  }
  // The root itself was split.
  Inner *Root = Inners.create();
  Key Old = B.Height ? Key{static_cast<Inner *>(B.Root)->Begin[0],
                           static_cast<Inner *>(B.Root)->End[0],
                           static_cast<Inner *>(B.Root)->Item[0]}
                     : Key{static_cast<Leaf *>(B.Root)->Begin[0],
                           static_cast<Leaf *>(B.Root)->End[0],
                           static_cast<Leaf *>(B.Root)->Item[0]};
  Root->Count = 2;
  setChild(Root, 0, Old, sumOf(B.Root, B.Height), B.Root);
  setChild(Root, 1, K, S, Child);
  B.Root = Root;
  ++B.Height;
}

void IntervalIndex::remove(HostRange R, void *Item) {
  Bin &B = Bins[binOf(R.size())];
  Key K{R.Begin, R.End, Item};
  Step Path[MaxHeight];
  void *Node = B.Root;
  assert(Node && "no such range");
  for (unsigned D = 0; D < B.Height; ++D) {
    auto *N = static_cast<Inner *>(Node);
    unsigned C = childFor(N, K);
    Path[D] = {N, C};
    Node = N->Child[C];
    prefetch(Node);
  }
  auto *L = static_cast<Leaf *>(Node);
  unsigned At = lowerBound(L, K);
  assert(At < L->Count && L->Item[At] == Item && "no such range");
  close(L, At);
  --Count;
  shrink(B, Path, B.Height);
  if (!B.Root || B.High == R.End || B.Low == R.Begin)
    refresh(B);
}

/// Joins child \p At with the one before or after it if both fit in one.
bool IntervalIndex::mergeChild(Inner *N, unsigned At, unsigned ChildHeight) {
  auto Join = [&](auto *Left, auto *Right, unsigned L) {
    if (Left->Count + Right->Count > Fan * 3 / 4)
      return false;
    append(Left, Right, 0, Right->Count);
    Sum S = sumOf(Left);
    N->MaxEnd[L] = S.MaxEnd;
    N->MinSize[L] = S.MinSize;
    close(N, L + 1);
    if constexpr (std::is_same_v<decltype(Right), Leaf *>)
      Leaves.destroy(Right);
    else
      Inners.destroy(Right);
    return true;
  };
  for (unsigned L : {At, At - 1}) {
    if (L + 1 >= N->Count || L == ~0u)
      continue;
    if (ChildHeight == 0 ? Join(static_cast<Leaf *>(N->Child[L]),
                                static_cast<Leaf *>(N->Child[L + 1]), L)
                         : Join(static_cast<Inner *>(N->Child[L]),
                                static_cast<Inner *>(N->Child[L + 1]), L))
      return true;
  }
  return false;
}

/// Repairs sums and fill on the way up after a removal at depth \p Depth.
void IntervalIndex::shrink(Bin &B, Step *Path, unsigned Depth) {
  for (unsigned Height = 0; Depth; ++Height) {
    auto [N, C] = Path[--Depth];
    unsigned Fill = Height ? static_cast<Inner *>(N->Child[C])->Count
                           : static_cast<Leaf *>(N->Child[C])->Count;
    if (Fill == 0) {
      if (Height)
        Inners.destroy(static_cast<Inner *>(N->Child[C]));
      else
        Leaves.destroy(static_cast<Leaf *>(N->Child[C]));
      close(N, C);
      continue;
    }
    if (Fill < Fan / 4 && mergeChild(N, C, Height))
      continue;
    Sum S = sumOf(N->Child[C], Height);
    if (S == Sum{N->MaxEnd[C], N->MinSize[C]})
      return;
    N->MaxEnd[C] = S.MaxEnd;
    N->MinSize[C] = S.MinSize;
  }
  while (B.Height) {
    auto *Root = static_cast<Inner *>(B.Root);
    if (Root->Count > 1)
      return;
    B.Root = Root->Count ? Root->Child[0] : nullptr;
    B.Height = Root->Count ? B.Height - 1 : 0;
    Inners.destroy(Root);
    if (!B.Root)
      return;
  }
  auto *L = static_cast<Leaf *>(B.Root);
  if (L->Count == 0) {
    Leaves.destroy(L);
    B.Root = nullptr;
  }
}

} // namespace accx
