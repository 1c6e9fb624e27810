//===- IndexQuery.cpp - Questions to the interval index -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descents through the bins' trees; see Index.h.
//
//===----------------------------------------------------------------------===//

#include "directory/Index.h"

#include <utility>

namespace accx {

bool IntervalIndex::anyOverlap(const void *Node, unsigned Height, HostRange R) {
  for (; Height; --Height) {
    auto *I = static_cast<const Inner *>(Node);
    unsigned N = countBelow(I->Begin, I->Count, R.End);
    if (N == 0)
      return false;
    // What lies before the last candidate child starts before R ends, so its
    // furthest end decides. Near children first: those reach R if any does.
    for (unsigned C = N - 1; C-- > 0;)
      if (I->MaxEnd[C] > R.Begin)
        return true;
    if (I->MaxEnd[N - 1] <= R.Begin)
      return false;
    Node = I->Child[N - 1];
    prefetch(Node);
  }
  auto *L = static_cast<const Leaf *>(Node);
  for (unsigned N = countBelow(L->Begin, L->Count, R.End); N-- > 0;)
    if (L->End[N] > R.Begin)
      return true;
  return false;
}

uintptr_t IntervalIndex::reachIn(const void *Node, unsigned Height,
                                 uintptr_t P) {
  uintptr_t End = 0;
  for (; Height; --Height) {
    auto *I = static_cast<const Inner *>(Node);
    unsigned N = countUpTo(I->Begin, I->Count, P);
    if (N == 0)
      return End;
    for (unsigned C = 0; C + 1 < N; ++C)
      End = std::max(End, I->MaxEnd[C]);
    if (I->MaxEnd[N - 1] <= End)
      return End;
    Node = I->Child[N - 1];
    prefetch(Node);
  }
  auto *L = static_cast<const Leaf *>(Node);
  for (unsigned N = countUpTo(L->Begin, L->Count, P); N-- > 0;)
    End = std::max(End, L->End[N]);
  return End;
}

void *IntervalIndex::itemReaching(const void *Node, unsigned Height,
                                  uintptr_t P, uintptr_t End) {
  // End is the furthest end among starts at or before P. Whatever child before
  // the last candidate has it can be entered without a look back; the last one
  // may have it from a range that starts after P.
  for (; Height; --Height) {
    auto *I = static_cast<const Inner *>(Node);
    unsigned N = countUpTo(I->Begin, I->Count, P), Into = ~0u;
    for (unsigned C = 0; C + 1 < N && Into == ~0u; ++C)
      if (I->MaxEnd[C] == End)
        Into = C;
    Node = I->Child[Into == ~0u ? N - 1 : Into];
  }
  auto *L = static_cast<const Leaf *>(Node);
  for (unsigned N = countUpTo(L->Begin, L->Count, P); N-- > 0;)
    if (L->End[N] == End)
      return L->Item[N];
  return nullptr;
}

uintptr_t IntervalIndex::reach(uintptr_t P, void **Item) const {
  uintptr_t End = P;
  const Bin *In = nullptr;
  for (uint64_t M = Nonempty; M; M &= M - 1) {
    const Bin &B = Bins[std::countr_zero(M)];
    if (B.Low > P || B.High <= End)
      continue;
    if (uintptr_t E = reachIn(B.Root, B.Height, P); E > End) {
      End = E;
      In = &B;
    }
  }
  if (Item && In)
    *Item = itemReaching(In->Root, In->Height, P, End);
  return End;
}

bool IntervalIndex::nextIn(const void *Node, unsigned Height, uintptr_t P,
                           Key &K) {
  if (Height == 0) {
    auto *L = static_cast<const Leaf *>(Node);
    unsigned N = countBelow(L->Begin, L->Count, P);
    if (N == L->Count)
      return false;
    K = {L->Begin[N], L->End[N], L->Item[N]};
    return true;
  }
  auto *I = static_cast<const Inner *>(Node);
  unsigned N = countBelow(I->Begin, I->Count, P);
  if (N && nextIn(I->Child[N - 1], Height - 1, P, K))
    return true;
  return N < I->Count && nextIn(I->Child[N], Height - 1, P, K);
}

void *IntervalIndex::next(uintptr_t P, HostRange &Range) const {
  Key Found{~uintptr_t(0), 0, nullptr};
  for (uint64_t M = Nonempty; M; M &= M - 1) {
    const Bin &B = Bins[std::countr_zero(M)];
    // No start is at the furthest end or beyond.
    if (B.High <= P || B.Low > Found.Begin)
      continue;
    Key K;
    // Bins ascend in size: at the same start the first found is smaller.
    if (nextIn(B.Root, B.Height, P, K) &&
        (!Found.Item || K.Begin < Found.Begin))
      Found = K;
  }
  if (Found.Item)
    Range = {Found.Begin, Found.End};
  return Found.Item;
}

void IntervalIndex::smallestIn(const void *Node, unsigned Height, HostRange R,
                               uintptr_t After, uintptr_t Upper, Best &B) {
  // Containers start in (After, R.Begin]; no key below Node starts above Upper.
  if (Height == 0) {
    auto *L = static_cast<const Leaf *>(Node);
    for (unsigned I = 0; I < L->Count && L->Begin[I] <= R.Begin; ++I) {
      if (L->End[I] < R.End)
        continue;
      uintptr_t Size = L->End[I] - L->Begin[I];
      if (Size < B.Size || (Size == B.Size && L->Begin[I] < B.Begin))
        B = {L->Item[I], Size, L->Begin[I]};
    }
    return;
  }

  // Branch and bound, most promising child first, among equals the one with the
  // lowest starts. A container below a child is at least as large as the least
  // size there, and as what lies between the last start there and the end of R.
  auto *I = static_cast<const Inner *>(Node);
  constexpr uintptr_t None = ~uintptr_t(0);
  uintptr_t Least[Fan];
  auto LastStart = [&](unsigned C) {
    return C + 1 < I->Count ? I->Begin[C + 1] : Upper;
  };
  unsigned From = countUpTo(I->Begin, I->Count, After);
  From = From ? From - 1 : 0;
  unsigned To = countUpTo(I->Begin, I->Count, R.Begin);
  for (unsigned C = From; C < To; ++C) {
    uintptr_t Bound =
        std::max(I->MinSize[C], R.End - std::min(LastStart(C), R.Begin));
    Least[C] = I->MaxEnd[C] < R.End ? None : Bound;
  }
  while (From < To) {
    unsigned Pick = From;
    for (unsigned C = From + 1; C < To; ++C)
      Pick = Least[C] < Least[Pick] ? C : Pick;
    uintptr_t Bound = std::exchange(Least[Pick], None);
    if (Bound == None || Bound > B.Size)
      return;
    if (Bound < B.Size || I->Begin[Pick] < B.Begin) {
      prefetch(I->Child[Pick]);
      smallestIn(I->Child[Pick], Height - 1, R, After, LastStart(Pick), B);
    }
    // What is left starts no lower: it can only be as good.
    if (B.Size == Bound && B.Begin <= LastStart(Pick))
      return;
  }
}

void *IntervalIndex::smallestContaining(HostRange R) const {
  unsigned From = binOf(R.size());
  for (uint64_t M = Nonempty >> From << From; M; M &= M - 1) {
    unsigned K = std::countr_zero(M);
    const Bin &B = Bins[K];
    if (B.Low > R.Begin || B.High < R.End)
      continue;
    // No size in this bin reaches 2^(K+1).
    uintptr_t Limit = K < 63 ? uintptr_t(2) << K : 0;
    uintptr_t After = Limit && R.End > Limit ? R.End - Limit : 0;
    Best Found;
    smallestIn(B.Root, B.Height, R, After, R.Begin, Found);
    if (Found.Item)
      return Found.Item;
  }
  return nullptr;
}

} // namespace accx
