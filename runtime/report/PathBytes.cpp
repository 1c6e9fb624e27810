//===- PathBytes.cpp - Bytes by path outside of devices -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PathBytes.h.
//
//===----------------------------------------------------------------------===//

#include "report/PathBytes.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <utility>

using namespace accx;

namespace {

struct Total {
  uint64_t Operations = 0, Bytes = 0, Nanoseconds = 0;
};

struct PathTotals {
  std::mutex Mutex;
  /// By direction and name.
  std::map<std::pair<bool, std::string>, Total> Totals;
  uint64_t Counts = 0;

  /// Never destroyed: totals are printed after static destructors.
  static PathTotals &get() {
    static PathTotals &All = *new PathTotals;
    return All;
  }
};

} // namespace

void accx::countPath(const char *Path, bool Out, size_t Bytes,
                     uint64_t Nanoseconds) {
  PathTotals &All = PathTotals::get();
  std::lock_guard Lock(All.Mutex);
  Total &T = All.Totals[{Out, Path}];
  ++T.Operations;
  T.Bytes += Bytes;
  T.Nanoseconds += Nanoseconds;
  ++All.Counts;
}

uint64_t accx::numPathCounts() {
  PathTotals &All = PathTotals::get();
  std::lock_guard Lock(All.Mutex);
  return All.Counts;
}

std::string accx::pathBytesText() {
  PathTotals &All = PathTotals::get();
  std::lock_guard Lock(All.Mutex);
  std::string Text;
  for (const auto &[Key, T] : All.Totals) {
    char Numbers[160];
    const auto Time = static_cast<double>(T.Nanoseconds);
    snprintf(Numbers, sizeof(Numbers),
             ": operations=%llu bytes=%llu ms=%.3f gb_per_s=%.3f\n",
             static_cast<unsigned long long>(T.Operations),
             static_cast<unsigned long long>(T.Bytes), Time / 1e6,
             T.Nanoseconds ? static_cast<double>(T.Bytes) / Time : 0.0);
    Text.append("accx stats: ").append(Key.second).append(Numbers);
  }
  return Text;
}
