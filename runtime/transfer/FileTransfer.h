//===- FileTransfer.h - Operations on files ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TRANSFER_FILETRANSFER_H
#define ACCX_TRANSFER_FILETRANSFER_H

#include "transfer/FileMover.h"

namespace accx {

/// Moves the bytes of \p Sections, one after the other, to \p Place with \p
/// Out, from there otherwise, and returns when they are there. \p D, \p Queue
/// and
/// \p OnHost are as for pipelines. Fewer bytes are an error, whose text names
/// operation, file, offset and reason. Nothing depends on the flags of the
/// program's descriptor but its mode; its position is used only where Place has
/// none.
MoveResult moveFile(Device *D, accx_queue Queue, std::vector<Section> Sections,
                    bool OnHost, bool Out, FilePlace Place,
                    const FileSettings &Settings = FileSettings::get());

/// Ends the threads; the next operation starts others.
void stopFileThreads();

} // namespace accx

#endif // ACCX_TRANSFER_FILETRANSFER_H
