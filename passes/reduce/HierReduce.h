//===- HierReduce.h - Reductions by lanes, warps, blocks, grid --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Clang leaves reductions on GPUs to two functions of the device runtime,
//   which call helpers for each step: a barrier for each word of what a block's
//   warps exchange, blocks that queue for 1024 records, and one thread that
//   combines all of these. `hier-reduce` writes straight code instead.
//
// ALGORITHM, on calls that are still intact
//
//     thread's variables    in registers, once all is inlined
//        | shuffles                                  BlockFold.h
//     warp's                one slot of shared memory each
//        | shuffles of the first warp
//     block's               one record of the launch's buffer each
//        | the block that comes last                 GridFold.h
//     result                in one thread of the grid
//
//   1. Kernels are recognized as for the other passes (offload/Kernel.h).
//      Clang's helpers tell what a reduction combines (ReductionPlan.h).
//   2. Functions on the way from the kernel to its reduction over teams are
//      inlined into it: only the kernel gets the launch's environment, with
//      buffer and counters.
//   3. Both calls are replaced. A buffer has as many records as a quarter of a
//      megabyte holds, from 1024 to 16384.
//   4. A parallel region that needed the runtime's state for the reduction
//      only is called directly.
//
// INVARIANTS
//   - Kernel in SPMD mode, region of all threads of a block: so barriers of the
//     whole block are right wherever the calls were.
//   - The calls' results keep their meaning: 1 where the code after it is to
//     use the thread's variables, else 0.
//   - The order of combinations depends on grid and block only.
//
// Reductions that are refused stay as Clang wrote them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_HIERREDUCE_H
#define ACCX_REDUCE_HIERREDUCE_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace accx::reduce {

class HierReducePass : public llvm::PassInfoMixin<HierReducePass> {
  bool OnlyInlines;

public:
  static constexpr char Name[] = "hier-reduce";
  /// \p OnlyInlines: regions of nests (NestWriter.h), and nothing else.
  explicit HierReducePass(bool OnlyInlines = false)
      : OnlyInlines(OnlyInlines) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::reduce

#endif // ACCX_REDUCE_HIERREDUCE_H
