//===- Imports.cpp - Memory of other processes on devices -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Imports.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/Imports.h"

#include "device/Device.h"

using namespace accx;

/// Never destroyed: copies may be under way while the process ends.
Imports &Imports::get() {
  static Imports &All = *new Imports;
  return All;
}

static std::string named(const accx_share_part &Part, uint64_t Owner) {
  return "allocation " + std::to_string(Part.id) + " of process " +
         std::to_string(Owner);
}

Expected<ImportedPart> Imports::get(Device &D, uint64_t Owner,
                                    const accx_share_part &Part) {
  uint64_t End = 0;
  if (__builtin_add_overflow(Part.at, Part.size, &End) || End > Part.bytes)
    return Status(ErrorCode::Invalid,
                  named(Part, Owner) + " has " + std::to_string(Part.bytes) +
                      " bytes, and no part to " + std::to_string(End));
  const Plugin &P = D.plugin();
  if (!P.canShare())
    return Status(ErrorCode::Unsupported,
                  std::string("plugin '") + P.name() +
                      "' maps no memory of other processes");
  const Key K{&D, Owner, Part.id};
  // Mapped by this call; closed again if another thread was faster.
  uintptr_t Mapped = 0;
  std::unique_lock Lock(Mutex);
  auto It = Known.find(K);
  if (It == Known.end()) {
    if (Part.fd < 0)
      return Status(ErrorCode::NotPresent,
                    named(Part, Owner) + " is not mapped");
    Lock.unlock();
    auto Address =
        P.memoryImport(D.handle(), {Part.id, 0, Part.bytes, Part.fd, 0});
    if (!Address.ok())
      return Address.takeStatus().within(named(Part, Owner));
    Mapped = reinterpret_cast<uintptr_t>(*Address);
    Lock.lock();
    bool IsNew = false;
    std::tie(It, IsNew) =
        Known.try_emplace(K, Mapping{Mapped, Part.bytes, 1, {}});
    if (IsNew)
      return ImportedPart(*this, *It, Mapped + Part.at);
  }
  Mapping &M = It->second;
  const bool Same = M.Bytes == Part.bytes;
  if (Same && M.Uses++ == 0) {
    Idle &I = IdleOf[&D];
    I.Order.erase(M.Place);
    I.Bytes -= M.Bytes;
  }
  const uintptr_t Begin = M.Begin;
  Lock.unlock();
  if (Mapped)
    close({{&D, Mapped}});
  if (!Same)
    return Status(ErrorCode::Invalid,
                  named(Part, Owner) + " had another size before");
  return ImportedPart(*this, *It, Begin + Part.at);
}

Imports::Closing Imports::takeOldest(Idle &I) {
  auto It = Known.find(I.Order.front());
  const Closing C{It->first.D, It->second.Begin};
  I.Bytes -= It->second.Bytes;
  I.Order.pop_front();
  Known.erase(It);
  return C;
}

void Imports::drop(Entry &E) {
  std::vector<Closing> Victims;
  {
    std::lock_guard Lock(Mutex);
    auto &[K, M] = E;
    if (--M.Uses)
      return;
    Idle &I = IdleOf[K.D];
    M.Place = I.Order.insert(I.Order.end(), K);
    I.Bytes += M.Bytes;
    const uint64_t MaxBytes = K.D->info().memory_bytes / MemoryShare;
    while (I.Order.size() > MaxIdle || I.Bytes > MaxBytes)
      Victims.push_back(takeOldest(I));
  }
  close(Victims);
}

void Imports::closeIdle(Device *D) {
  std::vector<Closing> Victims;
  {
    std::lock_guard Lock(Mutex);
    for (auto &[Of, I] : IdleOf)
      if (!D || Of == D)
        while (!I.Order.empty())
          Victims.push_back(takeOldest(I));
  }
  close(Victims);
}

void Imports::close(const std::vector<Closing> &All) {
  // That of a lost device went with it.
  for (const Closing &C : All)
    (void)C.D->plugin().memoryClose(C.D->handle(),
                                    reinterpret_cast<void *>(C.Begin));
}
