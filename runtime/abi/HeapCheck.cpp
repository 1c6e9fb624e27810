//===- HeapCheck.cpp - The program's malloc, new and their like -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --accx-check the linker gives the program these functions in place of
// those without `__wrap_` (its option --wrap). The names of C++'s operators are
// the mangled ones of new, new[], delete and delete[], also with a size and an
// alignment. Those that throw nothing call these.
//
//===----------------------------------------------------------------------===//

#include "abi/Policy.h"
#include "mapping/HostBlocks.h"

#include <cstdlib>
#include <new>

using namespace accx;

/// Notes the block that a function gave.
static void *taken(void *Memory, size_t Size) {
  blocks::take(Memory, Size);
  return Memory;
}

// NOLINTBEGIN(bugprone-reserved-identifier): the linker makes these names.
ACCX_ABI void *__wrap_malloc(size_t Size) {
  return taken(std::malloc(Size), Size);
}
ACCX_ABI void *__wrap_calloc(size_t Count, size_t Size) {
  return taken(std::calloc(Count, Size), Count * Size);
}
ACCX_ABI void *__wrap_aligned_alloc(size_t Alignment, size_t Size) {
  return taken(aligned_alloc(Alignment, Size), Size);
}
ACCX_ABI int __wrap_posix_memalign(void **Memory, size_t Alignment,
                                   size_t Size) {
  const int Error = posix_memalign(Memory, Alignment, Size);
  if (!Error)
    blocks::take(*Memory, Size);
  return Error;
}
ACCX_ABI void *__wrap_realloc(void *Memory, size_t Size) {
  if (!Memory || !Size)
    blocks::give(Memory);
  void *New = std::realloc(Memory, Size);
  if (New && New != Memory)
    blocks::give(Memory);
  return taken(New, Size);
}
ACCX_ABI void __wrap_free(void *Memory) {
  blocks::give(Memory);
  std::free(Memory);
}

ACCX_ABI void *__wrap__Znwm(size_t Size) {
  return taken(::operator new(Size), Size);
}
ACCX_ABI void *__wrap__Znam(size_t Size) {
  return taken(::operator new[](Size), Size);
}
ACCX_ABI void *__wrap__ZnwmSt11align_val_t(size_t Size, std::align_val_t A) {
  return taken(::operator new(Size, A), Size);
}
ACCX_ABI void *__wrap__ZnamSt11align_val_t(size_t Size, std::align_val_t A) {
  return taken(::operator new[](Size, A), Size);
}
ACCX_ABI void __wrap__ZdlPv(void *Memory) {
  blocks::give(Memory);
  ::operator delete(Memory);
}
ACCX_ABI void __wrap__ZdaPv(void *Memory) {
  blocks::give(Memory);
  ::operator delete[](Memory);
}
ACCX_ABI void __wrap__ZdlPvm(void *Memory, size_t) { __wrap__ZdlPv(Memory); }
ACCX_ABI void __wrap__ZdaPvm(void *Memory, size_t) { __wrap__ZdaPv(Memory); }
ACCX_ABI void __wrap__ZdlPvSt11align_val_t(void *Memory, std::align_val_t A) {
  blocks::give(Memory);
  ::operator delete(Memory, A);
}
ACCX_ABI void __wrap__ZdaPvSt11align_val_t(void *Memory, std::align_val_t A) {
  blocks::give(Memory);
  ::operator delete[](Memory, A);
}
ACCX_ABI void __wrap__ZdlPvmSt11align_val_t(void *Memory, size_t,
                                            std::align_val_t A) {
  __wrap__ZdlPvSt11align_val_t(Memory, A);
}
ACCX_ABI void __wrap__ZdaPvmSt11align_val_t(void *Memory, size_t,
                                            std::align_val_t A) {
  __wrap__ZdaPvSt11align_val_t(Memory, A);
}
// NOLINTEND(bugprone-reserved-identifier)
