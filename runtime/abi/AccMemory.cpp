//===- AccMemory.cpp - OpenACC's memory and copy routines -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "mapping/Constructs.h"
#include "mapping/Phases.h"
#include "report/Ompt.h"
#include "report/Prof.h"

#include <cstdlib>
#include <cstring>

using namespace accx;
using acc::Routine;

ACCX_ABI void *acc_malloc(size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_malloc);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (Bytes == 0)
    return nullptr;
  Device *D = acc::currentDevice(Self);
  if (!D)
    return std::malloc(Bytes);
  ompt::DataOpScope Tool(ompt_target_data_alloc, nullptr, initialDevice(),
                         nullptr, D->id(), Bytes);
  Expected<void *> Memory = withMemory(*D, Holding::Nothing, [&] {
    return D->allocate(Bytes, ACCX_MEMORY_DEVICE);
  });
  if (!Memory.ok())
    return nullptr;
  Tool.setDst(*Memory);
  if (prof::enabled()) [[unlikely]]
    prof::dataEvent(acc_ev_alloc, {D->id(), nullptr, Bytes, nullptr, *Memory,
                                   /*Implicit=*/false});
  return *Memory;
}

ACCX_ABI void acc_free(void *Memory) noexcept {
  ACCX_ROUTINE(acc_free);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!Memory)
    return;
  Device *D = acc::currentDevice(Self);
  if (!D)
    return std::free(Memory);
  {
    std::lock_guard Lock(D->MapMutex);
    if (const Entry *E =
            D->Maps.entryAt(reinterpret_cast<uintptr_t>(Memory), 1))
      acc::fail(Self,
                "device memory at %p still stands for data at %p; end that "
                "first, with acc_unmap_data where acc_map_data began it",
                Memory, reinterpret_cast<void *>(E->Host.Begin));
  }
  // Queued work may still use it.
  if (D->hasAsyncQueues())
    acc::waitForQueues(*D);
  ompt::DataOpScope Tool(ompt_target_data_delete, Memory, D->id(), nullptr, -1,
                         0);
  acc::check(Self, D->release(Memory, ACCX_MEMORY_DEVICE));
  if (prof::enabled()) [[unlikely]]
    prof::dataEvent(acc_ev_free, {D->id(), nullptr, 0, nullptr, Memory,
                                  /*Implicit=*/false});
}

namespace {

void copy(const Routine &Self, accx_direction Direction, void *Dst,
          const void *Src, size_t Bytes, int Async) {
  Device *D = acc::currentDevice(Self);
  if (Bytes == 0 || Dst == Src)
    return;
  if (!Dst || !Src)
    acc::fail(Self, "%zu bytes from %p to %p", Bytes, Src, Dst);
  if (!D) {
    std::memmove(Dst, Src, Bytes);
    return;
  }
  acc::OnQueue Queue(Async, Self);
  acc::check(Self, copyBytes({*D, &Self.Loc},
                             {Direction, Dst, Src, Bytes, 1, 0, 0, nullptr}));
}

void copyBetweenDevices(const Routine &Self, void *Dst, const void *Src,
                        size_t Bytes, int To, int From, int Async) {
  Device *DstDevice = acc::deviceOfCurrentType(To, Self);
  Device *SrcDevice = acc::deviceOfCurrentType(From, Self);
  if (Bytes == 0)
    return;
  if (!Dst || !Src)
    acc::fail(Self, "%zu bytes from %p to %p", Bytes, Src, Dst);
  if (!DstDevice || !SrcDevice) {
    std::memmove(Dst, Src, Bytes);
    return;
  }
  acc::OnQueue Queue(Async, Self);
  Rectangle R;
  R.Dst = static_cast<char *>(Dst);
  R.Src = static_cast<const char *>(Src);
  R.Width = Bytes;
  CopySide Absent;
  acc::check(Self, copyBetween({*DstDevice, &Self.Loc}, {*SrcDevice, &Self.Loc},
                               std::move(R), Absent));
}

} // namespace

#define ACCX_COPY(Name, Direction)                                             \
  ACCX_ABI void Name(void *Dst, const void *Src, size_t Bytes) noexcept {      \
    ACCX_ROUTINE(Name);                                                        \
    ompt::ReturnAddressScope Here(__builtin_return_address(0));                \
    copy(Self, Direction, Dst, Src, Bytes, acc_async_sync);                    \
  }                                                                            \
  ACCX_ABI void Name##_async(void *Dst, const void *Src, size_t Bytes,         \
                             int Async) noexcept {                             \
    ACCX_ROUTINE(Name##_async);                                                \
    ompt::ReturnAddressScope Here(__builtin_return_address(0));                \
    copy(Self, Direction, Dst, Src, Bytes, Async);                             \
  }
ACCX_COPY(acc_memcpy_to_device, ACCX_TO_DEVICE)
ACCX_COPY(acc_memcpy_from_device, ACCX_FROM_DEVICE)
ACCX_COPY(acc_memcpy_device, ACCX_WITHIN_DEVICE)
#undef ACCX_COPY

ACCX_ABI void acc_memcpy_d2d(void *Dst, const void *Src, size_t Bytes, int To,
                             int From) noexcept {
  ACCX_ROUTINE(acc_memcpy_d2d);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  copyBetweenDevices(Self, Dst, Src, Bytes, To, From, acc_async_sync);
}

ACCX_ABI void acc_memcpy_d2d_async(void *Dst, const void *Src, size_t Bytes,
                                   int To, int From, int Async) noexcept {
  ACCX_ROUTINE(acc_memcpy_d2d_async);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  copyBetweenDevices(Self, Dst, Src, Bytes, To, From, Async);
}
