//===- Slab.h - Memory of the directory's own structures --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for many objects at once, on huge pages where there is much of it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_SLAB_H
#define ACCX_DIRECTORY_SLAB_H

#include <cstddef>
#include <memory>

namespace accx {

struct FreeSlab {
  void operator()(void *Slab) const;
};
using SlabPtr = std::unique_ptr<void, FreeSlab>;

/// From this size on a slab has pages of its own.
inline constexpr size_t HugeSlab = size_t(2) << 20;

/// \p Size bytes, zeroed, aligned for anything up to a cache line. With a
/// million entries most of the time of an operation would go into address
/// translation if they lay on small pages.
SlabPtr makeSlab(size_t Size);

} // namespace accx

#endif // ACCX_DIRECTORY_SLAB_H
