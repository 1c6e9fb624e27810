//===- Driver.cpp - The CUDA driver, opened at run time -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Driver.h.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>

using namespace accx;
using namespace accx::cuda;

accx_status Driver::load(const char *Path, bool &Found) {
  Found = false;
  const bool Given = Path && *Path;
  void *Library = dlopen(Given ? Path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    if (!Given)
      return ACCX_OK;
    return fail(ACCX_ERROR_INVALID, "ACCX_CUDA_DRIVER=%s: %s", Path, dlerror());
  }

#define CUDA_FUNCTION(Member, Symbol, ...)                                     \
  Member =                                                                     \
      reinterpret_cast<CUresult (*)(__VA_ARGS__)>(dlsym(Library, #Symbol));    \
  if (!Member)                                                                 \
    return fail(ACCX_ERROR_UNSUPPORTED,                                        \
                "the CUDA driver is too old: it has no function " #Symbol);
#include "Driver.def"

  switch (CUresult Result = Init(0)) {
  case CUDA_SUCCESS:
    Found = true;
    return ACCX_OK;
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_STUB_LIBRARY:
    return ACCX_OK;
  default:
    return driverFailure(Result, "the CUDA driver does not start");
  }
}

bool cuda::isSticky(CUresult Result) {
  switch (Result) {
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_CONTAINED:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
    return true;
  default:
    return false;
  }
}

static accx_status statusOf(CUresult Result) {
  switch (Result) {
  case CUDA_SUCCESS:
    return ACCX_OK;
  case CUDA_ERROR_NOT_READY:
    return ACCX_NOT_READY;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return ACCX_ERROR_OUT_OF_MEMORY;
  case CUDA_ERROR_INVALID_VALUE:
  case CUDA_ERROR_INVALID_HANDLE:
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return ACCX_ERROR_INVALID;
  case CUDA_ERROR_NOT_SUPPORTED:
    return ACCX_ERROR_UNSUPPORTED;
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_INVALID_SOURCE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return ACCX_ERROR_IMAGE;
  case CUDA_ERROR_NOT_FOUND:
    return ACCX_ERROR_NOT_FOUND;
  case CUDA_ERROR_DEINITIALIZED:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_CONTAINED:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    return ACCX_ERROR_DEVICE_LOST;
  default:
    return isSticky(Result) ? ACCX_ERROR_KERNEL : ACCX_ERROR_UNKNOWN;
  }
}

accx_status cuda::driverFailure(CUresult Result, const char *Format, ...) {
  char What[512];
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(What, sizeof(What), Format, Args);
  va_end(Args);
  const char *Name = nullptr, *Meaning = nullptr;
  if (Cu.GetErrorName(Result, &Name) != CUDA_SUCCESS || !Name)
    return fail(statusOf(Result), "%s: CUDA error %d", What, int(Result));
  if (Cu.GetErrorString(Result, &Meaning) != CUDA_SUCCESS || !Meaning)
    return fail(statusOf(Result), "%s: %s", What, Name);
  return fail(statusOf(Result), "%s: %s (%s)", What, Name, Meaning);
}
