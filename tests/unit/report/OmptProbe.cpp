// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose constructs are seen by a tool of a given kind.

#include "FakeLibomp.h"
#include "report/Ompt.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

using namespace accx::ompt;

extern "C" void ompt_libomptarget_connect(ompt_start_tool_result_t *);
namespace llvm::omp::target::ompt {
extern thread_local void *ReturnAddress;
} // namespace llvm::omp::target::ompt

namespace {

const void *at(uintptr_t Address) {
  return reinterpret_cast<const void *>(Address);
}

constexpr int Host = 4;

void construct() {
  ReturnAddressScope Caller(at(0xc0de));
  ReturnAddressScope Nested(at(0xbad));
  RegionScope Region(ompt_target, 1);
  {
    DataOpScope Op(ompt_target_data_alloc, at(0x10), Host, nullptr, 1, 64);
    Op.setDst(at(0xd0));
  }
  {
    DataOpScope Op(ompt_target_data_transfer_to_device, at(0x10), Host,
                   at(0xd0), 1, 64);
  }
  {
    SubmitScope Submit(7);
    DataOpScope Inner(ompt_target_data_transfer_from_device, at(0xd0), 1,
                      at(0x10), Host, 8);
  }
  {
    DataOpScope Op(ompt_target_data_delete, at(0xd0), 1, at(0x10), Host, 64);
  }
}

void nestedRegions() {
  ReturnAddressScope Caller(at(0xc0de));
  RegionScope Outer(ompt_target_enter_data, 0);
  {
    RegionScope Inner(ompt_target_update, 2);
  }
  {
    // Out of memory that was there before: the address is known at once.
    DataOpScope Op(ompt_target_data_alloc, at(0x10), Host, at(0xd0), 0, 4);
  }
  DataOpScope Op(ompt_target_data_associate, at(0x10), Host, at(0xd0), 0, 4);
}

/// As the runtime's workers do for constructs of other threads.
void moved() {
  {
    RegionScope Region(ompt_target_exit_data, 3, at(0xf00d));
    DataOpScope Op(ompt_target_data_transfer_from_device, at(0xd0), 3, at(0x10),
                   Host, 8);
  }
  printf("address afterwards: %d\n", returnAddress() != nullptr);
  DataOpScope Alone(ompt_target_data_disassociate, at(0x10), Host, nullptr, 3,
                    0);
}

int pluginInitialize(ompt_function_lookup_t Lookup, int, ompt_data_t *) {
  printf("plugin initialize callback=%d\n",
         Lookup("ompt_get_callback") != nullptr);
  return 1;
}
void pluginFinalize(ompt_data_t *) { printf("plugin finalize\n"); }
ompt_start_tool_result_t Plugin = {pluginInitialize, pluginFinalize,
                                   ompt_data_none};

} // namespace

int main(int Argc, char **Argv) {
  if (Argc > 1)
    ToolMode = Argv[1];
  const std::string What = Argc > 2 ? Argv[2] : "";
  setvbuf(stdout, nullptr, _IOLBF, 0);
  registerThread(11, 22);
  connect();
  connect();
  printf("enabled=%d\n", enabled());

  if (What == "construct") {
    construct();
    printf("address afterwards: %d\n",
           llvm::omp::target::ompt::ReturnAddress != nullptr);
  } else if (What == "nested") {
    nestedRegions();
  } else if (What == "moved") {
    std::thread(moved).join();
  } else if (What == "devices") {
    deviceInitialize(2, "kind");
    deviceLoad(2, "image.o", at(0x1000), 99);
    deviceUnload(2, at(0x1000));
    deviceFinalize(2);
  } else if (What == "plugin") {
    ompt_libomptarget_connect(nullptr);
    ompt_libomptarget_connect(&Plugin);
  } else if (What == "ended") {
    ReturnAddressScope Caller(at(0xc0de));
    RegionScope Region(ompt_target, 1);
    endTool();
    printf("enabled=%d\n", enabled());
    construct();
  } else if (What != "") {
    return 2;
  }
  endTool();
  return 0;
}
