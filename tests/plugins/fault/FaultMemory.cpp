//===- FaultMemory.cpp - Memory that fails on demand ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the wrapped plugin, with its blocks remembered: what goes must not
// be in use, and some options hide where memory is.
//
//===----------------------------------------------------------------------===//

#include "FaultPlugin.h"
#include "Faults.h"
#include "Sharing.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace fault {

/// Sizes of what alloc() gave out, for the check when it goes, and of what is
/// pinned.
static std::mutex BlocksMutex;
static std::map<void *, size_t> &Blocks = *new std::map<void *, size_t>;

accx_status allocate(accx_device Device, size_t Size, accx_memory_kind Kind,
                     void **Address) {
  if (accx_status S = count("alloc", Device))
    return S;
  const accx_status S = Base->alloc(Device, Size, Kind, Address);
  if (S == ACCX_OK) {
    std::lock_guard Lock(BlocksMutex);
    Blocks[*Address] = Size;
  }
  if (S == ACCX_OK && Options.NoReach && Kind == ACCX_MEMORY_DEVICE)
    addRange(Device, *Address, Size);
  return S;
}

accx_status release(accx_device Device, void *Address, accx_memory_kind Kind) {
  if (accx_status S = count("free", Device))
    return S;
  size_t Size = 0;
  {
    std::lock_guard Lock(BlocksMutex);
    if (auto It = Blocks.find(Address); It != Blocks.end()) {
      Size = It->second;
      Blocks.erase(It);
    }
  }
  if (Options.NoReach && Kind == ACCX_MEMORY_DEVICE)
    dropRange(Address);
  checkUnused(Address, Size, "free");
  return Base->free(Device, Address, Kind);
}

accx_status vaReserve(accx_device Device, size_t Size, void *Hint,
                      void **Address) {
  if (Options.NoVA)
    return fail(ACCX_ERROR_UNSUPPORTED, "this device has no reservations");
  if (accx_status S = count("reserve", Device))
    return S;
  return Base->va_reserve(Device, Size, Hint, Address);
}

accx_status vaRelease(accx_device Device, void *Address, size_t Size) {
  if (Options.NoReach)
    dropPages(Device, Address, Size);
  return Base->va_release(Device, Address, Size);
}

accx_status vaCommit(accx_device Device, void *Address, size_t Size) {
  if (accx_status S = count("commit", Device))
    return S;
  const accx_status S = Base->va_commit(Device, Address, Size);
  return S == ACCX_OK && Options.NoReach
             ? addPages(Device, Address, Size, Options.Share)
             : S;
}

accx_status vaDecommit(accx_device Device, void *Address, size_t Size) {
  if (accx_status S = count("decommit", Device))
    return S;
  checkUnused(Address, Size, "decommit");
  if (Options.NoReach)
    dropPages(Device, Address, Size);
  return Base->va_decommit(Device, Address, Size);
}

accx_status spreadAlloc(const accx_device *Devices, uint32_t NumDevices,
                        const accx_spread_part *Parts, uint32_t NumParts,
                        size_t Size, void **Address) {
  if (Options.NoSpread)
    return fail(ACCX_ERROR_UNSUPPORTED, "these devices are apart");
  if (accx_status S = count("spread_alloc", Devices[0]))
    return S;
  const accx_status S =
      Base->spread_alloc(Devices, NumDevices, Parts, NumParts, Size, Address);
  if (S == ACCX_OK && Options.NoReach)
    for (uint32_t I = 0; I < NumDevices; ++I)
      addRange(Devices[I], *Address, Size);
  return S;
}

accx_status spreadFree(accx_device First, void *Address) {
  if (accx_status S = count("spread_free", First))
    return S;
  if (Options.NoReach)
    dropRange(Address);
  return Base->spread_free(First, Address);
}

accx_status pin(accx_device Device, void *Host, size_t Size, void **Address) {
  if (accx_status S = count("pin", Device))
    return S;
  const accx_status S = Base->pin(Device, Host, Size, Address);
  if (S == ACCX_OK) {
    std::lock_guard Lock(BlocksMutex);
    Blocks[Host] = Size;
  }
  return S;
}

accx_status unpin(accx_device Device, void *Host) {
  forgetText();
  {
    std::lock_guard Lock(BlocksMutex);
    Blocks.erase(Host);
  }
  return Base->unpin(Device, Host);
}

bool isInBlock(const Bytes &B) {
  std::lock_guard Lock(BlocksMutex);
  return std::any_of(Blocks.begin(), Blocks.end(), [&](const auto &Block) {
    const auto *Begin = static_cast<const char *>(Block.first);
    const auto *At = static_cast<const char *>(B.Begin);
    return Begin <= At && At + B.Size <= Begin + Block.second;
  });
}

} // namespace fault
