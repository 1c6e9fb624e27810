//===- Device.cpp - A host device -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of a device's images.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

using namespace accx;
using namespace accx::host;

accx_status Device::loadImage(const void *Data, size_t Size, Image **Out) {
  ElfView Elf(Data, Size);
  if (accx_status S = Elf.check())
    return S;

  std::vector<Module::Ref> Siblings;
  {
    std::lock_guard Locked(ImagesGuard);
    for (const Image *I : Images)
      Siblings.push_back(I->module());
  }
  // No lock here: constructors of the image may do anything.
  Module::Ref M;
  if (accx_status S = Module::load(Elf, Data, Size, Siblings, M))
    return S;

  auto *I = new DeviceImage(*this, std::move(M));
  std::lock_guard Locked(ImagesGuard);
  Images.push_back(I);
  *Out = I;
  return ACCX_OK;
}

void Device::unloadImage(Image *I) {
  {
    std::lock_guard Locked(ImagesGuard);
    Images.erase(std::remove(Images.begin(), Images.end(), I), Images.end());
  }
  delete static_cast<DeviceImage *>(I);
}

void Device::lockForFork() {
  ImagesGuard.lock();
  Reserved.lockForFork();
  Executors.lockForFork();
  Blocks.lockForFork();
}

void Device::unlockAfterFork() {
  Blocks.unlockAfterFork();
  Executors.unlockAfterFork();
  Reserved.unlockAfterFork();
  ImagesGuard.unlock();
}
