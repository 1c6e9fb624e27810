//===- Spread.cpp - Spread memory of GPUs, on a fake driver ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accx/plugin.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

namespace {

constexpr size_t Page = size_t(2) << 20;

template <typename Fn> Fn *symbol(const char *Path, const char *Name) {
  void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(Library);
  return reinterpret_cast<Fn *>(dlsym(Library, Name));
}

/// The plugin on a machine of \p Fake, each GPU of which is \p Share devices.
struct Machine {
  const accx_plugin *P;
  std::vector<accx_device> Devices;

  explicit Machine(const char *Fake, const char *Share = "1") {
    setenv("ACCX_CUDA_DRIVER", FAKE_DRIVER, 1);
    setenv("FAKE_CUDA", Fake, 1);
    setenv("ACCX_CUDA_SHARE", Share, 1);
    P = symbol<const accx_plugin *(uint32_t, const char **)>(
        PLUGIN_PATH, ACCX_PLUGIN_ENTRY)(ACCX_PLUGIN_ABI_VERSION, nullptr);
    uint32_t Count = 0;
    REQUIRE(P->init(&Count) == ACCX_OK);
    Devices.resize(Count);
    for (uint32_t I = 0; I < Count; ++I)
      REQUIRE(P->device_open(I, &Devices[I]) == ACCX_OK);
  }
  ~Machine() {
    for (accx_device D : Devices)
      P->device_close(D);
    for (const char *Name :
         {"ACCX_CUDA_DRIVER", "FAKE_CUDA", "ACCX_CUDA_SHARE"})
      unsetenv(Name);
  }

  accx_status alloc(const std::vector<accx_spread_part> &Parts, size_t Pages,
                    void *&Address) {
    return P->spread_alloc(Devices.data(), uint32_t(Devices.size()),
                           Parts.data(), uint32_t(Parts.size()), Pages * Page,
                           &Address);
  }
};

std::string mappings(void *Address) {
  return symbol<const char *(unsigned long long)>(FAKE_DRIVER, "fakeMappings")(
      reinterpret_cast<unsigned long long>(Address));
}
bool isEmpty() { return symbol<bool()>(FAKE_DRIVER, "fakeIsEmpty")(); }

} // namespace

TEST_CASE("parts of a spread range are mapped on their GPUs") {
  Machine M("3,64");
  accx_device_info Info;
  REQUIRE(M.P->device_info(M.Devices[0], &Info) == ACCX_OK);
  CHECK(Info.spread_granularity == Page);
  void *Address = nullptr;
  REQUIRE(M.alloc({{2 * Page, 0, 0}, {Page, 1, 0}, {Page, 2, 0}, {Page, 0, 0}},
                  5, Address) == ACCX_OK);
  CHECK(mappings(Address) == "0x2 1x1 2x1 0x1 for 3");
  CHECK(reinterpret_cast<uintptr_t>(Address) % Page == 0);
  CHECK(M.P->spread_free(M.Devices[0], Address) == ACCX_OK);
  CHECK(isEmpty());
  CHECK(M.P->spread_free(M.Devices[0], Address) == ACCX_ERROR_INVALID);
}

TEST_CASE("devices that are one GPU have one allocation") {
  Machine M("2,64", "2");
  REQUIRE(M.Devices.size() == 4);
  void *Address = nullptr;
  REQUIRE(M.alloc({{Page, 0, 0}, {Page, 1, 0}, {3 * Page, 2, 0}, {Page, 1, 0}},
                  6, Address) == ACCX_OK);
  CHECK(mappings(Address) == "0x2 1x3 0x1 for 2");
  CHECK(M.P->spread_free(M.Devices[0], Address) == ACCX_OK);
  CHECK(isEmpty());
}

TEST_CASE("a GPU without memory leaves nothing behind") {
  Machine M("2,4");
  void *Address = nullptr;
  CHECK(M.alloc({{3 * Page, 0, 0}, {5 * Page, 1, 0}}, 8, Address) ==
        ACCX_ERROR_OUT_OF_MEMORY);
  CHECK(std::strstr(M.P->last_error(), "CUDA device 1"));
  CHECK(isEmpty());
}

TEST_CASE("GPUs that are apart have no common memory") {
  Machine M("2,64,apart");
  void *Address = nullptr;
  CHECK(M.alloc({{Page, 0, 0}, {Page, 1, 0}}, 2, Address) ==
        ACCX_ERROR_UNSUPPORTED);
  CHECK(std::strstr(M.P->last_error(), "does not reach"));
  CHECK(isEmpty());
}

TEST_CASE("wrong parts are refused") {
  Machine M("2,64");
  void *Address = nullptr;
  using Parts = std::vector<accx_spread_part>;
  for (const Parts &P :
       {Parts{}, Parts{{Page, 0, 0}}, Parts{{2 * Page, 2, 0}},
        Parts{{100, 0, 0}, {2 * Page - 100, 1, 0}}, Parts{{3 * Page, 0, 0}}})
    CHECK(M.alloc(P, 2, Address) == ACCX_ERROR_INVALID);
  CHECK(isEmpty());
}
