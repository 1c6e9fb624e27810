//===- Image.cpp - Loaded images and their kernels ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Image.h.
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "Constructors.h"

#include <bit>
#include <cstring>

using namespace accx;
using namespace accx::cuda;

namespace {

/// What the device runtime reads from `__omp_rtl_device_environment`.
struct DeviceEnvironment {
  uint32_t DebugKind;
  uint32_t NumDevices;
  uint32_t DeviceNum;
  uint32_t DynamicSharedBytes;
  uint64_t ClockFrequency;
  CUdeviceptr IndirectCallTable;
  uint64_t IndirectCallTableSize;
  uint64_t HardwareParallelism;
};
static_assert(sizeof(DeviceEnvironment) == 48, "the device runtime's layout");

/// The device's timer counts nanoseconds.
constexpr uint64_t ClockFrequency = 1000000000;

accx_status loadModule(Device &D, const void *Data, size_t Size, ImageKind Kind,
                       CUmodule &Module) {
  if (Kind == ImageKind::Cubin) {
    if (CUresult R = Cu.ModuleLoadDataEx(&Module, Data, 0, nullptr, nullptr))
      return D.failure(R, "loading a cubin of %zu bytes", Size);
    return ACCX_OK;
  }
  // The driver reads PTX up to a NUL, and says what is wrong with it.
  const std::string Text(static_cast<const char *>(Data), Size);
  char Log[512] = "";
  CUjit_option Options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *Values[] = {Log, reinterpret_cast<void *>(sizeof(Log))};
  if (CUresult R =
          Cu.ModuleLoadDataEx(&Module, Text.c_str(), 2, Options, Values))
    return D.failure(R, "compiling PTX of %zu bytes: %.*s", Size,
                     int(sizeof(Log)) - 1, Log);
  return ACCX_OK;
}

} // namespace

accx_status Image::load(Device &D, const void *Data, size_t Size, Image *&Out) {
  ImageKind Kind;
  if (accx_status S = checkImage(Data, Size, unsigned(D.Props.Major),
                                 unsigned(D.Props.Minor), Kind))
    return S;
  Entered In(D);
  if (accx_status S = In.status())
    return S;
  auto NamesWith = [&](const char *Prefix) {
    return Kind == ImageKind::Cubin
               ? Cubin(Data, Size).symbolsWith(Prefix)
               : ptxNamesWith({static_cast<const char *>(Data), Size}, Prefix);
  };
  if (!NamesWith("malloc").empty())
    D.enlargeHeap();
  CUmodule Module = nullptr;
  if (accx_status S = loadModule(D, Data, Size, Kind, Module))
    return S;

  std::unique_ptr<Image> I(new Image(D, Module));
  if (Kind == ImageKind::Cubin)
    for (std::string &Name : Cubin(Data, Size).symbolsWith(""))
      I->Symbols.insert(std::move(Name));
  I->Destructors = NamesWith(Constructors::FiniPrefix);
  accx_status S = I->setDeviceEnvironment();
  if (S == ACCX_OK)
    S = Constructors::run(*I, NamesWith(Constructors::InitPrefix), true);
  if (S != ACCX_OK) {
    Cu.ModuleUnload(Module);
    return S;
  }
  Out = I.release();
  return ACCX_OK;
}

accx_status Image::unload() {
  Entered In(D);
  accx_status S = Constructors::run(*this, Destructors, false);
  const CUresult R = Cu.ModuleUnload(Module);
  // Programs unload their images when they end, and the driver may have ended
  // before them.
  if (R == CUDA_ERROR_DEINITIALIZED)
    return ACCX_OK;
  if (R != CUDA_SUCCESS && S == ACCX_OK)
    S = D.failure(R, "unloading an image");
  return S;
}

accx_status Image::setDeviceEnvironment() {
  CUdeviceptr Address = 0;
  size_t Size = 0;
  const accx_status Found =
      global("__omp_rtl_device_environment", Address, Size);
  if (Found == ACCX_ERROR_NOT_FOUND)
    return ACCX_OK; // Not OpenMP, or optimized away.
  if (Found)
    return Found;
  DeviceEnvironment Env = {};
  Env.DebugKind = uint32_t(D.Env.DeviceDebug);
  Env.NumDevices = D.NumDevices;
  Env.DeviceNum = D.Ordinal;
  Env.ClockFrequency = ClockFrequency;
  Env.HardwareParallelism =
      uint64_t(D.Props.Limits.Multiprocessors) *
      (D.Props.MaxThreadsPerMultiprocessor / D.Props.Limits.WarpSize);
  if (CUresult R = Cu.MemcpyHtoD(Address, &Env, std::min(Size, sizeof(Env))))
    return D.failure(R, "setting the device environment");
  return ACCX_OK;
}

accx_status Image::global(const char *Name, CUdeviceptr &Address,
                          size_t &Size) {
  ContextScope Scope(D.context());
  const CUresult R = mayHave(Name)
                         ? Cu.ModuleGetGlobal(&Address, &Size, Module, Name)
                         : CUDA_ERROR_NOT_FOUND;
  if (R == CUDA_ERROR_NOT_FOUND)
    return fail(ACCX_ERROR_NOT_FOUND, "the image has no symbol '%s'", Name);
  return R ? D.failure(R, "looking up '%s'", Name) : ACCX_OK;
}

accx_status Image::kernel(const char *Name, Kernel *&Out) {
  ContextScope Scope(D.context());
  std::lock_guard Guard(Lock);
  if (auto It = Kernels.find(Name); It != Kernels.end()) {
    Out = &It->second;
    return ACCX_OK;
  }

  CUfunction Function = nullptr;
  CUresult R = Cu.ModuleGetFunction(&Function, Module, Name);
  if (R == CUDA_ERROR_NOT_FOUND)
    return fail(ACCX_ERROR_NOT_FOUND, "the image has no kernel '%s'", Name);
  if (R != CUDA_SUCCESS)
    return D.failure(R, "looking up kernel '%s'", Name);
  int Threads = 0, Shared = 0;
  R = Cu.FuncGetAttribute(&Threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                          Function);
  if (R == CUDA_SUCCESS)
    R = Cu.FuncGetAttribute(&Shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                            Function);
  if (R != CUDA_SUCCESS)
    return D.failure(R, "attributes of kernel '%s'", Name);

  KernelEnvironment Env = {};
  const std::string Symbol = std::string(Name) + "_kernel_environment";
  CUdeviceptr Address = 0;
  size_t Size = 0;
  const accx_status Found = global(Symbol.c_str(), Address, Size);
  if (Found == ACCX_OK) {
    if (Size < sizeof(Env))
      return fail(ACCX_ERROR_IMAGE, "'%s' has %zu bytes, not %zu",
                  Symbol.c_str(), Size, sizeof(Env));
    if ((R = Cu.MemcpyDtoH(&Env, Address, sizeof(Env))))
      return D.failure(R, "reading '%s'", Symbol.c_str());
    if (Env.Mode < KernelEnvironment::Generic ||
        Env.Mode > KernelEnvironment::GenericSpmd)
      return fail(ACCX_ERROR_IMAGE, "'%s' has unknown execution mode %u",
                  Symbol.c_str(), Env.Mode);
  } else if (Found != ACCX_ERROR_NOT_FOUND) {
    return Found;
  }

  auto It = Kernels.try_emplace(Name, D).first;
  Kernel &K = It->second;
  K.Name = It->first.c_str();
  K.Function = Function;
  K.Env = Env;
  K.MaxThreads = uint32_t(Threads);
  K.StaticSharedBytes = uint32_t(Shared);
  Out = &K;
  return ACCX_OK;
}

uint32_t Kernel::blocksAtOnce(uint32_t Threads, uint32_t SharedBytes) const {
  const uint64_t Key = uint64_t(Threads) << 48 | uint64_t(SharedBytes) << 16;
  auto &Kept =
      LastOccupancy[std::countr_zero(Threads) % std::size(LastOccupancy)];
  const uint64_t Last = Kept.load(std::memory_order_relaxed);
  if (Last && (Last & ~uint64_t(0xffff)) == Key) [[likely]]
    return uint32_t(Last & 0xffff);
  int Blocks = 0;
  if (Cu.OccupancyMaxActiveBlocks(&Blocks, Function, int(Threads),
                                  SharedBytes) != CUDA_SUCCESS ||
      Blocks < 1)
    Blocks = 1;
  Kept.store(Key | uint64_t(Blocks), std::memory_order_relaxed);
  return uint32_t(Blocks);
}

accx_status Kernel::allowShared(uint32_t Bytes) const {
  // What every kernel may have without asking.
  constexpr uint32_t Always = 48 << 10;
  if (Bytes + StaticSharedBytes <= Always ||
      Bytes <= AllowedShared.load(std::memory_order_relaxed)) [[likely]]
    return ACCX_OK;
  if (CUresult R = Cu.FuncSetAttribute(
          Function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
          int(Bytes)))
    return D.failure(R, "%u bytes of dynamic shared memory (%u are static)",
                     Bytes, StaticSharedBytes);
  AllowedShared.store(Bytes, std::memory_order_relaxed);
  return ACCX_OK;
}
