//===- KernelHeap.cpp - Memory that kernels allocate ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation functions for images with checks: those of the program, with a
// note of what they gave.
//
//===----------------------------------------------------------------------===//

#include "AccessCheck.h"

#include <algorithm>
#include <cstdlib>
#include <new>

using namespace accx::host;

static void *noted(void *Address, size_t Size) {
  if (Address)
    check::add(Address, std::max<size_t>(Size, 1));
  return Address;
}

static void *allocate(size_t Size) { return noted(std::malloc(Size), Size); }

static void *allocateZeroed(size_t Count, size_t Size) {
  return noted(std::calloc(Count, Size), Count * Size);
}

static void *reallocate(void *Address, size_t Size) {
  if (Address)
    check::remove(Address);
  return noted(std::realloc(Address, Size), Size);
}

static void release(void *Address) {
  if (Address)
    check::remove(Address);
  std::free(Address);
}

static void *allocateAligned(size_t Alignment, size_t Size) {
  return noted(std::aligned_alloc(Alignment, Size), Size);
}

static int allocateAlignedTo(void **Address, size_t Alignment, size_t Size) {
  const int Error = posix_memalign(Address, Alignment, Size);
  if (!Error)
    noted(*Address, Size);
  return Error;
}

static void *makeNew(size_t Size) { return noted(::operator new(Size), Size); }

static void *makeNewAligned(size_t Size, std::align_val_t Alignment) {
  return noted(::operator new(Size, Alignment), Size);
}

static void deleteOld(void *Address) {
  if (Address)
    check::remove(Address);
  ::operator delete(Address);
}

static void deleteAligned(void *Address, std::align_val_t Alignment) {
  if (Address)
    check::remove(Address);
  ::operator delete(Address, Alignment);
}

static void deleteAlignedSized(void *Address, size_t,
                               std::align_val_t Alignment) {
  deleteAligned(Address, Alignment);
}

template <typename F> static uintptr_t at(F *Function) {
  return reinterpret_cast<uintptr_t>(Function);
}

uintptr_t check::allocatorFor(std::string_view Name) {
  const struct {
    std::string_view Name;
    uintptr_t Address;
  } Known[] = {
      {"malloc", at(allocate)},
      {"calloc", at(allocateZeroed)},
      {"realloc", at(reallocate)},
      {"free", at(release)},
      {"aligned_alloc", at(allocateAligned)},
      {"posix_memalign", at(allocateAlignedTo)},
      {"_Znwm", at(makeNew)},
      {"_Znam", at(makeNew)},
      {"_ZdlPv", at(deleteOld)},
      {"_ZdaPv", at(deleteOld)},
      // The size is an argument more, which the function does not read.
      {"_ZdlPvm", at(deleteOld)},
      {"_ZdaPvm", at(deleteOld)},
      {"_ZnwmSt11align_val_t", at(makeNewAligned)},
      {"_ZnamSt11align_val_t", at(makeNewAligned)},
      {"_ZdlPvSt11align_val_t", at(deleteAligned)},
      {"_ZdaPvSt11align_val_t", at(deleteAligned)},
      {"_ZdlPvmSt11align_val_t", at(deleteAlignedSized)},
      {"_ZdaPvmSt11align_val_t", at(deleteAlignedSized)},
  };
  for (const auto &Entry : Known)
    if (Entry.Name == Name)
      return Entry.Address;
  return 0;
}
