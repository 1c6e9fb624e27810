//===- AccDevices.cpp - Constructs of several devices ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `deviceid` and `update peer` become: brackets that make a device the
// thread's own for a construct, and copies between two devices' copies of host
// data. Both are queued on the queues that the devices' constructs use, so that
// they are in the program's order on each of them.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "abi/Policy.h"
#include "mapping/Absent.h"
#include "mapping/Constructs.h"
#include "report/Ompt.h"
#include "transfer/DeviceCopy.h"

#include <accx/devices.h>

#include <cstdint>
#include <tuple>

using namespace accx;
using acc::failAt;
using acc::Routine;

namespace {

/// Nested brackets that are told apart.
constexpr unsigned MaxDepth = 16;

/// The devices of the brackets around; plain data, as in AccQueues.cpp.
struct ThreadState {
  unsigned Depth = 0;
  int Outer[MaxDepth] = {};
};
thread_local constinit ThreadState Thread;

void enterDevice(int Id) {
  if (Thread.Depth < MaxDepth)
    Thread.Outer[Thread.Depth] = acc::currentNumber();
  ++Thread.Depth;
  acc::setCurrentNumber(Id);
}

/// A section of an array as a copy names it.
struct Side {
  void *Data;
  int Device;
  unsigned NumDims;
  const unsigned long *Shape; ///< Count and stride, outermost first.
  const char *Name;           ///< As of map items.
};

/// The section's dimensions, innermost first, the bytes of an element at the
/// front; their product is \p Bytes. False if that is no number of bytes.
bool dimensionsOf(const Side &S, std::vector<RectDim> &Dims, size_t &Bytes) {
  const size_t Element = S.Shape[2 * S.NumDims - 1];
  Dims.push_back({Bytes = Element, 1});
  for (unsigned I = S.NumDims; I-- > 0;) {
    Dims.push_back({S.Shape[2 * I], S.Shape[2 * I + 1]});
    if (!multiplyInto(Bytes, S.Shape[2 * I]) ||
        Bytes > static_cast<size_t>(PTRDIFF_MAX))
      return false;
  }
  return true;
}

/// The device with \p Number of the current type; \p Source is the clause's.
int deviceNamed(long Number, const char *Source) {
  const int Id = Number >= 0 && Number <= INT32_MAX
                     ? acc::numberOf(static_cast<int>(Number))
                     : -1;
  if (Id >= 0)
    return Id;
  const Ident Loc = {0, 0, 0, 0, Source};
  failAt(Loc, "%s(%ld): %s",
         std::string(SourceLocation::ofConstruct(&Loc).Name).c_str(), Number,
         acc::noDevice(Number, acc_device_current).c_str());
}

Rectangle rectangleOf(const Side &To, const Side &From, const Ident &Loc) {
  Rectangle R;
  // One run of bytes each, as most have it.
  size_t Width = To.Shape[1], Other = From.Shape[1];
  if (To.NumDims == 1 && From.NumDims == 1 &&
      multiplyInto(Width, To.Shape[0]) && multiplyInto(Other, From.Shape[0]) &&
      Width == Other && Width <= static_cast<size_t>(PTRDIFF_MAX)) {
    R.Dst = static_cast<char *>(To.Data);
    R.Src = static_cast<const char *>(From.Data);
    R.Width = Width;
    return R;
  }
  std::vector<RectDim> ToDims, FromDims;
  size_t ToBytes = 0, FromBytes = 0;
  for (auto [S, Dims, Bytes] : {std::tuple(&To, &ToDims, &ToBytes),
                                std::tuple(&From, &FromDims, &FromBytes)})
    if (!dimensionsOf(*S, *Dims, *Bytes))
      failAt(Loc, "update peer: '%s' has a negative length, or is too long",
             itemName(S->Name).c_str());
  if (ToBytes == 0 && FromBytes == 0)
    return R;
  R.Dst = static_cast<char *>(To.Data);
  R.Src = static_cast<const char *>(From.Data);
  if (ToBytes != FromBytes ||
      !reduceSections(std::move(ToDims), std::move(FromDims), R))
    failAt(Loc,
           "update peer: '%s' has %zu bytes and '%s' %zu, or their dimensions "
           "do not fit: name sections of one shape",
           itemName(To.Name).c_str(), ToBytes, itemName(From.Name).c_str(),
           FromBytes);
  return R;
}

void updatePeer(const Side &To, const Side &From, const Routine &Self) {
  settleLate();
  Rectangle R = rectangleOf(To, From, Self.Loc);
  acc::OnQueue Queue(acc_async_noval, Self);
  Device *ToDevice = acc::deviceOfCurrentType(To.Device, Self);
  Device *FromDevice = acc::deviceOfCurrentType(From.Device, Self);
  if (R.Width == 0)
    return;
  if (!ToDevice || !FromDevice) {
    acc::check(Self, copyRectangle(R, nullptr, nullptr));
    return;
  }
  CopySide Absent;
  const HostRange Ranges[] = {{reinterpret_cast<uintptr_t>(R.Dst), 0},
                              {reinterpret_cast<uintptr_t>(R.Src), 0}};
  const size_t Spans[] = {R.dstSpan(), R.srcSpan()};
  Status S = copyBetween({*ToDevice, &Self.Loc}, {*FromDevice, &Self.Loc},
                         std::move(R), Absent);
  if (S.ok()) [[likely]]
    return;
  if (S.code() == ErrorCode::NotPresent && To.Name) {
    const bool IsTo = Absent == CopySide::To;
    HostRange Range = Ranges[IsTo ? 0 : 1];
    Range.End = Range.Begin + Spans[IsTo ? 0 : 1];
    reportAbsent({IsTo ? *ToDevice : *FromDevice, &Self.Loc}, Range,
                 (IsTo ? To : From).Name, AbsentFor::Peer);
  }
  if (!To.Name)
    return acc::check(Self, std::move(S));
  failAt(Self.Loc, "update peer failed: %s", S.text().c_str());
}

} // namespace

//===----------------------------------------------------------------------===//
// Constructs
//===----------------------------------------------------------------------===//

ACCX_ABI int __accx_device_begin(long Number, const char *Source) {
  const int Id = deviceNamed(Number, Source);
  enterDevice(Id);
  return Id;
}

ACCX_ABI int __accx_device_of(long Number, const char *Source) {
  (void)deviceNamed(Number, Source);
  return static_cast<int>(Number);
}

ACCX_ABI void __accx_device_resume(int Id) { enterDevice(Id); }

ACCX_ABI void __accx_device_end(void) {
  if (Thread.Depth > 0 && --Thread.Depth < MaxDepth)
    acc::setCurrentNumber(Thread.Outer[Thread.Depth]);
}

ACCX_ABI void __accx_update_peer(void *To, int ToDevice, unsigned ToDims,
                                 const unsigned long *ToShape,
                                 const char *ToName, const void *From,
                                 int FromDevice, unsigned FromDims,
                                 const unsigned long *FromShape,
                                 const char *FromName, const char *Source) {
  const Routine Self = {"update peer", {0, 0, 0, 0, Source}};
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  updatePeer(
      {To, ToDevice, ToDims, ToShape, ToName},
      {const_cast<void *>(From), FromDevice, FromDims, FromShape, FromName},
      Self);
}

ACCX_ABI void acc_update_peer(void *To, int ToDevice, const void *From,
                              int FromDevice, size_t Bytes) noexcept {
  ACCX_ROUTINE(acc_update_peer);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (Bytes == 0)
    return;
  if (!To || !From)
    acc::fail(Self, "%zu bytes from %p to %p", Bytes, From, To);
  const unsigned long Shape[] = {Bytes, 1};
  updatePeer({To, ToDevice, 1, Shape, nullptr},
             {const_cast<void *>(From), FromDevice, 1, Shape, nullptr}, Self);
}
