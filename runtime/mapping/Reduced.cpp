//===- Reduced.cpp - Variables that a kernel reduces to -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reduced.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Reduced.h"

#include <cstring>

using namespace accx;

void *ReducedVariables::add(Device &D, void *Host, size_t Size) {
  auto Taken = D.sharedScratch().take(Size);
  if (!Taken.ok())
    return nullptr;
  std::memcpy(Taken->Address, Host, Size);
  All.push_back({&D, *Taken, Host, Size});
  return Taken->Address;
}

void ReducedVariables::deliver() {
  for (const Variable &V : All)
    std::memcpy(V.Host, V.Block.Address, V.Size);
  clear();
}

void ReducedVariables::clear() {
  for (const Variable &V : All)
    V.D->sharedScratch().give(V.Block);
  All.clear();
}
