//===- Refusal.h - Why a kernel is left as it is ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reasons as values: analyses return them, remarks print them, tests name them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_REFUSAL_H
#define ACCX_OFFLOAD_REFUSAL_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace accx::offload {

enum class Refusal : uint8_t {
#define REFUSAL(ID, TAG, TEXT) ID,
#include "offload/Refusals.def"
#undef REFUSAL
};

/// One word, for remarks' names.
llvm::StringRef tagOf(Refusal R);
/// A sentence's end: "not rewritten: <text>".
llvm::StringRef textOf(Refusal R);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_REFUSAL_H
