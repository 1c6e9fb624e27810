//===- Images.cpp - Which images a GPU can run ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both forms of cubins, PTX, what is neither, and images that lie about
// themselves. Buffers have the exact size, so that address sanitizers see a
// byte read outside.
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"
#include "ImageKind.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <elf.h>
#include <memory>
#include <random>

using namespace accx::cuda;

namespace {

/// A cubin with a symbol table of \p Names.
std::vector<char> cubin(unsigned char Abi, uint32_t Flags,
                        const std::vector<std::string> &Names = {}) {
  std::string Strings(1, '\0');
  std::vector<Elf64_Sym> Symbols(1);
  for (const std::string &Name : Names) {
    Elf64_Sym S = {};
    S.st_name = uint32_t(Strings.size());
    Symbols.push_back(S);
    Strings += Name + '\0';
  }
  Elf64_Ehdr H = {};
  std::memcpy(H.e_ident, ELFMAG, SELFMAG);
  H.e_ident[EI_CLASS] = ELFCLASS64;
  H.e_ident[EI_DATA] = ELFDATA2LSB;
  H.e_ident[EI_OSABI] = Abi;
  H.e_machine = 190;
  H.e_flags = Flags;
  H.e_shentsize = sizeof(Elf64_Shdr);
  H.e_shnum = 3;
  const size_t SymbolBytes = Symbols.size() * sizeof(Elf64_Sym);
  H.e_shoff = sizeof(H) + SymbolBytes + Strings.size();
  Elf64_Shdr Sections[3] = {};
  Sections[1].sh_type = SHT_SYMTAB;
  Sections[1].sh_offset = sizeof(H);
  Sections[1].sh_size = SymbolBytes;
  Sections[1].sh_link = 2;
  Sections[2].sh_type = SHT_STRTAB;
  Sections[2].sh_offset = sizeof(H) + SymbolBytes;
  Sections[2].sh_size = Strings.size();

  std::vector<char> Image;
  auto Append = [&](const void *Data, size_t Size) {
    const auto *Bytes = static_cast<const char *>(Data);
    Image.insert(Image.end(), Bytes, Bytes + Size);
  };
  Append(&H, sizeof(H));
  Append(Symbols.data(), SymbolBytes);
  Append(Strings.data(), Strings.size());
  Append(Sections, sizeof(Sections));
  return Image;
}

accx_status check(const std::vector<char> &Image, unsigned Major,
                  unsigned Minor, ImageKind *Kind = nullptr) {
  std::unique_ptr<char[]> Exact(new char[Image.size()]);
  std::copy(Image.begin(), Image.end(), Exact.get());
  ImageKind Found;
  const accx_status S =
      checkImage(Exact.get(), Image.size(), Major, Minor, Found);
  if (S == ACCX_OK && Kind)
    *Kind = Found;
  return S;
}

std::vector<char> text(const std::string &Ptx) {
  return {Ptx.begin(), Ptx.end()};
}

} // namespace

TEST_CASE("cubins of both forms run on the same major and no lower minor") {
  const std::vector<char> Old = cubin(0x33, 0x00560556), // sm_86
      New = cubin(0x41, 0x06005604);
  for (const auto &Image : {Old, New}) {
    ImageKind Kind = ImageKind::Ptx;
    CHECK(check(Image, 8, 6, &Kind) == ACCX_OK);
    CHECK(Kind == ImageKind::Cubin);
    CHECK(check(Image, 8, 9) == ACCX_OK);
    CHECK(check(Image, 8, 0) == ACCX_ERROR_IMAGE);
    CHECK(check(Image, 9, 0) == ACCX_ERROR_IMAGE);
    CHECK(std::string(lastError()) == "code for sm_86, the device is sm_90");
    CHECK(check(Image, 7, 6) == ACCX_ERROR_IMAGE);
  }
  CHECK(check(cubin(0x41, 0x06006404), 10, 0) == ACCX_OK);
}

TEST_CASE("code for one architecture only runs on no other") {
  const std::vector<char> Old = cubin(0x33, 0x00560856),
                          New = cubin(0x41, 0x0600560c);
  for (const auto &Image : {Old, New}) {
    CHECK(check(Image, 8, 6) == ACCX_OK);
    CHECK(check(Image, 8, 9) == ACCX_ERROR_IMAGE);
    CHECK(std::string(lastError()) == "code for sm_86a, the device is sm_89");
  }
}

TEST_CASE("other images are refused with a reason") {
  auto Why = [](const std::vector<char> &Image) {
    CHECK(check(Image, 9, 0) == ACCX_ERROR_IMAGE);
    return std::string(lastError());
  };
  std::vector<char> Image = cubin(0x41, 0x06005a04);
  reinterpret_cast<Elf64_Ehdr *>(Image.data())->e_machine = EM_X86_64;
  CHECK(Why(Image) == "code for ELF machine 62, not for CUDA");
  CHECK(Why(cubin(0x40, 0x06005a04)) ==
        "a cubin of unknown form (OS ABI 0x40)");
  CHECK(Why(cubin(0x41, 0)) == "a cubin for no known architecture (0)");
  Image = cubin(0x41, 0x06005a04);
  Image[EI_CLASS] = ELFCLASS32;
  CHECK(Why(Image) == "not a 64-bit little-endian cubin");
  CHECK(Why(text("BC\xc0\xde")) == "neither a cubin nor PTX");
  ImageKind Kind;
  CHECK(checkImage(nullptr, 0, 9, 0, Kind) == ACCX_ERROR_IMAGE);
}

TEST_CASE("truncated cubins are refused") {
  const std::vector<char> Whole = cubin(0x41, 0x06005a04, {"one", "two"});
  REQUIRE(check(Whole, 9, 0) == ACCX_OK);
  for (size_t Size = 0; Size < Whole.size(); ++Size)
    CHECK(check({Whole.begin(), Whole.begin() + long(Size)}, 9, 0) ==
          ACCX_ERROR_IMAGE);
}

TEST_CASE("symbols are found by prefix") {
  const std::vector<char> Image = cubin(
      0x41, 0x06005a04,
      {"kernel", "__init_array_object_a_7", "__init_array_object_b_101", "_"});
  const Cubin C(Image.data(), Image.size());
  REQUIRE(C.check() == ACCX_OK);
  CHECK(C.symbolsWith("__init_array_object_") ==
        std::vector<std::string>{"__init_array_object_a_7",
                                 "__init_array_object_b_101"});
  CHECK(C.symbolsWith("fini").empty());
}

TEST_CASE("damaged cubins are never read outside") {
  const std::vector<char> Whole =
      cubin(0x41, 0x06005a04, {"first", "second", "third"});
  std::mt19937 Random(7);
  unsigned Accepted = 0;
  for (int Round = 0; Round < 20000; ++Round) {
    std::unique_ptr<char[]> Exact(new char[Whole.size()]);
    std::copy(Whole.begin(), Whole.end(), Exact.get());
    for (int Damage = 0; Damage < 3; ++Damage)
      Exact[16 + Random() % (Whole.size() - 16)] = char(Random());
    const Cubin C(Exact.get(), Whole.size());
    if (C.check() != ACCX_OK)
      continue;
    ++Accepted;
    CHECK(C.symbolsWith("").size() <= Whole.size());
  }
  CHECK(Accepted > 0);
  CHECK(Accepted < 20000);
}

TEST_CASE("PTX runs on its architecture and all after it") {
  ImageKind Kind = ImageKind::Cubin;
  const auto Ptx = text("// made by hand\n/* two\nlines */ .version 7.0\n"
                        ".target sm_70, debug\n.address_size 64\n");
  CHECK(check(Ptx, 7, 0, &Kind) == ACCX_OK);
  CHECK(Kind == ImageKind::Ptx);
  CHECK(check(Ptx, 10, 3) == ACCX_OK);
  CHECK(check(Ptx, 6, 1) == ACCX_ERROR_IMAGE);
  CHECK(std::string(lastError()) == "PTX for sm_70, the device is sm_61");
  const auto Specific = text(".version 8.0\n.target sm_90a\n");
  CHECK(check(Specific, 9, 0) == ACCX_OK);
  CHECK(check(Specific, 10, 0) == ACCX_ERROR_IMAGE);
  CHECK(check(text(".version 8.0\n"), 9, 0) == ACCX_ERROR_IMAGE);
  CHECK(check(text(".version 8.0\n.target"), 9, 0) == ACCX_ERROR_IMAGE);
  CHECK(check(text(".version 8.0\n.target sm_"), 9, 0) == ACCX_ERROR_IMAGE);
  CHECK(check(text("/* never ends .version"), 9, 0) == ACCX_ERROR_IMAGE);
  CHECK(check(text("// never ends"), 9, 0) == ACCX_ERROR_IMAGE);
}

TEST_CASE("names are found in PTX") {
  const std::string Ptx = ".const .u64 pre_b_2 = f;\n.const .u64 pre_a_1 = g;\n"
                          "ld.u64 %r, [pre_b_2]; not_pre_c; call pre_";
  CHECK(ptxNamesWith(Ptx, "pre_") ==
        std::vector<std::string>{"pre_", "pre_a_1", "pre_b_2"});
}

TEST_CASE("images whose kernels call malloc get a part of the memory as heap") {
  const auto HeapWith = [](const std::string &Calls) {
    Machine M("1,1024");
    const std::string Text = ".version 8.0\n.target sm_10\n" + Calls;
    accx_image Image = nullptr;
    REQUIRE(M.P->image_load(M.Devices[0], Text.c_str(), Text.size() + 1,
                            &Image) == ACCX_OK);
    CHECK(M.P->image_unload(Image) == ACCX_OK);
    return symbol<size_t()>(FAKE_DRIVER, "fakeHeap")();
  };
  CHECK(HeapWith("") == 0);
  CHECK(HeapWith(".extern .func (.param .b64 r) malloc (.param .b64 b);\n") ==
        1024 * Page / 64);
  setenv("LIBOMPTARGET_HEAP_SIZE", "4096", 1);
  CHECK(HeapWith(".extern .func (.param .b64 r) malloc (.param .b64 b);\n") ==
        4096);
  unsetenv("LIBOMPTARGET_HEAP_SIZE");
}
