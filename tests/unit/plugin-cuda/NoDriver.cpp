//===- NoDriver.cpp - The plugin on a machine without a GPU ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the plugin's table does before and without a driver.
//
//===----------------------------------------------------------------------===//

#include "accx/plugin.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

static accx_plugin_get_fn entry() {
  void *Library = dlopen(PLUGIN_PATH, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(Library);
  return reinterpret_cast<accx_plugin_get_fn>(
      dlsym(Library, ACCX_PLUGIN_ENTRY));
}

static bool machineHasDriver() {
  void *Library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (Library)
    dlclose(Library);
  return Library != nullptr;
}

TEST_CASE("the table is whole, and for this version only") {
  const char *Why = nullptr;
  CHECK(entry()(ACCX_PLUGIN_ABI_VERSION + 1, &Why) == nullptr);
  REQUIRE(Why);
  CHECK(std::strstr(Why, "CUDA"));
  const accx_plugin *P = entry()(ACCX_PLUGIN_ABI_VERSION, nullptr);
  REQUIRE(P);
  CHECK(std::string(P->name) == "cuda");
  CHECK(P->size == sizeof(accx_plugin));
  auto *Begin = reinterpret_cast<void *const *>(&P->init);
  auto *End = reinterpret_cast<void *const *>(P + 1);
  for (auto *Function = Begin; Function != End; ++Function)
    CHECK(*Function != nullptr);
}

TEST_CASE("no driver is no failure and no device") {
  const accx_plugin *P = entry()(ACCX_PLUGIN_ABI_VERSION, nullptr);
  uint32_t Count = 99;
  REQUIRE(P->init(&Count) == ACCX_OK);
  if (machineHasDriver()) {
    WARN("this machine has a CUDA driver");
    return;
  }
  CHECK(Count == 0);
  CHECK(std::string(P->last_error()).empty());
  accx_device D = nullptr;
  CHECK(P->device_open(0, &D) == ACCX_ERROR_INVALID);
  CHECK(std::string(P->last_error()) == "no CUDA device 0: there are 0");
}

TEST_CASE("a driver that was named and is not there is a failure") {
  const accx_plugin *P = entry()(ACCX_PLUGIN_ABI_VERSION, nullptr);
  uint32_t Count = 99;
  setenv("ACCX_CUDA_DRIVER", "/nowhere/libcuda.so", 1);
  CHECK(P->init(&Count) == ACCX_ERROR_INVALID);
  CHECK(std::strstr(P->last_error(), "ACCX_CUDA_DRIVER=/nowhere/libcuda.so"));
  CHECK(Count == 0);
  // Something else of that name has not the functions.
  setenv("ACCX_CUDA_DRIVER", PLUGIN_PATH, 1);
  CHECK(P->init(&Count) == ACCX_ERROR_UNSUPPORTED);
  CHECK(std::string(P->last_error()) ==
        "the CUDA driver is too old: it has no function cuInit");
  unsetenv("ACCX_CUDA_DRIVER");
}
