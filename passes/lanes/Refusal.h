//===- Refusal.h - Why a vector loop stays serial ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Refusals.def as a type.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_REFUSAL_H
#define ACCX_LANES_REFUSAL_H

#define ACCX_ROOM lanes
#define ACCX_REFUSALS "lanes/Refusals.def"
#include "ir/Refusals.inc"

#endif // ACCX_LANES_REFUSAL_H
