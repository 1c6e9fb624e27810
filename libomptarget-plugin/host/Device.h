//===- Device.h - A host device ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What belongs to one device: memory, images, executors.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_DEVICE_H
#define ACCX_PLUGIN_HOST_DEVICE_H

#include "ExecutorPool.h"
#include "Image.h"
#include "Memory.h"
#include "Windows.h"

#include <algorithm>

namespace accx::host {

struct Device {
  Device(uint32_t Ordinal, uint64_t MemoryBytes, const Placement &Cores)
      : Ordinal(Ordinal), Memory(MemoryBytes), Blocks(Memory), Reserved(Memory),
        Executors(Cores, Ordinal) {}

  accx_status loadImage(const void *Data, size_t Size, Image **Out);
  void unloadImage(Image *I);

  void lockForFork();
  void unlockAfterFork();

  const uint32_t Ordinal;
  Budget Memory;
  Allocations Blocks;
  Windows Reserved;
  ExecutorPool Executors;

private:
  Lock ImagesGuard;
  /// Oldest first.
  std::vector<Image *> Images;
};

/// A loaded image and where it belongs; what accx_image points to.
struct DeviceImage : Image {
  DeviceImage(Device &D, Module::Ref M) : Image(std::move(M)), Owner(D) {}
  Device &Owner;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_DEVICE_H
