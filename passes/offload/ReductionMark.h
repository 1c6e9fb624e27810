//===- ReductionMark.h - Variables that threads reduce ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mark on a variable says how its loop's reduction combines it. The pass that
// reads calls of the device runtime's reductions makes the mark. The pass that
// finds loops inside that one adding to the variable reads it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_REDUCTIONMARK_H
#define ACCX_OFFLOAD_REDUCTIONMARK_H

namespace accx::offload {

/// On a thread's variable: {function (ptr Into, ptr From) that combines two
/// lists of pointers, i32 the variable's place in them}; nothing where there
/// are several.
inline constexpr char ReductionMark[] = "accx.reduced";

/// Functions that reductions are written as have names with this in front.
inline constexpr char ReductionHelper[] = "accx.reduce.";

} // namespace accx::offload

#endif // ACCX_OFFLOAD_REDUCTIONMARK_H
