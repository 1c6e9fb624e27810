//===- OmptState.h - State behind the OMPT scopes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool's callbacks, and what a thread knows about the construct it is in.
// The two thread-local objects have the names and layout they have in LLVM's
// runtime, because device plugins refer to them by name.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_OMPTSTATE_H
#define ACCX_REPORT_OMPTSTATE_H

#include "report/Ompt.h"

namespace llvm::omp::target::ompt {

/// What the calling thread passes to callbacks.
struct [[gnu::visibility("default")]] Interface {
  ompt_id_t HostOpId = 0;
  ompt_data_t TargetData = ompt_data_none; ///< Of the target construct.
  ompt_data_t *TaskData = nullptr;         ///< Of the encountering task.
  ompt_data_t *TargetTaskData = nullptr;   ///< Of the target task.
};
static_assert(sizeof(Interface) == 32, "LLVM's layout");

extern constinit thread_local Interface RegionInterface
    [[gnu::visibility("default")]];
/// Code pointer of the runtime call that the program made.
extern constinit thread_local void *ReturnAddress
    [[gnu::visibility("default")]];

} // namespace llvm::omp::target::ompt

namespace accx::ompt {

using llvm::omp::target::ompt::Interface;
using llvm::omp::target::ompt::RegionInterface;
using llvm::omp::target::ompt::ReturnAddress;

/// What the tool registered; written before detail::Connected is.
struct Callbacks {
#define ACCX_CALLBACK(Name, Type, Code) Type Name = nullptr;
  FOREACH_OMPT_DEVICE_EVENT(ACCX_CALLBACK)
  FOREACH_OMPT_NOEMI_EVENT(ACCX_CALLBACK)
  FOREACH_OMPT_EMI_EVENT(ACCX_CALLBACK)
#undef ACCX_CALLBACK
};
extern Callbacks Tool;

/// Tool data of the encountering task and of its target task. On threads that
/// libomp does not know these are zeroed objects of the thread, as tools may
/// dereference them.
ompt_data_t *currentTaskData();
ompt_data_t *currentTargetTaskData();

/// Looks up the entry points for device tracing, none of which there are, and
/// libomp's.
ompt_interface_fn_t lookupForDevice(const char *Name);

} // namespace accx::ompt

#endif // ACCX_REPORT_OMPTSTATE_H
