//===- ReductionMark.h - Variables that threads reduce ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is combined of a variable when its loop is over is known where calls of
// the device runtime's reductions are read, and wanted where loops inside that
// one add to it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_REDUCTIONMARK_H
#define ACCX_OFFLOAD_REDUCTIONMARK_H

namespace accx::offload {

/// On a thread's variable: {function (ptr Into, ptr From) that combines two
/// lists of pointers, i32 the variable's place in them}; nothing where there
/// are several.
inline constexpr char ReductionMark[] = "accx.reduced";

} // namespace accx::offload

#endif // ACCX_OFFLOAD_REDUCTIONMARK_H
