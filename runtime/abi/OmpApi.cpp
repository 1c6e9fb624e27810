//===- OmpApi.cpp - Device routines of the OpenMP API ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The routines a program calls by name, except copies (Memcpy.cpp) and interop
// objects (Interop.cpp): devices, memory, presence, association, information.
//
//===----------------------------------------------------------------------===//

#include "abi/HelperTask.h"
#include "abi/Policy.h"
#include "device/DeviceList.h"
#include "mapping/Announce.h"
#include "mapping/Constructs.h"
#include "mapping/Phases.h"
#include "mapping/Transfers.h"
#include "report/Ompt.h"
#include "report/Report.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>

using namespace accx;

namespace {

constexpr int Success = 0;
constexpr int Failure = -1;

uintptr_t address(const void *Pointer) {
  return reinterpret_cast<uintptr_t>(Pointer);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *allocate(size_t Size, int DeviceNum, accx_memory_kind Kind) {
  if (Size == 0)
    return nullptr;
  if (DeviceNum == initialDevice())
    return std::malloc(Size);
  Device &D = routineDevice(DeviceNum);
  ompt::DataOpScope Tool(ompt_target_data_alloc, nullptr, initialDevice(),
                         nullptr, DeviceNum, Size);
  Expected<void *> Address =
      withMemory(D, Holding::Nothing, [&] { return D.allocate(Size, Kind); });
  if (!Address.ok()) {
    error("Failure to allocate device memory: %s",
          Address.takeStatus().text().c_str());
    return nullptr;
  }
  Tool.setDst(*Address);
  return *Address;
}

void release(void *Ptr, int DeviceNum, accx_memory_kind Kind) {
  if (!Ptr)
    return;
  if (DeviceNum == initialDevice())
    return std::free(Ptr);
  Device &D = routineDevice(DeviceNum);
  ompt::DataOpScope Tool(ompt_target_data_delete, Ptr, DeviceNum, nullptr, -1,
                         0);
  if (Status S = D.release(Ptr, Kind); S.failed()) {
    error("Failure to deallocate device pointer %p: %s", Ptr, S.text().c_str());
    fatal(DeviceNum, "Failed to deallocate device ptr");
  }
}

Status fill(Device &D, void *Ptr, int Value, size_t NumBytes) {
  ConstructQueue Queue(D);
  if (Status S = Queue.open(); S.failed())
    return S;
  return Queue.finish(D.fill(Queue.handle(), Ptr,
                             static_cast<unsigned char>(Value), 1, NumBytes));
}

/// omp_target_memset has no way to return a failure, and a program that goes
/// on would compute with what was there before.
void setMemory(void *Ptr, int Value, size_t NumBytes, int DeviceNum) {
  if (DeviceNum == initialDevice()) {
    std::memset(Ptr, Value, NumBytes);
    return;
  }
  if (Status S = fill(routineDevice(DeviceNum), Ptr, Value, NumBytes);
      S.failed())
    fatal(1, "omp_target_memset of %zu bytes at %p on device %d: %s", NumBytes,
          Ptr, DeviceNum, S.text().c_str());
}

struct MemsetArgs {
  const void *CodePtr;
  void *Ptr;
  size_t NumBytes;
  int Value;
  int DeviceNum;
};

void memsetTask(void *Raw) {
  auto *Args = static_cast<MemsetArgs *>(Raw);
  ompt::ReturnAddressScope Here(Args->CodePtr);
  setMemory(Args->Ptr, Args->Value, Args->NumBytes, Args->DeviceNum);
}

//===----------------------------------------------------------------------===//
// Presence
//===----------------------------------------------------------------------===//

/// Device address of the mapped byte at \p Ptr.
std::optional<uintptr_t> findMapped(Device &D, const void *Ptr) {
  const uintptr_t Host = address(Ptr);
  std::lock_guard Lock(D.MapMutex);
  const Entry *E = D.Maps.find({Host, Host + 1});
  if (!E)
    return std::nullopt;
  announceLookup(D.id(), *E, Host, 1);
  return Host + E->Delta;
}

/// The entry that starts at \p Begin, an associated one if there are several;
/// null if there is none. Call with the mutex held.
const Entry *entryAt(Device &D, uintptr_t Begin) {
  const Entry *Found = D.Maps.find({Begin, Begin + 1});
  if (Found && Found->Host.Begin == Begin && Found->Associated)
    return Found;
  // Only for messages, or where maps overlap the association.
  Found = nullptr;
  for (const Entry *E : D.Maps.entries())
    if (E->Host.Begin == Begin && (!Found || E->Associated))
      Found = E;
  return Found;
}

} // namespace

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// What libomp's omp_get_num_devices asks before everything else.
ACCX_ABI int __tgt_get_num_devices() { return DeviceList::get().count(); }

ACCX_ABI int omp_get_num_devices() { return DeviceList::get().count(); }

ACCX_ABI int omp_get_initial_device() { return initialDevice(); }

/// On the host; kernels have their own.
ACCX_ABI int omp_get_device_num() { return initialDevice(); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

ACCX_ABI void *omp_target_alloc(size_t Size, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return allocate(Size, DeviceNum, ACCX_MEMORY_DEVICE);
}

ACCX_ABI void *llvm_omp_target_alloc_device(size_t Size, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return allocate(Size, DeviceNum, ACCX_MEMORY_DEVICE);
}

ACCX_ABI void *llvm_omp_target_alloc_host(size_t Size, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return allocate(Size, DeviceNum, ACCX_MEMORY_HOST);
}

ACCX_ABI void *llvm_omp_target_alloc_shared(size_t Size, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return allocate(Size, DeviceNum, ACCX_MEMORY_SHARED);
}

ACCX_ABI void omp_target_free(void *Ptr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  release(Ptr, DeviceNum, ACCX_MEMORY_DEVICE);
}

ACCX_ABI void llvm_omp_target_free_device(void *Ptr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  release(Ptr, DeviceNum, ACCX_MEMORY_DEVICE);
}

ACCX_ABI void llvm_omp_target_free_host(void *Ptr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  release(Ptr, DeviceNum, ACCX_MEMORY_HOST);
}

ACCX_ABI void llvm_omp_target_free_shared(void *Ptr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  release(Ptr, DeviceNum, ACCX_MEMORY_SHARED);
}

/// Dynamic shared memory exists on devices only; there the device's runtime
/// answers.
ACCX_ABI void *llvm_omp_target_dynamic_shared_alloc() { return nullptr; }

ACCX_ABI void *llvm_omp_target_lock_mem(void *Ptr, size_t Size, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (Size == 0)
    return nullptr;
  Device &D = routineDevice(DeviceNum);
  D.UsesHostMemory.store(true, std::memory_order_relaxed);
  void *Locked = nullptr;
  if (Status S = D.plugin().check(
          D.plugin().api().pin(D.handle(), Ptr, Size, &Locked));
      S.failed()) {
    error("Failure to lock memory %p: %s", Ptr, S.text().c_str());
    return nullptr;
  }
  return Locked;
}

ACCX_ABI void llvm_omp_target_unlock_mem(void *Ptr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device &D = routineDevice(DeviceNum);
  if (Status S = D.plugin().check(D.plugin().api().unpin(D.handle(), Ptr));
      S.failed())
    error("Failure to unlock memory %p: %s", Ptr, S.text().c_str());
}

ACCX_ABI void *omp_target_memset(void *Ptr, int Value, size_t NumBytes,
                                 int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (Ptr && NumBytes)
    setMemory(Ptr, Value, NumBytes, DeviceNum);
  return Ptr;
}

ACCX_ABI void *omp_target_memset_async(void *Ptr, int Value, size_t NumBytes,
                                       int DeviceNum, int NumObjects,
                                       void **Objects) {
  const void *CodePtr = __builtin_return_address(0);
  ompt::ReturnAddressScope Here(CodePtr);
  if (Ptr && NumBytes) {
    MemsetArgs Args = {CodePtr, Ptr, NumBytes, Value, DeviceNum};
    spawnHelperTask<memsetTask>(&Args, sizeof(Args),
                                flattenDependences(NumObjects, Objects));
  }
  return Ptr;
}

//===----------------------------------------------------------------------===//
// Presence and association
//===----------------------------------------------------------------------===//

ACCX_ABI int omp_target_is_present(const void *Ptr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!Ptr)
    return false;
  if (DeviceNum == initialDevice())
    return true;
  return findMapped(routineDevice(DeviceNum), Ptr).has_value();
}

ACCX_ABI void *omp_get_mapped_ptr(const void *Ptr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!Ptr) {
    error("Call to omp_get_mapped_ptr with nullptr.");
    return nullptr;
  }
  if (DeviceNum == initialDevice())
    return const_cast<void *>(Ptr);
  if (DeviceNum > initialDevice())
    return nullptr;
  Device &D = routineDevice(DeviceNum);
  const uintptr_t Address = findMapped(D, Ptr).value_or(0);
  D.settleTrails();
  return reinterpret_cast<void *>(Address);
}

ACCX_ABI int omp_target_associate_ptr(const void *HostPtr,
                                      const void *DevicePtr, size_t Size,
                                      size_t DeviceOffset, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!HostPtr || !DevicePtr || Size == 0 ||
      address(HostPtr) + Size < address(HostPtr)) {
    error("Call to omp_target_associate_ptr with invalid arguments");
    return Failure;
  }
  if (DeviceNum == initialDevice()) {
    error("omp_target_associate_ptr: no association possible on the host");
    return Failure;
  }
  Device &D = routineDevice(DeviceNum);
  ompt::DataOpScope Tool(ompt_target_data_associate, HostPtr, initialDevice(),
                         DevicePtr, DeviceNum, Size);
  const HostRange Range = {address(HostPtr), address(HostPtr) + Size};
  std::lock_guard Lock(D.MapMutex);
  Status S = D.Maps.associate(Range, address(DevicePtr) + DeviceOffset,
                              /*Name=*/nullptr, /*Associated=*/true);
  if (S.ok())
    return Success;
  if (entryAt(D, Range.Begin))
    error("Not allowed to re-associate a different device ptr+offset with the "
          "same host ptr");
  else
    error("omp_target_associate_ptr: %s", S.text().c_str());
  return Failure;
}

ACCX_ABI int omp_target_disassociate_ptr(const void *HostPtr, int DeviceNum) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!HostPtr) {
    // The other routine's name: the text that LLVM's runtime prints.
    error("Call to omp_target_associate_ptr with invalid host_ptr");
    return Failure;
  }
  if (DeviceNum == initialDevice()) {
    error("omp_target_disassociate_ptr: no association possible on the host");
    return Failure;
  }
  Device &D = routineDevice(DeviceNum);
  ompt::DataOpScope Tool(ompt_target_data_disassociate, HostPtr,
                         initialDevice(), nullptr, DeviceNum, 0);
  std::lock_guard Lock(D.MapMutex);
  const Entry *E = entryAt(D, address(HostPtr));
  if (!E) {
    error("Association not found");
    return Failure;
  }
  if (E->HoldCount) {
    error("Trying to disassociate a pointer with a non-zero hold reference "
          "count");
    return Failure;
  }
  if (!E->Associated) {
    error("Trying to disassociate a pointer which was not mapped via "
          "omp_target_associate_ptr");
    return Failure;
  }
  if (Status S = D.Maps.disassociate(address(HostPtr)); S.failed()) {
    error("omp_target_disassociate_ptr: %s", S.text().c_str());
    return Failure;
  }
  return Success;
}

//===----------------------------------------------------------------------===//
// Information
//===----------------------------------------------------------------------===//

ACCX_ABI void ompx_dump_mapping_tables() {
  static const Ident Loc = {0, 0, 0, 0, ";libomptarget;libomptarget;0;0;;"};
  const DeviceList &Devices = DeviceList::get();
  for (int I = 0, E = Devices.count(); I < E; ++I)
    dumpMappings(*Devices.find(I), &Loc, /*ToStdout=*/true);
}

ACCX_ABI void __tgt_set_info_flag(uint32_t Level) { setInfoLevel(Level); }

/// Returns 1, as LLVM's runtime does.
ACCX_ABI int __tgt_print_device_info(int64_t DeviceId) {
  Device &D = routineDevice(DeviceId);
  const accx_device_info &Info = D.info();
  constexpr double MiB = 1 << 20;
  std::printf("    Device Type    %s (%s)\n", Info.name, Info.arch);
  std::printf("    Plugin         %s (%s)\n", D.plugin().name(),
              D.plugin().path().c_str());
  std::printf("    Memory         %.0f MiB\n",
              static_cast<double>(Info.memory_bytes) / MiB);
  std::printf("    Compute Units  %u\n", Info.compute_units);
  std::printf("    Block Threads  %u\n", Info.max_threads_per_block);
  std::printf("    Warp Size      %u\n", Info.warp_size);
  std::printf("    Block Memory   %u bytes\n", Info.max_shared_bytes);
  std::printf("    Host Memory    %s\n",
              Info.features & ACCX_FEATURE_UNIFIED ? "unified"
              : Info.features & ACCX_FEATURE_USM   ? "separate or shared"
                                                   : "separate");
  std::fflush(stdout);
  return 1;
}
