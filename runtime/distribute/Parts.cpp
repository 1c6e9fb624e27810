//===- Parts.cpp - How a spread array is cut ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Parts.h.
//
//===----------------------------------------------------------------------===//

#include "distribute/Parts.h"

#include <algorithm>

using namespace accx;

namespace {

/// The border of a page that is nearest to \p Offset of the array.
size_t nearestBorder(const SpreadLayout &L, size_t Offset) {
  const size_t At = L.Lead + Offset;
  const size_t Down = At & ~(L.Page - 1);
  const size_t Border = At - Down > L.Page / 2 ? Down + L.Page : Down;
  return std::min(Border > L.Lead ? Border - L.Lead : 0, L.Bytes);
}

/// Lets \p Owner have what is between the last part and \p End.
void append(std::vector<SpreadPart> &Parts, size_t End, unsigned Owner) {
  if (End <= (Parts.empty() ? 0 : Parts.back().End))
    return;
  if (!Parts.empty() && Parts.back().Owner == Owner)
    Parts.back().End = End;
  else
    Parts.push_back({End, Owner});
}

} // namespace

std::vector<SpreadPart> accx::cutParts(const SpreadLayout &L) {
  std::vector<SpreadPart> Parts;
  if (L.Bytes == 0)
    return Parts;
  const size_t Equal = L.Bytes / L.NumOwners, Rest = L.Bytes % L.NumOwners;
  if (L.Block == 0) {
    for (unsigned I = 1; I < L.NumOwners; ++I)
      append(Parts, nearestBorder(L, Equal * I + std::min<size_t>(Rest, I)),
             I - 1);
    append(Parts, L.Bytes, L.NumOwners - 1);
    return Parts;
  }
  const size_t Block = std::max(L.Block, L.Page);
  size_t Number = 0;
  for (size_t Left = L.Bytes; Left > Block; Left -= Block, ++Number)
    append(Parts, nearestBorder(L, (Number + 1) * Block),
           static_cast<unsigned>(Number % L.NumOwners));
  append(Parts, L.Bytes, static_cast<unsigned>(Number % L.NumOwners));
  return Parts;
}

std::vector<SpreadRun> accx::runsOf(const std::vector<SpreadPart> &Parts,
                                    unsigned Owner) {
  std::vector<SpreadRun> Runs;
  size_t Begin = 0;
  for (const SpreadPart &P : Parts) {
    const size_t Offset = Begin, Width = P.End - Begin;
    Begin = P.End;
    if (P.Owner != Owner)
      continue;
    if (!Runs.empty() && Runs.back().Width == Width) {
      SpreadRun &R = Runs.back();
      const size_t Pitch = (Offset - R.Offset) / R.Count;
      if (R.Count == 1 ||
          (R.Pitch == Pitch && Offset == R.Offset + R.Count * R.Pitch)) {
        R.Pitch = Pitch;
        ++R.Count;
        continue;
      }
    }
    Runs.push_back({Offset, Width, 1, Width});
  }
  return Runs;
}
