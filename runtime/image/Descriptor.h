//===- Descriptor.h - Parsed kernel descriptors -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the constant a pass left beside a kernel (accx/kernel_desc.h) and
// turns it into launch geometry.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IMAGE_DESCRIPTOR_H
#define ACCX_IMAGE_DESCRIPTOR_H

#include "accx/kernel_desc.h"
#include "accx/plugin.h"
#include "image/GridProgram.h"
#include "support/Error.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accx {

/// A valid descriptor.
struct Descriptor {
  accx_kernel_desc Raw;
  std::vector<std::string> Chain;
  GridProgram Dimensions;

  /// Checks every field against the format and the device. The text of a
  /// failure names the field and its value. Reads only \p Bytes.
  static Expected<Descriptor> parse(std::span<const char> Bytes,
                                    const accx_device_info &Device);
  /// total_bytes of a header that may be the start of a longer descriptor; 0
  /// if \p Bytes does not start with one or claims absurd sizes.
  static size_t totalBytes(std::span<const char> Bytes);

  bool exactBlock() const { return Raw.flags & ACCX_DESC_EXACT_BLOCK; }
  bool passWorkspace() const { return Raw.flags & ACCX_DESC_PASS_WORKSPACE; }
  bool passGeometry() const { return Raw.flags & ACCX_DESC_PASS_GEOMETRY; }
  bool wholeGrid() const { return Raw.flags & ACCX_DESC_WHOLE_GRID; }
  bool usesWorkspace() const {
    return Raw.workspace_bytes || Raw.workspace_bytes_per_block;
  }

  /// Blocks for \p TripCount iterations: at least 1, at most the smaller of
  /// max_blocks and the device's limit.
  uint32_t grid(uint64_t TripCount, const accx_device_info &Device) const;
  /// Workspace of a launch with \p Grid blocks.
  uint64_t workspaceBytes(uint32_t Grid) const {
    return Raw.workspace_bytes + Raw.workspace_bytes_per_block * Grid;
  }
  /// Geometry record for a launch with \p Arguments, the environment first.
  accx_kernel_geometry geometry(uint64_t TripCount,
                                const accx_device_info &Device,
                                std::span<void *const> Arguments = {}) const;
  /// With wholeGrid(): that of a launch which covers all iterations, where at
  /// most \p IdlePercent of its threads have none.
  std::optional<accx_kernel_geometry>
  wholeGeometry(uint64_t TripCount, const accx_device_info &Device,
                std::span<void *const> Arguments,
                unsigned IdlePercent = 25) const;
};

} // namespace accx

#endif // ACCX_IMAGE_DESCRIPTOR_H
