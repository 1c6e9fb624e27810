//===- Ompt.cpp - OMPT callbacks for target constructs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the tool. Where it registered both forms of a callback, the EMI form is
// called. Identifiers come from the runtime for plain callbacks and from the
// tool for EMI callbacks.
//
//===----------------------------------------------------------------------===//

#include "report/OmptState.h"

using namespace accx::ompt;

constinit thread_local Interface llvm::omp::target::ompt::RegionInterface{};
constinit thread_local void *llvm::omp::target::ompt::ReturnAddress = nullptr;

namespace {

/// Identifiers of regions and operations; 0 is "none".
ompt_id_t nextId() {
  static constinit std::atomic<ompt_id_t> Next{1};
  return Next.fetch_add(1, std::memory_order_relaxed);
}

void *mutablePointer(const void *Pointer) {
  return const_cast<void *>(Pointer);
}

void callTarget(ompt_target_t Kind, ompt_scope_endpoint_t Endpoint, int Device,
                const void *CodePtr) {
  Interface &State = RegionInterface;
  if (Tool.ompt_callback_target_emi)
    Tool.ompt_callback_target_emi(Kind, Endpoint, Device, State.TaskData,
                                  State.TargetTaskData, &State.TargetData,
                                  CodePtr);
  else if (Tool.ompt_callback_target)
    Tool.ompt_callback_target(Kind, Endpoint, Device, State.TaskData,
                              State.TargetData.value, CodePtr);
}

} // namespace

void ReturnAddressScope::set(const void *Address) {
  if (ReturnAddress)
    return;
  ReturnAddress = mutablePointer(Address);
  Set = true;
}

void ReturnAddressScope::reset() { ReturnAddress = nullptr; }

const void *accx::ompt::returnAddress() { return ReturnAddress; }

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void RegionScope::begin() {
  Interface &State = RegionInterface;
  Outer = {State.HostOpId, State.TargetData, State.TaskData,
           State.TargetTaskData};
  if (CodePtr && !ReturnAddress) {
    ReturnAddress = mutablePointer(CodePtr);
    SetAddress = true;
  } else if (!CodePtr) {
    CodePtr = ReturnAddress;
  }

  State.TaskData = currentTaskData();
  State.TargetTaskData = currentTargetTaskData();
  State.TargetData = ompt_data_none;
  if (!Tool.ompt_callback_target_emi)
    State.TargetData.value = nextId();
  callTarget(Kind, ompt_scope_begin, Device, CodePtr);
}

void RegionScope::end() {
  // The tool may have ended while the region ran.
  if (enabled())
    callTarget(Kind, ompt_scope_end, Device, CodePtr);
  Interface &State = RegionInterface;
  State.TargetData = Outer.TargetData;
  State.TaskData = Outer.TaskData;
  State.TargetTaskData = Outer.TargetTaskData;
  if (SetAddress)
    ReturnAddress = nullptr;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void SubmitScope::begin() {
  Interface &State = RegionInterface;
  if (Tool.ompt_callback_target_submit_emi) {
    Tool.ompt_callback_target_submit_emi(ompt_scope_begin, &State.TargetData,
                                         &State.HostOpId, Teams);
    HostOpId = State.HostOpId;
  } else if (Tool.ompt_callback_target_submit) {
    State.HostOpId = nextId();
    Tool.ompt_callback_target_submit(State.TargetData.value, State.HostOpId,
                                     Teams);
  }
}

void SubmitScope::end() {
  if (!enabled() || !Tool.ompt_callback_target_submit_emi)
    return;
  Interface &State = RegionInterface;
  State.HostOpId = HostOpId;
  Tool.ompt_callback_target_submit_emi(ompt_scope_end, &State.TargetData,
                                       &State.HostOpId, Teams);
}

//===----------------------------------------------------------------------===//
// Data operations
//===----------------------------------------------------------------------===//

void DataOpScope::begin() {
  if (Op == ompt_target_data_delete || Op == ompt_target_data_delete_async) {
    // LLVM's runtime says no more about a deletion than what and where.
    Dst = nullptr;
    DstDevice = -1;
    Bytes = 0;
  }
  if (Tool.ompt_callback_target_data_op_emi)
    callEmi(ompt_scope_begin);
  else if (!isAllocation())
    callPlain();
}

void DataOpScope::end() {
  if (!enabled())
    return;
  if (Tool.ompt_callback_target_data_op_emi)
    callEmi(ompt_scope_end);
  else if (isAllocation())
    callPlain(); // The one event of an allocation tells its address.
}

bool DataOpScope::isAllocation() const {
  return Op == ompt_target_data_alloc || Op == ompt_target_data_alloc_async;
}

void DataOpScope::callEmi(ompt_scope_endpoint_t Endpoint) {
  Interface &State = RegionInterface;
  if (Endpoint == ompt_scope_end)
    State.HostOpId = HostOpId;
  // An allocation that comes out of memory the runtime holds has its address
  // earlier; tools see none at the begin of any.
  const void *Known =
      Endpoint == ompt_scope_begin && isAllocation() ? nullptr : Dst;
  Tool.ompt_callback_target_data_op_emi(
      Endpoint, State.TargetTaskData, &State.TargetData, &State.HostOpId, Op,
      mutablePointer(Src), SrcDevice, mutablePointer(Known), DstDevice, Bytes,
      ReturnAddress);
  HostOpId = State.HostOpId;
}

void DataOpScope::callPlain() {
  if (!Tool.ompt_callback_target_data_op)
    return;
  Interface &State = RegionInterface;
  State.HostOpId = nextId();
  Tool.ompt_callback_target_data_op(
      State.TargetData.value, State.HostOpId, Op, mutablePointer(Src),
      SrcDevice, mutablePointer(Dst), DstDevice, Bytes, ReturnAddress);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

void accx::ompt::deviceInitialize(int Device, const char *Type) {
  if (!enabled() || !Tool.ompt_callback_device_initialize)
    return;
  // An opaque handle; nothing takes it, as there is no device tracing.
  auto *Handle =
      reinterpret_cast<ompt_device_t *>(static_cast<uintptr_t>(Device) + 1);
  Tool.ompt_callback_device_initialize(Device, Type, Handle, lookupForDevice,
                                       /*documentation=*/nullptr);
}

void accx::ompt::deviceFinalize(int Device) {
  if (enabled() && Tool.ompt_callback_device_finalize)
    Tool.ompt_callback_device_finalize(Device);
}

void accx::ompt::deviceLoad(int Device, const char *Name, const void *Image,
                            size_t Size) {
  if (!enabled() || !Tool.ompt_callback_device_load)
    return;
  // The image lies in memory, not in a file of its own. Its address is unique
  // while it is loaded, which is what a module's identifier has to be.
  Tool.ompt_callback_device_load(
      Device, Name, /*offset_in_file=*/0,
      /*vma_in_file=*/nullptr, Size, mutablePointer(Image),
      /*device_addr=*/nullptr, reinterpret_cast<uintptr_t>(Image));
}

void accx::ompt::deviceUnload(int Device, const void *Image) {
  if (enabled() && Tool.ompt_callback_device_unload)
    Tool.ompt_callback_device_unload(Device,
                                     reinterpret_cast<uintptr_t>(Image));
}
