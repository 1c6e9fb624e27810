//===- FakeMachine.h - The plugin on a machine of fakes ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts the CUDA plugin on the fake driver, and asks that what is left.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_PLUGIN_CUDA_FAKEMACHINE_H
#define ACCX_TESTS_PLUGIN_CUDA_FAKEMACHINE_H

#include "accx/plugin.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

inline constexpr size_t Page = size_t(2) << 20;

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
};

inline std::string mappings(void *Address) {
  return symbol<const char *(unsigned long long)>(FAKE_DRIVER, "fakeMappings")(
      reinterpret_cast<unsigned long long>(Address));
}
inline bool isEmpty() { return symbol<bool()>(FAKE_DRIVER, "fakeIsEmpty")(); }

#endif // ACCX_TESTS_PLUGIN_CUDA_FAKEMACHINE_H
