//===- FakeDriver.cpp - A CUDA driver without GPUs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcuda in tests of what the plugin asks of virtual memory;
// streams and graphs are in FakeStreams.cpp.
// FAKE_CUDA describes the machine: "<GPUs>,<pages of each>", and a third part:
//   apart    they do not reach one another
//   closed   they have no memory for other processes
//   refuses  they say that they have, and then make none
// Every function that is not here says that it is not supported. What is mapped
// is checked: no overlap, whole mappings unmapped, no memory left over.
//
//===----------------------------------------------------------------------===//

#include "DriverTypes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

using namespace accx::cuda;

namespace {

constexpr size_t Page = size_t(2) << 20;

struct Memory {
  CUdevice Gpu;
  size_t Size;
  int Uses; ///< Handles and mappings.
  bool Exportable;
};
struct Mapping {
  size_t Size;
  CUmemHandle Of;
  std::set<CUdevice> Access;
};

std::mutex Mutex;
int NumGpus = 1, PagesOfEach = 64;
bool Apart = false, Closed = false, Refuses = false;
std::map<CUdevice, size_t> Used;
std::map<CUmemHandle, Memory> Memories;
std::map<CUdeviceptr, size_t> Reserved;
std::map<CUdeviceptr, Mapping> Mapped;
std::map<CUdeviceptr, std::pair<size_t, CUdevice>> Allocated;
/// By the number of a file that descriptors are of.
std::map<ino_t, CUmemHandle> Exported;
CUmemHandle LastHandle = 0;
size_t Heap = 0;
CUdeviceptr NextAddress = 0x7f0000000000;
thread_local CUcontext Current = nullptr;

CUresult drop(CUmemHandle Handle) {
  auto It = Memories.find(Handle);
  if (It == Memories.end())
    return CUDA_ERROR_INVALID_VALUE;
  if (--It->second.Uses == 0) {
    Used[It->second.Gpu] -= It->second.Size;
    Memories.erase(It);
  }
  return CUDA_SUCCESS;
}

ino_t fileOf(int Descriptor) {
  struct stat Status = {};
  return fstat(Descriptor, &Status) == 0 ? Status.st_ino : 0;
}

/// The device of a context.
CUdevice gpuOf(CUcontext Context) {
  return CUdevice(reinterpret_cast<uintptr_t>(Context)) - 1;
}

/// What is at \p Address: where it begins, and whose it is; -1: nobody's.
std::pair<CUdeviceptr, CUdevice> placeOf(CUdeviceptr Address) {
  auto In = Mapped.upper_bound(Address);
  if (In != Mapped.begin() && Address - (--In)->first < In->second.Size)
    return {std::prev(Reserved.upper_bound(Address))->first,
            Memories[In->second.Of].Gpu};
  auto Of = Allocated.upper_bound(Address);
  if (Of != Allocated.begin() && Address - (--Of)->first < Of->second.first)
    return {Of->first, Of->second.second};
  return {0, -1};
}

} // namespace

#define FAKE extern "C" [[gnu::visibility("default")]] CUresult

FAKE cuInit(unsigned) {
  const char *Machine = std::getenv("FAKE_CUDA");
  char Word[16] = "";
  if (Machine)
    std::sscanf(Machine, "%d,%d,%15s", &NumGpus, &PagesOfEach, Word);
  Apart = !std::strcmp(Word, "apart");
  Closed = !std::strcmp(Word, "closed");
  Refuses = !std::strcmp(Word, "refuses");
  return CUDA_SUCCESS;
}
FAKE cuGetErrorName(CUresult, const char **Text) {
  *Text = "FAKE_ERROR";
  return CUDA_SUCCESS;
}
FAKE cuGetErrorString(CUresult, const char **Text) {
  *Text = "fake";
  return CUDA_SUCCESS;
}
FAKE cuDeviceGetCount(int *Count) {
  *Count = NumGpus;
  return CUDA_SUCCESS;
}
FAKE cuDeviceGet(CUdevice *Device, int Ordinal) {
  *Device = Ordinal;
  return CUDA_SUCCESS;
}
FAKE cuDeviceGetName(char *Name, int Size, CUdevice) {
  std::snprintf(Name, size_t(Size), "fake");
  return CUDA_SUCCESS;
}
FAKE cuDeviceGetAttribute(int *Value, CUdevice_attribute Which, CUdevice) {
  if (Which == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) {
    *Value = 1024;
    return CUDA_SUCCESS;
  }
  *Value =
      Which != CU_DEVICE_ATTRIBUTE_COMPUTE_MODE &&
      !(Closed &&
        Which ==
            CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED);
  return CUDA_SUCCESS;
}
FAKE cuDeviceTotalMem_v2(size_t *Bytes, CUdevice) {
  *Bytes = size_t(PagesOfEach) * Page;
  return CUDA_SUCCESS;
}
FAKE cuDeviceCanAccessPeer(int *Can, CUdevice, CUdevice) {
  *Can = !Apart;
  return CUDA_SUCCESS;
}
FAKE cuCtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_SUCCESS; }
FAKE cuDevicePrimaryCtxRetain(CUcontext *Context, CUdevice Device) {
  *Context = reinterpret_cast<CUcontext>(uintptr_t(Device) + 1);
  return CUDA_SUCCESS;
}
FAKE cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
FAKE cuCtxGetCurrent(CUcontext *Context) {
  *Context = Current;
  return CUDA_SUCCESS;
}
FAKE cuCtxSetCurrent(CUcontext Context) {
  Current = Context;
  return CUDA_SUCCESS;
}

FAKE cuCtxSetLimit(CUlimit Limit, size_t Bytes) {
  std::lock_guard Lock(Mutex);
  if (Limit == CU_LIMIT_MALLOC_HEAP_SIZE)
    Heap = Bytes;
  return CUDA_SUCCESS;
}

FAKE cuMemGetAllocationGranularity(size_t *Size, const CUmemAllocationProp *,
                                   int) {
  *Size = Page;
  return CUDA_SUCCESS;
}
FAKE cuMemAddressReserve(CUdeviceptr *Base, size_t Size, size_t, CUdeviceptr,
                         unsigned long long) {
  std::lock_guard Lock(Mutex);
  *Base = (NextAddress + Page - 1) / Page * Page;
  NextAddress = *Base + Size + Page;
  Reserved[*Base] = Size;
  return CUDA_SUCCESS;
}
FAKE cuMemAddressFree(CUdeviceptr Base, size_t Size) {
  std::lock_guard Lock(Mutex);
  auto It = Reserved.find(Base);
  auto Inside = Mapped.lower_bound(Base);
  if (It == Reserved.end() || It->second != Size ||
      (Inside != Mapped.end() && Inside->first < Base + Size))
    return CUDA_ERROR_INVALID_VALUE;
  Reserved.erase(It);
  return CUDA_SUCCESS;
}
FAKE cuMemCreate(CUmemHandle *Handle, size_t Size,
                 const CUmemAllocationProp *Prop, unsigned long long) {
  std::lock_guard Lock(Mutex);
  const CUdevice Gpu = Prop->Location.Id;
  if (Size % Page)
    return CUDA_ERROR_INVALID_VALUE;
  if (Prop->RequestedHandleTypes && (Closed || Refuses))
    return CUDA_ERROR_NOT_SUPPORTED;
  if (Used[Gpu] + Size > size_t(PagesOfEach) * Page)
    return CUDA_ERROR_OUT_OF_MEMORY;
  Used[Gpu] += Size;
  *Handle = ++LastHandle;
  Memories[*Handle] = {Gpu, Size, 1, Prop->RequestedHandleTypes != 0};
  return CUDA_SUCCESS;
}
FAKE cuMemRelease(CUmemHandle Handle) {
  std::lock_guard Lock(Mutex);
  return drop(Handle);
}
FAKE cuMemMap(CUdeviceptr At, size_t Size, size_t Offset, CUmemHandle Handle,
              unsigned long long) {
  std::lock_guard Lock(Mutex);
  auto Of = Memories.find(Handle);
  auto In = Reserved.upper_bound(At);
  auto Next = Mapped.lower_bound(At);
  if (Offset || Of == Memories.end() || Of->second.Size != Size ||
      In == Reserved.begin() || (--In)->first + In->second < At + Size ||
      (Next != Mapped.end() && Next->first < At + Size))
    return CUDA_ERROR_INVALID_VALUE;
  ++Of->second.Uses;
  Mapped[At] = {Size, Handle, {}};
  return CUDA_SUCCESS;
}
FAKE cuMemUnmap(CUdeviceptr At, size_t Size) {
  std::lock_guard Lock(Mutex);
  auto It = Mapped.find(At);
  if (It == Mapped.end() || It->second.Size != Size)
    return CUDA_ERROR_INVALID_VALUE;
  drop(It->second.Of);
  Mapped.erase(It);
  return CUDA_SUCCESS;
}
FAKE cuMemSetAccess(CUdeviceptr At, size_t Size, const CUmemAccessDesc *Who,
                    size_t Count) {
  std::lock_guard Lock(Mutex);
  for (auto It = Mapped.lower_bound(At);
       It != Mapped.end() && It->first < At + Size; ++It)
    for (size_t I = 0; I < Count; ++I) {
      if (Apart && Memories[It->second.Of].Gpu != Who[I].Location.Id)
        return CUDA_ERROR_NOT_SUPPORTED;
      if (!It->second.Access.insert(Who[I].Location.Id).second)
        return CUDA_ERROR_INVALID_VALUE;
    }
  return CUDA_SUCCESS;
}

FAKE cuMemExportToShareableHandle(void *Out, CUmemHandle Handle, int,
                                  unsigned long long) {
  std::lock_guard Lock(Mutex);
  auto Of = Memories.find(Handle);
  if (Of == Memories.end() || !Of->second.Exportable)
    return CUDA_ERROR_INVALID_VALUE;
  const int Descriptor = memfd_create("fake", 0);
  Exported[fileOf(Descriptor)] = Handle;
  *static_cast<int *>(Out) = Descriptor;
  return CUDA_SUCCESS;
}
FAKE cuMemImportFromShareableHandle(CUmemHandle *Handle, void *Descriptor,
                                    int) {
  std::lock_guard Lock(Mutex);
  auto It = Exported.find(fileOf(int(reinterpret_cast<intptr_t>(Descriptor))));
  if (It == Exported.end() || !Memories.count(It->second))
    return CUDA_ERROR_INVALID_VALUE;
  *Handle = It->second;
  ++Memories[*Handle].Uses;
  return CUDA_SUCCESS;
}

FAKE cuMemAlloc_v2(CUdeviceptr *Address, size_t Size) {
  std::lock_guard Lock(Mutex);
  // Allocations lie one behind the other, as the driver's small ones do.
  *Address = NextAddress;
  NextAddress += Size;
  Allocated[*Address] = {Size, gpuOf(Current)};
  return CUDA_SUCCESS;
}
FAKE cuMemFree_v2(CUdeviceptr Address) {
  std::lock_guard Lock(Mutex);
  return Allocated.erase(Address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
FAKE cuPointerGetAttributes(unsigned Count, CUpointer_attribute *Which,
                            void **Values, CUdeviceptr Address) {
  std::lock_guard Lock(Mutex);
  const auto [Begin, Gpu] = placeOf(Address);
  for (unsigned I = 0; I < Count; ++I)
    switch (Which[I]) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned *>(Values[I]) = Gpu < 0 ? 0 : CU_MEMORYTYPE_DEVICE;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int *>(Values[I]) = Gpu < 0 ? -2 : Gpu;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr *>(Values[I]) = Begin;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool *>(Values[I]) = false;
      break;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<bool *>(Values[I]) = Gpu >= 0;
      break;
    }
  return CUDA_SUCCESS;
}

/// For tests: "<GPU>x<pages>" of each mapping from \p Base on, and then how
/// many GPUs may use all of them.
extern "C" [[gnu::visibility("default")]] const char *
fakeMappings(CUdeviceptr Base) {
  static std::string Text;
  std::lock_guard Lock(Mutex);
  Text.clear();
  size_t Least = 99;
  for (auto It = Mapped.find(Base); It != Mapped.end() && It->first == Base;
       ++It) {
    Base += It->second.Size;
    Text += std::to_string(Memories[It->second.Of].Gpu) + "x" +
            std::to_string(It->second.Size / Page) + " ";
    Least = std::min(Least, It->second.Access.size());
  }
  Text += "for " + std::to_string(Least);
  return Text.c_str();
}

/// Bytes that kernels' malloc was given last; 0: what the driver gives it.
extern "C" [[gnu::visibility("default")]] size_t fakeHeap() {
  std::lock_guard Lock(Mutex);
  return std::exchange(Heap, 0);
}

/// Whether nothing is reserved, mapped or allocated.
extern "C" [[gnu::visibility("default")]] bool fakeIsEmpty() {
  std::lock_guard Lock(Mutex);
  return Memories.empty() && Mapped.empty() && Reserved.empty();
}

#undef FAKE
