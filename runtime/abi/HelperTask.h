//===- HelperTask.h - Asynchronous routines as libomp tasks -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the asynchronous device memory routines as libomp's target tasks, and
// what of libomp's task interface that and interop constructs need.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_HELPERTASK_H
#define ACCX_ABI_HELPERTASK_H

#include "abi/Libomp.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

namespace accx {

/// One dependence, as clang and libomp exchange them.
struct KmpDependInfo {
  intptr_t BaseAddress;
  size_t Length;
  uint8_t Flags;
};
static_assert(sizeof(KmpDependInfo) == 24);
static_assert(offsetof(KmpDependInfo, Flags) == 16);

/// libomp's task record.
struct KmpTask {
  void *Shareds;
  int32_t (*Routine)(int32_t, KmpTask *);
  int32_t PartId;
  void *Data1;
  void *Data2;
};
static_assert(sizeof(KmpTask) == 40);

// Weak, as all of libomp's: programs may link the offload runtime alone.
extern "C" {
[[gnu::weak]] KmpTask *
__kmpc_omp_target_task_alloc(Ident *Loc, int32_t Gtid, int32_t Flags,
                             size_t TaskBytes, size_t SharedBytes,
                             int32_t (*Routine)(int32_t, KmpTask *),
                             int64_t DeviceId);
[[gnu::weak]] int32_t __kmpc_omp_task_with_deps(Ident *Loc, int32_t Gtid,
                                                KmpTask *Task, int32_t NumDeps,
                                                KmpDependInfo *Deps,
                                                int32_t NumNoAlias,
                                                KmpDependInfo *NoAlias);
[[gnu::weak]] void __kmpc_omp_wait_deps(Ident *Loc, int32_t Gtid,
                                        int32_t NumDeps, KmpDependInfo *Deps,
                                        int32_t NumNoAlias,
                                        KmpDependInfo *NoAlias);
}

/// The dependences behind \p Num depend objects. Clang stores how many an
/// object holds in the record before the one it points to.
inline std::vector<KmpDependInfo> flattenDependences(int Num,
                                                     void *const *Objects) {
  std::vector<KmpDependInfo> Deps;
  for (int I = 0; Objects && I < Num; ++I) {
    auto *Records = static_cast<const KmpDependInfo *>(Objects[I]);
    if (Records)
      Deps.insert(Deps.end(), Records, Records + Records[-1].BaseAddress);
  }
  return Deps;
}

/// Makes a target task that calls \p Body with a copy of the \p Bytes at
/// \p Args once its dependences are met. The copy lives and dies with libomp's
/// task record, so nothing of the caller's is looked at after the return, and
/// Args must be trivially copyable. Without libomp the body runs at once.
template <void (*Body)(void *Args)>
void spawnHelperTask(const void *Args, size_t Bytes,
                     std::vector<KmpDependInfo> Deps) {
  if (!__kmpc_omp_target_task_alloc || !__kmpc_omp_task_with_deps ||
      !__kmpc_global_thread_num) {
    std::vector<uint64_t> Copy((Bytes + 7) / 8);
    std::memcpy(Copy.data(), Args, Bytes);
    return Body(Copy.data());
  }
  int32_t Gtid = __kmpc_global_thread_num(nullptr);
  KmpTask *Task = __kmpc_omp_target_task_alloc(
      nullptr, Gtid, /*Flags=*/0, sizeof(KmpTask), Bytes,
      [](int32_t, KmpTask *Self) -> int32_t {
        Body(Self->Shareds);
        return 0;
      },
      /*DeviceId=*/-1);
  std::memcpy(Task->Shareds, Args, Bytes);
  __kmpc_omp_task_with_deps(nullptr, Gtid, Task,
                            static_cast<int32_t>(Deps.size()), Deps.data(), 0,
                            nullptr);
}

/// Has libomp make its helper threads, once. It makes them at the first target
/// task, and LLVM 19's aborts if another thread starts a team meanwhile.
inline void makeHelperThreads() {
  static std::once_flag Made;
  std::call_once(Made, [] {
    const char Nothing = 0;
    spawnHelperTask<[](void *) {}>(&Nothing, sizeof(Nothing), {});
  });
}

} // namespace accx

#endif // ACCX_ABI_HELPERTASK_H
