//===- Registry.h - Registered programs and their images --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs and shared objects registered: their offload entries and device
// images, which device runs which image, and the way from a host address to a
// kernel.
//
//===----------------------------------------------------------------------===//
//
// A library (one BinaryDesc) is registered before main or by dlopen. Devices of
// a plugin appear as soon as some library has an image for them. Images are
// loaded when a device is first used after the registration:
//
//   register: Epoch++          use of device d: LoadedEpoch(d) == Epoch?
//                                 no -> load missing images, map their globals,
//                                       publish a new KernelTable
//
// so that the usual launch costs two loads and one hash probe.
//
// Libraries register and unregister from constructors and destructors that run
// under the dynamic linker's lock, and loading an image takes that lock. So the
// mutex that registration needs is never held while an image is loaded or
// unloaded: load() works on a copy of what it needs of the library, and images
// of a removed library are unloaded by whoever holds, or can take, LoadMutex.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IMAGE_REGISTRY_H
#define ACCX_IMAGE_REGISTRY_H

#include "device/Device.h"
#include "image/Kernel.h"
#include "support/Abi.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accx {

/// Thread-safe.
class Registry {
public:
  static Registry &get();

  /// __tgt_register_lib and __tgt_unregister_lib.
  void add(BinaryDesc *Desc);
  void remove(BinaryDesc *Desc);

  /// Loads all plugins and opens devices without images being registered
  /// (__tgt_init_all_rtls).
  void startPlugins();

  /// Makes all registered images usable on \p D. Cheap when they are.
  Status prepare(Device &D) {
    if (isPrepared(D)) [[likely]]
      return Status();
    return load(D);
  }
  bool isPrepared(const Device &D) const {
    return D.LoadedEpoch.load(std::memory_order_acquire) ==
           Epoch.load(std::memory_order_acquire);
  }

  /// The kernel that stands for \p HostPtr on \p D, which is prepared; null if
  /// there is none. Valid until its library is removed.
  static Kernel *findKernel(Device &D, const void *HostPtr) {
    const KernelTable *Table = D.Kernels.load(std::memory_order_acquire);
    return Table ? Table->find(HostPtr) : nullptr;
  }

  /// Whether a program or library with device code has ever been registered.
  bool everFilled() const { return Filled.load(std::memory_order_relaxed); }

  /// Whether `requires unified_shared_memory` is in force.
  bool unifiedSharedMemory() const {
    return Requirements.load(std::memory_order_relaxed) &
           RequiresUnifiedSharedMemory;
  }
  /// Whether \p D uses the host's bytes of data that it has no copy of.
  bool sharesMemory(const Device &D) const {
    return D.unified() || unifiedSharedMemory();
  }

  /// Number of images that no device could use, and why the last one could not
  /// be, for the message of a failed construct.
  size_t unusedImages(std::string &Why);

private:
  /// A library's image on one device.
  struct LoadedImage {
    accx_image Image = nullptr;
    /// In order of entries.
    std::vector<std::unique_ptr<Kernel>> Kernels;
    /// What it added to the device's directory.
    std::vector<HostRange> Globals;
  };
  struct Library {
    /// The program's; gone once Removed is set.
    BinaryDesc *Desc;
    bool Removed = false;
    /// The image each device runs, by the device's number.
    std::map<int, const DeviceImage *> ImageOf;
    std::map<int, LoadedImage> Loaded;
  };
  /// What loading needs of a library, independent of the library's memory.
  struct LoadJob;
  struct LeavingImage {
    Device *D;
    LoadedImage Image;
  };

  void loadPluginsOnce();
  void addRequirements(const BinaryDesc &Desc);
  void matchImages(Library &L);
  [[gnu::cold]] Status load(Device &D);
  /// The next library \p D has not loaded; false if there is none, which then
  /// is published.
  Expected<bool> nextJob(Device &D, LoadJob &Job);
  Status loadImage(Device &D, LoadJob &Job);
  /// Makes the loaded image known, unless its library went meanwhile.
  Status adopt(Device &D, LoadJob &Job);
  Status mapGlobal(Device &D, LoadedImage &Image, const OffloadEntry &Entry,
                   uintptr_t Address);
  void forgetGlobals(Device &D, LoadedImage &Image);
  void unloadLeaving();
  void publishKernels(Device &D);
  void dumpEntries(const Library &L) const;

  /// Serializes loading and unloading of images. Taken before Mutex; never
  /// waited for by add() and remove().
  std::mutex LoadMutex;
  /// Guards everything below.
  std::mutex Mutex;
  std::atomic<uint64_t> Epoch{0};
  std::atomic<int32_t> Requirements{0};
  bool PluginsLoaded = false;
  std::vector<std::unique_ptr<Plugin>> Plugins;
  /// The device that stands for ordinal o of plugin p; null: not opened yet.
  std::map<std::pair<Plugin *, uint32_t>, Device *> Opened;
  std::vector<std::shared_ptr<Library>> Libraries;
  /// Images of removed libraries that are still to be unloaded.
  std::vector<LeavingImage> Leaving;
  /// Tables that readers may still look at.
  std::vector<std::unique_ptr<const KernelTable>> Retired;
  size_t Unused = 0;
  std::atomic<bool> Filled{false};
  std::string UnusedWhy;
};

} // namespace accx

#endif // ACCX_IMAGE_REGISTRY_H
