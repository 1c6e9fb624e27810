//===- ElfView.cpp - Bounds-checked view of an ELF image ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers, segments and the dynamic section.
//
//===----------------------------------------------------------------------===//

#include "ElfView.h"

#include <cinttypes>

using namespace accx;
using namespace accx::host;

#if defined(__x86_64__)
static constexpr uint16_t Machine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr uint16_t Machine = EM_AARCH64;
#else
#error "the host plugin does not know this machine's ELF number"
#endif

/// More than any linker makes; bounds the time spent on a corrupt header.
static constexpr unsigned MaxSegments = 256;
/// Upper bound of an image's extent in memory: what code can be linked for.
static constexpr uint64_t MaxExtent = uint64_t(1) << 36;
/// The loader ends the process where it finds no room for thread-local data.
static constexpr uint64_t MaxTls = uint64_t(1) << 26;

accx_status ElfView::check() {
  for (auto Step : {&ElfView::checkHeader, &ElfView::checkSections,
                    &ElfView::checkSegments, &ElfView::checkDynamic,
                    &ElfView::checkSymbols, &ElfView::checkRelocations})
    if (accx_status S = (this->*Step)())
      return S;
  return ACCX_OK;
}

accx_status ElfView::checkHeader() {
  if (!Data)
    return fail(ACCX_ERROR_IMAGE, "no image");
  if (Size < sizeof(Elf64_Ehdr))
    return fail(ACCX_ERROR_IMAGE,
                "image is truncated: %zu bytes hold no ELF header", Size);
  Header = *get<Elf64_Ehdr>(0);
  if (std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0)
    return fail(ACCX_ERROR_IMAGE, "not an ELF image");
  if (Header.e_ident[EI_CLASS] != ELFCLASS64)
    return fail(ACCX_ERROR_IMAGE, "ELF class %u: a 64-bit image is needed",
                Header.e_ident[EI_CLASS]);
  if (Header.e_ident[EI_DATA] != ELFDATA2LSB)
    return fail(ACCX_ERROR_IMAGE,
                "ELF data encoding %u: a little-endian image is needed",
                Header.e_ident[EI_DATA]);
  if (Header.e_ident[EI_VERSION] != EV_CURRENT ||
      Header.e_version != EV_CURRENT)
    return fail(ACCX_ERROR_IMAGE, "unknown ELF version");
  if (Header.e_machine != Machine)
    return fail(ACCX_ERROR_IMAGE,
                "image is for ELF machine %u, this machine is %u",
                Header.e_machine, Machine);
  uint8_t Abi = Header.e_ident[EI_OSABI];
  if (Abi != ELFOSABI_SYSV && Abi != ELFOSABI_GNU)
    return fail(ACCX_ERROR_IMAGE, "image is for another system (ELF OSABI %u)",
                Abi);
  if (Header.e_type != ET_DYN)
    return fail(ACCX_ERROR_IMAGE, "ELF type %u: a shared object is needed",
                Header.e_type);
  if (Header.e_phentsize != sizeof(Elf64_Phdr) || Header.e_phnum == 0 ||
      Header.e_phnum > MaxSegments)
    return fail(ACCX_ERROR_IMAGE, "bad program headers: %u of %u bytes each",
                Header.e_phnum, Header.e_phentsize);
  if (!isInFile(Header.e_phoff, Header.e_phnum * sizeof(Elf64_Phdr)))
    return fail(ACCX_ERROR_IMAGE,
                "image is truncated: program headers lie outside");
  return ACCX_OK;
}

/// The loader does not read sections, but they are the end of every linker's
/// output: a truncated image is recognized by them.
accx_status ElfView::checkSections() {
  uint64_t Begin = Header.e_shoff;
  if (Begin == 0)
    return ACCX_OK;
  if (Header.e_shentsize != sizeof(Elf64_Shdr))
    return fail(ACCX_ERROR_IMAGE, "bad section headers: %u bytes each",
                Header.e_shentsize);
  uint64_t Count = Header.e_shnum;
  if (Count == 0) {
    auto First = get<Elf64_Shdr>(Begin);
    if (!First)
      return fail(ACCX_ERROR_IMAGE,
                  "image is truncated: section headers lie outside");
    Count = First->sh_size;
  }
  if (Begin > Size || Count > (Size - Begin) / sizeof(Elf64_Shdr))
    return fail(ACCX_ERROR_IMAGE,
                "image is truncated: section headers lie outside");
  for (uint64_t I = 0; I < Count; ++I) {
    auto Section = *get<Elf64_Shdr>(Begin + I * sizeof(Elf64_Shdr));
    if (Section.sh_type != SHT_NULL && Section.sh_type != SHT_NOBITS &&
        !isInFile(Section.sh_offset, Section.sh_size))
      return fail(ACCX_ERROR_IMAGE,
                  "image is truncated: section %" PRIu64 " lies outside", I);
  }
  return ACCX_OK;
}

accx_status ElfView::checkSegments() {
  uint64_t End = 0;
  const Elf64_Phdr *First = nullptr;
  Segments.reserve(Header.e_phnum);
  for (unsigned I = 0; I < Header.e_phnum; ++I)
    Segments.push_back(
        *get<Elf64_Phdr>(Header.e_phoff + I * sizeof(Elf64_Phdr)));

  for (unsigned I = 0; I < Segments.size(); ++I) {
    const Elf64_Phdr &S = Segments[I];
    if (S.p_type != PT_LOAD)
      continue;
    uint64_t Top = 0;
    if (!isInFile(S.p_offset, S.p_filesz))
      return fail(ACCX_ERROR_IMAGE,
                  "image is truncated: segment %u lies outside", I);
    if (S.p_filesz > S.p_memsz || S.p_memsz == 0)
      return fail(ACCX_ERROR_IMAGE, "segment %u has a bad size", I);
    if ((S.p_align & (S.p_align - 1)) != 0 || S.p_align < 4096 ||
        (S.p_vaddr - S.p_offset) % S.p_align != 0)
      return fail(ACCX_ERROR_IMAGE, "segment %u has a bad alignment", I);
    if (__builtin_add_overflow(S.p_vaddr, S.p_memsz, &Top) || Top > MaxExtent ||
        S.p_align > MaxExtent)
      return fail(ACCX_ERROR_IMAGE, "segment %u has a bad address", I);
    // Pages of two segments must not mix: the loader maps one after another.
    if (First && (S.p_vaddr & ~UINT64_C(4095)) < End)
      return fail(ACCX_ERROR_IMAGE, "segment %u overlaps the one before", I);
    if (S.p_memsz > S.p_filesz && !(S.p_flags & PF_W))
      return fail(ACCX_ERROR_IMAGE,
                  "segment %u would be zeroed but is read-only", I);
    End = (Top + 4095) & ~UINT64_C(4095);
    First = First ? First : &S;
  }
  if (!First)
    return fail(ACCX_ERROR_IMAGE, "image has no loadable segment");
  return checkSpecialSegments();
}

/// Segments that describe parts of loadable ones.
accx_status ElfView::checkSpecialSegments() {
  unsigned NumDynamic = 0;
  for (unsigned I = 0; I < Segments.size(); ++I) {
    const Elf64_Phdr &S = Segments[I];
    bool Backed = true;
    switch (S.p_type) {
    case PT_DYNAMIC:
      ++NumDynamic;
      Backed = offsetOf(S.p_vaddr, S.p_filesz) == S.p_offset;
      break;
    case PT_PHDR:
      Backed = offsetOf(S.p_vaddr, S.p_filesz) == S.p_offset &&
               S.p_offset == Header.e_phoff &&
               S.p_filesz == Header.e_phnum * sizeof(Elf64_Phdr);
      break;
    case PT_NOTE:
    case PT_GNU_PROPERTY:
    case PT_GNU_EH_FRAME:
      Backed =
          S.p_filesz == 0 || (offsetOf(S.p_vaddr, S.p_filesz) == S.p_offset &&
                              S.p_memsz == S.p_filesz);
      break;
    case PT_GNU_RELRO: {
      // Its end may be rounded up to a page beyond the segment's.
      const Elf64_Phdr *Load = segmentOf(S.p_vaddr, 1);
      Backed = S.p_memsz == 0 ||
               (Load && (Load->p_flags & PF_W) &&
                S.p_memsz <=
                    ((Load->p_vaddr + Load->p_memsz + 4095) & ~UINT64_C(4095)) -
                        S.p_vaddr);
      break;
    }
    case PT_TLS:
      if (Tls)
        return fail(ACCX_ERROR_IMAGE, "image has two thread-local segments");
      Tls = &S;
      Backed = (S.p_filesz == 0 || offsetOf(S.p_vaddr, S.p_filesz)) &&
               S.p_filesz <= S.p_memsz && S.p_memsz <= MaxTls &&
               (S.p_align & (S.p_align - 1)) == 0 && S.p_align <= MaxTls;
      break;
    default:
      continue;
    }
    if (!Backed)
      return fail(ACCX_ERROR_IMAGE,
                  "segment %u (type 0x%x) is not part of a loadable one", I,
                  S.p_type);
  }
  if (NumDynamic != 1)
    return fail(ACCX_ERROR_IMAGE, "image has %u dynamic segments", NumDynamic);
  return ACCX_OK;
}

accx_status ElfView::checkDynamic() {
  const Elf64_Phdr *Segment = nullptr;
  for (const Elf64_Phdr &S : Segments)
    if (S.p_type == PT_DYNAMIC)
      Segment = &S;
  // The loader relocates the section in place if it may be written.
  const Elf64_Phdr *Load = segmentOf(Segment->p_vaddr, Segment->p_filesz);
  if ((Segment->p_flags & PF_W) && !(Load->p_flags & PF_W))
    return fail(ACCX_ERROR_IMAGE, "dynamic segment lies in read-only memory");
  if (Segment->p_vaddr % alignof(Elf64_Dyn) != 0)
    return fail(ACCX_ERROR_IMAGE, "dynamic segment is not aligned");

  DynamicAddress = Segment->p_vaddr;
  Dynamic.Offset = Segment->p_offset;
  Dynamic.Count = Segment->p_filesz / sizeof(Elf64_Dyn);
  for (uint64_t I = 0; I < Dynamic.Count; ++I) {
    Elf64_Dyn Entry = dynamicEntry(I);
    if (Entry.d_tag == DT_NULL)
      return ACCX_OK;
    Tags[Entry.d_tag] = Entry.d_un.d_val;
  }
  return fail(ACCX_ERROR_IMAGE, "dynamic segment has no end");
}

const Elf64_Phdr *ElfView::segmentOf(uint64_t Address, uint64_t Bytes) const {
  for (const Elf64_Phdr &S : Segments)
    if (S.p_type == PT_LOAD && Address >= S.p_vaddr &&
        Address - S.p_vaddr <= S.p_memsz &&
        Bytes <= S.p_memsz - (Address - S.p_vaddr))
      return &S;
  return nullptr;
}

std::optional<uint64_t> ElfView::offsetOf(uint64_t Address,
                                          uint64_t Bytes) const {
  for (const Elf64_Phdr &S : Segments)
    if (S.p_type == PT_LOAD && Address >= S.p_vaddr &&
        Address - S.p_vaddr <= S.p_filesz &&
        Bytes <= S.p_filesz - (Address - S.p_vaddr) && (S.p_flags & PF_R))
      return S.p_offset + (Address - S.p_vaddr);
  return std::nullopt;
}

std::vector<std::string_view> ElfView::neededLibraries() const {
  std::vector<std::string_view> Names;
  for (uint64_t I = 0; I < Dynamic.Count; ++I) {
    Elf64_Dyn Entry = dynamicEntry(I);
    if (Entry.d_tag == DT_NULL)
      break;
    if (Entry.d_tag == DT_NEEDED)
      Names.push_back(string(Entry.d_un.d_val));
  }
  return Names;
}
