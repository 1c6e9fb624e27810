//===- Pool.h - Objects of one type from slabs ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation of objects of one type from slabs that live as long as the pool.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_POOL_H
#define ACCX_DIRECTORY_POOL_H

#include "directory/Slab.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace accx {

/// The object freed last is handed out first: it is the one in the cache.
template <typename T> class Pool {
  static_assert(std::is_trivially_destructible_v<T>,
                "slabs are dropped without a look at what lives in them");
  union Cell {
    Cell *Next;
    alignas(T) unsigned char Bytes[sizeof(T)];
  };

  Cell *Free = nullptr;
  std::vector<SlabPtr> Slabs;
  /// Doubles with every slab, up to a huge page.
  size_t SlabBytes = 16384;

  void refill() {
    size_t Num = SlabBytes / sizeof(Cell);
    Slabs.push_back(makeSlab(SlabBytes));
    SlabBytes = std::min(2 * SlabBytes, HugeSlab);
    Cell *Slab = static_cast<Cell *>(Slabs.back().get());
    for (size_t I = Num; I-- > 0;) {
      Slab[I].Next = Free;
      Free = &Slab[I];
    }
  }

public:
  T *create() {
    if (!Free)
      refill();
    Cell *C = Free;
    Free = C->Next;
    return ::new (static_cast<void *>(C->Bytes)) T;
  }
  void destroy(T *Object) {
    Cell *C = reinterpret_cast<Cell *>(Object);
    C->Next = Free;
    Free = C;
  }
};

} // namespace accx

#endif // ACCX_DIRECTORY_POOL_H
