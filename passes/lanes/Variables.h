//===- Variables.h - Whose a local variable is ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's local memory is its own; not even other lanes of its group can
// read it. So it is decided for each local variable of a worker which of its
// copies hold its value:
//
//   Lane        of one iteration of a vector loop: each lane has its own
//   Everyone's  all lanes make all changes, so that each copy is right
//   First's     lane 0 alone has it; what it reads there is handed to the
//               others. Such a variable cannot be used in vector loops, but
//               may be anything else: passed to functions, a reduction of the
//               loop over threads.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_VARIABLES_H
#define ACCX_LANES_VARIABLES_H

#include "lanes/Nest.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"

namespace accx::lanes {

enum class Owner : uint8_t { Lane, Everyone, First };

class Variables {
  llvm::DenseMap<const llvm::AllocaInst *, Owner> Owners;
  /// Some pointer that is not known may be one to a variable of lane 0.
  bool AnyEscaped = false;

public:
  Refusal classify(const Nest &N, const llvm::DominatorTree &DT);

  /// Whether memory at \p Pointer may be lane 0's alone.
  bool mayBeFirsts(const llvm::Value *Pointer) const;
  /// Whether all of it is a local variable that \p O owns.
  bool isOwnedBy(const llvm::Value *Pointer, Owner O) const;
};

} // namespace accx::lanes

#endif // ACCX_LANES_VARIABLES_H
