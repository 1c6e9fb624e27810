//===- Absent.h - What is said of data that is not present ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The message of a construct that needs data on a device where it is not: what
// is missing, what is there instead, and what to write.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_ABSENT_H
#define ACCX_MAPPING_ABSENT_H

#include "mapping/Phases.h"

namespace accx {

/// Who needed the data.
enum class AbsentFor {
  Map,    ///< A data or compute construct.
  Motion, ///< An update.
  Exit,   ///< An exit of what is present in parts only.
  Peer    ///< A copy between devices.
};

/// Reports that \p Host, the variable \p Name, is not present for \p C. Where
/// the construct's place is not known, or with ACCX_STRICT_MAP, in the words of
/// LLVM's runtime, which tools match. Takes the device's mutex.
void reportAbsent(Construct C, HostRange Host, const void *Name,
                  AbsentFor Need);

/// Whether failures of \p Loc are told in LLVM's words.
bool inWordsOfLlvm(const Ident *Loc);

} // namespace accx

#endif // ACCX_MAPPING_ABSENT_H
