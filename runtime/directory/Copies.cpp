//===- Copies.cpp - Copies around attached pointers -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns ranges into copy operations that leave attached pointers alone.
//
//===----------------------------------------------------------------------===//

#include "directory/Impl.h"

#include <algorithm>

namespace accx {

bool Directory::Impl::planCopy(Plan &P, Operation::KindTy Kind, HostRange R,
                               uintptr_t Delta, const void *Name) {
  size_t FirstSkip = P.Skips.size();
  uintptr_t Origin = R.Begin;
  uintptr_t LastBegin = 0;
  Attached.forEachIn(R, [&](Shadow *S) {
    // A pointer at either end, or across it, shortens the copy.
    if (S->Slot.Begin <= R.Begin) {
      R.Begin = std::min(S->Slot.End, R.End);
    } else if (S->Slot.End >= R.End) {
      R.End = std::max(S->Slot.Begin, R.Begin);
      return false;
    } else {
      P.Skips.push_back({S->Slot.Begin - Origin, S->Value});
      LastBegin = S->Slot.Begin;
    }
    return true;
  });
  // Pointers side by side may have reached the end from within.
  while (P.Skips.size() > FirstSkip &&
         LastBegin + Shadows::PointerBytes == R.End) {
    R.End = LastBegin;
    P.Skips.pop_back();
    if (P.Skips.size() > FirstSkip)
      LastBegin = Origin + P.Skips.back().Offset;
  }
  if (R.empty()) {
    P.Skips.resize(FirstSkip);
    return false;
  }
  for (size_t I = FirstSkip; I < P.Skips.size(); ++I)
    P.Skips[I].Offset -= R.Begin - Origin;
  Operation Op{};
  Op.Kind = Kind;
  Op.Host = R.Begin;
  Op.Device = R.Begin + Delta;
  Op.Size = R.size();
  Op.FirstSkip = FirstSkip;
  Op.NumSkips = P.Skips.size() - FirstSkip;
  Op.Name = Name;
  P.Operations.push_back(Op);
  return true;
}

/// Plans the copies of the bytes of \p Whole that lie in \p Sorted ranges.
bool Directory::Impl::planCommon(Plan &P, Operation::KindTy Kind,
                                 HostRange Whole,
                                 std::span<const HostRange> Sorted,
                                 uintptr_t Delta, const void *Name) {
  bool Any = false;
  auto At =
      std::partition_point(Sorted.begin(), Sorted.end(),
                           [&](HostRange R) { return R.End <= Whole.Begin; });
  while (At != Sorted.end() && At->Begin < Whole.End) {
    HostRange R{std::max(At->Begin, Whole.Begin), std::min(At->End, Whole.End)};
    // Ranges that touch are one copy.
    for (++At; At != Sorted.end() && At->Begin == R.End && R.End < Whole.End;
         ++At)
      R.End = std::min(At->End, Whole.End);
    Any |= planCopy(P, Kind, R, Delta, Name);
  }
  return Any;
}

/// Forgets attached pointers none of whose bytes is on the device any more.
void Directory::Impl::pruneShadows(HostRange Vacated) {
  Scratch.clear();
  Attached.forEachIn(Vacated, [&](Shadow *S) {
    if (Entries.Live.overlaps(S->Slot))
      Attached.setBroken(S, true);
    else
      Scratch.push_back(S);
    return true;
  });
  for (Shadow *S : Scratch)
    Attached.erase(S);
}

Outcome Directory::Impl::update(std::span<UpdateItem> Items, Plan &P,
                                Status &Error, size_t &FailedItem) {
  for (size_t I = 0; I < Items.size(); ++I) {
    UpdateItem &It = Items[I];
    Node *N = Entries.resolve(It.Host);
    It.Target = N;
    It.Result = N ? Resolution::Existing : Resolution::Absent;
    It.Device = It.Host.Begin + (N ? N->Delta : 0);
    if (N) {
      if (N->Busy)
        return Outcome::Wait;
      continue;
    }
    if (Entries.leavingMeets(It.Host))
      return Outcome::Wait;
    if (It.Present && (It.Host.empty() || !Entries.Live.covers(It.Host))) {
      FailedItem = I;
      Error = explain(ErrorCode::NotPresent, It.Host, Status());
      return Outcome::Failed;
    }
  }
  for (UpdateItem &It : Items) {
    if (!It.Target || It.Host.empty())
      continue;
    const size_t First = P.Operations.size();
    bool Any = false;
    if (It.ToDevice)
      Any |=
          planCopy(P, Operation::ToDevice, It.Host, It.Target->Delta, It.Name);
    if (It.FromDevice)
      Any |= planCopy(P, Operation::FromDevice, It.Host, It.Target->Delta,
                      It.Name);
    if (Any)
      hold(P, nodeOf(It.Target));
    for (size_t I = First; I < P.Operations.size(); ++I)
      P.Operations[I].Part = It.Part;
  }
  return Outcome::Done;
}

} // namespace accx
