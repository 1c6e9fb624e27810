//===- Refusal.h - Why a kernel is left as it is ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Refusals.def as a type.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_REFUSAL_H
#define ACCX_OFFLOAD_REFUSAL_H

#define ACCX_ROOM offload
#define ACCX_REFUSALS "offload/Refusals.def"
#include "ir/Refusals.inc"

#endif // ACCX_OFFLOAD_REFUSAL_H
