//===- StaticSchedule.h - Static schedules for dynamic ones -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Loops with schedule(dynamic), guided, auto or runtime ask the device
//   runtime for each chunk. The one of LLVM 19 keeps the loop's state on the
//   heap and races when it sets the state up. Thread 0 publishes the table of a
//   block while others test whether there is one. Then some pass a barrier that
//   others skip, and kernels fault. Any way of dealing iterations out is right
//   for such loops. So threads get iterations one by one, neighbours to
//   neighbours, which is best on GPUs anyway.
//
// ALGORITHM
//   The calls change, the loop around them stays:
//
//     dispatch_init(lower, upper)        lower, upper = ...; static init, 1
//     while (dispatch_next(&lower,  ->   while (upper = min(upper, end),
//                          &upper))             lower <= upper)
//       counter = lower .. upper           counter = lower .. upper
//                                          lower += stride; upper += stride
//     dispatch_deinit()                  static fini
//
//   Iterations of loops with `ordered` wait for one another in an order that
//   their schedule must know. Such loops stay.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_STATICSCHEDULE_H
#define ACCX_GRIDLOOP_STATICSCHEDULE_H

#include "llvm/IR/PassManager.h"

namespace accx::gridloop {

class StaticSchedulePass : public llvm::PassInfoMixin<StaticSchedulePass> {
public:
  static constexpr llvm::StringLiteral Name = "static-schedule";

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  /// Code at -O0 faults, too.
  static bool isRequired() { return true; }
};

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_STATICSCHEDULE_H
