//===- PartAddress.h - Where iterations touch memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses as sums of products of a kernel's arguments, everything else taken
// as 0: where a loop's first iterations touch memory. Approximate; for
// decisions on which nothing but time depends.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_PARTADDRESS_H
#define ACCX_DISTRIBUTE_PARTADDRESS_H

#include "accx/kernel_parts.h"
#include "affine/Polynomial.h"

namespace accx::distribute {

class PartAddress {
  /// Arguments of the kernel, extended by how much of them is taken.
  affine::Atoms Values;
  affine::Polynomial Bytes;
  llvm::Argument *Base = nullptr;

  affine::Polynomial takeBits(const affine::Polynomial &P, unsigned Bits,
                              unsigned Shift, bool IsUnsigned);
  std::optional<affine::Polynomial> view(llvm::Value &V);

public:
  explicit PartAddress(llvm::LLVMContext &C)
      : Values(llvm::Type::getInt64Ty(C),
               [this](llvm::Value &V, affine::Atoms::Extension) {
                 return view(V);
               }) {}

  /// False if there is no such form.
  bool read(llvm::Value *Pointer);
  /// The pointer that is the kernel's argument.
  llvm::Argument &base() const { return *Base; }
  /// What is left where argument \p First is 0, and what is added for each of
  /// its units. False if it is no straight line in it, or does not depend on
  /// it.
  bool split(unsigned First, llvm::SmallVectorImpl<accx_parts_term> &Start,
             llvm::SmallVectorImpl<accx_parts_term> &Step) const;
};

} // namespace accx::distribute

#endif // ACCX_DISTRIBUTE_PARTADDRESS_H
