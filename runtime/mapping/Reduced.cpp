//===- Reduced.cpp - Variables that a kernel reduces to -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reduced.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Reduced.h"

#include <bit>
#include <cstring>
#include <utility>

using namespace accx;

void *ReducedVariables::add(Device &On, void *Host, size_t Size) {
  const size_t Alignment = std::bit_ceil(Size);
  const size_t Offset = (Used + Alignment - 1) & ~(Alignment - 1);
  if (Offset + Size > LimitTogether)
    return nullptr;
  if (!D) {
    auto Taken = On.sharedScratch().take(LimitTogether);
    if (!Taken.ok())
      return nullptr;
    D = &On;
    Block = *Taken;
  }
  Used = Offset + Size;
  All.push_back({Host, Offset, Size});
  return std::memcpy(static_cast<char *>(Block.Address) + Offset, Host, Size);
}

void ReducedVariables::deliver() {
  for (const Variable &V : All)
    std::memcpy(V.Host, static_cast<char *>(Block.Address) + V.Offset, V.Size);
  clear();
}

void ReducedVariables::clear() {
  if (!D)
    return;
  std::exchange(D, nullptr)->sharedScratch().give(Block);
  All.clear();
  Used = 0;
}
