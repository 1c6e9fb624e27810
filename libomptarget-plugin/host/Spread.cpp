//===- Spread.cpp - Memory of several host devices ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spread.h.
//
//===----------------------------------------------------------------------===//

#include "Spread.h"
#include "Device.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace accx;
using namespace accx::host;

size_t SpreadRanges::granularity() {
  static const size_t Page = size_t(sysconf(_SC_PAGESIZE));
  return Page;
}

/// The NUMA node of a core; -1 if the machine has one only, or does not say.
static int nodeOf(int Core) {
  static const bool HasNodes =
      access("/sys/devices/system/node/node1", F_OK) == 0;
  for (int Node = 0; HasNodes && Node < 1024; ++Node) {
    char Path[96];
    std::snprintf(Path, sizeof(Path), "/sys/devices/system/cpu/cpu%d/node%d",
                  Core, Node);
    if (access(Path, F_OK) == 0)
      return Node;
  }
  return -1;
}

/// Asks for the pages of a part on \p Node, before anybody touches them. The
/// system has its own way where that is not possible.
static void placeOn(int Node, void *Address, size_t Size) {
  constexpr int Preferred = 1;
  unsigned long Mask[1024 / (8 * sizeof(unsigned long))] = {};
  constexpr unsigned Bits = 8 * sizeof(unsigned long);
  Mask[unsigned(Node) / Bits] = 1ul << (unsigned(Node) % Bits);
  (void)syscall(SYS_mbind, Address, Size, Preferred, Mask, 1024ul, 0u);
}

/// Addresses that begin on a page of the larger size where one fits in.
static void *mapRange(size_t Size) {
  constexpr size_t Large = size_t(2) << 20;
  const size_t More = Size >= Large ? Large : 0;
  void *Base = mmap(nullptr, Size + More, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Base == MAP_FAILED)
    return nullptr;
  if (!More)
    return Base;
  const auto Begin = reinterpret_cast<uintptr_t>(Base);
  const uintptr_t Aligned = (Begin + Large - 1) & -Large;
  if (Aligned != Begin)
    munmap(Base, Aligned - Begin);
  if (const size_t Behind = Begin + More - Aligned)
    munmap(reinterpret_cast<void *>(Aligned + Size), Behind);
  return reinterpret_cast<void *>(Aligned);
}

static accx_status checkParts(std::span<Device *const> Devices,
                              std::span<const accx_spread_part> Parts,
                              size_t Size) {
  uint64_t Sum = 0;
  for (const accx_spread_part &P : Parts) {
    if (P.owner >= Devices.size() || P.bytes == 0 ||
        P.bytes % SpreadRanges::granularity() || P.bytes > Size - Sum)
      return fail(ACCX_ERROR_INVALID,
                  "part of %" PRIu64 " bytes for device %u of %zu", P.bytes,
                  P.owner, Devices.size());
    Sum += P.bytes;
  }
  if (Sum == 0 || Sum != Size)
    return fail(ACCX_ERROR_INVALID,
                "parts of %" PRIu64 " bytes for a range of %zu", Sum, Size);
  return ACCX_OK;
}

accx_status SpreadRanges::allocate(std::span<Device *const> Devices,
                                   std::span<const accx_spread_part> Parts,
                                   size_t Size, const Placement &Cores,
                                   void **Address) {
  if (accx_status S = checkParts(Devices, Parts, Size))
    return S;
  Range R = {Size, {}};
  for (Device *D : Devices)
    R.Shares.push_back({&D->Memory, 0});
  for (const accx_spread_part &P : Parts)
    R.Shares[P.owner].Bytes += P.bytes;
  auto GiveBack = [&](size_t Count) {
    for (size_t I = 0; I < Count; ++I)
      R.Shares[I].Of->give(R.Shares[I].Bytes);
  };
  for (size_t I = 0; I < R.Shares.size(); ++I)
    if (!R.Shares[I].Of->take(R.Shares[I].Bytes)) {
      const Budget &Short = *R.Shares[I].Of;
      GiveBack(I);
      return fail(ACCX_ERROR_OUT_OF_MEMORY,
                  "cannot spread %zu bytes: %" PRIu64 " of %" PRIu64
                  " bytes of host device %u are free, its parts have %" PRIu64,
                  Size, Short.available(), Short.limit(), Devices[I]->Ordinal,
                  R.Shares[I].Bytes);
    }
  void *Base = mapRange(Size);
  if (!Base) {
    GiveBack(R.Shares.size());
    return fail(ACCX_ERROR_OUT_OF_MEMORY, "cannot spread %zu bytes: %s", Size,
                std::strerror(errno));
  }
  adviseHugePages(Base, Size);
  auto *Begin = static_cast<char *>(Base);
  for (const accx_spread_part &P : Parts) {
    if (const int Node = nodeOf(Cores.coreOf(Devices[P.owner]->Ordinal, 0, 0));
        Node >= 0)
      placeOn(Node, Begin, P.bytes);
    Begin += P.bytes;
  }
  std::lock_guard Locked(Guard);
  Ranges.emplace(Base, std::move(R));
  *Address = Base;
  return ACCX_OK;
}

accx_status SpreadRanges::release(void *Address) {
  Range R;
  {
    std::lock_guard Locked(Guard);
    auto It = Ranges.find(Address);
    if (It == Ranges.end())
      return fail(ACCX_ERROR_INVALID, "%p is no spread memory", Address);
    R = std::move(It->second);
    // Before the addresses go: they may come back at once to another thread.
    Ranges.erase(It);
  }
  munmap(Address, R.Size);
  for (const Share &S : R.Shares)
    S.Of->give(S.Bytes);
  return ACCX_OK;
}
