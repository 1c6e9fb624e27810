//===- DriverTypes.h - What the CUDA driver's functions take ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types and constants of the CUDA driver's binary interface that this
// plugin uses, under the names that its documentation gives them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_DRIVERTYPES_H
#define ACCX_PLUGIN_CUDA_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

namespace accx::cuda {

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphExec = struct CUgraphExec_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUmemHandle = unsigned long long;
using CUhostFn = void (*)(void *);

enum CUresult : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_ECC_UNCORRECTABLE = 214,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
  CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  CUDA_ERROR_CONTAINED = 226,
  CUDA_ERROR_INVALID_SOURCE = 300,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
  CUDA_ERROR_ASSERT = 710,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
  CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
  CUDA_ERROR_MISALIGNED_ADDRESS = 716,
  CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
  CUDA_ERROR_INVALID_PC = 718,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
};

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
  CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103
};

enum CUfunction_attribute : int {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
};

enum CUlimit : int { CU_LIMIT_STACK_SIZE = 0, CU_LIMIT_MALLOC_HEAP_SIZE = 2 };

enum CUpointer_attribute : int {
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  CU_POINTER_ATTRIBUTE_MAPPED = 13
};

enum CUmemorytype : unsigned {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2
};

enum CUjit_option : int {
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

inline constexpr int CU_COMPUTEMODE_PROHIBITED = 2;
inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
inline constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;
inline constexpr unsigned CU_MEMHOSTALLOC_PORTABLE = 1;
inline constexpr unsigned CU_MEMHOSTALLOC_DEVICEMAP = 2;
inline constexpr unsigned CU_MEMHOSTREGISTER_PORTABLE = 1;
inline constexpr unsigned CU_MEMHOSTREGISTER_DEVICEMAP = 2;
inline constexpr int CU_MEM_ALLOCATION_TYPE_PINNED = 1;
inline constexpr int CU_MEM_LOCATION_TYPE_DEVICE = 1;
inline constexpr int CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3;
inline constexpr int CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1;
inline constexpr int CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1;

/// Markers of the `extra` argument of a launch.
inline void *const CU_LAUNCH_PARAM_END = nullptr;
inline void *const CU_LAUNCH_PARAM_BUFFER_POINTER =
    reinterpret_cast<void *>(uintptr_t(1));
inline void *const CU_LAUNCH_PARAM_BUFFER_SIZE =
    reinterpret_cast<void *>(uintptr_t(2));

inline constexpr int CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6;

struct CUlaunchAttribute {
  int Id;
  char Pad[4];
  union {
    char All[64];
    int Number;
  } Value;
};
static_assert(sizeof(CUlaunchAttribute) == 72, "the driver's layout");

struct CUlaunchConfig {
  unsigned Grid[3], Block[3];
  unsigned SharedBytes;
  CUstream Stream;
  CUlaunchAttribute *Attributes;
  unsigned NumAttributes;
};
static_assert(sizeof(CUlaunchConfig) == 56, "the driver's layout");

inline constexpr int CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1;

struct CUkernelNodeParams {
  CUfunction Function;
  unsigned Grid[3], Block[3];
  unsigned SharedBytes;
  void **Params;
  void **Extra;
  void *Kernel;
  CUcontext Context;
};
static_assert(sizeof(CUkernelNodeParams) == 72, "the driver's layout");

struct CUmemLocation {
  int Type;
  int Id;
};

struct CUmemAccessDesc {
  CUmemLocation Location;
  int Flags;
};
static_assert(sizeof(CUmemAccessDesc) == 12, "the driver's layout");

struct CUmemAllocationProp {
  int Type;
  int RequestedHandleTypes;
  CUmemLocation Location;
  void *Win32HandleMetaData;
  struct {
    unsigned char CompressionType;
    unsigned char GpuDirectRdmaCapable;
    unsigned short Usage;
    unsigned char Reserved[4];
  } AllocFlags;
};
static_assert(sizeof(CUmemAllocationProp) == 32, "the driver's layout");

struct CUmemcpy2D {
  size_t SrcX, SrcY;
  CUmemorytype SrcType;
  const void *SrcHost;
  CUdeviceptr SrcDevice;
  void *SrcArray;
  size_t SrcPitch;
  size_t DstX, DstY;
  CUmemorytype DstType;
  void *DstHost;
  CUdeviceptr DstDevice;
  void *DstArray;
  size_t DstPitch;
  size_t Width, Height;
};
static_assert(sizeof(CUmemcpy2D) == 128, "the driver's layout");

struct CUmemcpy3DPeer {
  struct Side {
    size_t X, Y, Z, Lod;
    CUmemorytype Type;
    const void *Host;
    CUdeviceptr Device;
    void *Array;
    CUcontext Context;
    size_t Pitch, Height;
  };
  Side Src, Dst;
  size_t Width, Height, Depth;
};
static_assert(sizeof(CUmemcpy3DPeer) == 200, "the driver's layout");

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_DRIVERTYPES_H
