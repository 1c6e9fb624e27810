//===- Sharing.cpp - Memory that processes have in common -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sharing.h and, for what is given away, Windows.h.
//
//===----------------------------------------------------------------------===//

#include "Sharing.h"

#include "Device.h"
#include "Memory.h"
#include "Spread.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace accx;
using namespace accx::cuda;

static CUdeviceptr toInt(const void *Address) {
  return reinterpret_cast<CUdeviceptr>(Address);
}

//===----------------------------------------------------------------------===//
// Whose memory it is
//===----------------------------------------------------------------------===//

namespace {
/// What the driver says of one address. Memory it does not know has no type.
struct Place {
  CUmemorytype Type = {};
  int Gpu = -1;
  CUdeviceptr Begin = 0;  ///< Of the allocation, or of its reservation.
  uint64_t Managed = 0;   ///< Wider than what the driver writes.
  uint64_t HasMemory = 0; ///< Not in a gap of a reservation.

  explicit Place(CUdeviceptr Address) {
    CUpointer_attribute Attributes[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CU_POINTER_ATTRIBUTE_MAPPED};
    void *Values[] = {&Type, &Gpu, &Begin, &Managed, &HasMemory};
    if (Cu.PointerGetAttributes(5, Attributes, Values, Address) != CUDA_SUCCESS)
      Type = {};
  }
  bool isOn(CUdevice Device) const {
    return Type == CU_MEMORYTYPE_DEVICE && Gpu == Device && !Managed &&
           HasMemory;
  }
};
} // namespace

accx_status cuda::find(Device &D, SpreadRanges &Spread, const void *Address,
                       size_t Size) {
  CUdeviceptr End = 0;
  if (Size == 0 || __builtin_add_overflow(toInt(Address), Size, &End))
    return fail(ACCX_ERROR_INVALID, "%zu bytes at %p", Size, Address);
  auto NotFound = [&] {
    return fail(ACCX_ERROR_NOT_FOUND,
                "%zu bytes at %p are no memory of CUDA device %u", Size,
                Address, D.Ordinal);
  };
  switch (D.Reserved.lookUp(Address, Size)) {
  case Windows::Found::Live:
    return ACCX_OK;
  case Windows::Found::Dead:
    return NotFound();
  case Windows::Found::Elsewhere:
    break;
  }
  if (Spread.holds(D, Address, Size))
    return ACCX_OK;
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  const Place First(toInt(Address));
  if (!First.isOn(D.Handle))
    return NotFound();
  const Place Last(End - 1);
  return Last.isOn(D.Handle) && Last.Begin == First.Begin ? ACCX_OK
                                                          : NotFound();
}

Windows::Found Windows::lookUp(const void *Address, size_t Size) {
  const size_t Page = D.Props.Granularity;
  if (!Page)
    return Found::Elsewhere;
  const CUdeviceptr Begin = toInt(Address), End = Begin + Size;
  std::lock_guard Guard(Lock);
  Window *W = find({Begin, Begin + 1});
  if (!W)
    return Found::Elsewhere;
  // Chunk by chunk: an array of the size of the device has thousands of pages.
  for (CUdeviceptr P = Begin; P < End;) {
    auto It = chunkAt(*W, P);
    if (It == W->Chunks.end())
      return Found::Dead;
    const Chunk &C = It->second;
    const CUdeviceptr Stop = std::min(End, C.End);
    if (C.NumLive != C.Live.size())
      for (size_t I = (P - It->first) / Page,
                  Last = (Stop - 1 - It->first) / Page;
           I <= Last; ++I)
        if (!C.Live[I])
          return Found::Dead;
    P = Stop;
  }
  return Found::Live;
}

//===----------------------------------------------------------------------===//
// For other processes
//===----------------------------------------------------------------------===//

/// Descriptors that are open: they live as long as the memory, and the program
/// needs some, too.
static std::atomic<unsigned> NumDescriptors{0};
/// They are at most this part of what the process may have.
static constexpr unsigned DescriptorShare = 4;

static unsigned maxDescriptors() {
  rlimit Limit = {};
  if (getrlimit(RLIMIT_NOFILE, &Limit) || Limit.rlim_cur > UINT32_MAX)
    return UINT32_MAX / DescriptorShare;
  return unsigned(Limit.rlim_cur) / DescriptorShare;
}

void cuda::closeDescriptor(int Descriptor) {
  if (Descriptor < 0)
    return;
  ::close(Descriptor);
  NumDescriptors.fetch_sub(1, std::memory_order_relaxed);
}

accx_status Windows::makeDescriptor(Chunk &C) {
  if (NumDescriptors.fetch_add(1, std::memory_order_relaxed) >=
      maxDescriptors()) {
    NumDescriptors.fetch_sub(1, std::memory_order_relaxed);
    return fail(ACCX_ERROR_UNSUPPORTED,
                "memory for other processes needs more file descriptors than a "
                "quarter of what the process may have");
  }
  int Descriptor = -1;
  if (CUresult R = Cu.MemExportToShareableHandle(
          &Descriptor, C.Memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)) {
    NumDescriptors.fetch_sub(1, std::memory_order_relaxed);
    const accx_status S = D.failure(R, "memory for other processes");
    return isSticky(R) ? S : ACCX_ERROR_UNSUPPORTED;
  }
  // Programs that this one starts must not hold its memory.
  fcntl(Descriptor, F_SETFD, FD_CLOEXEC);
  static std::atomic<uint64_t> LastId{0};
  C.Id = LastId.fetch_add(1, std::memory_order_relaxed) + 1;
  C.Descriptor = Descriptor;
  return ACCX_OK;
}

accx_status Windows::exportAt(const void *Address, accx_exported &Out) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  const CUdeviceptr At = toInt(Address);
  std::lock_guard Guard(Lock);
  Window *W = D.Props.Granularity ? find({At, At + 1}) : nullptr;
  auto It = W ? chunkAt(*W, At) : std::map<CUdeviceptr, Chunk>::iterator();
  if (!W || It == W->Chunks.end() ||
      !It->second.Live[(At - It->first) / D.Props.Granularity])
    return fail(ACCX_ERROR_UNSUPPORTED,
                "%p is no memory of a window, which others could map", Address);
  Chunk &C = It->second;
  if (!C.Exportable)
    return fail(ACCX_ERROR_UNSUPPORTED,
                "the driver gives no memory away to other processes");
  if (C.Descriptor < 0)
    if (accx_status S = makeDescriptor(C))
      return S;
  Out = {C.Id, It->first, C.End - It->first, C.Descriptor, 0};
  return ACCX_OK;
}

//===----------------------------------------------------------------------===//
// From other processes
//===----------------------------------------------------------------------===//

accx_status ImportedMemory::open(const accx_exported &Memory, void **Address) {
  const size_t Page = D.Props.Granularity;
  if (!Page)
    return fail(ACCX_ERROR_UNSUPPORTED, "this device maps no memory");
  if (Memory.fd < 0 || Memory.bytes == 0 || Memory.bytes % Page)
    return fail(ACCX_ERROR_INVALID, "import of %llu bytes of descriptor %d",
                static_cast<unsigned long long>(Memory.bytes), Memory.fd);
  Entered In(D);
  if (accx_status S = In.status())
    return S;

  // The memory may be of any GPU, also of one that this process does not see;
  // and which of these the device reaches only the driver knows. So whatever it
  // says means that it cannot be had, unless the device is at its end.
  auto Refused = [&](CUresult R, const char *What) {
    const accx_status S =
        D.failure(R, "%s %llu bytes of another process", What,
                  static_cast<unsigned long long>(Memory.bytes));
    return isSticky(R) || R == CUDA_ERROR_OUT_OF_MEMORY
               ? S
               : ACCX_ERROR_UNSUPPORTED;
  };
  CUmemHandle Handle = 0;
  if (CUresult R = Cu.MemImportFromShareableHandle(
          &Handle, reinterpret_cast<void *>(intptr_t(Memory.fd)),
          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
    return Refused(R, "import of");
  CUdeviceptr Base = 0;
  if (CUresult R = Cu.MemAddressReserve(&Base, Memory.bytes, Page, 0, 0)) {
    Cu.MemRelease(Handle);
    return Refused(R, "addresses for");
  }
  const CUresult Result = Cu.MemMap(Base, Memory.bytes, 0, Handle, 0);
  // What is mapped stays until it is unmapped.
  Cu.MemRelease(Handle);
  if (Result) {
    Cu.MemAddressFree(Base, Memory.bytes);
    return Refused(Result, "mapping of");
  }
  const CUmemAccessDesc Who = {{CU_MEM_LOCATION_TYPE_DEVICE, D.Handle},
                               CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  if (CUresult R = Cu.MemSetAccess(Base, Memory.bytes, &Who, 1)) {
    Cu.MemUnmap(Base, Memory.bytes);
    Cu.MemAddressFree(Base, Memory.bytes);
    return Refused(R, "access to");
  }
  std::lock_guard Guard(Lock);
  Mapped.emplace(Base, Memory.bytes);
  *Address = reinterpret_cast<void *>(Base);
  return ACCX_OK;
}

accx_status ImportedMemory::close(void *Address) {
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  size_t Size = 0;
  {
    std::lock_guard Guard(Lock);
    auto It = Mapped.find(toInt(Address));
    if (It == Mapped.end())
      return fail(ACCX_ERROR_INVALID, "%p is no memory of another process",
                  Address);
    Size = It->second;
    Mapped.erase(It);
  }
  NumFrees.fetch_add(1, std::memory_order_relaxed);
  CUresult R = Cu.MemUnmap(toInt(Address), Size);
  if (const CUresult Free = Cu.MemAddressFree(toInt(Address), Size); !R)
    R = Free;
  if (R != CUDA_SUCCESS && R != CUDA_ERROR_DEINITIALIZED)
    return D.failure(R, "end of memory of another process at %p", Address);
  return ACCX_OK;
}

void ImportedMemory::releaseAll() {
  std::lock_guard Guard(Lock);
  // After a lost context these fail; the mappings went with it.
  for (auto [Base, Size] : Mapped) {
    Cu.MemUnmap(Base, Size);
    Cu.MemAddressFree(Base, Size);
  }
  Mapped.clear();
}
