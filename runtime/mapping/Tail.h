//===- Tail.h - What an asynchronous construct leaves behind ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A construct on an asynchronous queue changes the directory when it is queued
// and settles its plans at once: other constructs of the queue come after its
// copies anyway, and those of other queues have to be ordered by the program.
// What must not happen is that memory goes before the queue is past. So every
// entry the construct uses is pinned until then.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_TAIL_H
#define ACCX_MAPPING_TAIL_H

#include "mapping/Launch.h"
#include "mapping/Privates.h"

#include <cstddef>
#include <memory_resource>
#include <optional>

namespace accx {

/// Device and host memory of one target region's launch.
struct RegionResources {
  PrivateArguments Privates;
  LaunchResources Launch;
  explicit RegionResources(Device &D) : Privates(D), Launch(D) {}
  bool any() const { return Privates.hasBlock() || Launch.hasWorkspace(); }
};

struct ConstructTail final : AsyncQueue::Tail {
private:
  /// Room for the pins of the usual construct.
  static constexpr size_t Usual = 7;
  alignas(Entry *) std::byte Few[Usual * sizeof(Entry *)];
  std::pmr::monotonic_buffer_resource PinMemory{Few, sizeof(Few)};

public:
  Device &D;
  std::pmr::vector<Entry *> Pins{&PinMemory};
  std::vector<std::unique_ptr<char[]>> Staging;
  std::optional<RegionResources> Resources;

  explicit ConstructTail(Device &D) : D(D) { Pins.reserve(Usual); }
  bool hasMemory() const override {
    return !Staging.empty() || (Resources && Resources->any());
  }
  ~ConstructTail() override {
    if (Pins.empty())
      return;
    std::lock_guard Lock(D.MapMutex);
    for (Entry *E : Pins)
      D.Maps.unpin(E);
    D.notifyMapChanged();
  }
};

} // namespace accx

#endif // ACCX_MAPPING_TAIL_H
