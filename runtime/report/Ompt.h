//===- Ompt.h - OMPT callbacks for target constructs ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tool callbacks: target, data-op and submit events in plain and EMI form, and
// device initialize, finalize and load. Without a tool a scope costs one load.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_OMPT_H
#define ACCX_REPORT_OMPT_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <omp-tools.h>

namespace accx::ompt {

namespace detail {
extern std::atomic<bool> Connected; ///< A tool wants target events.
} // namespace detail

inline bool enabled() {
  return detail::Connected.load(std::memory_order_acquire);
}

/// Connects with libomp's tool interface; called once when the runtime starts.
/// Starts libomp.
void connect();

/// Remembers the code pointer of the construct the calling thread is in, for
/// the outermost entry point only.
class ReturnAddressScope {
  bool Set = false;

  void set(const void *Address);
  void reset();

public:
  explicit ReturnAddressScope(const void *Address) {
    if (enabled()) [[unlikely]]
      set(Address);
  }
  ~ReturnAddressScope() {
    if (Set) [[unlikely]]
      reset();
  }
  ReturnAddressScope(const ReturnAddressScope &) = delete;
  ReturnAddressScope &operator=(const ReturnAddressScope &) = delete;
};
/// The address set by the outermost scope of this thread, or null.
const void *returnAddress();

/// A target construct: callbacks target or target_emi, begin and end.
/// \p CodePtr is passed where the work was moved to another thread; it holds
/// for the data operations in the region too. LLVM's runtime gives the kinds
/// without "nowait" for constructs with it as well.
class RegionScope {
  bool Active;
  bool SetAddress = false;
  ompt_target_t Kind;
  int Device;
  const void *CodePtr;
  /// What the thread was in before; initialized by begin().
  struct {
    ompt_id_t HostOpId;
    ompt_data_t TargetData;
    ompt_data_t *TaskData, *TargetTaskData;
  } Outer;

  void begin();
  void end();

public:
  RegionScope(ompt_target_t Kind, int Device, const void *CodePtr = nullptr)
      : Active(enabled()), Kind(Kind), Device(Device), CodePtr(CodePtr) {
    if (Active) [[unlikely]]
      begin();
  }
  ~RegionScope() {
    if (Active) [[unlikely]]
      end();
  }
  RegionScope(const RegionScope &) = delete;
  RegionScope &operator=(const RegionScope &) = delete;
};

/// A kernel submission: target_submit or target_submit_emi.
class SubmitScope {
  bool Active;
  unsigned Teams;
  ompt_id_t HostOpId = 0;

  void begin();
  void end();

public:
  explicit SubmitScope(unsigned Teams) : Active(enabled()), Teams(Teams) {
    if (Active) [[unlikely]]
      begin();
  }
  ~SubmitScope() {
    if (Active) [[unlikely]]
      end();
  }
  SubmitScope(const SubmitScope &) = delete;
  SubmitScope &operator=(const SubmitScope &) = delete;
};

/// A data operation: alloc, delete, transfer, associate, disassociate, ...
/// For an allocation the device address is reported at the end only: setDst().
class DataOpScope {
  bool Active;
  ompt_target_data_op_t Op;
  const void *Src, *Dst;
  int SrcDevice, DstDevice;
  size_t Bytes;
  ompt_id_t HostOpId = 0;

  void begin();
  void end();
  bool isAllocation() const;
  void callEmi(ompt_scope_endpoint_t Endpoint);
  void callPlain();

public:
  DataOpScope(ompt_target_data_op_t Op, const void *Src, int SrcDevice,
              const void *Dst, int DstDevice, size_t Bytes)
      : Active(enabled()), Op(Op), Src(Src), Dst(Dst), SrcDevice(SrcDevice),
        DstDevice(DstDevice), Bytes(Bytes) {
    if (Active) [[unlikely]]
      begin();
  }
  void setDst(const void *Address) { Dst = Address; }
  ~DataOpScope() {
    if (Active) [[unlikely]]
      end();
  }
  DataOpScope(const DataOpScope &) = delete;
  DataOpScope &operator=(const DataOpScope &) = delete;
};

void deviceInitialize(int Device, const char *Type);
void deviceFinalize(int Device);
void deviceLoad(int Device, const char *Name, const void *Image, size_t Size);
void deviceUnload(int Device, const void *Image);

} // namespace accx::ompt

#endif // ACCX_REPORT_OMPT_H
