//===- ElfView.h - Bounds-checked view of an ELF image ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading an ELF shared object of unknown origin without ever leaving it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_ELFVIEW_H
#define ACCX_PLUGIN_HOST_ELFVIEW_H

#include "Status.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace accx::host {

/// A table of the dynamic segment: where it lies in the file, and its entries.
struct ElfTable {
  uint64_t Offset = 0;
  uint64_t Count = 0;
};

/// An image in memory. check() reads and validates everything that the dynamic
/// loader will rely on; the accessors below are meaningful only after it
/// succeeded.
///
/// The bytes may be unaligned, so structures are copied out and never
/// overlaid.
class ElfView {
public:
  ElfView(const void *Data, size_t Size)
      : Data(static_cast<const uint8_t *>(Data)), Size(Size) {}

  /// ACCX_OK, or ACCX_ERROR_IMAGE with the reason.
  accx_status check();

  const std::vector<Elf64_Phdr> &segments() const { return Segments; }
  /// Number of symbols in the dynamic symbol table.
  uint64_t numSymbols() const { return Symbols.Count; }
  Elf64_Sym symbol(uint64_t Index) const {
    return *get<Elf64_Sym>(Symbols.Offset + Index * sizeof(Elf64_Sym));
  }
  const char *symbolName(const Elf64_Sym &Symbol) const {
    return string(Symbol.st_name);
  }
  /// A string of the dynamic string table.
  const char *string(uint64_t Offset) const {
    return reinterpret_cast<const char *>(Data + Strings.Offset + Offset);
  }
  /// Names of the libraries that the image needs.
  std::vector<std::string_view> neededLibraries() const;

  /// The dynamic section, terminator and spare entries included.
  const ElfTable &dynamic() const { return Dynamic; }
  Elf64_Dyn dynamicEntry(uint64_t Index) const {
    return *get<Elf64_Dyn>(Dynamic.Offset + Index * sizeof(Elf64_Dyn));
  }
  uint64_t symbolOffset(uint64_t Index) const {
    return Symbols.Offset + Index * sizeof(Elf64_Sym);
  }
  uint64_t dynamicOffset(uint64_t Index) const {
    return Dynamic.Offset + Index * sizeof(Elf64_Dyn);
  }
  /// Value of a dynamic tag; the last one counts, as for the loader.
  std::optional<uint64_t> tag(int64_t Tag) const {
    auto It = Tags.find(Tag);
    if (It == Tags.end())
      return std::nullopt;
    return It->second;
  }

private:
  // ElfView.cpp: what every reader of the file needs.
  accx_status checkHeader();
  accx_status checkSections();
  accx_status checkSegments();
  accx_status checkSpecialSegments();
  accx_status checkDynamic();
  // ElfCheckSymbols.cpp: names, hash tables, symbols, versions.
  accx_status checkSymbols();
  accx_status checkStrings();
  accx_status checkGnuHash(uint64_t Address);
  accx_status checkGnuHashEntries(uint64_t Address);
  accx_status checkSysvHash(uint64_t Address);
  accx_status checkSymbolTable();
  accx_status checkVersions();
  accx_status checkVersionNeeds(unsigned &Highest);
  accx_status checkVersionDefinitions(unsigned &Highest);
  // ElfCheckRelocations.cpp: what the loader writes and calls.
  accx_status checkRelocations();
  accx_status checkRelaTable(const char *What, uint64_t Address, uint64_t Bytes,
                             uint64_t NumRelative);
  accx_status checkRelr();
  accx_status checkRelocated(const char *What, uint64_t Address);
  bool addRelocated(uint64_t Address, unsigned Bytes,
                    std::optional<uint64_t> Result);
  accx_status checkCode();
  accx_status checkCodeTable(const char *What, int64_t AddressTag,
                             int64_t SizeTag);

  /// A structure at a file offset; nothing if it is not entirely inside.
  template <typename T> std::optional<T> get(uint64_t Offset) const {
    if (!isInFile(Offset, sizeof(T)))
      return std::nullopt;
    T Value;
    std::memcpy(&Value, Data + Offset, sizeof(T));
    return Value;
  }
  bool isInFile(uint64_t Offset, uint64_t Bytes) const {
    return Offset <= Size && Bytes <= Size - Offset;
  }
  /// The loadable segment whose memory holds all of the range, or null.
  const Elf64_Phdr *segmentOf(uint64_t Address, uint64_t Bytes) const;
  /// File offset of a range that the file backs entirely.
  std::optional<uint64_t> offsetOf(uint64_t Address, uint64_t Bytes) const;
  /// A structure at an address that the file backs.
  template <typename T> std::optional<T> at(uint64_t Address) const {
    auto Offset = offsetOf(Address, sizeof(T));
    return Offset ? get<T>(*Offset) : std::nullopt;
  }
  bool isCode(uint64_t Address) const {
    const Elf64_Phdr *S = segmentOf(Address, 1);
    return S && (S->p_flags & PF_X);
  }

  const uint8_t *Data;
  size_t Size;
  Elf64_Ehdr Header = {};
  std::vector<Elf64_Phdr> Segments;
  const Elf64_Phdr *Tls = nullptr;
  ElfTable Dynamic, Strings, Symbols;
  uint64_t DynamicAddress = 0;
  std::map<int64_t, uint64_t> Tags;
  /// What a relocation writes at an address: how many bytes, and the result if
  /// it is known, relative to the image.
  struct Place {
    unsigned Bytes;
    std::optional<uint64_t> Result;
  };
  std::map<uint64_t, Place> Relocated;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_ELFVIEW_H
