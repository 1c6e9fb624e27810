//===- Transfers.cpp - Carrying out plans ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Transfers.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Transfers.h"

#include "mapping/Tail.h"
#include "report/Report.h"
#include "report/Source.h"

#include <algorithm>
#include <cstring>

using namespace accx;

namespace {

constexpr size_t PointerSize = sizeof(void *);

/// Up to this many pieces a range with attached pointers is copied around
/// them; beyond, one copy through staging memory is cheaper than many small
/// ones.
constexpr uint32_t MaxPieces = 8;
/// Pieces of at least this size on average are copied one by one however many
/// there are.
constexpr size_t LargePiece = 256 << 10;

bool copyInPieces(const Operation &Op) {
  return Op.NumSkips <= MaxPieces || Op.Size / (Op.NumSkips + 1) >= LargePiece;
}

std::span<const Skip> skipsOf(const Plan &P, const Operation &Op) {
  return std::span(P.Skips).subspan(Op.FirstSkip, Op.NumSkips);
}

Status performPieces(ConstructQueue &Q, const Plan &P, const Operation &Op) {
  auto Piece = [&](size_t Begin, size_t End) {
    if (Begin == End)
      return Status();
    void *Host = reinterpret_cast<void *>(Op.Host + Begin);
    return Op.Kind == Operation::ToDevice
               ? Q.device().toDevice(Q.handle(), Op.Device + Begin, Host,
                                     End - Begin, Op.Name)
               : Q.device().fromDevice(Q.handle(), Host, Op.Device + Begin,
                                       End - Begin, Op.Name);
  };
  size_t Begin = 0;
  for (const Skip &S : skipsOf(P, Op)) {
    if (Status Result = Piece(Begin, S.Offset); Result.failed())
      return Result;
    Begin = S.Offset + PointerSize;
  }
  return Piece(Begin, Op.Size);
}

Status performStaged(ConstructQueue &Q, const Plan &P, const Operation &Op) {
  char *Buffer = Q.stage(Op.Size);
  auto *Host = reinterpret_cast<char *>(Op.Host);
  if (Op.Kind == Operation::ToDevice) {
    std::memcpy(Buffer, Host, Op.Size);
    for (const Skip &S : skipsOf(P, Op))
      std::memcpy(Buffer + S.Offset, &S.DeviceValue, PointerSize);
    return Q.device().toDevice(Q.handle(), Op.Device, Buffer, Op.Size, Op.Name);
  }
  if (Status S = Q.device().fromDevice(Q.handle(), Buffer, Op.Device, Op.Size,
                                       Op.Name);
      S.failed())
    return S;
  const std::span<const Skip> Skips = skipsOf(P, Op);
  Q.then([Skips = std::vector<Skip>(Skips.begin(), Skips.end()), Buffer, Host,
          Size = Op.Size] {
    size_t Begin = 0;
    for (const Skip &S : Skips) {
      std::memcpy(Host + Begin, Buffer + Begin, S.Offset - Begin);
      Begin = S.Offset + PointerSize;
    }
    std::memcpy(Host + Begin, Buffer + Begin, Size - Begin);
  });
  return Status();
}

Status performOne(ConstructQueue &Q, const Plan &P, const Operation &Op) {
  switch (Op.Kind) {
  case Operation::ToDevice:
  case Operation::FromDevice:
    // Memory that host and device use at one address.
    if (Op.Host == Op.Device)
      return Status();
    // Staging reads the host's memory now; work that an asynchronous queue has
    // yet to do may still write it.
    return copyInPieces(Op) || (Op.Kind == Operation::ToDevice && Q.async())
               ? performPieces(Q, P, Op)
               : performStaged(Q, P, Op);
  case Operation::WithinDevice:
    return Q.device().copy(
        Q.handle(),
        {ACCX_WITHIN_DEVICE, reinterpret_cast<void *>(Op.Device),
         reinterpret_cast<void *>(Op.Device2), Op.Size, 1, 0, 0, nullptr},
        Op.Name);
  case Operation::Attach: {
    // The value lives in the plan until the construct waits, if it does.
    const void *Value = &Op.Device2;
    if (Q.tail()) [[unlikely]]
      Value = std::memcpy(Q.stage(PointerSize), Value, PointerSize);
    return Q.device().toDevice(Q.handle(), Op.Device, Value, PointerSize,
                               Op.Name);
  }
  }
  __builtin_unreachable();
}

} // namespace

Status ConstructQueue::open() {
  auto Taken = D.takeQueue();
  if (!Taken.ok()) {
    Status S = Taken.takeStatus().within("no queue");
    error("%s", S.text().c_str());
    return S;
  }
  Queue = *Taken;
  return Status();
}

Status ConstructQueue::openAsync(const Ident *Loc) {
  auto Found = D.asyncQueue(asyncScope::current());
  if (!Found.ok()) {
    Status S = Found.takeStatus();
    error("%s", S.text().c_str());
    return S;
  }
  Async = *Found;
  Async->Order.lock();
  const char *Source = Loc ? Loc->Source : nullptr;
  Async->Source.store(Source, std::memory_order_relaxed);
  Queue = Async->handle();
  Tail = new ConstructTail(D);
  Tail->Source = Source;
  return Status();
}

/// The queue runs what is to be done at the end; the construct goes on.
Status ConstructQueue::deferEnd(Status Before) {
  if (!AtEnd.empty() && Before.ok())
    Async->issueHost([Then = std::move(AtEnd)] {
      for (auto &Fn : Then)
        Fn();
      return Status();
    });
  AtEnd.clear();
  return Before;
}

void ConstructQueue::leave() {
  Tail->Staging = std::move(Staging);
  Async->leave(std::unique_ptr<ConstructTail>(Tail));
  Async->Order.unlock();
}

char *ConstructQueue::stage(size_t Size) {
  Staging.emplace_back(new char[Size]);
  return Staging.back().get();
}

Status ConstructQueue::finish(Status Before) {
  if (Async) [[unlikely]]
    return deferEnd(std::move(Before));
  Status Result = D.wait(Queue);
  if (Before.failed())
    Result = std::move(Before);
  if (Result.ok())
    for (auto &Then : AtEnd)
      Then();
  AtEnd.clear();
  Staging.clear();
  return Result;
}

/// \p S, with the variable if it is a failure.
static Status named(Status S, const Operation &Op) {
  if (S.failed()) [[unlikely]]
    return std::move(S).within(std::string("copying '") + itemName(Op.Name) +
                               (Op.Kind == Operation::FromDevice
                                    ? "' from the device failed"
                                    : "' to the device failed"));
  return S;
}

Status accx::perform(ConstructQueue &Q, const Plan &P, const Operation &Op) {
  return named(performOne(Q, P, Op), Op);
}

void accx::addName(std::string &Names, const void *Name) {
  Names += (Names.empty() ? "'" : ", '") + itemName(Name) + "'";
}

std::string accx::namesOf(const Plan &P) {
  std::string Names;
  const void *Last = nullptr;
  for (const Operation &Op : P.Operations) {
    if (Names.empty() || Op.Name != Last)
      addName(Names, Op.Name);
    Last = Op.Name;
  }
  return Names;
}

Status accx::finish(ConstructQueue &Q, const Plan &P, Status Queued) {
  const bool AllQueued = Queued.ok();
  Status Result = Q.finish(std::move(Queued));
  if (Result.ok() || !AllQueued) [[likely]]
    return Result;
  return std::move(Result).within("copying " + namesOf(P) + " failed");
}

Status accx::perform(ConstructQueue &Q, const Plan &P) {
  for (const Operation &Op : P.Operations)
    if (Status S = perform(Q, P, Op); S.failed())
      return S;
  return Status();
}

bool accx::canTrail(const Device &D, const Plan &P) {
  return D.canTrail() && P.Freed.empty() &&
         std::all_of(
             P.Operations.begin(), P.Operations.end(),
             [&](const Operation &Op) {
               return Op.Kind == Operation::ToDevice && Op.NumSkips == 0 &&
                      D.readsAtOnce(reinterpret_cast<void *>(Op.Host), Op.Size);
             });
}

Status accx::performTrailing(Device &D, const Plan &P, const char *Source) {
  for (const Operation &Op : P.Operations) {
    // Memory that host and device use at one address.
    if (Op.Host == Op.Device)
      continue;
    if (Status S = named(D.trail(Op.Device, reinterpret_cast<void *>(Op.Host),
                                 Op.Size, Op.Name, Source),
                         Op);
        S.failed()) {
      D.settleCopies(); // The host's memory is the program's again.
      return S;
    }
  }
  return Status();
}
