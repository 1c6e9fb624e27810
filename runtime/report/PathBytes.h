//===- PathBytes.h - Bytes by path outside of devices -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what files and messages moved, and how, for the totals. Thread-safe.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_PATHBYTES_H
#define ACCX_REPORT_PATHBYTES_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace accx {

/// Adds an operation. \p Path is a literal, such as "file read (pool)"; \p Out:
/// from memory to elsewhere.
void countPath(const char *Path, bool Out, size_t Bytes, uint64_t Nanoseconds);

/// "accx stats: <path>: operations=<n> bytes=<n> ms=<t> gb_per_s=<rate>\n" for
/// each path, those into memory first.
std::string pathBytesText();
/// Calls of countPath() so far.
uint64_t numPathCounts();

} // namespace accx

#endif // ACCX_REPORT_PATHBYTES_H
