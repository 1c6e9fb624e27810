//===- Refusal.h - Why arrays are not cached --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Refusals.def as a type.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_REFUSAL_H
#define ACCX_SMC_REFUSAL_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace accx::smc {

enum class Refusal : uint8_t {
  None,
#define ACCX_SMC_REFUSAL(Name, Text, Advice) Name,
#include "smc/Refusals.def"
};

/// The name of the remark.
inline llvm::StringRef tagOf(Refusal R) {
  static constexpr llvm::StringLiteral Tags[] = {
      "None",
#define ACCX_SMC_REFUSAL(Name, Text, Advice) #Name,
#include "smc/Refusals.def"
  };
  return Tags[static_cast<unsigned>(R)];
}

inline llvm::StringRef textOf(Refusal R) {
  switch (R) {
  case Refusal::None:
    break;
#define ACCX_SMC_REFUSAL(Name, Text, Advice)                                   \
  case Refusal::Name:                                                          \
    return Text;
#include "smc/Refusals.def"
  }
  return "";
}

/// What a program can do about it; may be empty.
inline llvm::StringRef adviceOf(Refusal R) {
  switch (R) {
  case Refusal::None:
    break;
#define ACCX_SMC_REFUSAL(Name, Text, Advice)                                   \
  case Refusal::Name:                                                          \
    return Advice;
#include "smc/Refusals.def"
  }
  return "";
}

} // namespace accx::smc

#endif // ACCX_SMC_REFUSAL_H
