//===- Abi.cpp - The plugin's table ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Version, device properties, and the parts that are trivial on a host.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstring>
#include <dlfcn.h>
#include <thread>

TEST_CASE("the entry refuses other versions and says why") {
  plugin();
  void *Library = dlopen(PLUGIN_PATH, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(Library);
  auto Get =
      reinterpret_cast<accx_plugin_get_fn>(dlsym(Library, ACCX_PLUGIN_ENTRY));
  const char *Why = nullptr;
  CHECK(Get(ACCX_PLUGIN_ABI_VERSION + 1, &Why) == nullptr);
  REQUIRE(Why);
  CHECK(std::strstr(Why, "version"));
  CHECK(Get(0, nullptr) == nullptr);
  CHECK(plugin().version == ACCX_PLUGIN_ABI_VERSION);
  CHECK(plugin().size == sizeof(accx_plugin));
  CHECK(std::string(plugin().name) == "host");
}

TEST_CASE("every function of the table is there") {
  // The functions follow the two numbers and the name without gaps.
  auto *Begin = reinterpret_cast<void *const *>(&plugin().init);
  auto *End = reinterpret_cast<void *const *>(&plugin() + 1);
  CHECK(End - Begin == 47);
  // queue_adopt is for native queues, which host devices have not; of the last
  // ten four are for memory that the host does not reach, five for what queues
  // put off.
  auto *Optional = reinterpret_cast<void *const *>(&plugin().queue_adopt);
  auto *Sharing = reinterpret_cast<void *const *>(&plugin().memory_find);
  CHECK(End - Sharing == 10);
  for (auto *Function = Begin; Function != End; ++Function)
    CHECK((*Function != nullptr) ==
          (Function != Optional && Function < Sharing));
}

TEST_CASE("device properties") {
  Devices D({{"ACCX_HOST_MEMORY", "3M"}});
  accx_device_info Info;
  REQUIRE(plugin().device_info(D[0], &Info) == ACCX_OK);
  CHECK(Info.features == (ACCX_FEATURE_VA | ACCX_FEATURE_SYNCHRONOUS |
                          ACCX_FEATURE_USM | ACCX_FEATURE_HOST_REACHES));
  CHECK(Info.memory_bytes == 3u << 20);
  CHECK(Info.va_granularity == 2u << 20);
  CHECK(Info.compute_units >= 1);
  CHECK(Info.warp_size == 1);
  CHECK(std::strlen(Info.name) > 0);
#if defined(__x86_64__)
  CHECK(std::string(Info.arch) == "x86_64");
#endif
}

TEST_CASE("a device is opened once and can be opened again") {
  Devices D({{"ACCX_HOST_DEVICES", "2"}});
  accx_device Again = nullptr;
  CHECK(plugin().device_open(1, &Again) == ACCX_ERROR_INVALID);
  CHECK(std::strstr(plugin().last_error(), "already open"));
  CHECK(plugin().device_open(2, &Again) == ACCX_ERROR_INVALID);
  plugin().device_close(D.All[1]);
  REQUIRE(plugin().device_open(1, &D.All[1]) == ACCX_OK);
}

TEST_CASE("queues and events are complete at once") {
  Devices D;
  accx_queue Queue = nullptr, Other = nullptr;
  REQUIRE(plugin().queue_create(D[0], &Queue) == ACCX_OK);
  REQUIRE(plugin().queue_create(D[0], &Other) == ACCX_OK);
  CHECK(Queue != Other);
  accx_event Event = nullptr;
  REQUIRE(plugin().event_create(D[0], &Event) == ACCX_OK);
  CHECK(plugin().event_sync(Event) == ACCX_OK);
  CHECK(plugin().event_record(Event, Queue) == ACCX_OK);
  CHECK(plugin().event_wait(Event, Other) == ACCX_OK);
  CHECK(plugin().event_query(Event) == ACCX_OK);
  CHECK(plugin().queue_query(Queue) == ACCX_OK);
  CHECK(plugin().queue_wait(Queue) == ACCX_OK);
  plugin().event_destroy(Event);
  plugin().queue_destroy(Queue);
  plugin().queue_destroy(Other);

  void *Native[3] = {&D, &D, &D};
  CHECK(plugin().native_handles(D[0], nullptr, &Native[0], &Native[1],
                                &Native[2]) == ACCX_OK);
  for (void *Handle : Native)
    CHECK(Handle == nullptr);
}

TEST_CASE("the text of a failure belongs to its thread") {
  Devices D;
  void *Address = nullptr;
  CHECK(plugin().alloc(D[0], 0, ACCX_MEMORY_DEVICE, &Address) ==
        ACCX_ERROR_INVALID);
  std::string Mine = plugin().last_error();
  std::string Others = "unset";
  std::thread([&] { Others = plugin().last_error(); }).join();
  CHECK(Mine == "allocation of 0 bytes");
  CHECK(Others.empty());
}
