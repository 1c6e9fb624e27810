//===- Constructs.h - Target constructs on a device -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine under the entry points: decides what each construct maps, copies,
// attaches and launches, in which order, and what a failure undoes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_CONSTRUCTS_H
#define ACCX_MAPPING_CONSTRUCTS_H

#include "device/Device.h"
#include "report/Source.h"
#include "support/Abi.h"
#include "transfer/Rectangle.h"

#include <memory>
#include <optional>

namespace accx {

/// One construct: where it runs and where it stands in the program. These
/// functions complete before they return, on the calling thread, whatever
/// thread that is; in an asyncScope they queue what they have to do instead.
/// Specific messages (a `present` that is not met, a failed copy, with the
/// variable's name) are printed where they arise; the status tells that the
/// construct failed.
struct Construct {
  Device &D;
  const Ident *Loc = nullptr; ///< May be null.
};

/// target data and target enter data; also stores device addresses into
/// Arrays.BasePtrs for use_device_ptr and use_device_addr.
Status dataBegin(Construct C, const MapArrays &Arrays);
/// dataBegin() while regions of the thread are under way, beside them. Nothing
/// if it has to come after them; then nothing was done.
std::optional<Status> dataBeginBeside(Construct C, const MapArrays &Arrays);
/// What dataBegin() gives as the device address of what is not there. Null, so
/// that a use of it shows at once, unless the thread has said otherwise for the
/// next construct: the host's address, or none and an error.
enum class AbsentAddress { Null, Host, Error };
void setAbsentAddress(AbsentAddress A);
/// Whether the thread's next data constructs follow OpenACC where OpenMP has
/// other rules: members of structs have counts of their own, and an exit of
/// what is present in parts only is an error.
void setAccRules(bool On);
/// The end of target data, and target exit data.
Status dataEnd(Construct C, const MapArrays &Arrays);
/// As dataBeginBeside().
std::optional<Status> dataEndBeside(Construct C, const MapArrays &Arrays);
/// target update.
Status dataUpdate(Construct C, const MapArrays &Arrays);

/// Points the device's copy of the pointer at \p Slot to the device's copy of
/// what it points to, if both are there. Counts stay.
Status attachPointer(Construct C, void **Slot);
/// Performs \p Copy between addresses.
Status copyBytes(Construct C, const accx_copy &Copy);
enum class CopySide { To, From };
/// Copies to \p To's copy of the host bytes that \p R names from \p From's;
/// NotPresent if one has none, with \p Absent set. On asynchronous queues it
/// comes after what is queued on both devices, and before what follows.
Status copyBetween(Construct To, Construct From, Rectangle R, CopySide &Absent);

/// A target region. \p HostPtr is the address that stands for its kernel.
/// \p Args has version KernelArgs::VersionWithFlags or later.
Status targetRegion(Construct C, const void *HostPtr, const KernelArgs &Args);

/// A target region whose kernel is queued; to be finished, by any thread.
class StartedRegion {
public:
  virtual ~StartedRegion() = default;
  /// Whether the kernel is over; does not block.
  virtual bool done() = 0;
  /// Waits for the kernel and leaves the region. Once.
  virtual Status finish() = 0;
};

/// Queues the kernel of a region of which everything is on the device and ready
/// to use, and returns the rest of it. Null if that is not so, or if the device
/// has no queues or enough to do: nothing was done then, or, if \p Result says
/// so, the launch failed.
std::unique_ptr<StartedRegion> startRegion(Construct C, const void *HostPtr,
                                           const KernelArgs &Args,
                                           Status &Result);

/// A recorded launch (__tgt_target_kernel_replay): \p Memory is placed on the
/// device, arguments are device addresses plus offsets.
Status replayRegion(Construct C, const void *HostPtr, void *Memory,
                    int64_t MemorySize, void **DeviceArgs,
                    const ptrdiff_t *Offsets, int32_t NumArgs,
                    const KernelArgs &Args);

/// Prints the table of everything mapped on \p D (LIBOMPTARGET_INFO bit 4,
/// ompx_dump_mapping_tables).
void dumpMappings(Device &D, const Ident *Loc, bool ToStdout);

/// The collector behind __tgt_push_mapper_component.
struct MapperComponents {
  struct Component {
    void *Base;
    void *Begin;
    int64_t Size;
    int64_t Type;
    void *Name;
  };
  std::vector<Component> Components;
};

} // namespace accx

#endif // ACCX_MAPPING_CONSTRUCTS_H
