//===- TeamEffects.h - What a team's code does ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a generic kernel that one thread of a team runs: what changes if all
// threads of the team run it instead.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_TEAMEFFECTS_H
#define ACCX_OFFLOAD_TEAMEFFECTS_H

#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace accx::offload {

/// How an instruction acts on more than its thread: not at all, by loading
/// memory that is not the team's, or in another way. All threads may repeat the
/// first two kinds.
enum class Effect : uint8_t { None, LoadsForeign, Other };

Effect effectOf(llvm::Instruction &I);

/// Whether it points to a variable of the team, or of the thread.
bool isOwn(llvm::Value *Pointer);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_TEAMEFFECTS_H
