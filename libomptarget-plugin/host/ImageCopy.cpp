//===- ImageCopy.cpp - A copy of an image made for one device -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of the dynamic section and of the dynamic symbol table.
//
//===----------------------------------------------------------------------===//

#include "ImageCopy.h"

using namespace accx;
using namespace accx::host;

/// A tag of the range for systems that no system uses: the loader skips it.
static constexpr int64_t IgnoredTag = DT_LOOS;

ImageCopy::ImageCopy(const ElfView &Elf, const void *Data, size_t Size)
    : Elf(Elf), Bytes(static_cast<const uint8_t *>(Data),
                      static_cast<const uint8_t *>(Data) + Size) {}

accx_status ImageCopy::isolate() {
  bool Symbolic = Elf.tag(DT_SYMBOLIC).has_value();
  uint64_t End = 0;
  std::optional<uint64_t> Spare;
  for (;; ++End) {
    Elf64_Dyn Entry = Elf.dynamicEntry(End);
    if (Entry.d_tag == DT_NULL)
      break;
    switch (Entry.d_tag) {
    case DT_FLAGS:
      Entry.d_un.d_val |= DF_SYMBOLIC;
      Symbolic = true;
      break;
    case DT_FLAGS_1:
      // Marks by which an object stays loaded or takes precedence.
      Entry.d_un.d_val &= ~uint64_t(DF_1_NODELETE | DF_1_INITFIRST |
                                    DF_1_GLOBAL | DF_1_INTERPOSE);
      break;
    case DT_SONAME:
      // The same image of another device has the same name; the loader would
      // take one for the other.
      Entry.d_tag = IgnoredTag;
      Spare = End;
      break;
    case DT_RELACOUNT:
      // Only speeds the loader up.
      Spare = Spare ? Spare : End;
      break;
    default:
      continue;
    }
    put(Elf.dynamicOffset(End), Entry);
  }

  if (!Symbolic) {
    if (End + 1 < Elf.dynamic().Count &&
        Elf.dynamicEntry(End + 1).d_tag == DT_NULL)
      Spare = End;
    if (!Spare)
      return fail(ACCX_ERROR_IMAGE,
                  "image must be linked with -Bsymbolic: its dynamic segment "
                  "has no room for the mark");
    Elf64_Dyn Mark = {};
    Mark.d_tag = DT_SYMBOLIC;
    put(Elf.dynamicOffset(*Spare), Mark);
  }

  // A unique symbol is one for the whole process and pins its object.
  for (uint64_t I = 1; I < Elf.numSymbols(); ++I) {
    Elf64_Sym Symbol = Elf.symbol(I);
    if (ELF64_ST_BIND(Symbol.st_info) != STB_GNU_UNIQUE)
      continue;
    Symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(Symbol.st_info));
    put(Elf.symbolOffset(I), Symbol);
  }
  return ACCX_OK;
}

/// The loader takes a local symbol from the image itself without looking its
/// name up, and an absolute one without adding the image's base; hidden
/// visibility says the same again to the lazy form of binding.
void ImageCopy::bind(uint64_t Index, uint64_t Address) {
  Elf64_Sym Symbol = Elf.symbol(Index);
  Symbol.st_info = ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE);
  Symbol.st_other = STV_HIDDEN;
  Symbol.st_shndx = SHN_ABS;
  Symbol.st_value = Address;
  put(Elf.symbolOffset(Index), Symbol);
}
