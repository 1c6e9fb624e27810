//===- Capture.h - Making graphs --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph of the driver is what streams would have done while they are
// captured. Those of several devices are captured together.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_CAPTURE_H
#define ACCX_PLUGIN_CUDA_CAPTURE_H

#include "Image.h"
#include "Lanes.h"

#include <span>
#include <vector>

namespace accx::cuda {

/// What the driver needs for a launch.
struct ReadyLaunch {
  const Kernel *K;
  LaunchShape Shape;
  uint32_t SharedBytes;
  std::span<void *> Args;
};

/// A copy of bytes to another device, by a queue of the one that has them.
struct PeerCopy {
  Device *From, *To;
  CUdeviceptr Dst, Src;
  size_t Size;

  bool operator==(const PeerCopy &) const = default;
  /// Whether the two may be made in any order.
  bool isApartFrom(const PeerCopy &Other) const;
};

/// Queues \p C on \p Stream, of the device that has the bytes.
accx_status copyNow(CUstream Stream, const PeerCopy &C);

/// Queues \p L on \p Stream. \p MayOverlap: blocks may start while the kernel
/// before on the stream ends.
accx_status launchNow(CUstream Stream, const ReadyLaunch &L,
                      bool MayOverlap = true);

/// Of the thread that makes it.
class Capture {
public:
  /// One stream for each of \p Streams. The others hang on that of \p Lead.
  Capture(const Lanes &Streams, size_t Lead);
  ~Capture();
  Capture(const Capture &) = delete;

  /// \name False if the driver does not do it
  /// @{
  bool begin();
  /// Adds \p L to stream \p I; its node to \p Made.
  bool launch(size_t I, const ReadyLaunch &L, CUgraphNode &Made);
  /// Adds \p P to stream \p I.
  bool copy(size_t I, const PeerCopy &P);
  /// Each stream waits for all others.
  bool meet();
  /// @}
  /// Ends what begin() began. Null if that did not become a graph.
  CUgraph end();

private:
  struct Captured {
    Device &D;
    CUstream Stream = nullptr;
    /// What is there last is a kernel.
    bool EndsInKernel = false;
  };

  bool wait(size_t I, size_t Other);
  bool leadWaits();
  bool othersWait();

  std::vector<Captured> All;
  std::vector<CUevent> Events;
  const size_t Lead;
  bool Begun = false;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_CAPTURE_H
