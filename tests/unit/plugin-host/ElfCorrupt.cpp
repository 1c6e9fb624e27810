//===- ElfCorrupt.cpp - Broken images -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Truncated and corrupted images: refused, or loaded, never a crash.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <csignal>
#include <cstring>
#include <elf.h>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using Bytes = std::vector<unsigned char>;

/// Bytes that end where the next page cannot be read: a check that reads
/// beyond them does not go unnoticed.
class Guarded {
  unsigned char *Base;
  size_t Mapped;

public:
  explicit Guarded(size_t Size) : Mapped((Size + 4095) / 4096 * 4096 + 4096) {
    Base = static_cast<unsigned char *>(
        mmap(nullptr, Mapped, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(Base != MAP_FAILED);
    REQUIRE(mprotect(Base + Mapped - 4096, 4096, PROT_NONE) == 0);
  }
  ~Guarded() { munmap(Base, Mapped); }
  /// Where \p Size bytes end at the guard.
  unsigned char *at(size_t Size) { return Base + Mapped - 4096 - Size; }
};

template <typename T> static T &in(Bytes &Image, size_t Offset) {
  REQUIRE(Offset + sizeof(T) <= Image.size());
  return *reinterpret_cast<T *>(Image.data() + Offset);
}

static const char *const AllImages[] = {
    "host_basic", "host_odd",  "host_sysv", "host_openmp", "host_cxx",
    "host_libc",  "host_user", "host_late", "host_plain",  "host_packed"};

TEST_CASE("good images pass the check") {
  Devices D;
  for (const char *Name : AllImages) {
    Bytes Image = readImage(Name);
    INFO(Name);
    CHECK(plugin().image_check(D[0], Image.data(), Image.size()) == ACCX_OK);
    INFO(plugin().last_error());
  }
}

TEST_CASE("every truncation is refused") {
  Devices D;
  for (const char *Name : {"host_basic", "host_openmp"}) {
    Bytes Image = readImage(Name);
    Guarded Copy(Image.size());
    size_t Accepted = 0, Unnamed = 0;
    for (size_t Size = 0; Size < Image.size(); ++Size) {
      unsigned char *Data = Copy.at(Size);
      if (Size < 256 || Size % 16 == 0)
        std::memcpy(Data, Image.data(), Size);
      else
        // One byte further: only the first 16 are not there yet.
        std::memmove(Data, Data + 1, Size - 1),
            Data[Size - 1] = Image[Size - 1];
      Accepted += plugin().image_check(D[0], Data, Size) != ACCX_ERROR_IMAGE;
      Unnamed += plugin().last_error()[0] == 0;
    }
    CHECK(Accepted == 0);
    CHECK(Unnamed == 0);
    // Without sections the loadable parts decide.
    std::memset(&Image[offsetof(Elf64_Ehdr, e_shoff)], 0, 8);
    auto &Header = in<Elf64_Ehdr>(Image, 0);
    size_t Needed = 0;
    for (unsigned I = 0; I < Header.e_phnum; ++I) {
      auto &P = in<Elf64_Phdr>(Image, Header.e_phoff + I * sizeof(Elf64_Phdr));
      if (P.p_type == PT_LOAD)
        Needed = std::max(Needed, size_t(P.p_offset + P.p_filesz));
    }
    for (size_t Size = 0; Size <= Needed; Size += Size < 1024 ? 1 : 7) {
      unsigned char *Data = Copy.at(Size);
      std::memcpy(Data, Image.data(), Size);
      Accepted +=
          plugin().image_check(D[0], Data, Size) == ACCX_OK && Size < Needed;
    }
    CHECK(Accepted == 0);
    std::memcpy(Copy.at(Needed), Image.data(), Needed);
    CHECK(plugin().image_check(D[0], Copy.at(Needed), Needed) == ACCX_OK);
  }
}

TEST_CASE("the reason names what is wrong") {
  Devices D;
  auto Refusal = [&](void (*Break)(Bytes &)) -> std::string {
    Bytes Image = readImage("host_basic");
    Break(Image);
    CHECK(plugin().image_check(D[0], Image.data(), Image.size()) ==
          ACCX_ERROR_IMAGE);
    std::string Text = plugin().last_error();
    accx_image Handle = nullptr;
    CHECK(plugin().image_load(D[0], Image.data(), Image.size(), &Handle) ==
          ACCX_ERROR_IMAGE);
    return Text;
  };
  auto Contains = [](const std::string &Text, const char *Part) {
    INFO(Text);
    CHECK(Text.find(Part) != std::string::npos);
  };
  Contains(Refusal([](Bytes &I) { I[0] = 'X'; }), "not an ELF image");
  Contains(Refusal([](Bytes &I) { I[EI_CLASS] = ELFCLASS32; }), "64-bit");
  Contains(Refusal([](Bytes &I) { I[EI_DATA] = ELFDATA2MSB; }),
           "little-endian");
  Contains(Refusal([](Bytes &I) { I[EI_OSABI] = 0x41; }), "another system");
  Contains(Refusal([](Bytes &I) { in<Elf64_Ehdr>(I, 0).e_machine = EM_CUDA; }),
           "machine 190");
  Contains(Refusal([](Bytes &I) { in<Elf64_Ehdr>(I, 0).e_type = ET_EXEC; }),
           "shared object");
  Contains(Refusal([](Bytes &I) { in<Elf64_Ehdr>(I, 0).e_phoff = I.size(); }),
           "program headers");
  Contains(Refusal([](Bytes &I) { in<Elf64_Ehdr>(I, 0).e_phnum = 0; }),
           "program headers");
  Contains(Refusal([](Bytes &I) { in<Elf64_Ehdr>(I, 0).e_shoff = ~0ull; }),
           "section headers");
  Contains(Refusal([](Bytes &I) {
             auto &P = in<Elf64_Phdr>(I, in<Elf64_Ehdr>(I, 0).e_phoff);
             P.p_filesz = P.p_memsz = I.size() + 1;
           }),
           "lies outside");
  Contains(Refusal([](Bytes &I) { I.clear(); }), "truncated");
}

//===----------------------------------------------------------------------===//
// Random damage
//===----------------------------------------------------------------------===//

namespace {
struct Range {
  size_t Begin, End;
};
} // namespace

/// Headers and the tables of names: whatever they say, the loader must not
/// break, and what the image runs while it is loaded stays right.
static std::vector<Range> headerRanges(Bytes &Image) {
  auto &Header = in<Elf64_Ehdr>(Image, 0);
  std::vector<Range> Ranges = {
      {0, sizeof(Elf64_Ehdr)},
      {Header.e_phoff, Header.e_phoff + Header.e_phnum * sizeof(Elf64_Phdr)},
      {Header.e_shoff, Header.e_shoff + Header.e_shnum * sizeof(Elf64_Shdr)}};
  for (unsigned I = 0; I < Header.e_shnum; ++I) {
    auto S = in<Elf64_Shdr>(Image, Header.e_shoff + I * sizeof(Elf64_Shdr));
    if (S.sh_type == SHT_HASH || S.sh_type == SHT_GNU_HASH ||
        S.sh_type == SHT_GNU_verdef || S.sh_type == SHT_GNU_verneed ||
        S.sh_type == SHT_GNU_versym)
      Ranges.push_back({S.sh_offset, S.sh_offset + S.sh_size});
  }
  return Ranges;
}

/// All that the loader reads, except symbol types, which can make the loader
/// call any function, and addends, which are data.
static std::vector<Range> loaderRanges(Bytes &Image) {
  std::vector<Range> Ranges = headerRanges(Image);
  auto &Header = in<Elf64_Ehdr>(Image, 0);
  for (unsigned I = 0; I < Header.e_shnum; ++I) {
    auto S = in<Elf64_Shdr>(Image, Header.e_shoff + I * sizeof(Elf64_Shdr));
    if (S.sh_type == SHT_DYNAMIC ||
        (S.sh_type == SHT_STRTAB && (S.sh_flags & SHF_ALLOC)))
      Ranges.push_back({S.sh_offset, S.sh_offset + S.sh_size});
    for (size_t E = S.sh_offset; E < S.sh_offset + S.sh_size;
         E += sizeof(Elf64_Sym)) {
      if (S.sh_type == SHT_DYNSYM) {
        Ranges.push_back({E, E + 4});
        Ranges.push_back({E + 5, E + sizeof(Elf64_Sym)});
      } else if (S.sh_type == SHT_RELA) {
        static_assert(sizeof(Elf64_Sym) == sizeof(Elf64_Rela));
        Ranges.push_back({E, E + 16});
      } else {
        break;
      }
    }
  }
  return Ranges;
}

/// Loads and unloads in a process of its own, where a crash would be seen.
static bool loadingEnds(accx_device Device, const unsigned char *Data,
                        size_t Size) {
  pid_t Child = fork();
  REQUIRE(Child >= 0);
  if (Child == 0) {
    for (int Signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL})
      signal(Signal, SIG_DFL);
    alarm(60);
    accx_image Handle = nullptr;
    if (plugin().image_load(Device, Data, Size, &Handle) == ACCX_OK)
      plugin().image_unload(Handle);
    _exit(0);
  }
  int Status = 0;
  REQUIRE(waitpid(Child, &Status, 0) == Child);
  return WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
}

static void damage(const char *Name, std::vector<Range> (*RangesOf)(Bytes &),
                   unsigned Rounds) {
  Devices D({{"ACCX_HOST_DEVICES", "1"}});
  std::mt19937 Random(12345);
  Bytes Good = readImage(Name);
  std::vector<Range> Ranges = RangesOf(Good);
  Guarded Copy(Good.size());
  unsigned char *Data = Copy.at(Good.size());
  unsigned Loaded = 0, Refused = 0;
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    std::memcpy(Data, Good.data(), Good.size());
    size_t Offset = 0;
    for (unsigned Flips = 1 + Random() % 2; Flips; --Flips) {
      const Range &R = Ranges[Random() % Ranges.size()];
      Offset = R.Begin + Random() % (R.End - R.Begin);
      if (Random() % 2)
        Data[Offset] = static_cast<unsigned char>(Random());
      else
        Data[Offset] ^= static_cast<unsigned char>(1u << Random() % 8);
    }
    if (plugin().image_check(D[0], Data, Good.size()) != ACCX_OK) {
      ++Refused;
      continue;
    }
    ++Loaded;
    INFO(Name << " round " << Round << ", last damage at " << Offset);
    CHECK(loadingEnds(D[0], Data, Good.size()));
  }
  // Both happen, or the test does not test.
  CHECK(Loaded > Rounds / 20);
  CHECK(Refused > Rounds / 20);
}

TEST_CASE("damage in headers never breaks the loader", "[no-tsan]") {
  for (const char *Name : {"host_basic", "host_odd", "host_openmp"})
    damage(Name, headerRanges, 400);
}

TEST_CASE("damage in any table never breaks the loader", "[no-tsan]") {
  for (const char *Name : {"host_plain", "host_packed"})
    damage(Name, loaderRanges, 800);
}
