//===- Exports.h - Device memory for other processes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other processes of the machine can map of a device's memory.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_EXPORTS_H
#define ACCX_TRANSFER_EXPORTS_H

#include "transfer/Pipeline.h"

#include <vector>

namespace accx {

/// The bytes of \p Sections, addresses of \p D, in order: one part for each
/// allocation of the plugin that they lie in. Empty if a byte cannot be given
/// away, or rows have gaps. Parts and their descriptors are good while the
/// memory lives. Thread-safe.
std::vector<accx_share_part> exportParts(Device &D,
                                         const std::vector<Section> &Sections);

} // namespace accx

#endif // ACCX_TRANSFER_EXPORTS_H
