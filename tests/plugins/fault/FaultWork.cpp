//===- FaultWork.cpp - Work that fails on demand --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies, fills and launches: at once, or on a queue of AsyncQueue.h, where
// they run later.
//
//===----------------------------------------------------------------------===//

#include "FaultPlugin.h"
#include "Faults.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace fault {

/// What was asked of launch(), for tests.
static std::mutex LaunchesMutex;
static std::vector<accx_launch> &Launches = *new std::vector<accx_launch>;

/// \p Code with the text that belongs to it on this thread.
static Failure failureOf(accx_status Code) {
  return Code == ACCX_OK ? Failure() : Failure{Code, lastError()};
}

/// Runs \p Run now, or on its queue.
static accx_status enqueue(accx_queue Queue, std::function<accx_status()> Run,
                           const Uses &U = {}, bool Held = false) {
  if (!Queue)
    return Run();
  forgetText();
  toQueue(Queue)->push([Run = std::move(Run)] { return failureOf(Run()); }, U,
                       Held);
  return ACCX_OK;
}

static size_t extent(size_t Width, size_t Height, size_t Pitch) {
  return Height > 1 ? (Height - 1) * Pitch + Width : Width;
}

static accx_status copyAs(accx_device Device, accx_queue Queue,
                          const accx_copy *Copy, bool Held) {
  static constexpr const char *Names[] = {"copy_to", "copy_from", "copy_within",
                                          "copy_peer"};
  accx_copy C = *Copy;
  if (Options.NoPeer && C.direction == ACCX_TO_PEER)
    return fail(ACCX_ERROR_UNSUPPORTED, "this device reaches no other");
  const Bytes Dst = {C.dst, extent(C.width, C.height, C.dst_pitch)};
  const Bytes Src = {C.src, extent(C.width, C.height, C.src_pitch)};
  if (Options.Pinned && Queue &&
      ((C.direction == ACCX_TO_DEVICE && !isInBlock(Src)) ||
       (C.direction == ACCX_FROM_DEVICE && !isInBlock(Dst))))
    return fail(ACCX_ERROR_INVALID, "copy of memory that is not pinned");
  Uses U;
  (C.direction == ACCX_FROM_DEVICE ? U.Written : U.Device[0]) = Dst;
  if (C.direction != ACCX_TO_DEVICE)
    U.Device[1] = Src;
  std::shared_ptr<char[]> Staging;
  if (Queue && C.direction == ACCX_TO_DEVICE && C.height == 1 &&
      C.width <= Options.Staged) {
    toQueue(Queue)->awaitWrites({C.src, C.width});
    Staging.reset(new char[C.width]);
    C.src = std::memcpy(Staging.get(), C.src, C.width);
  }
  return enqueue(
      Queue,
      [Device, C, Staging = std::move(Staging)] {
        if (accx_status S = countWork(Names[C.direction], Device))
          return S;
        return Base->copy(Device, nullptr, &C);
      },
      U, Held);
}

accx_status copy(accx_device Device, accx_queue Queue, const accx_copy *Copy) {
  return copyAs(Device, Queue, Copy, /*Held=*/false);
}

accx_status copyLater(accx_device Device, accx_queue Queue,
                      const accx_copy *Copy) {
  return copyAs(Device, Queue, Copy, Options.Hold);
}

accx_status fill(accx_device Device, accx_queue Queue, void *Address,
                 uint64_t Pattern, uint32_t Width, size_t Count) {
  return enqueue(Queue,
                 [=] {
                   if (accx_status S = countWork("fill", Device))
                     return S;
                   return Base->fill(Device, nullptr, Address, Pattern, Width,
                                     Count);
                 },
                 {.Device = {{Address, Width * Count}, {}}, .Written = {}});
}

accx_status launch(accx_device Device, accx_queue Queue, accx_kernel Kernel,
                   const accx_launch *Launch) {
  // No pointer argument is kept after the call, so the arguments are copied.
  std::vector<void *> Args(Launch->args, Launch->args + Launch->num_args);
  if (Options.Record) {
    std::lock_guard Lock(LaunchesMutex);
    Launches.push_back(*Launch);
    Launches.back().args = nullptr;
  }
  auto Run = [=, L = *Launch, Args = std::move(Args)]() mutable {
    if (accx_status S = countWork("launch", Device))
      return S;
    L.args = Args.data();
    if (accx_status S = Base->launch(Device, nullptr, Kernel, &L))
      return S;
    return count("trap", Device);
  };
  return enqueue(Queue, std::move(Run), {}, Options.Hold && Launch->may_wait);
}

/// A queue is its own native one; the host's have neither context nor device.
accx_status nativeHandles(accx_device Device, accx_queue Queue,
                          void **NativeDevice, void **NativeContext,
                          void **NativeQueue) {
  forgetText();
  if (NativeDevice)
    *NativeDevice = nullptr;
  if (NativeContext)
    *NativeContext = Device;
  if (NativeQueue)
    *NativeQueue = Queue;
  return ACCX_OK;
}

accx_status queueAdopt(accx_device, void *NativeQueue, accx_queue *Queue) {
  *Queue = static_cast<accx_queue>(NativeQueue);
  return ACCX_OK;
}

unsigned takeLaunches(accx_launch *Out, unsigned Max) {
  std::lock_guard Lock(LaunchesMutex);
  const auto Count =
      static_cast<unsigned>(std::min<size_t>(Launches.size(), Max));
  std::copy_n(Launches.begin(), Count, Out);
  Launches.clear();
  return Count;
}

} // namespace fault
