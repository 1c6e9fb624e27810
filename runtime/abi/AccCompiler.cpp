//===- AccCompiler.cpp - What compiled OpenACC directives call ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entry points that are no part of OpenACC: the front end emits calls of them
// where neither an OpenMP clause nor a routine of openacc.h says what a clause
// means. The bracket of `async` is in AccQueues.cpp.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "image/Registry.h"
#include "mapping/Constructs.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <algorithm>
#include <climits>
#include <mutex>

using namespace accx;

extern "C" {
void *omp_target_memset(void *Ptr, int Value, size_t Bytes, int Device);
[[gnu::weak]] int omp_get_num_procs(void);
[[gnu::weak]] void kmp_set_warnings_off(void);
}

/// `create(zero:)`: creates \p Bytes at \p Data like acc_create; memory that
/// the call creates is zero on the device. Thread-safe.
ACCX_ABI void __accx_create_zero(void *Data, size_t Bytes) {
  // No thread may find the memory present and write it before it is zero.
  static std::mutex Creating;
  std::lock_guard Lock(Creating);
  const bool IsThere = acc_is_present(Data, Bytes) != 0;
  void *OnDevice = acc_create(Data, Bytes);
  if (!IsThere && OnDevice && Bytes)
    omp_target_memset(OnDevice, 0, Bytes, acc::currentNumber());
}

/// A section of an array that leaves it: `a[first:count]` of \p Extent
/// elements.
/// \p Where: `file:line: 'section'`.
ACCX_ABI void __accx_beyond(long First, long Count, long Extent,
                            const char *Where) {
  fatal(1,
        "%s ends behind the array: it has %ld elements in this dimension, and "
        "the section is %ld elements from element %ld on, which counts from 0",
        Where, Extent, Count, First);
}

/// What `host_data` gives for data that are not on the device, for the next
/// construct of the thread that asks: 1 the host's address (`if_present`), 2 an
/// error. 0 takes that back, where a condition has left the construct out.
ACCX_ABI void __accx_use_device(int Absent) {
  setAbsentAddress(Absent == 1   ? AbsentAddress::Host
                   : Absent == 2 ? AbsentAddress::Error
                                 : AbsentAddress::Null);
}

/// Brackets unstructured data constructs: OpenACC's rules hold for them where
/// OpenMP has others.
ACCX_ABI void __accx_data(int On) { setAccRules(On); }

/// `copy(alwaysin:)` ahead of the construct, `copy(alwaysout:)` behind it:
/// copies what is present then, on queue \p Async. Thread-safe.
ACCX_ABI void __accx_update_present(void *Data, size_t Bytes, int ToDevice,
                                    int Async) {
  if (!acc_is_present(Data, Bytes))
    return;
  if (ToDevice)
    acc_update_device_async(Data, Bytes, Async);
  else
    acc_update_self_async(Data, Bytes, Async);
}

static bool isProcessor(acc_device_t Type) {
  return Type == acc_device_host || Type == acc_device_multicore;
}

/// The number of teams for `num_gangs(Wanted)` on the thread's device; for 0,
/// of a construct without the clause whose gangs run loops of their own. A
/// device that is a processor gets no more teams than it has cores, and then
/// one for each: libomp warns of a wish for more, and left alone takes a single
/// one. For other devices 0 leaves the choice to the launch.
ACCX_ABI int __accx_gangs(long Wanted) {
  const bool Processor = isProcessor(acc::typeOf(acc::currentNumber()));
  if (!Processor || !omp_get_num_procs)
    return static_cast<int>(std::clamp(Wanted, 0L, long(INT_MAX)));
  // Of fewer teams than asked for, which is the rule where kernels share the
  // cores, libomp warns.
  static const bool Quiet =
      kmp_set_warnings_off && (kmp_set_warnings_off(), true);
  (void)Quiet;
  const long Cores = std::max(omp_get_num_procs(), 1);
  return static_cast<int>(Wanted == 0 ? Cores : std::clamp(Wanted, 1L, Cores));
}

/// The same for a region for each of whose gangs the program can tell that it
/// ran: the code for devices that are processors has all of them. The host
/// itself is one gang.
ACCX_ABI int __accx_counted_gangs(long Wanted) {
  const int Teams = __accx_gangs(Wanted);
  switch (acc::typeOf(acc::currentNumber())) {
  case acc_device_host:
    return 1;
  case acc_device_multicore:
    return static_cast<int>(std::clamp(Wanted, 1L, long(INT_MAX)));
  default:
    return Teams;
  }
}

/// Whether launches of several steps may stand for steps on the thread's
/// device (`accx timetile`): bytes \p Low to \p High - 1 from \p Arrays[0] and
/// from \p Arrays[1] on are mapped, \p Mapped arrays are, and none of the
/// \p Count shares memory with these two, so that neither is read or written
/// by another name. On processors launches are made on request. Thread-safe.
ACCX_ABI int __accx_time_tiles(const void *const *Arrays, int Mapped, int Count,
                               long Low, long High) {
  ACCX_ROUTINE(__accx_time_tiles);
  const std::string &Setting = Environment::get().TimeTile;
  Device *D = acc::currentDevice(Self);
  if (!D || Setting == "0" || Low >= High || Registry::get().sharesMemory(*D) ||
      (Setting != "1" && isProcessor(acc::typeOf(acc::currentNumber()))))
    return 0;
  std::lock_guard Lock(D->MapMutex);
  HostRange Swapped[2];
  for (int I = 0; I < Count; ++I) {
    const auto At = reinterpret_cast<uintptr_t>(Arrays[I]);
    const HostRange Range =
        I < 2 ? HostRange{At + Low, At + High} : HostRange{At, At + 1};
    const Entry *E = D->Maps.find(Range);
    if (!E || !D->Maps.covered(Range)) {
      if (I < Mapped)
        return 0;
      continue; // a value that travels with the launch
    }
    const HostRange &Whole = I < 2 ? Range : E->Host;
    for (int Other = 0; Other < std::min(I, 2); ++Other)
      if (Whole.Begin < Swapped[Other].End && Swapped[Other].Begin < Whole.End)
        return 0;
    if (I < 2)
      Swapped[I] = Range;
  }
  return 1;
}
