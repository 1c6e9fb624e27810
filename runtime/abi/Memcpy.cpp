//===- Memcpy.cpp - omp_target_memcpy and its kin -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between any two devices, of runs of bytes and of rectangles of any
// number of dimensions, at once or as a task.
//
//===----------------------------------------------------------------------===//

#include "abi/HelperTask.h"
#include "abi/Policy.h"
#include "report/Ompt.h"
#include "report/Report.h"
#include "transfer/DeviceCopy.h"

#include <climits>
#include <cstring>
#include <vector>

using namespace accx;

namespace {

constexpr int Success = 0;
constexpr int Failure = -1;

/// The device with number \p DeviceNum; null is the host.
Device *side(int DeviceNum) {
  return DeviceNum == initialDevice() ? nullptr : &routineDevice(DeviceNum);
}

Status copy(const Rectangle &R, int DstDevice, int SrcDevice) {
  Device *From = side(SrcDevice);
  return copyRectangle(R, side(DstDevice), From);
}

//===----------------------------------------------------------------------===//
// Asynchronous forms
//===----------------------------------------------------------------------===//

/// Arguments of a copy that runs as a task. A rectangle's five arrays follow
/// the record, one after the other: the caller's may be gone by then.
struct CopyTask {
  const void *CodePtr;
  const char *Routine;
  void *Dst;
  const void *Src;
  size_t ElementSize; ///< Bytes of the whole copy if NumDims is 0.
  size_t DstOffset;
  size_t SrcOffset;
  int NumDims;
  int DstDevice;
  int SrcDevice;
};

Rectangle runOfBytes(void *Dst, const void *Src, size_t Length,
                     size_t DstOffset, size_t SrcOffset) {
  Rectangle R;
  R.Dst = static_cast<char *>(Dst) + DstOffset;
  R.Src = static_cast<const char *>(Src) + SrcOffset;
  R.Width = Length;
  return R;
}

void runCopyTask(void *Raw) {
  auto &Task = *static_cast<const CopyTask *>(Raw);
  ompt::ReturnAddressScope Here(Task.CodePtr);
  Rectangle R = runOfBytes(Task.Dst, Task.Src, Task.ElementSize, Task.DstOffset,
                           Task.SrcOffset);
  if (size_t N = Task.NumDims) {
    auto *Arrays = reinterpret_cast<const size_t *>(&Task + 1);
    R.Width = 0;
    // Its sizes were found to fit when the task was made.
    (void)reduceRectangle({Task.ElementSize, Task.NumDims, Arrays, Arrays + N,
                           Arrays + 2 * N, Arrays + 3 * N, Arrays + 4 * N},
                          R);
  }
  // Nobody waits for a return value, so this is the last place to say it.
  if (Status S = copy(R, Task.DstDevice, Task.SrcDevice); S.failed())
    fatal(1, "%s from device %d to device %d: %s", Task.Routine, Task.SrcDevice,
          Task.DstDevice, S.text().c_str());
}

int outcome(const char *Routine, const Status &S) {
  if (S.ok())
    return Success;
  error("Call to %s failed: %s", Routine, S.text().c_str());
  return Failure;
}

int invalid(const char *Routine) {
  error("Call to %s with invalid arguments", Routine);
  return Failure;
}

} // namespace

ACCX_ABI int omp_target_memcpy(void *Dst, const void *Src, size_t Length,
                               size_t DstOffset, size_t SrcOffset,
                               int DstDevice, int SrcDevice) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (Length == 0)
    return Success;
  if (!Dst || !Src)
    return invalid("omp_target_memcpy");
  return outcome("omp_target_memcpy",
                 copy(runOfBytes(Dst, Src, Length, DstOffset, SrcOffset),
                      DstDevice, SrcDevice));
}

ACCX_ABI int
omp_target_memcpy_rect(void *Dst, const void *Src, size_t ElementSize,
                       int NumDims, const size_t *Volume,
                       const size_t *DstOffsets, const size_t *SrcOffsets,
                       const size_t *DstDimensions, const size_t *SrcDimensions,
                       int DstDevice, int SrcDevice) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  // How a program asks for the highest number of dimensions.
  if (!Dst && !Src)
    return INT_MAX;
  const RectArgs Args = {ElementSize, NumDims,       Volume,       DstOffsets,
                         SrcOffsets,  DstDimensions, SrcDimensions};
  Rectangle R = runOfBytes(Dst, Src, 0, 0, 0);
  if (!Dst || !Src || !Args.valid() || !reduceRectangle(Args, R))
    return invalid("omp_target_memcpy_rect");
  return outcome("omp_target_memcpy_rect", copy(R, DstDevice, SrcDevice));
}

ACCX_ABI int omp_target_memcpy_async(void *Dst, const void *Src, size_t Length,
                                     size_t DstOffset, size_t SrcOffset,
                                     int DstDevice, int SrcDevice,
                                     int NumObjects, void **Objects) {
  const void *CodePtr = __builtin_return_address(0);
  ompt::ReturnAddressScope Here(CodePtr);
  if (!Dst || !Src)
    return invalid("omp_target_memcpy_async");
  CopyTask Task = {CodePtr,   "omp_target_memcpy_async",
                   Dst,       Src,
                   Length,    DstOffset,
                   SrcOffset, /*NumDims=*/0,
                   DstDevice, SrcDevice};
  spawnHelperTask<runCopyTask>(&Task, sizeof(Task),
                               flattenDependences(NumObjects, Objects));
  return Success;
}

ACCX_ABI int omp_target_memcpy_rect_async(
    void *Dst, const void *Src, size_t ElementSize, int NumDims,
    const size_t *Volume, const size_t *DstOffsets, const size_t *SrcOffsets,
    const size_t *DstDimensions, const size_t *SrcDimensions, int DstDevice,
    int SrcDevice, int NumObjects, void **Objects) {
  const void *CodePtr = __builtin_return_address(0);
  ompt::ReturnAddressScope Here(CodePtr);
  if (!Dst && !Src)
    return INT_MAX;
  const RectArgs Args = {ElementSize, NumDims,       Volume,       DstOffsets,
                         SrcOffsets,  DstDimensions, SrcDimensions};
  Rectangle R = runOfBytes(Dst, Src, 0, 0, 0);
  if (!Dst || !Src || !Args.valid() || !reduceRectangle(Args, R))
    return invalid("omp_target_memcpy_rect_async");
  const CopyTask Task = {CodePtr,
                         "omp_target_memcpy_rect_async",
                         Dst,
                         Src,
                         ElementSize,
                         /*DstOffset=*/0,
                         /*SrcOffset=*/0,
                         NumDims,
                         DstDevice,
                         SrcDevice};
  const size_t ArrayBytes = NumDims * sizeof(size_t);
  std::vector<char> Record(sizeof(Task) + 5 * ArrayBytes);
  char *End = Record.data();
  auto Append = [&End](const void *Data, size_t Bytes) {
    std::memcpy(End, Data, Bytes);
    End += Bytes;
  };
  Append(&Task, sizeof(Task));
  for (const size_t *Array :
       {Volume, DstOffsets, SrcOffsets, DstDimensions, SrcDimensions})
    Append(Array, ArrayBytes);
  spawnHelperTask<runCopyTask>(Record.data(), Record.size(),
                               flattenDependences(NumObjects, Objects));
  return Success;
}
