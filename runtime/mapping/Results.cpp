//===- Results.cpp - Small results behind a kernel ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Results.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Results.h"

#include <cstring>

using namespace accx;

void SmallResults::add(const Entry &E, const void *Name) {
  const size_t Offset =
      All.empty() ? 0 : All.back().Offset + All.back().Host.size();
  All.push_back({E.Host, E.device(), &E, Name, Offset, false});
}

Status SmallResults::fetch(ConstructQueue &Q) {
  if (All.empty())
    return Status();
  Bytes.resize(All.back().Offset + All.back().Host.size());
  for (const Result &R : All)
    if (Status S = Q.device().fromDevice(Q.handle(), Bytes.data() + R.Offset,
                                         R.Device, R.Host.size(), R.Name);
        S.failed())
      return S;
  return Status();
}

std::string SmallResults::names() const {
  std::string Names;
  for (const Result &R : All)
    addName(Names, R.Name);
  return Names;
}

void SmallResults::check() {
  for (Result &R : All)
    R.Alone = !R.Of->Joined && !R.Of->Gone;
}

bool SmallResults::deliver(const Operation &Op) const {
  if (Op.Kind != Operation::FromDevice || Op.NumSkips)
    return false;
  const HostRange Wanted{Op.Host, Op.Host + Op.Size};
  for (const Result &R : All) {
    if (!R.Alone || !R.Host.contains(Wanted))
      continue;
    std::memcpy(reinterpret_cast<void *>(Op.Host),
                Bytes.data() + R.Offset + (Op.Host - R.Host.Begin), Op.Size);
    return true;
  }
  return false;
}
