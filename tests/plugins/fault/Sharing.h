//===- Sharing.h - Device memory that processes share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For devices whose memory the host is not to reach: which addresses are
// theirs, and windows of files in memory, which other processes can map.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_FAULT_SHARING_H
#define ACCX_TESTS_FAULT_SHARING_H

#include "accx/plugin.h"

namespace fault {

/// Committed pages are in chunks of up to so many bytes, each a file.
inline constexpr size_t ChunkBytes = size_t(4) << 20;
inline constexpr size_t PageBytes = size_t(2) << 20;

/// \name Memory outside of windows
/// @{
void addRange(accx_device Device, const void *Address, size_t Size);
/// Whoever's it is.
void dropRange(const void *Address);
/// @}

/// \name Pages of windows, behind the base plugin's own functions
/// The memory of a chunk is replaced by that of a file with \p Share, and goes
/// with the last of its pages.
/// @{
accx_status addPages(accx_device Device, void *Address, size_t Size,
                     bool Share);
void dropPages(accx_device Device, void *Address, size_t Size);
/// @}

/// \name As in accx_plugin
/// @{
accx_status memoryFind(accx_device Device, const void *Address, size_t Size);
accx_status memoryExport(accx_device Device, const void *Address,
                         accx_exported *Memory);
accx_status memoryImport(accx_device Device, const accx_exported *Memory,
                         void **Address);
accx_status memoryClose(accx_device Device, void *Address);
/// @}

/// Closes what \p Device has imported.
void closeImports(accx_device Device);
/// How many mappings of other processes' memory there are.
unsigned numImports();

} // namespace fault

#endif // ACCX_TESTS_FAULT_SHARING_H
