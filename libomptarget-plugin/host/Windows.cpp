//===- Windows.cpp - Reserved addresses of a device -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address windows over mmap.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <sys/mman.h>

using namespace accx;
using namespace accx::host;

static uintptr_t toInt(const void *Address) {
  return reinterpret_cast<uintptr_t>(Address);
}

static bool isAligned(uint64_t Value) {
  return Value % Windows::Granularity == 0;
}

/// Rejects ranges that no window can hold; \p End is set otherwise.
static accx_status checkRange(const char *What, const void *Address,
                              size_t Size, uintptr_t &End) {
  if (Size == 0 || !isAligned(Size) || !isAligned(toInt(Address)) ||
      __builtin_add_overflow(toInt(Address), Size, &End))
    return fail(ACCX_ERROR_INVALID,
                "%s of %zu bytes at %p: both must be multiples of %zu", What,
                Size, Address, Windows::Granularity);
  return ACCX_OK;
}

static void *map(void *Hint, size_t Size) {
  void *Address = mmap(Hint, Size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Address == MAP_FAILED ? nullptr : Address;
}

Windows::~Windows() {
  for (auto &[Begin, W] : Reserved)
    munmap(reinterpret_cast<void *>(Begin), W.End - Begin);
}

accx_status Windows::reserve(size_t Size, void *Hint, void **Address) {
  if (Size == 0 || !isAligned(Size))
    return fail(ACCX_ERROR_INVALID,
                "reservation of %zu bytes: must be a multiple of %zu", Size,
                Granularity);

  void *Base = map(Hint, Size);
  size_t Padded = Size + Granularity;
  if (Base && !isAligned(toInt(Base))) {
    // The system aligns to its small pages only: take more and cut.
    munmap(Base, Size);
    Base = Padded > Size ? map(nullptr, Padded) : nullptr;
    if (Base) {
      uintptr_t Begin = toInt(Base);
      uintptr_t Aligned = (Begin + Granularity - 1) & ~(Granularity - 1);
      if (Aligned != Begin)
        munmap(Base, Aligned - Begin);
      if (Aligned + Size != Begin + Padded)
        munmap(reinterpret_cast<void *>(Aligned + Size),
               Begin + Padded - (Aligned + Size));
      Base = reinterpret_cast<void *>(Aligned);
    }
  }
  if (!Base)
    return fail(ACCX_ERROR_OUT_OF_MEMORY,
                "cannot reserve %zu bytes of addresses: %s", Size,
                std::strerror(errno));

  std::lock_guard Locked(Guard);
  Reserved[toInt(Base)].End = toInt(Base) + Size;
  *Address = Base;
  return ACCX_OK;
}

accx_status Windows::release(void *Address, size_t Size) {
  {
    std::lock_guard Locked(Guard);
    auto It = Reserved.find(toInt(Address));
    if (It == Reserved.end() || It->second.End - It->first != Size)
      return fail(ACCX_ERROR_INVALID,
                  "%zu bytes at %p are no reservation of this device", Size,
                  Address);
    for (auto &[Begin, End] : It->second.Committed)
      Memory.give(End - Begin);
    // Before the addresses go: they may come back at once to another thread.
    Reserved.erase(It);
  }
  munmap(Address, Size);
  return ACCX_OK;
}

Windows::Window *Windows::find(uintptr_t Begin, uintptr_t End) {
  auto It = Reserved.upper_bound(Begin);
  if (It == Reserved.begin())
    return nullptr;
  --It;
  return End <= It->second.End ? &It->second : nullptr;
}

accx_status Windows::commit(void *Address, size_t Size) {
  uintptr_t Begin = toInt(Address), End = 0;
  if (accx_status S = checkRange("commit", Address, Size, End))
    return S;

  std::lock_guard Locked(Guard);
  Window *W = find(Begin, End);
  if (!W)
    return fail(ACCX_ERROR_INVALID,
                "commit of %zu bytes at %p: not inside one reservation", Size,
                Address);
  auto &Parts = W->Committed;
  auto Next = Parts.lower_bound(Begin);
  auto Before = Next == Parts.begin() ? Parts.end() : std::prev(Next);
  if ((Next != Parts.end() && Next->first < End) ||
      (Before != Parts.end() && Before->second > Begin))
    return fail(ACCX_ERROR_INVALID,
                "commit of %zu bytes at %p: a part has memory already", Size,
                Address);
  if (!Memory.take(Size))
    return fail(ACCX_ERROR_OUT_OF_MEMORY,
                "cannot commit %zu bytes: %" PRIu64 " of %" PRIu64
                " bytes of the device are free",
                Size, Memory.available(), Memory.limit());

  adviseHugePages(Address, Size);
  if (Next != Parts.end() && Next->first == End) {
    End = Next->second;
    Parts.erase(Next);
  }
  if (Before != Parts.end() && Before->second == Begin)
    Before->second = End;
  else
    Parts.emplace(Begin, End);
  return ACCX_OK;
}

accx_status Windows::decommit(void *Address, size_t Size) {
  uintptr_t Begin = toInt(Address), End = 0;
  if (accx_status S = checkRange("decommit", Address, Size, End))
    return S;

  std::lock_guard Locked(Guard);
  Window *W = find(Begin, End);
  auto It = W ? W->Committed.upper_bound(Begin)
              : std::map<uintptr_t, uintptr_t>::iterator();
  if (!W || It == W->Committed.begin() || std::prev(It)->second < End)
    return fail(ACCX_ERROR_INVALID,
                "decommit of %zu bytes at %p: a part has no memory", Size,
                Address);
  // Under the lock: a commit of the same part may come right after, and must
  // not lose what it writes.
  if (madvise(Address, Size, MADV_DONTNEED) != 0)
    return fail(ACCX_ERROR_UNKNOWN, "decommit of %zu bytes at %p: %s", Size,
                Address, std::strerror(errno));

  --It;
  uintptr_t PartBegin = It->first, PartEnd = It->second;
  W->Committed.erase(It);
  if (PartBegin < Begin)
    W->Committed.emplace(PartBegin, Begin);
  if (End < PartEnd)
    W->Committed.emplace(End, PartEnd);
  Memory.give(Size);
  return ACCX_OK;
}
