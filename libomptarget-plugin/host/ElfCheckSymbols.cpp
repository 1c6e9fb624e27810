//===- ElfCheckSymbols.cpp - Validation of names and symbols --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the tables through which the loader looks symbols up.
//
//===----------------------------------------------------------------------===//

#include "ElfView.h"

#include <algorithm>
#include <cinttypes>

using namespace accx;
using namespace accx::host;

accx_status ElfView::checkSymbols() {
  if (accx_status S = checkStrings())
    return S;
  if (tag(DT_SYMENT).value_or(sizeof(Elf64_Sym)) != sizeof(Elf64_Sym) ||
      !tag(DT_SYMTAB) || *tag(DT_SYMTAB) % alignof(Elf64_Sym) != 0)
    return fail(ACCX_ERROR_IMAGE, "image has no usable symbol table");
  // The hash table, and nothing else, tells how many symbols there are. The
  // loader uses the GNU form if there are both.
  auto Gnu = tag(DT_GNU_HASH), Sysv = tag(DT_HASH);
  if (!Gnu && !Sysv)
    return fail(ACCX_ERROR_IMAGE, "image has no symbol hash table");
  if (Sysv)
    if (accx_status S = checkSysvHash(*Sysv))
      return S;
  if (Gnu)
    if (accx_status S = checkGnuHash(*Gnu))
      return S;
  auto Offset =
      Symbols.Count > Size
          ? std::nullopt
          : offsetOf(*tag(DT_SYMTAB), Symbols.Count * sizeof(Elf64_Sym));
  if (!Offset || Symbols.Count == 0)
    return fail(ACCX_ERROR_IMAGE, "symbol table lies outside the image");
  Symbols.Offset = *Offset;
  if (accx_status S = checkSymbolTable())
    return S;
  if (Gnu)
    if (accx_status S = checkGnuHashEntries(*Gnu))
      return S;
  return checkVersions();
}

accx_status ElfView::checkStrings() {
  auto Address = tag(DT_STRTAB), Bytes = tag(DT_STRSZ);
  auto Offset = Address && Bytes ? offsetOf(*Address, *Bytes) : std::nullopt;
  if (!Offset || *Bytes == 0)
    return fail(ACCX_ERROR_IMAGE, "string table lies outside the image");
  Strings.Offset = *Offset;
  Strings.Count = *Bytes;
  // With this every string that starts inside also ends inside.
  if (Data[Strings.Offset + Strings.Count - 1] != '\0')
    return fail(ACCX_ERROR_IMAGE, "string table has no end");
  for (uint64_t I = 0; I < Dynamic.Count; ++I) {
    Elf64_Dyn Entry = dynamicEntry(I);
    switch (Entry.d_tag) {
    case DT_NULL:
      return ACCX_OK;
    case DT_NEEDED:
    case DT_SONAME:
    case DT_RPATH:
    case DT_RUNPATH:
    case DT_AUXILIARY:
    case DT_FILTER:
      if (Entry.d_un.d_val >= Strings.Count)
        return fail(ACCX_ERROR_IMAGE,
                    "name in dynamic entry %" PRIu64 " lies outside", I);
    }
  }
  return ACCX_OK;
}

namespace {
struct GnuHashHead {
  uint32_t NumBuckets, FirstSymbol, NumMasks, Shift;
};
} // namespace

static uint32_t gnuHash(std::string_view Name) {
  uint32_t Hash = 5381;
  for (unsigned char C : Name)
    Hash = Hash * 33 + C;
  return Hash;
}

accx_status ElfView::checkGnuHash(uint64_t Address) {
  auto H = at<GnuHashHead>(Address);
  if (!H || Address % 8 != 0 || H->NumMasks == 0 ||
      (H->NumMasks & (H->NumMasks - 1)) != 0 || H->Shift > 31)
    return fail(ACCX_ERROR_IMAGE, "bad symbol hash table");
  uint64_t Buckets = Address + sizeof(GnuHashHead) + uint64_t(H->NumMasks) * 8;
  uint64_t Chains = Buckets + uint64_t(H->NumBuckets) * 4;
  if (!offsetOf(Address, Chains - Address))
    return fail(ACCX_ERROR_IMAGE, "symbol hash table lies outside the image");

  uint32_t Last = 0;
  for (uint64_t I = 0; I < H->NumBuckets; ++I) {
    uint32_t Symbol = *at<uint32_t>(Buckets + I * 4);
    if (Symbol != 0 && Symbol < H->FirstSymbol)
      return fail(ACCX_ERROR_IMAGE, "bad bucket in the symbol hash table");
    Last = std::max(Last, Symbol);
  }
  if (Last == 0) {
    // An image that exports nothing, such as one without kernels. GNU ld then
    // writes FirstSymbol 1 whatever number of undefined symbols there are, so
    // the table that follows tells where the symbols end.
    const uint64_t Begin = *tag(DT_SYMTAB);
    uint64_t End = Begin + uint64_t(H->FirstSymbol) * sizeof(Elf64_Sym);
    uint64_t Next = UINT64_MAX;
    for (auto Tag : {DT_STRTAB, DT_GNU_HASH, DT_HASH, DT_VERSYM, DT_VERNEED,
                     DT_VERDEF, DT_RELA, DT_JMPREL})
      if (auto Table = tag(Tag); Table && *Table >= End)
        Next = std::min(Next, *Table);
    Symbols.Count = Next == UINT64_MAX ? H->FirstSymbol
                                       : (Next - Begin) / sizeof(Elf64_Sym);
    return ACCX_OK;
  }
  // The chain of the last bucket ends the table; a chain that starts anywhere
  // before it ends there at the latest.
  for (uint64_t I = Last;; ++I) {
    auto Hash = at<uint32_t>(Chains + (I - H->FirstSymbol) * 4);
    if (!Hash)
      return fail(ACCX_ERROR_IMAGE, "symbol hash table has no end");
    if (*Hash & 1) {
      Symbols.Count = I + 1;
      return ACCX_OK;
    }
  }
}

/// Whether every symbol will be found: one that is lost would be taken from the
/// program instead.
accx_status ElfView::checkGnuHashEntries(uint64_t Address) {
  auto H = *at<GnuHashHead>(Address);
  uint64_t Masks = Address + sizeof(GnuHashHead);
  uint64_t Buckets = Masks + uint64_t(H.NumMasks) * 8;
  uint64_t Chains = Buckets + uint64_t(H.NumBuckets) * 4;
  uint64_t Found = 0;
  for (uint64_t B = 0; B < H.NumBuckets; ++B) {
    uint32_t I = *at<uint32_t>(Buckets + B * 4);
    if (I == 0)
      continue;
    for (;; ++I, ++Found) {
      uint32_t Hash = gnuHash(symbolName(symbol(I)));
      uint64_t Mask = *at<uint64_t>(Masks + (Hash / 64 % H.NumMasks) * 8);
      uint32_t Entry = *at<uint32_t>(Chains + uint64_t(I - H.FirstSymbol) * 4);
      if ((Entry | 1) != (Hash | 1) || Hash % H.NumBuckets != B ||
          !(Mask >> (Hash % 64) & 1) || !(Mask >> ((Hash >> H.Shift) % 64) & 1))
        return fail(ACCX_ERROR_IMAGE,
                    "symbol '%.200s' is not where its hash says",
                    symbolName(symbol(I)));
      if (Entry & 1) {
        ++Found;
        break;
      }
    }
  }
  // An image that exports nothing has undefined symbols behind FirstSymbol.
  uint64_t Exported = 0;
  for (uint64_t I = H.FirstSymbol; I < Symbols.Count; ++I)
    Exported += symbol(I).st_shndx != SHN_UNDEF;
  if (Found != Exported)
    return fail(ACCX_ERROR_IMAGE, "symbol hash table is incomplete");
  return ACCX_OK;
}

accx_status ElfView::checkSysvHash(uint64_t Address) {
  struct Head {
    uint32_t NumBuckets, NumChains;
  };
  auto H = at<Head>(Address);
  uint64_t Words = H ? uint64_t(H->NumBuckets) + H->NumChains : 0;
  if (!H || Address % 4 != 0 || !offsetOf(Address, sizeof(Head) + Words * 4))
    return fail(ACCX_ERROR_IMAGE, "symbol hash table lies outside the image");
  uint64_t Buckets = Address + sizeof(Head);
  uint64_t Chains = Buckets + uint64_t(H->NumBuckets) * 4;
  // No symbol is in two chains, so more steps than symbols means a cycle.
  uint64_t Steps = 0;
  for (uint64_t I = 0; I < H->NumBuckets; ++I)
    for (uint32_t Symbol = *at<uint32_t>(Buckets + I * 4); Symbol != 0;
         Symbol = *at<uint32_t>(Chains + uint64_t(Symbol) * 4))
      if (Symbol >= H->NumChains || ++Steps > H->NumChains)
        return fail(ACCX_ERROR_IMAGE, "bad chain in the symbol hash table");
  Symbols.Count = H->NumChains;
  return ACCX_OK;
}

accx_status ElfView::checkSymbolTable() {
  for (uint64_t I = 0; I < Symbols.Count; ++I) {
    Elf64_Sym S = symbol(I);
    if (S.st_name >= Strings.Count)
      return fail(ACCX_ERROR_IMAGE, "name of symbol %" PRIu64 " lies outside",
                  I);
    // The loader takes a hidden symbol from the image, even one that is not
    // there.
    unsigned Visibility = ELF64_ST_VISIBILITY(S.st_other);
    if (I != 0 && S.st_shndx == SHN_UNDEF &&
        (Visibility == STV_HIDDEN || Visibility == STV_INTERNAL))
      return fail(ACCX_ERROR_IMAGE, "symbol '%.200s' is hidden but undefined",
                  symbolName(S));
    if (S.st_shndx == SHN_UNDEF || S.st_shndx == SHN_ABS)
      continue;
    bool Inside = false;
    if (ELF64_ST_TYPE(S.st_info) == STT_TLS)
      Inside = Tls && S.st_value <= Tls->p_memsz &&
               S.st_size <= Tls->p_memsz - S.st_value;
    else if (ELF64_ST_TYPE(S.st_info) == STT_GNU_IFUNC ||
             ELF64_ST_TYPE(S.st_info) == STT_FUNC)
      Inside = isCode(S.st_value);
    else
      Inside = segmentOf(S.st_value, S.st_size) != nullptr;
    // Section symbols and marks such as _end may point past everything.
    bool IsMark = S.st_size == 0 && ELF64_ST_TYPE(S.st_info) == STT_NOTYPE;
    if (S.st_shndx == SHN_COMMON || (!Inside && !IsMark))
      return fail(ACCX_ERROR_IMAGE, "symbol '%.200s' lies outside the image",
                  symbolName(S));
  }
  return ACCX_OK;
}

accx_status ElfView::checkVersions() {
  unsigned Highest = 0;
  if (tag(DT_VERNEED))
    if (accx_status S = checkVersionNeeds(Highest))
      return S;
  if (tag(DT_VERDEF))
    if (accx_status S = checkVersionDefinitions(Highest))
      return S;
  // The loader looks every symbol's index up in the table that it builds from
  // the two others, which may be empty.
  auto Table = tag(DT_VERSYM);
  if (!Table && Highest == 0)
    return ACCX_OK;
  if (!Table || *Table % 2 != 0 || !offsetOf(*Table, Symbols.Count * 2))
    return fail(ACCX_ERROR_IMAGE, "symbol versions lie outside the image");
  for (uint64_t I = 0; I < Symbols.Count; ++I)
    if ((*at<uint16_t>(*Table + I * 2) & 0x7fff) > Highest)
      return fail(ACCX_ERROR_IMAGE, "bad version of symbol %" PRIu64, I);
  return ACCX_OK;
}

accx_status ElfView::checkVersionNeeds(unsigned &Highest) {
  std::vector<std::string_view> Needed = neededLibraries();
  for (uint64_t Address = *tag(DT_VERNEED);;) {
    auto Need = at<Elf64_Verneed>(Address);
    if (!Need || Address % 4 != 0 || Need->vn_version != VER_NEED_CURRENT ||
        Need->vn_file >= Strings.Count)
      return fail(ACCX_ERROR_IMAGE, "bad table of needed symbol versions");
    // The loader takes it for granted that the library is there.
    if (std::find(Needed.begin(), Needed.end(),
                  std::string_view(string(Need->vn_file))) == Needed.end())
      return fail(ACCX_ERROR_IMAGE,
                  "image needs a version of '%.200s' but not the library",
                  string(Need->vn_file));
    for (uint64_t Sub = Address + Need->vn_aux;;) {
      auto Aux = at<Elf64_Vernaux>(Sub);
      if (!Aux || Sub % 4 != 0 || Aux->vna_name >= Strings.Count)
        return fail(ACCX_ERROR_IMAGE, "bad table of needed symbol versions");
      Highest = std::max(Highest, unsigned(Aux->vna_other & 0x7fff));
      if (Aux->vna_next == 0)
        break;
      Sub += Aux->vna_next;
    }
    if (Need->vn_next == 0)
      return ACCX_OK;
    Address += Need->vn_next;
  }
}

accx_status ElfView::checkVersionDefinitions(unsigned &Highest) {
  for (uint64_t Address = *tag(DT_VERDEF);;) {
    auto Def = at<Elf64_Verdef>(Address);
    auto Aux = Def ? at<Elf64_Verdaux>(Address + Def->vd_aux) : std::nullopt;
    if (!Def || Address % 4 != 0 || Def->vd_version != VER_DEF_CURRENT ||
        !Aux || Def->vd_aux % 4 != 0 || Aux->vda_name >= Strings.Count)
      return fail(ACCX_ERROR_IMAGE, "bad table of symbol versions");
    Highest = std::max(Highest, unsigned(Def->vd_ndx & 0x7fff));
    if (Def->vd_next == 0)
      return ACCX_OK;
    Address += Def->vd_next;
  }
}
