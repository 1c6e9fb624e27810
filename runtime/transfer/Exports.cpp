//===- Exports.cpp - Device memory for other processes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Exports.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/Exports.h"

#include "device/Device.h"

#include <algorithm>

using namespace accx;

/// Adds the parts that are [\p Begin, \p End); false if there are none.
static bool addRun(Device &D, uintptr_t Begin, uintptr_t End,
                   std::vector<accx_share_part> &Parts) {
  while (Begin < End) {
    auto Memory = D.plugin().memoryExport(
        D.handle(), reinterpret_cast<const void *>(Begin));
    if (!Memory.ok())
      return false;
    const uint64_t At = Begin - Memory->begin;
    const uint64_t Size = std::min<uint64_t>(Memory->bytes - At, End - Begin);
    if (!Parts.empty() && Parts.back().id == Memory->id &&
        Parts.back().at + Parts.back().size == At)
      Parts.back().size += Size;
    else
      Parts.push_back({Memory->id, Memory->bytes, At, Size, Memory->fd, 0});
    Begin += Size;
  }
  return true;
}

std::vector<accx_share_part>
accx::exportParts(Device &D, const std::vector<Section> &Sections) {
  std::vector<accx_share_part> Parts;
  if (!D.plugin().canShare())
    return Parts;
  for (const Section &S : Sections) {
    const auto Begin = reinterpret_cast<uintptr_t>(S.address);
    if (S.width == 0 || S.height == 0)
      continue;
    if ((S.height > 1 && S.pitch != S.width) ||
        !addRun(D, Begin, Begin + S.width * S.height, Parts))
      return {};
  }
  return Parts;
}
