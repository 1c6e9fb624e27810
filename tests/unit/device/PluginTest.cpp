//===- PluginTest.cpp - Loading device plugins ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins that can be used and plugins that cannot, and what failures of their
// functions become.
//
//===----------------------------------------------------------------------===//

#include "device/Plugin.h"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace accx;

namespace {

std::string pathOf(const std::string &Name) {
  return ACCX_TEST_PLUGINS "/libaccx.rtl." + Name + ".so";
}

std::string failure(const std::string &Path) {
  auto P = Plugin::load(Path);
  return P.ok() ? "" : P.takeStatus().text();
}

} // namespace

TEST_CASE("A plugin that cannot be used says why") {
  using Catch::Contains;
  CHECK_THAT(failure("/no/such/plugin.so"),
             Contains("/no/such/plugin.so") && Contains("No such file"));
  CHECK_THAT(failure(pathOf("other_version")),
             Contains("needs 2, the plugin has 3"));
  CHECK_THAT(failure(pathOf("refuses")),
             Contains("needs 2; this plugin speaks version 7 only"));
  CHECK_THAT(failure(pathOf("short_table")),
             Contains("the plugin has 2 with a shorter table"));
  CHECK_THAT(failure(pathOf("does_not_start")),
             Contains("failed to start: the coffee machine"));
  CHECK_THAT(failure(pathOf("no_symbol")),
             Contains("no symbol accx_plugin_get"));
}

TEST_CASE("A list of plugins leaves out what cannot be used") {
  setenv("ACCX_FAULT", "", 1);
  auto None = loadPlugins(pathOf("refuses") + ":/no/such/plugin.so");
  CHECK(None.empty());
  // Twice in the list is once; empty parts are nothing.
  auto One = loadPlugins("::" + pathOf("refuses") + ":" + pathOf("fault") +
                         ":" + pathOf("fault") + ":");
  REQUIRE(One.size() == 1);
  CHECK(One[0]->path() == pathOf("fault"));
  CHECK(std::string(One[0]->name()) == "fault");
  CHECK(One[0]->numDevices() == 4);
}

TEST_CASE("A failing function becomes a status with the plugin's words") {
  setenv("ACCX_FAULT", "device_open:1,alloc:1,copy_to:1,launch:1,lost:1", 1);
  auto Loaded = Plugin::load(pathOf("fault"));
  REQUIRE(Loaded.ok());
  const Plugin &P = **Loaded;
  const accx_plugin &Api = P.api();
  CHECK(P.check(ACCX_OK).ok());

  accx_device Device = nullptr;
  Status Open = P.check(Api.device_open(0, &Device));
  REQUIRE(Open.failed());
  CHECK(Open.code() == ErrorCode::Unknown);
  CHECK(Open.text() == "injected: device_open");
  REQUIRE(P.check(Api.device_open(0, &Device)).ok());

  void *Address = nullptr;
  Status Alloc = P.check(Api.alloc(Device, 100, ACCX_MEMORY_DEVICE, &Address));
  REQUIRE(Alloc.failed());
  CHECK(Alloc.code() == ErrorCode::OutOfMemory);
  REQUIRE(P.check(Api.alloc(Device, 100, ACCX_MEMORY_DEVICE, &Address)).ok());
  CHECK(reinterpret_cast<uintptr_t>(Address) % 256 == 0);

  char Host[100] = {};
  const accx_copy Copy = {ACCX_TO_DEVICE, Address, Host, sizeof(Host), 1, 0, 0,
                          nullptr};
  Status Transfer = P.check(Api.copy(Device, nullptr, &Copy));
  REQUIRE(Transfer.failed());
  CHECK(Transfer.code() == ErrorCode::Unknown);

  // The second copy is the first that `lost` counts.
  Status Gone = P.check(Api.copy(Device, nullptr, &Copy));
  REQUIRE(Gone.failed());
  CHECK(Gone.code() == ErrorCode::DeviceLost);
  CHECK(P.check(Api.copy(Device, nullptr, &Copy)).code() ==
        ErrorCode::DeviceLost);
  CHECK(P.check(Api.alloc(Device, 1, ACCX_MEMORY_DEVICE, &Address)).code() ==
        ErrorCode::DeviceLost);
}
