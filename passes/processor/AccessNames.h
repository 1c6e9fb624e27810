//===- AccessNames.h - What a pointer is called -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of accessed memory for messages, as far as debug information has them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_ACCESSNAMES_H
#define ACCX_PROCESSOR_ACCESSNAMES_H

#include <string>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace accx::processor {

/// The expression behind \p Pointer in the program's words, such as `p->v`;
/// empty where it has no name.
std::string nameOfPointer(const llvm::Value *Pointer);

/// The construct that \p F is device code of, such as `the construct at line 7
/// of main`, or the function.
std::string nameOfConstruct(const llvm::Function &F);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_ACCESSNAMES_H
