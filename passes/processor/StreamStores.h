//===- StreamStores.h - Large arrays are written past the cache -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A line that is written is first read from memory, though nothing of what
//   was in it stays. Where arrays do not fit the cache that is a third of the
//   traffic of a copy. Stores that bypass the cache read nothing, if they write
//   whole lines in order, at addresses that are multiples of their size.
//
// ALGORITHM
//   for r: a[r] = f(r)  ->  if (more bytes than the cache has, and a is not
//   read)
//                             v = f(first);  a[first] = v
//                             for r behind first:
//                               w = f(r)
//                               aligned, past the cache:  end of v, begin of w
//                               v = w
//                             wait for these stores;  a[last] = v
//                           else
//                             for r: a[r] = f(r)
//
//           first                                       last
//     a   |-------|-------|-------|  ...  |-------|-------|
//     lines   |.......|.......|.......|  ...  |.......|
//
//   a[r] is a vector, or several beside each other. The part of it that belongs
//   to the next aligned one is the same for all r, since rounds write whole
//   vectors. So vectors are rotated by that many bytes, and each is put
//   together with the one before. Where the target cannot rotate by bytes,
//   addresses must be multiples of what it can rotate by.
//
//   The loop's only change is that its stores come up to a round later. So
//   other accesses must be elsewhere; a test at run time asks where that does
//   not follow from the program. The plugin tells device code what is large, in
//   __accx_stream_bytes. Without a plugin nothing is.
//
//   Loops without reads stay: they are as fast, as writing takes longer than
//   reading.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_STREAMSTORES_H
#define ACCX_PROCESSOR_STREAMSTORES_H

#include "llvm/IR/PassManager.h"

namespace accx::processor {

class StreamStoresPass : public llvm::PassInfoMixin<StreamStoresPass> {
public:
  static constexpr llvm::StringLiteral Name = "stream-stores";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_STREAMSTORES_H
