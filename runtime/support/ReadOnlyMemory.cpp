//===- ReadOnlyMemory.cpp - Constants of the program ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReadOnlyMemory.h.
//
//===----------------------------------------------------------------------===//

#include "support/ReadOnlyMemory.h"

#include <algorithm>
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

  Segments() {
    dl_iterate_phdr(addSegments, &Ranges);
    std::ranges::sort(Ranges, {}, &ReadOnlyRange::Begin);
    Gap = largestGap(Ranges);
    if (!Ranges.empty())
      End = Ranges.back().End;
  }
};

} // namespace

bool accx::isReadOnly(uintptr_t Begin, uintptr_t End) {
  // Never destroyed: constructs run in atexit handlers and destructors, too.
  static const Segments &Known = *new Segments;
  if ((Begin >= Known.Gap.Begin && End <= Known.Gap.End) || Begin >= Known.End)
    return false;
  return liesIn(Known.Ranges, Begin, End);
}
