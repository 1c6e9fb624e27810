//===- Environment.h - Typed environment variables --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every variable the runtime reads is one row of the table in Environment.def:
// name, type, default and meaning; docs/environment.md is made from it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_ENVIRONMENT_H
#define ACCX_SUPPORT_ENVIRONMENT_H

#include <cstdint>
#include <string>

namespace accx {

/// Rows: FLAG(Field, Name, Default, Text), NUMBER(Field, Name, Default, Text),
/// COUNT(Field, Name, Default, Text) for numbers of 0 or more,
/// CHOICE(Field, Name, Default, Values, Text) for one of "a|b|c", and
/// TEXT(Field, Name, Default, Text). Read once, before main or at first use; an
/// empty variable counts as unset.
struct Environment {
#define FLAG(Field, Name, Default, Text) bool Field = Default;
#define NUMBER(Field, Name, Default, Text) int64_t Field = Default;
#define COUNT(Field, Name, Default, Text) int64_t Field = Default;
#define CHOICE(Field, Name, Default, Values, Text) std::string Field = Default;
#define TEXT(Field, Name, Default, Text) std::string Field = Default;
#include "support/Environment.def"
#undef FLAG
#undef NUMBER
#undef COUNT
#undef CHOICE
#undef TEXT

  /// ACCX_TIME, under any of its names.
  bool timing() const { return Time || NvidiaTime || PgiTime; }

  /// The process's variables. A value that does not parse is reported once on
  /// stderr and the default is used.
  static const Environment &get();
};

} // namespace accx

#endif // ACCX_SUPPORT_ENVIRONMENT_H
