//===- Direct.cpp - Copies and attachments without counting ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mapping/Phases.h"
#include "mapping/Tail.h"
#include "report/Report.h"
#include "transfer/DeviceCopy.h"

using namespace accx;

namespace {

HostRange rangeOf(const void *Begin, size_t Size) {
  const auto Start = reinterpret_cast<uintptr_t>(Begin);
  return {Start, Start + Size};
}

/// Device address of the bytes at \p Host, which stay until the queue of \p Q
/// has passed; null if they are not in one entry.
void *addressOf(ConstructQueue &Q, const void *Host, size_t Size) {
  Device &D = Q.device();
  std::unique_lock Lock(D.MapMutex);
  Entry *E = D.Maps.find(rangeOf(Host, Size));
  if (!E)
    return D.unified() ? const_cast<void *>(Host) : nullptr;
  const uintptr_t Address = reinterpret_cast<uintptr_t>(Host) + E->Delta;
  if (Q.tail())
    pinFor(*Q.tail(), Lock, E);
  return reinterpret_cast<void *>(Address);
}

Status notPresent(const Device &D, const void *Host, size_t Size) {
  char Text[96];
  std::snprintf(Text, sizeof(Text),
                "%zu bytes at %p are not present on "
                "device %d",
                Size, Host, D.id());
  return Status(ErrorCode::NotPresent, Text);
}

} // namespace

Status accx::attachPointer(Construct C, void **Slot) {
  ConstructQueue Q(C.D);
  if (Status St = Q.openFor(C.Loc); St.failed())
    return St;
  ScratchLease S;
  EnterItem Item;
  Item.Base = reinterpret_cast<uintptr_t>(*Slot);
  Item.Host = rangeOf(*Slot, 0);
  Item.Slot = reinterpret_cast<uintptr_t>(Slot);
  Item.Count = false;
  Item.Pin = Q.tail();
  S->Enter.assign(1, Item);
  S->P.clear();
  {
    std::unique_lock Lock(C.D.MapMutex);
    auto There = [&](const void *Host, size_t Size) {
      return C.D.Maps.find(rangeOf(Host, Size));
    };
    Status Error;
    size_t Failed = 0;
    const Outcome O = askUntilDone(C.D, Lock, [&] {
      if (!There(Slot, sizeof(*Slot)) || !There(*Slot, 1))
        return Outcome::Done;
      return C.D.Maps.enter(S->Enter, S->P, Error, Failed);
    });
    if (O == Outcome::Failed)
      return Error;
    if (Q.tail() && S->Enter[0].Target)
      Q.tail()->Pins.push_back(S->Enter[0].Target);
  }
  if (S->P.empty())
    return Status();
  Status Result = finish(Q, S->P, perform(Q, S->P));
  std::unique_lock Lock(C.D.MapMutex);
  C.D.Maps.settle(S->P);
  C.D.notifyMapChanged();
  if (Q.tail())
    pinFor(*Q.tail(), Lock, C.D.Maps.find(rangeOf(Slot, sizeof(*Slot))));
  return Result;
}

Status accx::copyBytes(Construct C, const accx_copy &Copy) {
  ConstructQueue Q(C.D);
  if (Status St = Q.openFor(C.Loc); St.failed())
    return St;
  return Q.finish(C.D.copy(Q.handle(), Copy));
}

Status accx::copyBetween(Construct To, Construct From, Rectangle R,
                         CopySide &Absent) {
  // In the devices' order, as queues are locked one after the other.
  const bool ToFirst = To.D.id() <= From.D.id();
  ConstructQueue FirstQueue(ToFirst ? To.D : From.D);
  if (Status St = FirstQueue.openFor(To.Loc); St.failed())
    return St;
  std::optional<ConstructQueue> SecondQueue;
  if (&To.D != &From.D)
    if (Status St =
            SecondQueue.emplace(ToFirst ? From.D : To.D).openFor(To.Loc);
        St.failed())
      return St;
  ConstructQueue &Other = SecondQueue ? *SecondQueue : FirstQueue;
  ConstructQueue &ToQueue = ToFirst ? FirstQueue : Other;
  ConstructQueue &FromQueue = ToFirst ? Other : FirstQueue;

  auto Find = [&](ConstructQueue &Q, CopySide Side, const void *Host,
                  size_t Size) {
    void *Address = addressOf(Q, Host, Size);
    if (!Address)
      Absent = Side;
    return static_cast<char *>(Address);
  };
  char *Dst = Find(ToQueue, CopySide::To, R.Dst, R.dstSpan());
  if (!Dst)
    return notPresent(To.D, R.Dst, R.dstSpan());
  const char *Src = Find(FromQueue, CopySide::From, R.Src, R.srcSpan());
  if (!Src)
    return notPresent(From.D, R.Src, R.srcSpan());
  R.Dst = Dst;
  R.Src = Src;
  if (!ToQueue.tail())
    return copyRectangle(R, &To.D, &From.D);
  return queueRectangle(R, *ToQueue.async(), *FromQueue.async());
}
