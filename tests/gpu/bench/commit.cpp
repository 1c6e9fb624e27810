//===- commit.cpp - What memory for other processes costs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver's virtual memory with and without the wish that a file
// descriptor can stand for it: page size, time to make and map it, and time to
// make a descriptor.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "measure.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace accx::cuda;

static void must(CUresult R, int Line) {
  if (R == CUDA_SUCCESS)
    return;
  std::printf("commit.cpp:%d: CUDA error %d\n", Line, int(R));
  std::exit(1);
}
#define MUST(Call) must(Call, __LINE__)

int main() {
  bool Found = false;
  if (Cu.load("", Found) != ACCX_OK || !Found) {
    std::printf("no device: %s\n", lastError());
    return 1;
  }
  CUcontext Context = nullptr;
  MUST(Cu.DevicePrimaryCtxRetain(&Context, 0));
  MUST(Cu.CtxSetCurrent(Context));
  for (int Types : {0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR}) {
    CUmemAllocationProp Prop = {};
    Prop.Type = CU_MEM_ALLOCATION_TYPE_PINNED;
    Prop.Location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    Prop.RequestedHandleTypes = Types;
    const CUmemAccessDesc Access = {Prop.Location,
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    const char *Side = Types ? "exportable" : "plain";
    size_t Unit = 0;
    MUST(Cu.MemGetAllocationGranularity(&Unit, &Prop,
                                        CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    std::printf("%s memory: pages of %zu bytes\n", Side, Unit);
    for (size_t Mi : {2, 128}) {
      const size_t Size = Mi << 20;
      CUdeviceptr Base = 0;
      MUST(Cu.MemAddressReserve(&Base, Size, Unit, 0, 0));
      CUmemHandle Memory = 0;
      const double Ms = medianMs(51, 1, [&] {
        MUST(Cu.MemCreate(&Memory, Size, &Prop, 0));
        MUST(Cu.MemMap(Base, Size, 0, Memory, 0));
        MUST(Cu.MemSetAccess(Base, Size, &Access, 1));
        MUST(Cu.MemUnmap(Base, Size));
        MUST(Cu.MemRelease(Memory));
      });
      result("commit-decommit", Side, std::to_string(Mi) + "MiB", Ms,
             microseconds(Ms), true);
      if (Types) {
        MUST(Cu.MemCreate(&Memory, Size, &Prop, 0));
        const double Export = medianMs(51, 1, [&] {
          int Descriptor = -1;
          MUST(Cu.MemExportToShareableHandle(&Descriptor, Memory, Types, 0));
          close(Descriptor);
        });
        result("descriptor", "driver", std::to_string(Mi) + "MiB", Export,
               microseconds(Export), true);
        MUST(Cu.MemRelease(Memory));
      }
      MUST(Cu.MemAddressFree(Base, Size));
    }
  }
  MUST(Cu.DevicePrimaryCtxRelease(0));
}
