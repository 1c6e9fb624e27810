//===- CallRecord.h - Whether a region is met again -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a region was called with. While its entries are held, a call that is the
// same, but for values that are passed as they are, needs no look at the
// directory.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_CALLRECORD_H
#define ACCX_MAPPING_CALLRECORD_H

#include "image/Kernel.h"
#include "mapping/Privates.h"

#include <vector>

namespace accx {

class CallRecord {
  const void *HostPtr = nullptr;
  const Ident *Loc = nullptr;
  uint32_t Version = 0;
  std::vector<void *> BasePtrs, Ptrs;
  std::vector<int64_t> Sizes, Types;
  bool MayRepeat = false;

public:
  /// \p Args is the call, \p K its kernel, which was launched once.
  void set(const void *HostPtr, const Ident *Loc, const KernelArgs &Args,
           const Kernel &K);

  /// Whether \p Args call for the same, with the values of \p Privates.
  bool isRepeatedBy(const void *HostPtr, const Ident *Loc,
                    const KernelArgs &Args,
                    const PrivateArguments &Privates) const;

  /// Puts the literal values of \p Args into \p Passed, which the kernel got.
  static void passLiterals(const KernelArgs &Args, std::vector<void *> &Passed);
};

} // namespace accx

#endif // ACCX_MAPPING_CALLRECORD_H
