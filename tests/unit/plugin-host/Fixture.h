//===- Fixture.h - The host plugin under test -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the plugin, opens devices and images, and launches kernels.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_PLUGIN_HOST_FIXTURE_H
#define ACCX_TESTS_PLUGIN_HOST_FIXTURE_H

#include "accx/plugin.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/// The plugin's table.
const accx_plugin &plugin();

/// The bytes of one of the test images.
std::vector<unsigned char> readImage(const std::string &Name);

/// Environment variables for the time of its life; an empty value unsets.
class Environment {
  std::vector<std::pair<std::string, std::string>> Before;
  std::vector<std::string> Unset;

public:
  using List = std::initializer_list<std::pair<const char *, const char *>>;
  explicit Environment(List Variables);
  ~Environment();
};

/// The initialized plugin with all devices open.
struct Devices {
  explicit Devices(Environment::List Variables = {});
  ~Devices();
  accx_device operator[](size_t I) const { return All[I]; }

  Environment Variables;
  std::vector<accx_device> All;
};

/// A loaded image.
struct LoadedImage {
  LoadedImage(accx_device Device, const std::string &Name);
  ~LoadedImage() { unload(); }
  LoadedImage(const LoadedImage &) = delete;
  void unload();

  accx_kernel kernel(const char *Name) const;
  template <typename T> T &global(const char *Name) const {
    void *Address = nullptr;
    size_t Size = 0;
    REQUIRE(plugin().image_global(Handle, Name, &Address, &Size) == ACCX_OK);
    REQUIRE(Size == sizeof(T));
    return *static_cast<T *>(Address);
  }

  accx_device Device;
  accx_image Handle = nullptr;
};

/// Launches with the given slots.
accx_status launchSlots(accx_device Device, accx_kernel Kernel,
                        const std::vector<void *> &Slots, uint32_t NumTeams = 0,
                        uint32_t ThreadLimit = 0);

template <typename T> void *toSlot(T Value) {
  static_assert(sizeof(T) <= sizeof(void *));
  if constexpr (std::is_pointer_v<T>)
    return (void *)Value; // functions and constants too
  else
    return reinterpret_cast<void *>(intptr_t(Value));
}

template <typename... Ts>
accx_status launch(accx_device Device, accx_kernel Kernel, Ts... Args) {
  return launchSlots(Device, Kernel, {toSlot(Args)...});
}

#endif // ACCX_TESTS_PLUGIN_HOST_FIXTURE_H
