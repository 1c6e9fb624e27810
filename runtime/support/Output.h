//===- Output.h - Text that leaves in one piece -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formatted text written with one write(2), so that lines of several threads
// and processes do not mix. Works before main and after exit().
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_OUTPUT_H
#define ACCX_SUPPORT_OUTPUT_H

#include <cstdarg>
#include <cstddef>
#include <string_view>

namespace accx {

/// What to do at the end of a text.
enum class LineEnd {
  AsIs,     ///< Nothing.
  IfMissing ///< Add a newline unless the text ends in one.
};

/// Writes all bytes, through interruptions; errno is kept. False if the file
/// did not take them all.
bool writeBytes(int File, const char *Data, size_t Size);

/// Formats \p Prefix and the text and writes them to \p File.
[[gnu::format(printf, 4, 0)]] void writeText(int File, std::string_view Prefix,
                                             LineEnd End, const char *Format,
                                             va_list Args);

} // namespace accx

#endif // ACCX_SUPPORT_OUTPUT_H
