//===- ElfCheckRelocations.cpp - Validation of relocations and code -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what the loader writes while it relocates an image, and what it calls
// when it loads and unloads it.
//
//===----------------------------------------------------------------------===//

#include "ElfView.h"

#include <cinttypes>

using namespace accx;
using namespace accx::host;

#if defined(__x86_64__)
static constexpr uint32_t RelocRelative = R_X86_64_RELATIVE;
static constexpr uint32_t RelocIndirect = R_X86_64_IRELATIVE;
static constexpr uint32_t RelocNone = R_X86_64_NONE;

/// Bytes that a relocation writes; 0 for one that has no place in a shared
/// object.
static unsigned relocationBytes(uint32_t Type) {
  switch (Type) {
  case R_X86_64_PC32:
  case R_X86_64_32:
  case R_X86_64_SIZE32:
    return 4;
  case R_X86_64_64:
  case R_X86_64_GLOB_DAT:
  case R_X86_64_JUMP_SLOT:
  case R_X86_64_RELATIVE:
  case R_X86_64_DTPMOD64:
  case R_X86_64_DTPOFF64:
  case R_X86_64_TPOFF64:
  case R_X86_64_PC64:
  case R_X86_64_SIZE64:
  case R_X86_64_IRELATIVE:
    return 8;
  case R_X86_64_TLSDESC:
    return 16;
  }
  return 0;
}
#elif defined(__aarch64__)
static constexpr uint32_t RelocRelative = R_AARCH64_RELATIVE;
static constexpr uint32_t RelocIndirect = R_AARCH64_IRELATIVE;
static constexpr uint32_t RelocNone = R_AARCH64_NONE;

static unsigned relocationBytes(uint32_t Type) {
  switch (Type) {
  case R_AARCH64_ABS64:
  case R_AARCH64_GLOB_DAT:
  case R_AARCH64_JUMP_SLOT:
  case R_AARCH64_RELATIVE:
  case R_AARCH64_TLS_DTPMOD:
  case R_AARCH64_TLS_DTPREL:
  case R_AARCH64_TLS_TPREL:
  case R_AARCH64_IRELATIVE:
    return 8;
  case R_AARCH64_TLSDESC:
    return 16;
  }
  return 0;
}
#endif

/// Whether the relocation asks for thread-local data of the image.
static bool needsTls(uint32_t Type) {
#if defined(__x86_64__)
  return Type == R_X86_64_DTPMOD64 || Type == R_X86_64_DTPOFF64 ||
         Type == R_X86_64_TPOFF64 || Type == R_X86_64_TLSDESC;
#elif defined(__aarch64__)
  return Type == R_AARCH64_TLS_DTPMOD || Type == R_AARCH64_TLS_DTPREL ||
         Type == R_AARCH64_TLS_TPREL || Type == R_AARCH64_TLSDESC;
#endif
}

/// Whether the loader reads the symbol without asking whether there is one.
static bool needsSymbol(uint32_t Type) {
#if defined(__x86_64__)
  return Type == R_X86_64_SIZE32 || Type == R_X86_64_SIZE64;
#else
  return false;
#endif
}

/// Whether linkers make the place themselves, in a table of aligned words. Data
/// that a program packs may be relocated at any address.
static bool isTableEntry(uint32_t Type) {
#if defined(__x86_64__)
  return Type == R_X86_64_GLOB_DAT || Type == R_X86_64_JUMP_SLOT ||
         needsTls(Type);
#elif defined(__aarch64__)
  return Type == R_AARCH64_GLOB_DAT || Type == R_AARCH64_JUMP_SLOT ||
         needsTls(Type);
#endif
}

accx_status ElfView::checkRelocations() {
  if (tag(DT_REL) || tag(DT_RELSZ))
    return fail(ACCX_ERROR_IMAGE, "relocations without addends");
  if (auto Address = tag(DT_RELA)) {
    if (tag(DT_RELAENT).value_or(0) != sizeof(Elf64_Rela) || !tag(DT_RELASZ))
      return fail(ACCX_ERROR_IMAGE, "bad size of relocations");
    if (accx_status S = checkRelaTable("relocation", *Address, *tag(DT_RELASZ),
                                       tag(DT_RELACOUNT).value_or(0)))
      return S;
  }
  if (tag(DT_JMPREL) || tag(DT_PLTREL) || tag(DT_PLTRELSZ)) {
    auto Address = tag(DT_JMPREL);
    if (!Address || tag(DT_PLTREL).value_or(DT_RELA) != DT_RELA ||
        !tag(DT_PLTRELSZ))
      return fail(ACCX_ERROR_IMAGE, "bad size of procedure linkage");
    // The loader keeps its own two words in the table.
    auto Got = tag(DT_PLTGOT);
    const Elf64_Phdr *S = Got ? segmentOf(*Got, 24) : nullptr;
    if (!S || !(S->p_flags & PF_W) || *Got % 8 != 0)
      return fail(ACCX_ERROR_IMAGE, "procedure linkage table lies outside");
    if (accx_status Status =
            checkRelaTable("procedure linkage", *Address, *tag(DT_PLTRELSZ), 0))
      return Status;
  }
  if (accx_status S = checkRelr())
    return S;
  return checkCode();
}

/// A place that the loader writes.
accx_status ElfView::checkRelocated(const char *What, uint64_t Address) {
  const Elf64_Phdr *S = segmentOf(Address, 8);
  bool Writable = S && (S->p_flags & PF_W);
  if (S && (tag(DT_TEXTREL) || (tag(DT_FLAGS).value_or(0) & DF_TEXTREL)))
    Writable = true;
  if (!Writable)
    return fail(ACCX_ERROR_IMAGE, "%s at 0x%" PRIx64 " cannot be written", What,
                Address);
  if (Address < DynamicAddress + Dynamic.Count * sizeof(Elf64_Dyn) &&
      Address + 8 > DynamicAddress)
    return fail(ACCX_ERROR_IMAGE,
                "%s at 0x%" PRIx64 " overwrites the dynamic segment", What,
                Address);
  return ACCX_OK;
}

accx_status ElfView::checkRelaTable(const char *What, uint64_t Address,
                                    uint64_t Bytes, uint64_t NumRelative) {
  uint64_t Count = Bytes / sizeof(Elf64_Rela);
  if (!offsetOf(Address, Bytes) || Address % alignof(Elf64_Rela) != 0 ||
      Bytes % sizeof(Elf64_Rela) != 0 || NumRelative > Count)
    return fail(ACCX_ERROR_IMAGE, "%s table lies outside the image", What);
  for (uint64_t I = 0; I < Count; ++I) {
    auto R = *at<Elf64_Rela>(Address + I * sizeof(Elf64_Rela));
    uint32_t Type = ELF64_R_TYPE(R.r_info);
    uint64_t Symbol = ELF64_R_SYM(R.r_info);
    // The loader does not look at the type of the first ones.
    if (I < NumRelative && Type != RelocRelative)
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " is not relative", What, I);
    if (Type == RelocNone)
      continue;
    unsigned Written = relocationBytes(Type);
    if (Written == 0)
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " has unknown type %u", What,
                  I, Type);
    if (Symbol >= Symbols.Count)
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " has no symbol", What, I);
    if (needsTls(Type) && Symbol == 0 && !Tls)
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " needs thread-local data",
                  What, I);
    if (accx_status S = checkRelocated(What, R.r_offset))
      return S;
    if ((Type == RelocRelative || Type == RelocIndirect) && Symbol != 0)
      return fail(ACCX_ERROR_IMAGE,
                  "%s %" PRIu64 " is relative and has a symbol", What, I);
    if (needsSymbol(Type) && symbol(Symbol).st_shndx == SHN_UNDEF)
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " has no symbol", What, I);
    if (isTableEntry(Type) && R.r_offset % 8 != 0)
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " is not aligned", What, I);
    if (Type == RelocIndirect && !isCode(uint64_t(R.r_addend)))
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " calls no code", What, I);
    auto Result = Type == RelocRelative ? std::optional<uint64_t>(R.r_addend)
                                        : std::nullopt;
    if (!addRelocated(R.r_offset, Written, Result))
      return fail(ACCX_ERROR_IMAGE,
                  "%s %" PRIu64 " writes where another one does", What, I);
  }
  return ACCX_OK;
}

/// False if a part of the place is relocated already.
bool ElfView::addRelocated(uint64_t Address, unsigned Bytes,
                           std::optional<uint64_t> Result) {
  auto Next = Relocated.lower_bound(Address);
  if (Next != Relocated.end() && Next->first - Address < Bytes)
    return false;
  if (Next != Relocated.begin()) {
    auto Before = std::prev(Next);
    if (Address - Before->first < Before->second.Bytes)
      return false;
  }
  Relocated.emplace_hint(Next, Address, Place{Bytes, Result});
  return true;
}

/// Packed relative relocations: an even word is an address to relocate, an odd
/// word a bitmap of the 63 words that follow the last one.
accx_status ElfView::checkRelr() {
  auto Address = tag(DT_RELR), Bytes = tag(DT_RELRSZ);
  if (!Address)
    return ACCX_OK;
  if (!Bytes || tag(DT_RELRENT).value_or(0) != sizeof(Elf64_Relr) ||
      *Bytes % sizeof(Elf64_Relr) != 0 || *Address % 8 != 0 ||
      !offsetOf(*Address, *Bytes))
    return fail(ACCX_ERROR_IMAGE, "packed relocations lie outside the image");
  uint64_t Next = 0;
  for (uint64_t I = 0; I < *Bytes / sizeof(Elf64_Relr); ++I) {
    uint64_t Word = *at<uint64_t>(*Address + I * sizeof(Elf64_Relr));
    uint64_t Bits = Word & 1 ? Word >> 1 : 1;
    uint64_t Base = Word & 1 ? Next : Word;
    if (I == 0 && (Word & 1))
      return fail(ACCX_ERROR_IMAGE, "packed relocations have no start");
    for (uint64_t Place = Base; Bits; Bits >>= 1, Place += 8) {
      if (!(Bits & 1))
        continue;
      if (accx_status S = checkRelocated("packed relocation", Place))
        return S;
      if (!addRelocated(Place, 8, at<uint64_t>(Place)))
        return fail(ACCX_ERROR_IMAGE,
                    "packed relocation at 0x%" PRIx64
                    " writes where another one does",
                    Place);
    }
    Next = Base + (Word & 1 ? 63 * 8 : 8);
  }
  return ACCX_OK;
}

accx_status ElfView::checkCode() {
  for (int64_t Tag : {int64_t(DT_INIT), int64_t(DT_FINI)})
    if (auto Address = tag(Tag); Address && !isCode(*Address))
      return fail(ACCX_ERROR_IMAGE, "%s function lies outside the code",
                  Tag == DT_INIT ? "initialization" : "termination");
  if (accx_status S =
          checkCodeTable("constructor", DT_INIT_ARRAY, DT_INIT_ARRAYSZ))
    return S;
  return checkCodeTable("destructor", DT_FINI_ARRAY, DT_FINI_ARRAYSZ);
}

/// Every entry is called: it must be relocated, to code if that is known.
accx_status ElfView::checkCodeTable(const char *What, int64_t AddressTag,
                                    int64_t SizeTag) {
  auto Address = tag(AddressTag), Bytes = tag(SizeTag);
  if (!Address && !Bytes)
    return ACCX_OK;
  if (!Address || !Bytes || *Address % 8 != 0 || *Bytes % 8 != 0 ||
      !offsetOf(*Address, *Bytes))
    return fail(ACCX_ERROR_IMAGE, "%s table lies outside the image", What);
  for (uint64_t I = 0; I < *Bytes / 8; ++I) {
    auto It = Relocated.find(*Address + I * 8);
    if (It == Relocated.end() ||
        (It->second.Result && !isCode(*It->second.Result)))
      return fail(ACCX_ERROR_IMAGE, "%s %" PRIu64 " is no code of the image",
                  What, I);
  }
  return ACCX_OK;
}
