//===- Source.h - Where in the program something comes from -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes clang's location and name records (";file;function;line;column;;" in
// ident_t, ";name;file;line;column;;" for map items) for messages.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_SOURCE_H
#define ACCX_REPORT_SOURCE_H

#include <string>
#include <string_view>

namespace accx {

/// libomp's source location record; 24 bytes, made by clang.
struct Ident {
  int Reserved1;
  int Flags;
  int Reserved2;
  int Reserved3;
  const char *Source; ///< May be null.
};

/// A decoded record. Views point into the record, which is constant data of
/// the program; parts that are missing are "unknown" and 0.
struct SourceLocation {
  std::string_view Name = "unknown"; ///< Function, or variable of a map item.
  std::string_view File = "unknown";
  int Line = 0;
  int Column = 0;
  bool Known = false; ///< The program was compiled with -g or the like.

  static SourceLocation ofConstruct(const Ident *Loc);
  static SourceLocation ofItem(const void *NameRecord);

  /// "file:line:column", or "unknown:0:0".
  std::string text() const;
};

/// The variable's name of a map item's record, "unknown" if there is none.
std::string itemName(const void *NameRecord);

} // namespace accx

#endif // ACCX_REPORT_SOURCE_H
