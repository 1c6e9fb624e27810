//===- Refusal.h - Why a vector loop stays serial ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reasons as values: plans return them, remarks print them, tests name them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_REFUSAL_H
#define ACCX_LANES_REFUSAL_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace accx::lanes {

enum class Refusal : uint8_t {
#define REFUSAL(ID, TEXT) ID,
#include "lanes/Refusals.def"
#undef REFUSAL
};

/// One word, for remarks' names.
inline llvm::StringRef tagOf(Refusal R) {
  static constexpr llvm::StringRef Tags[] = {
#define REFUSAL(ID, TEXT) #ID,
#include "lanes/Refusals.def"
#undef REFUSAL
  };
  return Tags[static_cast<unsigned>(R)];
}

/// A sentence's end: "vector loop stays serial: <text>".
inline llvm::StringRef textOf(Refusal R) {
  static constexpr llvm::StringRef Texts[] = {
#define REFUSAL(ID, TEXT) TEXT,
#include "lanes/Refusals.def"
#undef REFUSAL
  };
  return Texts[static_cast<unsigned>(R)];
}

} // namespace accx::lanes

#endif // ACCX_LANES_REFUSAL_H
