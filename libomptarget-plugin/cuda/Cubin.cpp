//===- Cubin.cpp - Reading machine code images ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cubin.h.
//
//===----------------------------------------------------------------------===//

#include "Cubin.h"

#include <cstring>
#include <elf.h>
#include <string_view>

using namespace accx;
using namespace accx::cuda;

namespace {
constexpr uint16_t MachineCuda = 190;
constexpr unsigned char OldAbi = 0x33, NewAbi = 0x41;

/// Images lie at any alignment.
template <typename T> T readAt(const char *Data, uint64_t Offset) {
  T Value;
  std::memcpy(&Value, Data + Offset, sizeof(T));
  return Value;
}

bool isInside(uint64_t Offset, uint64_t Length, uint64_t Size) {
  return Offset <= Size && Length <= Size - Offset;
}
} // namespace

bool Cubin::isElf() const {
  return Size >= SELFMAG && std::memcmp(Data, ELFMAG, SELFMAG) == 0;
}

accx_status Cubin::check() const {
  if (!isElf())
    return fail(ACCX_ERROR_IMAGE, "not an ELF file");
  if (Size < sizeof(Elf64_Ehdr))
    return fail(ACCX_ERROR_IMAGE, "truncated: %zu bytes", Size);
  const auto H = readAt<Elf64_Ehdr>(Data, 0);
  if (H.e_machine != MachineCuda)
    return fail(ACCX_ERROR_IMAGE, "code for ELF machine %u, not for CUDA",
                H.e_machine);
  if (H.e_ident[EI_CLASS] != ELFCLASS64 || H.e_ident[EI_DATA] != ELFDATA2LSB)
    return fail(ACCX_ERROR_IMAGE, "not a 64-bit little-endian cubin");
  if (H.e_ident[EI_OSABI] != OldAbi && H.e_ident[EI_OSABI] != NewAbi)
    return fail(ACCX_ERROR_IMAGE, "a cubin of unknown form (OS ABI 0x%x)",
                H.e_ident[EI_OSABI]);
  if (H.e_shnum &&
      (H.e_shentsize != sizeof(Elf64_Shdr) ||
       !isInside(H.e_shoff, uint64_t(H.e_shnum) * H.e_shentsize, Size)))
    return fail(ACCX_ERROR_IMAGE, "truncated: its section table lies outside");
  if (architecture() < 10)
    return fail(ACCX_ERROR_IMAGE, "a cubin for no known architecture (%u)",
                architecture());
  return ACCX_OK;
}

unsigned Cubin::architecture() const {
  const auto H = readAt<Elf64_Ehdr>(Data, 0);
  return (H.e_ident[EI_OSABI] == NewAbi ? H.e_flags >> 8 : H.e_flags) & 0xff;
}

bool Cubin::isArchitectureSpecific() const {
  const auto H = readAt<Elf64_Ehdr>(Data, 0);
  return H.e_flags & (H.e_ident[EI_OSABI] == NewAbi ? 0x8 : 0x800);
}

std::vector<std::string> Cubin::symbolsWith(const char *Prefix) const {
  std::vector<std::string> Found;
  const auto H = readAt<Elf64_Ehdr>(Data, 0);
  auto Section = [&](unsigned I) {
    return readAt<Elf64_Shdr>(Data, H.e_shoff + I * sizeof(Elf64_Shdr));
  };
  for (unsigned I = 0; I < H.e_shnum; ++I) {
    const Elf64_Shdr Table = Section(I);
    if (Table.sh_type != SHT_SYMTAB || Table.sh_link >= H.e_shnum ||
        !isInside(Table.sh_offset, Table.sh_size, Size))
      continue;
    const Elf64_Shdr Names = Section(Table.sh_link);
    if (!isInside(Names.sh_offset, Names.sh_size, Size))
      continue;
    const std::string_view Text(Data + Names.sh_offset, Names.sh_size);
    for (uint64_t S = 0; S < Table.sh_size / sizeof(Elf64_Sym); ++S) {
      const auto Symbol =
          readAt<Elf64_Sym>(Data, Table.sh_offset + S * sizeof(Elf64_Sym));
      if (Symbol.st_name >= Text.size())
        continue;
      const std::string_view Rest = Text.substr(Symbol.st_name);
      const std::string_view Name = Rest.substr(0, Rest.find('\0'));
      if (Name.size() < Rest.size() && Name.starts_with(Prefix))
        Found.emplace_back(Name);
    }
  }
  return Found;
}
