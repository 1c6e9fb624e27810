//===- Acc.h - What the OpenACC routines share ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_ACC_H
#define ACCX_ABI_ACC_H

#include "abi/Policy.h"
#include "device/AsyncQueue.h"
#include "report/Source.h"

#include <openacc.h>

namespace accx::acc {

/// A routine that the program calls; lives as long as work that it queues. Its
/// record names it where a construct's says file and line.
struct Routine {
  const char *Name;
  Ident Loc;
};
#define ACCX_ROUTINE(Name)                                                     \
  static constexpr acc::Routine Self = {                                       \
      #Name, {0, 0, 0, 0, ";openacc.h;" #Name ";0;0;;"}}

/// Ends the program with "<routine>: <text>".
[[noreturn, gnu::format(printf, 2, 3)]] void fail(const Routine &Self,
                                                  const char *Format, ...);
/// Ends the program with "<file>:<line>:<column>: <text>".
[[noreturn, gnu::format(printf, 2, 3)]] void failAt(const Ident &Loc,
                                                    const char *Format, ...);
/// Ends the program if \p Result failed; \p What is what the routine was to do.
void check(const Routine &Self, Status Result);

/// \name Devices
/// Numbers are those of DeviceList; the initial device's is the host.
/// @{
acc_device_t typeOf(int Device);
/// As OpenACC counts: among the devices of the same type.
int numberWithinType(int Device);
/// Number of the calling thread's device: libomp's default device.
int currentNumber();
void setCurrentNumber(int Device);
/// Of device \p Number of the current device's type; -1 if there is none.
int numberOf(int Number);
/// What is said then.
std::string noDevice(long Number, acc_device_t Type);
/// The same, ready for use; null is the host.
Device *currentDevice(const Routine &Self);
/// Device \p Number of the current device's type; null is the host.
Device *deviceOfCurrentType(int Number, const Routine &Self);
Device *deviceOfType(int Number, acc_device_t Type, const Routine &Self);
/// @}

/// The queue's number that an async or wait argument stands for;
/// asyncScope::None if it is acc_async_sync.
int64_t queueNumber(long Argument, const Routine &Self);

/// Waits for every queue of \p D.
void waitForQueues(Device &D);

/// While it lives, constructs of the thread go onto the queue that \p Async
/// stands for.
class OnQueue : asyncScope::Scope {
public:
  OnQueue(int Async, const Routine &Self) : Scope(queueNumber(Async, Self)) {}
};

} // namespace accx::acc

#endif // ACCX_ABI_ACC_H
