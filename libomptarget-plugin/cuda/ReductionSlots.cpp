//===- ReductionSlots.cpp - Launch environments of reductions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReductionSlots.h.
//
//===----------------------------------------------------------------------===//

#include "ReductionSlots.h"

#include "Device.h"
#include "accx/kernel_desc.h"

#include <bit>

using namespace accx;
using namespace accx::cuda;

ReductionSlots::~ReductionSlots() {
  if (Buffer)
    Cu.MemFree(Buffer - ACCX_TICKET_BYTES);
  if (Slots)
    Cu.MemFree(Slots);
}

accx_status ReductionSlots::refill() {
  if (!Slots)
    if (CUresult R = Cu.MemAlloc(&Slots, NumSlots * sizeof(LaunchEnvironment)))
      return D.failure(R, "counters of reductions");
  const std::vector<LaunchEnvironment> Fresh(NumSlots, {0, 0, Buffer});
  // On the stream, so after the launches that use the old ones. The driver
  // copies that little pageable memory before it returns.
  if (CUresult R = Cu.MemcpyHtoDAsync(
          Slots, Fresh.data(), NumSlots * sizeof(LaunchEnvironment), Stream))
    return D.failure(R, "counters of reductions");
  NextSlot = 0;
  return ACCX_OK;
}

accx_status ReductionSlots::take(uint64_t Bytes, CUdeviceptr &Record) {
  if (Bytes > BufferBytes) {
    const uint64_t Size = std::bit_ceil(std::max(Bytes, uint64_t(64) << 10));
    CUdeviceptr Larger = 0;
    if (CUresult R = Cu.MemAlloc(&Larger, ACCX_TICKET_BYTES + Size))
      return D.failure(R, "reduction buffer of %llu bytes",
                       static_cast<unsigned long long>(Size));
    if (CUresult R = Cu.MemsetD32Async(Larger, 0, 2 * ACCX_TICKETS, Stream)) {
      Cu.MemFree(Larger);
      return D.failure(R, "tickets of reductions");
    }
    if (Buffer) {
      // Launches under way use the old one.
      if (CUresult R = Cu.StreamSynchronize(Stream)) {
        Cu.MemFree(Larger);
        return D.failure(R, "earlier work of the queue");
      }
      Cu.MemFree(Buffer - ACCX_TICKET_BYTES);
    }
    Buffer = Larger + ACCX_TICKET_BYTES;
    BufferBytes = Size;
    NextSlot = NumSlots;
  }
  if (NextSlot == NumSlots)
    if (accx_status S = refill())
      return S;
  Record = Slots + NextSlot++ * sizeof(LaunchEnvironment);
  return ACCX_OK;
}
