//===- Kernel.h - Kernels of loaded images ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel on one device with its descriptor, and the table that finds it by
// the host address that stands for it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IMAGE_KERNEL_H
#define ACCX_IMAGE_KERNEL_H

#include "device/Device.h"
#include "image/Descriptor.h"
#include "image/KernelParts.h"
#include "support/Abi.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace accx {

/// A kernel of a loaded image. Looked up in the image at its first launch, so
/// that a program with many kernels pays for those it runs.
class Kernel {
public:
  Kernel(Device &D, accx_image Image, const OffloadEntry &Entry)
      : D(D), Image(Image), HostPtr(Entry.Address), Name(Entry.Name) {}

  const void *hostPtr() const { return HostPtr; }
  const char *name() const { return Name; }

  /// What one launch starts, in order: the kernel itself, or the sub-kernels
  /// of its chain.
  struct Step {
    accx_kernel Handle;
    std::string Name;
    std::optional<Descriptor> Desc;
  };

  /// Finds the kernel and reads its descriptor, once.
  Status resolve() {
    if (Resolved.load(std::memory_order_acquire)) [[likely]]
      return Status();
    return resolveSlow();
  }
  /// After resolve().
  const std::vector<Step> &steps() const { return Steps; }
  /// After resolve(): the kernel for launches that cover all iterations, with
  /// the descriptor that says which; null if there is none.
  const Step *wholeGrid() const { return Whole ? &*Whole : nullptr; }
  /// What the kernel does to its arguments, and how the loop can be split that
  /// the program distributes; read once. Null if the image does not say.
  Expected<const KernelParts *> parts();
  /// The same if it tells all that the kernel writes; null otherwise.
  const KernelParts *knownWrites();
  /// The descriptor whose workspace the whole launch uses, if any.
  const std::optional<Descriptor> &descriptor() const { return Desc; }

private:
  [[gnu::cold]] Status resolveSlow();
  Expected<std::optional<Descriptor>> readDescriptor(const std::string &Of);
  /// The image's constant \p Symbol, of at least \p Header bytes, which say
  /// how many there are (\p Total) where the image does not. Empty if there is
  /// none.
  Expected<std::vector<char>>
  readTable(const std::string &Symbol, size_t Header,
            size_t (*Total)(std::span<const char> Bytes));

  Device &D;
  accx_image Image;
  const void *HostPtr;
  const char *Name;
  std::mutex Mutex;
  std::atomic<bool> Resolved{false};
  std::optional<Descriptor> Desc;
  std::vector<Step> Steps;
  std::optional<Step> Whole;
  std::optional<KernelParts> Parts;
  std::atomic<bool> KnowsParts{false};
};

/// Immutable open-addressing map from host addresses to kernels. Holds the
/// addresses itself: who still looks into a table that was replaced must not
/// touch kernels of a library that went.
class KernelTable {
  struct Slot {
    const void *HostPtr = nullptr;
    Kernel *K = nullptr;
  };
  std::vector<Slot> Slots; ///< A power of two, at most half full.

  static size_t hash(const void *HostPtr) {
    // Region ids are neighbouring bytes: spread them.
    return (reinterpret_cast<uintptr_t>(HostPtr) * 0x9e3779b97f4a7c15u) >> 32;
  }

public:
  explicit KernelTable(const std::vector<Kernel *> &Kernels);
  Kernel *find(const void *HostPtr) const {
    for (size_t I = hash(HostPtr);; ++I) {
      const Slot &S = Slots[I & (Slots.size() - 1)];
      if (!S.K || S.HostPtr == HostPtr)
        return S.K;
    }
  }
};

} // namespace accx

#endif // ACCX_IMAGE_KERNEL_H
