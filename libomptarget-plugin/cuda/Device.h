//===- Device.h - A GPU -----------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One GPU: its properties, its primary context, and the pools that belong to
// it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_DEVICE_H
#define ACCX_PLUGIN_CUDA_DEVICE_H

#include "CopyCrew.h"
#include "Driver.h"
#include "Geometry.h"
#include "Settings.h"
#include "Sharing.h"
#include "Windows.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace accx::cuda {

class Queue;

/// What the driver says about a GPU; needs no context.
struct Properties {
  char Name[128] = {};
  int Major = 0, Minor = 0;
  size_t MemoryBytes = 0;
  size_t Granularity = 0; ///< Of windows; 0 if there are none.
  size_t MaxPitch = 0;
  uint32_t MaxSharedBytes = 0;
  uint32_t MaxThreadsPerMultiprocessor = 0;
  bool PageableAccess = false;
  bool Exportable = false; ///< Other processes can map memory of windows.
  DeviceLimits Limits = {};

  accx_status read(CUdevice Handle);
};

/// The pauses of a thread that waits for a device. None at first; then naps of
/// a small part of the time waited so far, so that a wait ends at most that
/// much late and a long one costs no core. The driver's own way of sleeping, by
/// interrupt, was seen to end half a millisecond late.
class Patience {
  uint64_t Start = 0;
  const uint64_t SpinNanoseconds;

public:
  explicit Patience(uint64_t SpinMicroseconds)
      : SpinNanoseconds(SpinMicroseconds * 1000) {}
  void pause();
};

/// Thread-safe. Opening a device costs little: the context is made by the first
/// call that needs one, so that programs which never use the GPU do not pay for
/// it.
class Device {
public:
  Device(uint32_t Ordinal, CUdevice Handle, const Properties &Props,
         const Settings &Env, uint32_t NumDevices)
      : Ordinal(Ordinal), NumDevices(NumDevices), Handle(Handle), Props(Props),
        Env(Env), Reserved(*this), Imported(*this),
        Hands(unsigned(Env.CopyThreads)), OtherHands(unsigned(Env.CopyThreads)),
        ToDevice(*this, Hands), FromDevice(*this, OtherHands) {}
  ~Device();

  const uint32_t Ordinal;
  const uint32_t NumDevices;
  const CUdevice Handle;
  const Properties Props;
  const Settings &Env;

  /// Makes the context if there is none yet.
  accx_status activate() {
    return Active.load(std::memory_order_acquire) ? ACCX_OK : activateSlow();
  }
  /// After activate().
  CUcontext context() const { return Context; }
  /// Ahead of the first image whose kernels call malloc: for private arrays of
  /// run-time length, or for variables that functions keep pointers to. The
  /// driver's 8 MiB are too little for those of all threads.
  void enlargeHeap();

  /// Records the failure of a driver call. The first error that ends the
  /// context is ACCX_ERROR_KERNEL, everything after it ACCX_ERROR_DEVICE_LOST.
  [[gnu::format(printf, 3, 4), gnu::cold]] accx_status
  failure(CUresult Result, const char *Format, ...);
  /// Asks \p Query (of a stream or an event) until its answer is not "not
  /// ready".
  template <typename Ask> CUresult await(Ask Query) const {
    CUresult Result = Query();
    if (Result != CUDA_ERROR_NOT_READY)
      return Result;
    for (Patience P(Env.SpinMicroseconds); Result == CUDA_ERROR_NOT_READY;
         Result = Query())
      P.pause();
    return Result;
  }

  /// Events without timing, for reuse.
  accx_status takeEvent(CUevent &Event);
  void giveEvent(CUevent Event);
  /// Queues for operations that are complete when the call returns.
  accx_status takeQueue(Queue *&Q);
  void giveQueue(Queue *Q);

  /// The kernel that moves many small pieces; null if it cannot be had.
  CUfunction pieceKernel();
  /// Lets this device use \p Other's memory directly. False if it cannot.
  bool reach(Device &Other);
  /// Whether the two are one GPU.
  bool sharesGpu(const Device &Other) const { return Handle == Other.Handle; }

  /// Kernels that were launched in graphs, until somebody asks.
  std::atomic<uint64_t> NumReplayed{0};

  Windows Reserved;
  ImportedMemory Imported;
  /// Those of all copies but of large arrays from the device, which may be
  /// under way together with large ones to it.
  Helpers Hands, OtherHands;
  CopyCrew ToDevice, FromDevice;

private:
  [[gnu::cold]] accx_status activateSlow();

  bool HasLargeHeap = false; // under Lock
  std::atomic<bool> Active{false};
  std::atomic<bool> Lost{false};
  CUcontext Context = nullptr;

  std::mutex Lock;
  std::vector<CUevent> IdleEvents;
  std::vector<Queue *> IdleQueues;
  /// Devices that were asked for, and whether it reaches them.
  std::map<const Device *, bool> Reached;
  bool TriedPieceKernel = false;
  std::atomic<CUfunction> PieceKernel{nullptr};
};

/// A device's context, made current for a call.
class Entered {
  struct Activated {
    accx_status Status;
    explicit Activated(Device &D) : Status(D.activate()) {}
  } First;
  ContextScope Scope;

public:
  explicit Entered(Device &D) : First(D), Scope(D.context()) {}
  accx_status status() const { return First.Status; }
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_DEVICE_H
