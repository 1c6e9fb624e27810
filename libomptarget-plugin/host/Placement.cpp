//===- Placement.cpp - Which core a device's threads run on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affinity masks of any size.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include <algorithm>
#include <sched.h>

using namespace accx;
using namespace accx::host;

namespace {
/// Larger than what any kernel is built for.
constexpr size_t MaxCores = 16384;
struct Mask {
  cpu_set_t Words[MaxCores / CPU_SETSIZE];
};
} // namespace

void Placement::read(uint32_t Devices, bool MayBind, bool KeepToShares) {
  NumDevices = std::max(Devices, 1u);
  Shares = KeepToShares && NumDevices > 1;
  Cores.clear();
  Mask M;
  CPU_ZERO_S(sizeof(M), M.Words);
  if (sched_getaffinity(0, sizeof(M), M.Words) == 0)
    for (size_t I = 0; I < MaxCores; ++I)
      if (CPU_ISSET_S(I, sizeof(M), M.Words))
        Cores.push_back(int(I));
  Bind = MayBind && Cores.size() > 1;
  if (Cores.empty())
    Cores.push_back(0);
}

void Placement::bind(uint32_t Device, unsigned Executor,
                     unsigned Thread) const {
  Mask M;
  CPU_ZERO_S(sizeof(M), M.Words);
  CPU_SET_S(size_t(coreOf(Device, Executor, Thread)), sizeof(M), M.Words);
  sched_setaffinity(0, sizeof(M), M.Words);
}
