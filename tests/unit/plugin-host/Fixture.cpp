//===- Fixture.cpp - The host plugin under test ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading of the plugin and of test images.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/// libomp keeps what it has of a thread's to the end of the process.
extern "C" [[gnu::visibility("default")]] const char *
__lsan_default_suppressions() {
  return "leak:libomp.so\n";
}
#endif
#if __has_feature(thread_sanitizer)
/// libomp is not instrumented: the sanitizer cannot see what it synchronizes.
extern "C" [[gnu::visibility("default")]] const char *
__tsan_default_suppressions() {
  return "race:libomp.so\ncalled_from_lib:libomp.so\n";
}
extern "C" [[gnu::visibility("default")]] const char *__tsan_default_options() {
  return "die_after_fork=0:report_thread_leaks=0";
}
#endif
#endif

const accx_plugin &plugin() {
  static const accx_plugin *Table = [] {
    void *Library = dlopen(PLUGIN_PATH, RTLD_NOW | RTLD_LOCAL);
    INFO((Library ? "" : dlerror()));
    REQUIRE(Library);
    auto Get =
        reinterpret_cast<accx_plugin_get_fn>(dlsym(Library, ACCX_PLUGIN_ENTRY));
    REQUIRE(Get);
    const accx_plugin *Got = Get(ACCX_PLUGIN_ABI_VERSION, nullptr);
    REQUIRE(Got);
    return Got;
  }();
  return *Table;
}

std::vector<unsigned char> readImage(const std::string &Name) {
  std::ifstream File(std::string(IMAGE_FOLDER "/") + Name + ".img",
                     std::ios::binary);
  REQUIRE(File);
  return {std::istreambuf_iterator<char>(File),
          std::istreambuf_iterator<char>()};
}

Environment::Environment(List Variables) {
  for (auto [Name, Value] : Variables) {
    if (const char *Old = std::getenv(Name))
      Before.emplace_back(Name, Old);
    else
      Unset.push_back(Name);
    if (*Value)
      setenv(Name, Value, 1);
    else
      unsetenv(Name);
  }
}

Environment::~Environment() {
  for (auto &[Name, Value] : Before)
    setenv(Name.c_str(), Value.c_str(), 1);
  for (const std::string &Name : Unset)
    unsetenv(Name.c_str());
}

Devices::Devices(Environment::List List) : Variables(List) {
  uint32_t Count = 0;
  INFO(plugin().last_error());
  REQUIRE(plugin().init(&Count) == ACCX_OK);
  for (uint32_t I = 0; I < Count; ++I) {
    accx_device Device = nullptr;
    REQUIRE(plugin().device_open(I, &Device) == ACCX_OK);
    All.push_back(Device);
  }
}

Devices::~Devices() {
  for (accx_device Device : All)
    plugin().device_close(Device);
  plugin().fini();
}

LoadedImage::LoadedImage(accx_device Device, const std::string &Name)
    : Device(Device) {
  std::vector<unsigned char> Bytes = readImage(Name);
  accx_status Status =
      plugin().image_load(Device, Bytes.data(), Bytes.size(), &Handle);
  INFO(plugin().last_error());
  REQUIRE(Status == ACCX_OK);
  REQUIRE(Handle);
}

void LoadedImage::unload() {
  if (Handle)
    CHECK(plugin().image_unload(Handle) == ACCX_OK);
  Handle = nullptr;
}

accx_kernel LoadedImage::kernel(const char *Name) const {
  accx_kernel Kernel = nullptr;
  REQUIRE(plugin().image_kernel(Handle, Name, &Kernel) == ACCX_OK);
  return Kernel;
}

accx_status launchSlots(accx_device Device, accx_kernel Kernel,
                        const std::vector<void *> &Slots, uint32_t NumTeams,
                        uint32_t ThreadLimit) {
  accx_launch Launch = {};
  Launch.args = Slots.data();
  Launch.num_args = uint32_t(Slots.size());
  Launch.num_teams = NumTeams;
  Launch.thread_limit = ThreadLimit;
  return plugin().launch(Device, nullptr, Kernel, &Launch);
}
