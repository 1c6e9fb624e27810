//===- Libomp.h - What constructs ask libomp --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points of libomp behind policy and deferred tasks. Weak, as in LLVM's
// runtime: programs may link the offload runtime alone.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_LIBOMP_H
#define ACCX_ABI_LIBOMP_H

#include "report/Source.h"

#include <cstdint>

namespace accx {

/// __kmpc_global_thread_num of a thread libomp is not initialized for.
constexpr int32_t GtidDoesNotExist = -2;

extern "C" {
[[gnu::weak]] int __kmpc_get_target_offload(void);
[[gnu::weak]] int32_t __kmpc_global_thread_num(Ident *Loc);
[[gnu::weak]] void **__kmpc_omp_get_target_async_handle_ptr(int32_t Gtid);
[[gnu::weak]] bool __kmpc_omp_has_task_team(int32_t Gtid);
[[gnu::weak]] int32_t __kmpc_omp_taskwait(Ident *Loc, int32_t Gtid);
[[gnu::weak]] int omp_get_default_device(void);
[[gnu::weak]] int omp_in_parallel(void);
[[gnu::weak]] void omp_fulfill_event(uintptr_t Event);
}

} // namespace accx

#endif // ACCX_ABI_LIBOMP_H
