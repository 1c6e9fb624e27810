//===- Sight.h - What host code sees of regions under way -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region under way concerns no memory of the host's (accx/late.h). So what
// may tell that it has not ended is: everything outside of the function, and
// memory of which the function does not know that it is the host's own, which
// devices may reach.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_HOST_SIGHT_H
#define ACCX_HOST_SIGHT_H

#define ACCX_ROOM host
#define ACCX_REFUSALS "host/Refusals.def"
#include "ir/Refusals.inc"

#include "llvm/IR/InstrTypes.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace accx::host {

inline constexpr char Launch[] = "__tgt_target_kernel";
/// Around an asynchronous construct (accx/async.h).
inline constexpr char AsyncBegin[] = "__accx_async_begin";
inline constexpr char AsyncEnd[] = "__accx_async_end";
/// The unit's function that calls the runtime's __accx_settle().
inline constexpr char Settle[] = "accx.settle";

/// How much of regions under way an instruction may see. The values are what
/// __accx_settle() takes.
struct Sight {
  enum Extent : uint8_t { All, Stores, Loads, Nothing } What = Nothing;
  Refusal Why = Refusal::None;
  const llvm::Instruction *Of = nullptr;
  /// It is that of a loop, ahead of it.
  bool OfLoop = false;

  bool sees() const { return What != Nothing; }
};

Sight sightOf(const llvm::Instruction &I, const llvm::TargetLibraryInfo &TLI);

/// Whether the runtime waits for regions before the call does anything, and so
/// none is under way behind it.
bool settlesItself(const llvm::Instruction &I);

} // namespace accx::host

#endif // ACCX_HOST_SIGHT_H
