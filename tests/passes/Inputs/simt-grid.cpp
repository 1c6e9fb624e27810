// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime says of launches that cover all iterations, for simt.c.

#include "image/Descriptor.h"

#include <algorithm>
#include <cstdint>

/// Blocks and, last, threads of a block; false where the kernel itself runs.
extern "C" int simtWholeGrid(const accx_kernel_desc *D, uint64_t TripCount,
                             void *const *Arguments, unsigned Count,
                             unsigned Shape[4]) {
  accx_device_info Info = {};
  Info.compute_units = 4;
  auto Parsed = accx::Descriptor::parse(
      {reinterpret_cast<const char *>(D), D->total_bytes}, Info);
  if (!Parsed.ok())
    return -1;
  const auto G =
      Parsed->wholeGeometry(TripCount, Info, {Arguments, Count}, 100);
  if (!G)
    return 0;
  std::copy(std::begin(G->grid), std::end(G->grid), Shape);
  Shape[3] = G->block[0];
  return 1;
}
