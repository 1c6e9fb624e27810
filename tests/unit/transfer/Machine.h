//===- Machine.h - Devices of a fault plugin --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices without the rest of the runtime, several kinds of them in one
// process.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_TRANSFER_MACHINE_H
#define ACCX_TESTS_TRANSFER_MACHINE_H

#include "device/AsyncQueue.h"
#include "device/Device.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace accx {

/// A fault plugin of its own, over a host plugin of its own.
class Machine {
  std::unique_ptr<Plugin> P;

public:
  /// Never closed: the process ends with them.
  std::vector<Device *> Devices;

  explicit Machine(const std::string &Options) {
    static int Count = 0;
    const auto Folder = std::filesystem::temp_directory_path() /
                        ("accx-transfer-" + std::to_string(getpid()) + "-" +
                         std::to_string(Count++));
    std::filesystem::create_directory(Folder);
    const auto Base = Folder / "libaccx.rtl.base.so",
               Own = Folder / "libaccx.rtl.fault.so";
    std::filesystem::copy_file(ACCX_HOST_PLUGIN, Base);
    std::filesystem::copy_file(ACCX_TEST_PLUGINS "/libaccx.rtl.fault.so", Own);
    setenv("ACCX_HOST_DEVICES", "3", 1);
    setenv("ACCX_FAULT", "", 1);
    setenv("ACCX_FAULT_BASE", Base.c_str(), 1);
    setenv("ACCX_FAULT_OPTIONS", Options.c_str(), 1);
    auto Loaded = Plugin::load(Own);
    std::filesystem::remove_all(Folder);
    REQUIRE(Loaded.ok());
    P = std::move(*Loaded);
    static int Id = 0;
    for (uint32_t I = 0; I < P->numDevices(); ++I) {
      auto D = Device::open(*P, I, Id++);
      REQUIRE(D.ok());
      Devices.push_back((*D).release());
    }
  }

  AsyncQueue &queue(unsigned I) {
    auto Q = Devices[I]->asyncQueue(0);
    REQUIRE(Q.ok());
    return **Q;
  }
};

} // namespace accx

#endif // ACCX_TESTS_TRANSFER_MACHINE_H
