//===- DamagedImageTest.cpp - Images that cannot be used ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Truncated and changed images, registered by hand: a message that says why,
// and never a crash.
//
//===----------------------------------------------------------------------===//

#include "harness/Child.h"
#include "harness/Program.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <memory>
#include <random>

using namespace accx;
using namespace harness;

namespace {

std::vector<char> arraysImage() {
  return readFile(ACCX_TEST_PLUGINS "/arrays.img");
}

Elf64_Ehdr &header(std::vector<char> &Image) {
  return *reinterpret_cast<Elf64_Ehdr *>(Image.data());
}

std::vector<char> damaged(const std::string &How) {
  std::vector<char> Image = arraysImage();
  if (How == "half")
    Image.resize(Image.size() / 2);
  else if (How == "header")
    Image.resize(20);
  else if (How == "empty")
    Image.clear();
  else if (How == "zeros")
    std::memset(Image.data(), 0, Image.size());
  else if (How == "machine")
    header(Image).e_machine = EM_AARCH64;
  else if (How == "class")
    header(Image).e_ident[EI_CLASS] = ELFCLASS32;
  else if (How == "segments")
    header(Image).e_phoff = Image.size() - 8;
  else if (How == "type")
    header(Image).e_type = ET_REL;
  return Image;
}

} // namespace

TEST_CASE("run-damaged-image", "[.]") {
  // A whole library beside it, so that there are devices.
  Library Whole(arraysImage());
  if (std::getenv("BESIDE_WHOLE")) {
    Whole.kernel("add");
    Whole.registerNow();
  }
  Library Lib(damaged(std::getenv("DAMAGE")));
  void *Add = Lib.kernel("add");
  Lib.registerNow();
  const int Result = Arguments().target(0, Add, 0, ";a.c;main;9;2;;");
  std::fprintf(stderr, "devices=%d result=%d\n", __tgt_get_num_devices(),
               Result);
}

TEST_CASE("A damaged image is turned down with a reason") {
  for (const char *How : {"half", "header", "empty", "zeros", "machine",
                          "class", "segments", "type"}) {
    DYNAMIC_SECTION(How) {
      // Alone it leaves no device, and the program its host version.
      Child Alone = runCase("run-damaged-image", {{"DAMAGE", How}});
      INFO(Alone.Err);
      CHECK(Alone.ExitCode == 0);
      CHECK(Alone.has("devices=0 result=1"));

      // With devices there is no way back to the host.
      Child Beside = runCase("run-damaged-image",
                             {{"DAMAGE", How}, {"BESIDE_WHOLE", "1"}});
      INFO(Beside.Err);
      CHECK(Beside.Signal == SIGABRT);
      CHECK(Beside.has("Failed to load images on device 0: no image for device "
                       "0: plugin 'fault': "));
      CHECK(Beside.has("a.c:9:2: omptarget fatal error 1: "));
    }
  }
}

TEST_CASE("register-flipped-images", "[.]") {
  const std::vector<char> Good = arraysImage();
  std::mt19937_64 Random(std::strtoull(std::getenv("FLIP_SEED"), nullptr, 10));
  unsigned Devices = 0;
  for (int Round = 0; Round < 300; ++Round) {
    std::vector<char> Image = Good;
    if (Round % 3 == 0)
      Image.resize(Random() % Image.size());
    for (unsigned Flips = 1 + Random() % 4; Flips && !Image.empty(); --Flips)
      Image[Random() % Image.size()] ^= static_cast<char>(1 << Random() % 8);
    // Exactly as long as it says, for the address sanitizer.
    Image.shrink_to_fit();
    Library Lib(std::move(Image));
    Lib.kernel("add");
    Lib.registerNow();
    Devices = static_cast<unsigned>(__tgt_get_num_devices());
  }
  std::fprintf(stderr, "devices=%u\n", Devices);
}

TEST_CASE("Checking damaged images never crashes") {
  for (const char *Seed : {"1", "2", "3"}) {
    Child C = runCase("register-flipped-images", {{"FLIP_SEED", Seed}});
    INFO(C.Err);
    CHECK(C.ExitCode == 0);
    CHECK(C.has("devices="));
  }
}
