//===- Refusal.cpp - Why a kernel is left as it is ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the two texts of each reason from the one list in Refusals.def.
//
//===----------------------------------------------------------------------===//

#include "offload/Refusal.h"

using namespace llvm;

namespace accx::offload {

StringRef tagOf(Refusal R) {
  static constexpr StringRef Tags[] = {
#define REFUSAL(ID, TAG, TEXT) TAG,
#include "offload/Refusals.def"
#undef REFUSAL
  };
  return Tags[static_cast<unsigned>(R)];
}

StringRef textOf(Refusal R) {
  static constexpr StringRef Texts[] = {
#define REFUSAL(ID, TAG, TEXT) TEXT,
#include "offload/Refusals.def"
#undef REFUSAL
  };
  return Texts[static_cast<unsigned>(R)];
}

} // namespace accx::offload
