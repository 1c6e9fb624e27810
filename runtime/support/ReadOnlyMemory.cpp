//===- ReadOnlyMemory.cpp - Constants of the program ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReadOnlyMemory.h.
//
//===----------------------------------------------------------------------===//

#include "support/ReadOnlyMemory.h"

#include <algorithm>
#include <atomic>
#include <link.h>
#include <unistd.h>
#include <vector>

using namespace accx;

/// Segments that are loaded without the right to write, and the part of others
/// that the loader has closed behind itself, which are whole pages.
static int addSegments(dl_phdr_info *Object, size_t, void *Ranges) {
  const auto Page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  for (const auto &S : std::span(Object->dlpi_phdr, Object->dlpi_phnum)) {
    const bool Closed = S.p_type == PT_GNU_RELRO;
    if (!Closed && (S.p_type != PT_LOAD || (S.p_flags & PF_W)))
      continue;
    const uintptr_t Begin = Object->dlpi_addr + S.p_vaddr;
    const uintptr_t End = Begin + S.p_memsz;
    static_cast<std::vector<ReadOnlyRange> *>(Ranges)->push_back(
        {Begin, Closed ? End / Page * Page : End});
  }
  return 0;
}

bool accx::liesIn(std::span<const ReadOnlyRange> Ranges, uintptr_t Begin,
                  uintptr_t End) {
  const auto Behind =
      std::ranges::upper_bound(Ranges, Begin, {}, &ReadOnlyRange::Begin);
  return Behind != Ranges.begin() && End <= std::prev(Behind)->End;
}

ReadOnlyRange accx::largestGap(std::span<const ReadOnlyRange> Ranges) {
  ReadOnlyRange Largest = {0, 0};
  for (size_t I = 1; I < Ranges.size(); ++I) {
    const ReadOnlyRange Gap = {Ranges[I - 1].End, Ranges[I].Begin};
    if (Gap.Begin < Gap.End &&
        Gap.End - Gap.Begin > Largest.End - Largest.Begin)
      Largest = Gap;
  }
  return Largest;
}

namespace {

struct Segments {
  std::vector<ReadOnlyRange> Ranges;
  /// The heap and what else lies between the program and its libraries.
  ReadOnlyRange Gap;
  /// The first thread's stack is behind it.
  uintptr_t End = 0;
  /// How many libraries had been unloaded before.
  uint64_t Unloaded;
  /// The one that was made before.
  const Segments *Older = nullptr;

  Segments();
};

} // namespace

static uint64_t countUnloaded() {
  uint64_t Count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *Object, size_t, void *To) {
        *static_cast<uint64_t *>(To) = Object->dlpi_subs;
        return 1;
      },
      &Count);
  return Count;
}

Segments::Segments() : Unloaded(countUnloaded()) {
  dl_iterate_phdr(addSegments, &Ranges);
  std::ranges::sort(Ranges, {}, &ReadOnlyRange::Begin);
  Gap = largestGap(Ranges);
  if (!Ranges.empty())
    End = Ranges.back().End;
}

/// Null where it has to be made.
static constinit std::atomic<const Segments *> Newest{nullptr};

/// All that were made, the last one first. None is destroyed: constructs run in
/// atexit handlers and destructors, too, and other threads may look at an old
/// one.
static constinit std::atomic<const Segments *> All{nullptr};

static constinit std::atomic<unsigned> Renewals{0};

static const Segments *renewed() {
  Segments *Known = nullptr;
  unsigned Before;
  do {
    Before = Renewals.load();
    Known = new Segments;
    const Segments *Last = All.load();
    do
      Known->Older = Last;
    while (!All.compare_exchange_weak(Last, Known));
    Newest.store(Known);
  } while (Renewals.load() != Before);
  return Known;
}

void accx::renewReadOnly() {
  Renewals.fetch_add(1);
  Newest.store(nullptr);
}

bool accx::isReadOnly(uintptr_t Begin, uintptr_t End) {
  const Segments *Known = Newest.load(std::memory_order_acquire);
  if (!Known) [[unlikely]]
    Known = renewed();
  if ((Begin >= Known->Gap.Begin && End <= Known->Gap.End) ||
      Begin >= Known->End || !liesIn(Known->Ranges, Begin, End))
    return false;
  // Other memory may lie where a library was.
  if (Known->Unloaded == countUnloaded())
    return true;
  return liesIn(renewed()->Ranges, Begin, End);
}
