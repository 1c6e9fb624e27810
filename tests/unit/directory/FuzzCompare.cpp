// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must hold between the operations of the random program.

#include "Fuzz.h"

#include <algorithm>
#include <cstring>

namespace accx::test {

/// Bytes that some plan in flight has yet to write or read.
Bytes Fuzz::pending() const {
  Bytes B;
  for (const Flight &F : Flights)
    for (size_t I = F.Next; I < F.P.Operations.size(); ++I) {
      const Operation &Op = F.P.Operations[I];
      B.set({Op.Host, Op.Host + Op.Size});
    }
  return B;
}

/// The entries and the figures are those of the model.
void Fuzz::compare() {
  std::vector<const Entry *> Real = D->entries();
  std::vector<const ModelEntry *> Ours;
  uint64_t Mapped = 0;
  for (const ModelEntry &E : Model.Entries)
    if (!E.Leaving) {
      Ours.push_back(&E);
      Mapped += E.Host.size();
    }
  std::sort(
      Ours.begin(), Ours.end(), [](const ModelEntry *A, const ModelEntry *B) {
        return A->Host.Begin != B->Host.Begin ? A->Host.Begin < B->Host.Begin
                                              : A->Host.End < B->Host.End;
      });
  if (Real.size() != Ours.size())
    return fail("number of entries");
  for (size_t I = 0; I < Real.size(); ++I) {
    const Entry &R = *Real[I];
    const ModelEntry &M = *Ours[I];
    check(R.Host == M.Host, "an entry's range");
    check(R.Base == M.Base, "an entry's base");
    check(R.DynCount == M.Dyn, "a dynamic count");
    check(R.HoldCount == M.Hold, "a hold count");
    check(R.Permanent == M.Permanent && R.Associated == M.Associated,
          "a permanent entry");
    check(R.Busy == M.Busy, "whether an entry is busy");
    check(!R.Gone, "a live entry is gone");
    check(R.Delta == DeltaOf[M.Id], "an entry moved");
  }
  DirectoryStats S = D->stats();
  check(S.Entries == Real.size(), "stats: entries");
  check(S.MappedBytes == Mapped, "stats: mapped bytes");
  check(S.CommittedBytes + ForeignBytes == Memory.held(),
        "stats: committed bytes");
  check(Memory.Errors == 0, "device memory was misused");

  HostRange R = nearRange();
  ModelEntry *M = Model.resolve(R);
  check(D->find(R) == (M ? RealOf[M->Id] : nullptr), "find()");
  check(D->covered(R) == Model.covers(R), "covered()");
  // What is gone from the model may be there for its pins.
  const bool Met =
      std::any_of(Model.Entries.begin(), Model.Entries.end(),
                  [&](const ModelEntry &E) { return E.Host.overlaps(R); });
  check(R.empty() || !Met || D->touches(R), "touches()");
}

/// Everything on the device that nobody is writing is what it should be.
void Fuzz::compareMemory() {
  Bytes Busy = pending();
  Bytes Pointers = Model.pointerBytes();
  for (size_t I = 0; I < Model.Entries.size(); ++I) {
    const ModelEntry &E = Model.Entries[I];
    if (E.Leaving)
      continue;
    const Entry *R = RealOf[E.Id];
    for (size_t J = 0; J < I; ++J) {
      const ModelEntry &O = Model.Entries[J];
      if (O.Leaving)
        continue;
      if (O.Host.overlaps(E.Host))
        check(RealOf[O.Id]->Delta == R->Delta,
              "entries overlap at different distances");
      if (O.Base && O.Base == E.Base && !O.Permanent && !E.Permanent)
        check(RealOf[O.Id]->Delta == R->Delta, "an array is in two places");
    }
    const uint8_t *P = Memory.at(R->device(), E.Host.size());
    if (!P)
      return fail("an entry without memory");
    if (E.Busy)
      continue;
    size_t Base = offsetOf(E.Host.Begin);
    for (size_t B = 0; B < E.Host.size(); ++B)
      if (Known[Base + B] && !Busy[Base + B] && !Pointers[Base + B] &&
          P[B] != Device[Base + B])
        return fail("the device's copy is wrong");
  }
  for (const ModelPointer &Ptr : Model.Pointers) {
    HostRange Slot{Ptr.Slot, Ptr.Slot + 8};
    const ModelEntry *E = Model.resolve(Slot);
    const ModelEntry *To = Model.resolve(Ptr.Pointee);
    bool Copied = false;
    for (size_t B = 0; B < 8; ++B)
      Copied |= Busy[offsetOf(Ptr.Slot) + B];
    if (!E || Copied)
      continue;
    const uint8_t *P = Memory.at(Ptr.Slot + RealOf[E->Id]->Delta, 8);
    uintptr_t Value = 0;
    if (P)
      std::memcpy(&Value, P, 8);
    check(Value == StoredValue[Ptr.Slot], "a pointer was overwritten");
    if (Ptr.Valid && To)
      check(Value == Ptr.Base + RealOf[To->Id]->Delta,
            "a pointer points nowhere");
  }
}

} // namespace accx::test
