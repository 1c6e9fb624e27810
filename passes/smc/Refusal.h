//===- Refusal.h - Why arrays are not cached --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Refusals.def as a type.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_REFUSAL_H
#define ACCX_SMC_REFUSAL_H

#define ACCX_ROOM smc
#define ACCX_REFUSALS "smc/Refusals.def"
#include "ir/Refusals.inc"

#endif // ACCX_SMC_REFUSAL_H
