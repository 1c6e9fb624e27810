//===- Strided.h - Non-contiguous updates -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a strided section into contiguous runs for the directory, and merges
// the copies that come back into as few transfers as possible.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_STRIDED_H
#define ACCX_MAPPING_STRIDED_H

#include "mapping/Items.h"
#include "mapping/Transfers.h"

namespace accx {

/// Appends the contiguous runs of \p Item, the construct's item \p Part, in
/// ascending order of its dimensions; runs that touch are one. A plain item is
/// one run.
void appendSections(const MapItem &Item, uint32_t Part,
                    std::vector<UpdateItem> &Out);

/// Like perform(): operations of one item that are equally long and equally far
/// apart on both sides become one pitched transfer.
Status performMerged(ConstructQueue &Q, const Plan &P);

} // namespace accx

#endif // ACCX_MAPPING_STRIDED_H
