//===- Variant.cpp - What a test runs on ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ACCX_TEST_VARIANT is <plugin>-<directory>:
//
//   host    the host plugin as it is
//   sync    the fault plugin over it, which also records launches
//   async   the same with asynchronous queues
//   held    the same, and launches that may wait do
//   far     as async, and the host does not reach device memory
//   staged  as async, and the queues read what small copies bring at once
//
//   mirror  windows that mirror host addresses
//   fused   blocks, because ACCX_DIRECTORY says so
//   nova    blocks, because the device cannot reserve addresses (not host)
//
// The runtime reads its variables when it is loaded, which is before anything
// of the test program runs: the program starts itself anew with them set.
//
//===----------------------------------------------------------------------===//

#include "harness/Variant.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace harness;

namespace {

constexpr const char *FaultPlugin = ACCX_TEST_PLUGINS "/libaccx.rtl.fault.so";
constexpr const char *Applied = "ACCX_TEST_VARIANT_APPLIED";

[[noreturn]] void die(const char *Why) {
  std::fprintf(stderr, "test variant: %s\n", Why);
  std::abort();
}

[[gnu::constructor]] void applyVariant(int, char **Argv, char **) {
  const char *Wanted = std::getenv("ACCX_TEST_VARIANT");
  if (!Wanted || std::getenv(Applied))
    return;
  const std::string Name = Wanted;
  const size_t Dash = Name.find('-');
  if (Dash == std::string::npos)
    die("no such variant");
  const std::string Plugin = Name.substr(0, Dash);
  const std::string Directory = Name.substr(Dash + 1);
  std::string Options = "record";
  if (Plugin == "async")
    Options += ",async";
  else if (Plugin == "held")
    Options += ",async,hold";
  else if (Plugin == "far")
    Options += ",async,no_reach";
  else if (Plugin == "staged")
    Options += ",async,staged=16384";
  else if (Plugin != "sync" && Plugin != "host")
    die("no such plugin");
  if (Directory == "nova" && Plugin != "host")
    Options += ",no_va";
  else if (Directory == "fused")
    setenv("ACCX_DIRECTORY", "fused", 1);
  else if (Directory != "mirror")
    die("no such directory");
  setenv("LIBOMPTARGET_PLUGIN",
         Plugin == "host" ? ACCX_HOST_PLUGIN : FaultPlugin, 1);
  setenv("ACCX_FAULT_OPTIONS", Options.c_str(), 1);
  setenv(Applied, "1", 1);
  execv("/proc/self/exe", Argv);
  die("cannot start anew");
}

template <typename Fn> Fn *control(const char *Name) {
  static void *Handle = dlopen(FaultPlugin, RTLD_NOW | RTLD_NOLOAD);
  if (!Handle)
    die("the fault plugin is not loaded");
  return reinterpret_cast<Fn *>(dlsym(Handle, Name));
}

} // namespace

std::string harness::variant() {
  const char *Name = std::getenv("ACCX_TEST_VARIANT");
  return Name ? Name : "";
}

void harness::setFaults(const char *Faults) {
  if (!control<int(const char *)>("accx_fault_set")(Faults))
    die("no such faults");
}

std::vector<accx_launch> harness::takeLaunches() {
  std::vector<accx_launch> Launches(256);
  Launches.resize(control<unsigned(accx_launch *, unsigned)>(
      "accx_fault_take_launches")(Launches.data(), 256));
  return Launches;
}

accx_fault_event_calls harness::takeEventCalls() {
  return control<accx_fault_event_calls()>("accx_fault_take_event_calls")();
}
