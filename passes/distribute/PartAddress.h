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

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Value.h"

#include <map>
#include <optional>

namespace accx::distribute {

class PartAddress {
  /// Words of accx_parts_term::args in ascending order -> factor.
  using Sum = std::map<llvm::SmallVector<uint32_t, 3>, int64_t>;
  Sum Bytes;
  llvm::Argument *Base = nullptr;
  /// So many more values are looked at.
  unsigned Budget = 200;

  std::optional<Sum> expand(llvm::Value *V);
  static void add(Sum &To, const Sum &From, int64_t Factor);
  static std::optional<Sum> multiply(const Sum &A, const Sum &B);

public:
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
