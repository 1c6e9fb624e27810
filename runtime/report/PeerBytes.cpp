//===- PeerBytes.cpp - Bytes between each two devices ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PeerBytes.h.
//
//===----------------------------------------------------------------------===//

#include "report/PeerBytes.h"

#include <map>
#include <mutex>

using namespace accx;

namespace {

struct PeerTotals {
  std::mutex Mutex;
  std::map<std::pair<int, int>, uint64_t> Bytes;

  /// Never destroyed: totals are printed after static destructors.
  static PeerTotals &get() {
    static PeerTotals &All = *new PeerTotals;
    return All;
  }
};

} // namespace

uint64_t accx::addPeerBytes(int From, int To, uint64_t Bytes) {
  PeerTotals &All = PeerTotals::get();
  std::lock_guard Lock(All.Mutex);
  return All.Bytes[{From, To}] += Bytes;
}

std::string accx::peerBytesText(int From) {
  PeerTotals &All = PeerTotals::get();
  std::lock_guard Lock(All.Mutex);
  std::string Text;
  for (auto I = All.Bytes.lower_bound({From, 0});
       I != All.Bytes.end() && I->first.first == From; ++I)
    Text += " peer_bytes_to_" + std::to_string(I->first.second) + "=" +
            std::to_string(I->second);
  return Text;
}
