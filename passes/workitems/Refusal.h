//===- Refusal.h - Why a block cannot become loops --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Refusals.def as a type.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_REFUSAL_H
#define ACCX_WORKITEMS_REFUSAL_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace accx::workitems {

enum class Refusal : uint8_t {
  None,
#define ACCX_WORKITEM_REFUSAL(Name, Text) Name,
#include "workitems/Refusals.def"
};

inline llvm::StringRef textOf(Refusal R) {
  switch (R) {
  case Refusal::None:
    break;
#define ACCX_WORKITEM_REFUSAL(Name, Text)                                      \
  case Refusal::Name:                                                          \
    return Text;
#include "workitems/Refusals.def"
  }
  return "";
}

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_REFUSAL_H
