//===- AccInterop.cpp - CUDA's handles of devices and queues --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Appendix A.2.1: the program's own CUDA code shares context and streams with
// its constructs. Devices that have no such handles give null and 0. OpenMP's
// interop objects (Interop.cpp) have queues of their own.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "device/DeviceList.h"

#include <map>
#include <mutex>

using namespace accx;
using acc::Routine;

namespace {

struct Handles {
  void *Device = nullptr, *Context = nullptr;
};

/// Null handles if the device has none.
Handles handlesOf(const Routine &Self) {
  Handles H;
  void *Queue = nullptr;
  if (Device *D = acc::currentDevice(Self))
    if (D->plugin().api().native_handles(D->handle(), nullptr, &H.Device,
                                         &H.Context, &Queue) != ACCX_OK)
      H = {};
  return H;
}

} // namespace

/// As GCC's: a CUdevice is a number, and the first is 0.
ACCX_ABI void *acc_get_current_cuda_device(void) noexcept {
  ACCX_ROUTINE(acc_get_current_cuda_device);
  const Handles H = handlesOf(Self);
  if (!H.Context)
    return nullptr;
  static std::mutex Mutex;
  static auto *const Numbers = new std::map<void *, int>;
  std::lock_guard Lock(Mutex);
  int &Number = (*Numbers)[H.Device];
  Number = static_cast<int>(reinterpret_cast<intptr_t>(H.Device));
  return &Number;
}

ACCX_ABI void *acc_get_current_cuda_context(void) noexcept {
  ACCX_ROUTINE(acc_get_current_cuda_context);
  return handlesOf(Self).Context;
}

ACCX_ABI void *acc_get_cuda_stream(int Async) noexcept {
  ACCX_ROUTINE(acc_get_cuda_stream);
  const int64_t Number = acc::queueNumber(Async, Self);
  Device *D = acc::currentDevice(Self);
  // Asking makes no thread of a device that has no queues.
  if (!D || Number == asyncScope::None ||
      D->info().features & ACCX_FEATURE_SYNCHRONOUS)
    return nullptr;
  auto Queue = D->asyncQueue(Number);
  if (!Queue.ok())
    acc::check(Self, Queue.takeStatus());
  auto Stream = (*Queue)->share();
  if (!Stream.ok())
    acc::check(Self, Stream.takeStatus());
  return *Stream;
}

ACCX_ABI int acc_set_cuda_stream(int Async, void *Stream) noexcept {
  ACCX_ROUTINE(acc_set_cuda_stream);
  const int64_t Number = acc::queueNumber(Async, Self);
  Device *D = acc::currentDevice(Self);
  if (!D || !Stream || Number == asyncScope::None ||
      D->info().features & ACCX_FEATURE_SYNCHRONOUS)
    return 0;
  if (Status S = D->adoptAsyncQueue(Number, Stream); S.failed()) {
    if (S.code() == ErrorCode::Unsupported)
      return 0;
    acc::check(Self, std::move(S));
  }
  return 1;
}
