//===- Mirror.cpp - Windows that mirror host addresses --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reserving windows, committing and giving back their pages.
//
//===----------------------------------------------------------------------===//

#include "directory/Placement.h"

#include <algorithm>

namespace accx {

/// The window for \p N, which goes where its array is; null if there is none.
Window *Placement::windowOf(const Node *N, std::span<const Link> Links) {
  if (Granularity == 0)
    return nullptr;
  const size_t Header = Options.HeaderBytes;
  const uintptr_t Array = N->Base ? N->Base : N->Host.Begin;
  const bool IsBehind =
      Header && Array % Options.HeaderUnit == Header && N->Host.Begin >= Header;
  if (HasHeaders) {
    const auto Take = [&](Home *H) -> Window * {
      if (!H || H->Kind != Home::WindowKind || !H->Host.contains(N->Host))
        return nullptr;
      auto *W = static_cast<Window *>(H);
      // Other parts of its array have to be found from now on.
      if ((W->Header != 0) != IsBehind)
        startBases();
      return W;
    };
    for (const Link &L : Links)
      if (Window *W = Take(L.Old->Where))
        return W;
    if (BasesOn && N->Base)
      for (BaseGroup *G = SameBase.find(N->Base); G; G = G->Next)
        if (Window *W = Take(G->Where))
          return W;
  }
  return windowOf(N->Host, IsBehind ? Header : 0);
}

/// The window \p R lies in whole, reserved on first use; null if there is none.
/// A span without a second window has one for all.
Window *Placement::windowOf(HostRange R, size_t Header) {
  Window *&Last = LastWindow[Header != 0];
  if (!Last || !Last->Host.contains(R)) {
    uintptr_t Number = (R.Begin - Header) >> SpanBits;
    if ((R.End - Header - 1) >> SpanBits != Number)
      return nullptr;
    HostRange Span{(Number << SpanBits) + Header,
                   ((Number + 1) << SpanBits) + Header};
    // The last span of the address space has no end to speak of.
    if (Span.End < Span.Begin)
      return nullptr;
    auto At = std::lower_bound(Windows.begin(), Windows.end(), Span.Begin,
                               [](const std::unique_ptr<Window> &W,
                                  uintptr_t A) { return W->Host.Begin < A; });
    if (At != Windows.end() && (*At)->Host == Span)
      Last = At->get();
    else
      Last = reserve(Span, Header);
  }
  if (Last->Impossible)
    return Header ? windowOf(R, 0) : nullptr;
  return Last;
}

Window *Placement::reserve(HostRange Span, size_t Header) {
  auto W = std::make_unique<Window>(Span, Header, Span.size() / Granularity);
  // Both ends of the distance are multiples of the granularity. A device that
  // does not align reservations gets one page more to choose from.
  size_t Size = Span.size();
  Expected<uintptr_t> A = Memory.reserve(Size);
  if (A.ok() && *A % Granularity) {
    Memory.unreserve(*A, Size);
    Size += Granularity;
    A = Memory.reserve(Size);
  }
  W->Impossible = !A.ok();
  if (A.ok()) {
    HasHeaders |= Header != 0;
    W->Reserved = *A;
    W->ReservedSize = Size;
    W->Delta = (*A + Granularity - 1) / Granularity * Granularity - Span.Begin;
  }
  Window *Raw = W.get();
  auto At = std::lower_bound(Windows.begin(), Windows.end(), Span.Begin,
                             [](const std::unique_ptr<Window> &X, uintptr_t B) {
                               return X->Host.Begin < B;
                             });
  Windows.insert(At, std::move(W));
  return Raw;
}

/// Whether \p N cannot go into its window for the sake of others, or should not
/// for the sake of memory. \p Links are its own.
bool Placement::wantsBlock(const Node *N, Window &W,
                           std::span<const Link> Links) {
  for (const Link &L : Links) {
    const Node *Old = L.Old;
    if (Old->Where ? Old->Where->Kind == Home::BlockKind : Old->Fresh)
      return true;
    // It overlaps entries of both windows of its span.
    if (Old->Where && Old->Where != &W)
      return true;
  }
  if (N->Base) {
    // The array starts in another span: its parts must not part.
    if (N->Base < W.Host.Begin || N->Base >= W.Host.End)
      return true;
    if (BasesOn)
      for (BaseGroup *G = SameBase.find(N->Base); G; G = G->Next)
        if (G->Where->Kind == Home::BlockKind ||
            static_cast<Window *>(G->Where)->Header != W.Header)
          return true;
  }
  if (!Links.empty() || !overBudget(N, W))
    return false;
  startBases();
  return !N->Base || !SameBase.find(N->Base);
}

size_t Placement::firstPage(const Window &W, HostRange R) const {
  return (R.Begin - W.Host.Begin) / Granularity;
}

size_t Placement::endPage(const Window &W, HostRange R) const {
  return (R.End - 1 - W.Host.Begin) / Granularity + 1;
}

/// Calls Visit(window, first, end) for the runs of committed pages that no
/// entry touches.
template <typename F> void Placement::forEachIdleRun(F &&Visit) {
  for (auto &W : Windows) {
    if (W->Impossible)
      continue;
    Entries.Live.gaps(W->Host, [&](HostRange Outer) {
      Entries.Departed.gaps(Outer, [&](HostRange Gap) {
        size_t First =
            (Gap.Begin - W->Host.Begin + Granularity - 1) / Granularity;
        size_t End = (Gap.End - W->Host.Begin) / Granularity;
        W->Committed.forEachRun(First, End, true, [&](size_t A, size_t B) {
          Visit(*W, A, B);
          return true;
        });
      });
    });
  }
}

/// Whether committing what \p N needs would hold too much memory for too little
/// mapped data.
bool Placement::overBudget(const Node *N, Window &W) {
  uint64_t Limit = Capacity / 256 * Options.BudgetShare;
  if (PageBytes + (N->Host.size() / Granularity + 2) * Granularity <= Limit)
    return false;
  uint64_t New = 0;
  W.Committed.forEachRun(firstPage(W, N->Host), endPage(W, N->Host), false,
                         [&](size_t First, size_t End) {
                           New += (End - First) * Granularity;
                           return true;
                         });
  uint64_t Allowed = Options.BudgetRatio * (WindowMapped + N->Host.size());
  if (!New || PageBytes + New <= std::max(Limit, Allowed))
    return false;
  // Idle pages can be had back any time. Counting them takes a walk over all
  // entries, so it is done again only after as many changes.
  if (Changes - IdleKnownAt > Entries.Live.size() / 4) {
    IdleBytes = 0;
    forEachIdleRun([&](Window &, size_t First, size_t End) {
      IdleBytes += (End - First) * Granularity;
    });
    IdleKnownAt = Changes;
  }
  uint64_t InUse = PageBytes - std::min(IdleBytes, PageBytes);
  return InUse + New > std::max(Limit, Allowed);
}

Status Placement::commit(Window &W, HostRange R) {
  Status Error;
  W.Committed.forEachRun(
      firstPage(W, R), endPage(W, R), false, [&](size_t First, size_t End) {
        size_t Size = (End - First) * Granularity;
        Error =
            Memory.commit(W.Host.Begin + W.Delta + First * Granularity, Size);
        if (Error.failed())
          return false;
        W.Committed.set(First, End, true);
        PageBytes += Size;
        CommittedNow.push_back({&W, First, End});
        return true;
      });
  return Error;
}

void Placement::undoCommits() {
  for (const Run &C : CommittedNow) {
    size_t Size = (C.End - C.First) * Granularity;
    Memory.decommit(C.W->Host.Begin + C.W->Delta + C.First * Granularity, Size);
    C.W->Committed.set(C.First, C.End, false);
    PageBytes -= Size;
  }
  CommittedNow.clear();
}

uint64_t Placement::trimWindows() {
  uint64_t Bytes = 0;
  forEachIdleRun([&](Window &W, size_t First, size_t End) {
    size_t Size = (End - First) * Granularity;
    Memory.decommit(W.Host.Begin + W.Delta + First * Granularity, Size);
    W.Committed.set(First, End, false);
    Bytes += Size;
  });
  PageBytes -= Bytes;
  IdleBytes = 0;
  IdleKnownAt = Changes;
  return Bytes;
}

} // namespace accx
