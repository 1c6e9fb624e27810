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

/// Variables for graphs while a machine starts: launches that repeat so often
/// become graphs, and none is a late one unless \p Gap says so.
struct GraphSettings {
  explicit GraphSettings(const char *After, const char *Gap = "1000000000") {
    setenv("ACCX_GRAPH", After, 1);
    setenv("ACCX_GRAPH_GAP", Gap, 1);
  }
  ~GraphSettings() {
    unsetenv("ACCX_GRAPH");
    unsetenv("ACCX_GRAPH_GAP");
  }
};
/// Graphs that were launched since the last call.
inline unsigned numGraphs() {
  return symbol<unsigned()>(FAKE_DRIVER, "fakeGraphLaunches")();
}
inline bool keepsStreams() {
  return symbol<bool()>(FAKE_DRIVER, "fakeKeepsStreams")();
}

/// An image, and its kernels 'a', 'b' and so on.
struct FakeImage {
  accx_image Handle = nullptr;
  std::vector<accx_kernel> Kernels;

  FakeImage(const Machine &M, accx_device D, unsigned NumKernels) {
    constexpr char Text[] = ".version 8.0\n.target sm_10\n";
    REQUIRE(M.P->image_load(D, Text, sizeof(Text), &Handle) == ACCX_OK);
    for (char Name = 'a'; Kernels.size() < NumKernels; ++Name)
      REQUIRE(M.P->image_kernel(Handle, std::string(1, Name).c_str(),
                                &Kernels.emplace_back()) == ACCX_OK);
  }
};

/// Launches kernel number \p Kernel with threads of one and \p Blocks; what the
/// driver says of it.
inline std::string launchFake(const Machine &M, accx_device D, accx_queue Queue,
                              const FakeImage &Image, unsigned Kernel,
                              const std::vector<uintptr_t> &Args, bool MayWait,
                              uint32_t Blocks = 2) {
  std::string Text = std::string(1, char('a' + Kernel)) + "<" +
                     std::to_string(Blocks) + "x1>(";
  std::vector<void *> Slots;
  for (uintptr_t Arg : Args) {
    Text += (Slots.empty() ? "" : ",") + std::to_string(Arg);
    Slots.push_back(reinterpret_cast<void *>(Arg));
  }
  accx_launch L = {};
  L.args = Slots.data();
  L.num_args = uint32_t(Slots.size());
  L.grid[0] = Blocks;
  L.grid[1] = L.grid[2] = L.block[0] = L.block[1] = L.block[2] = 1;
  L.exact_block = 1;
  L.may_wait = MayWait;
  CHECK(M.P->launch(D, Queue, Image.Kernels[Kernel], &L) == ACCX_OK);
  return Text + ") ";
}

inline std::string mappings(void *Address) {
  return symbol<const char *(unsigned long long)>(FAKE_DRIVER, "fakeMappings")(
      reinterpret_cast<unsigned long long>(Address));
}
inline bool isEmpty() { return symbol<bool()>(FAKE_DRIVER, "fakeIsEmpty")(); }

#endif // ACCX_TESTS_PLUGIN_CUDA_FAKEMACHINE_H
