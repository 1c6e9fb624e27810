//===- ChunksOfOne.h - Loops that lose iterations ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   For `distribute parallel for schedule(static, 1)` Clang 19 writes a loop
//   that moves by the stride alone:
//
//     static init(&lower, &upper, &stride, chunk 1)
//     for (counter = lower; counter <= the team's end; counter += stride)
//
//   In a team of one thread libomp hands out all iterations as one chunk: the
//   stride is their number, and the loop runs the first one only. So on
//   processors iterations get lost wherever a team has one thread.
//
// ALGORITHM
//   Behind such a call, where no code reads `upper` any more, the stride
//   becomes 1 if the chunk has several iterations:
//
//     if (lower != upper) stride = 1
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_CHUNKSOFONE_H
#define ACCX_PROCESSOR_CHUNKSOFONE_H

#include "llvm/IR/PassManager.h"

namespace accx::processor {

class ChunksOfOnePass : public llvm::PassInfoMixin<ChunksOfOnePass> {
public:
  static constexpr llvm::StringLiteral Name = "chunks-of-one";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
  /// Code at -O0 is wrong, too.
  static bool isRequired() { return true; }
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_CHUNKSOFONE_H
