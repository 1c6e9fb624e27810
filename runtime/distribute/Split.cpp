//===- Split.cpp - Which device runs which iterations ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of Split.h, in 128 bits where addresses meet counts.
//
//===----------------------------------------------------------------------===//

#include "distribute/Split.h"

#include <algorithm>

using namespace accx;

std::vector<IterationRange> accx::splitEvenly(int64_t Iterations,
                                              unsigned NumDevices) {
  std::vector<IterationRange> Ranges;
  const auto At = [=](unsigned D) {
    return static_cast<int64_t>(static_cast<__int128>(Iterations) * D /
                                NumDevices);
  };
  for (unsigned D = 0; D < NumDevices; ++D)
    if (At(D) < At(D + 1))
      Ranges.push_back({At(D), At(D + 1), D});
  return Ranges;
}

/// The first iteration whose byte is at or beyond \p Byte, for a step above 0.
static int64_t firstAt(__int128 Byte, int64_t First, int64_t Step,
                       int64_t Iterations) {
  const __int128 Distance = Byte - First;
  if (Distance <= 0)
    return 0;
  return static_cast<int64_t>(
      std::min<__int128>((Distance + Step - 1) / Step, Iterations));
}

std::vector<IterationRange>
accx::splitByOwner(int64_t Iterations, int64_t First, int64_t Step,
                   std::span<const OwnerBorder> Borders, size_t MaxRanges) {
  std::vector<IterationRange> Ranges;
  if (Step == 0 || Step == INT64_MIN || Iterations <= 0 || Borders.empty())
    return Ranges;
  const auto Add = [&](int64_t Begin, int64_t End, unsigned Owner) {
    if (Begin >= End)
      return;
    if (!Ranges.empty() && Ranges.back().Owner == Owner)
      Ranges.back().End = End;
    else
      Ranges.push_back({Begin, End, Owner});
  };
  int64_t Done = 0;
  const size_t Last = Borders.size() - 1;
  for (size_t I = 0; I <= Last && Ranges.size() <= MaxRanges; ++I) {
    if (Step > 0) {
      const int64_t End =
          I == Last ? Iterations
                    : firstAt(Borders[I].End, First, Step, Iterations);
      Add(Done, End, Borders[I].Owner);
      Done = std::max(Done, End);
      continue;
    }
    // Downwards: the part with the highest bytes comes first, and ends where
    // bytes are below its begin: -Byte > -Begin, counted from -First.
    const size_t At = Last - I;
    const __int128 Begin = At ? static_cast<__int128>(Borders[At - 1].End) : 0;
    const int64_t End =
        At == 0 ? Iterations : firstAt(1 - Begin, -First, -Step, Iterations);
    Add(Done, End, Borders[At].Owner);
    Done = std::max(Done, End);
  }
  if (Ranges.size() > MaxRanges)
    Ranges.clear();
  return Ranges;
}
