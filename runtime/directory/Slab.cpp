//===- Slab.cpp - Memory of the directory's own structures ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation of slabs.
//
//===----------------------------------------------------------------------===//

#include "directory/Slab.h"

#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace accx {

void FreeSlab::operator()(void *Slab) const { std::free(Slab); }

SlabPtr makeSlab(size_t Size) {
  size_t Align = Size >= HugeSlab ? HugeSlab : 64;
  Size = (Size + Align - 1) / Align * Align;
  SlabPtr Slab(std::aligned_alloc(Align, Size));
  if (!Slab)
    std::abort();
#ifdef __linux__
  // Advice only: without huge pages it is slower.
  if (Align == HugeSlab)
    madvise(Slab.get(), Size, MADV_HUGEPAGE);
#endif
  std::memset(Slab.get(), 0, Size);
  return Slab;
}

} // namespace accx
