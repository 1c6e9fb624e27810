//===- DirectTask.cpp - Target tasks without libomp -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DirectTask.h.
//
//===----------------------------------------------------------------------===//

#include "abi/DirectTask.h"

#include "abi/Distribute.h"
#include "abi/HelperTask.h"
#include "abi/NextTarget.h"
#include "abi/Nowait.h"
#include "abi/Policy.h"
#include "accx/late.h"
#include "report/Report.h"
#include "support/Environment.h"
#include "support/ThreadOwned.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

using namespace accx;

thread_local constinit directTask::State directTask::detail::Now = State::None;

namespace {

/// Of a task's flags: bound to its thread, which says nothing of target tasks.
constexpr int32_t Tied = 1;
/// Kinds of dependences.
constexpr uint8_t In = 1, InOut = 3;

/// What libomp needs to make the task after all.
struct Request {
  Ident *Place;
  int32_t Flags;
  size_t TaskBytes, SharedBytes;
  int64_t Device;
};

/// Of one thread.
class Tasks {
  /// The record of the task that is being made.
  std::vector<std::max_align_t> Record;
  Request Asked = {};
  bool IsBeingMade = false;
  /// The thread may have tasks of libomp's.
  bool HasOthers = false;
  /// So many are not tried, after some that were in vain.
  unsigned Skip = 0, NextSkip = 0;
  /// Dependences of the chain, and of its last task.
  std::vector<KmpDependInfo> All, Last;

  KmpTask *record() { return reinterpret_cast<KmpTask *>(Record.data()); }
  bool continues(std::span<const KmpDependInfo> Deps) const;
  bool run(int32_t Thread, std::span<KmpDependInfo> Deps);
  KmpTask *libompsOwn(int32_t Thread);

public:
  KmpTask *make(const Request &Wanted, decltype(KmpTask::Routine) Routine);
  bool isBeingMade(const KmpTask *Task) {
    return IsBeingMade && Task == record();
  }
  /// Runs the task, or gives libomp's in its place.
  KmpTask *submit(int32_t Thread, std::span<KmpDependInfo> Deps);
  void publish();
  void settle(int Before);
};

} // namespace

static thread_local constinit Tasks *Own = nullptr;

static Tasks *tasks() {
  static thread_local ThreadOwned Thread(Own);
  return Own;
}

/// Null if the task is to be libomp's.
KmpTask *Tasks::make(const Request &Wanted,
                     decltype(KmpTask::Routine) Routine) {
  if (HasOthers || IsBeingMade || (Wanted.Flags & ~Tied) ||
      !__kmpc_omp_wait_deps || !omp_in_parallel || omp_in_parallel() ||
      accx::detail::HasNextTarget || currentLoop() ||
      infoEnabled(InfoKernelArgs))
    return nullptr;
  if (Skip) {
    --Skip;
    return nullptr;
  }
  constexpr size_t Unit = sizeof(std::max_align_t);
  const size_t Units = (Wanted.TaskBytes + Unit - 1) / Unit;
  Record.resize(Units + (Wanted.SharedBytes + Unit - 1) / Unit);
  *record() = {Record.data() + Units, Routine, 0, nullptr, nullptr};
  Asked = Wanted;
  IsBeingMade = true;
  return record();
}

/// Whether a task with \p Deps follows the last one of the chain in any order
/// that the program allows.
bool Tasks::continues(std::span<const KmpDependInfo> Deps) const {
  if (!late::any())
    return true;
  return std::any_of(Deps.begin(), Deps.end(), [&](const KmpDependInfo &D) {
    return std::any_of(Last.begin(), Last.end(), [&](const KmpDependInfo &L) {
      return L.BaseAddress == D.BaseAddress && (L.Flags | D.Flags) != In;
    });
  });
}

/// Runs the task in place; false if it was not started.
bool Tasks::run(int32_t Thread, std::span<KmpDependInfo> Deps) {
  const bool AreKnown =
      !Deps.empty() &&
      std::all_of(Deps.begin(), Deps.end(), [](const KmpDependInfo &D) {
        return D.Flags && D.Flags <= InOut;
      });
  if (!AreKnown || !continues(Deps))
    return false;
  if (!late::any())
    All.clear();
  // Tasks of other code may be meant, which are libomp's.
  __kmpc_omp_wait_deps(Asked.Place, Thread, static_cast<int32_t>(Deps.size()),
                       Deps.data(), 0, nullptr);
  directTask::detail::Now = directTask::State::Runs;
  record()->Routine(Thread, record());
  const bool Started = directTask::runs();
  directTask::detail::Now = directTask::State::None;
  constexpr unsigned MostSkipped = 63;
  NextSkip = Started ? 0 : std::min(NextSkip * 2 + 1, MostSkipped);
  Skip = NextSkip;
  if (!Started)
    return false;
  Last.assign(Deps.begin(), Deps.end());
  for (const KmpDependInfo &D : Deps)
    if (std::none_of(All.begin(), All.end(), [&](const KmpDependInfo &Known) {
          return Known.BaseAddress == D.BaseAddress;
        }))
      All.push_back({D.BaseAddress, D.Length, InOut});
  return true;
}

KmpTask *Tasks::libompsOwn(int32_t Thread) {
  KmpTask *Task = __kmpc_omp_target_task_alloc(
      Asked.Place, Thread, Asked.Flags, Asked.TaskBytes, Asked.SharedBytes,
      record()->Routine, Asked.Device);
  // Behind the record are its private variables.
  std::memcpy(Task + 1, record() + 1, Asked.TaskBytes - sizeof(KmpTask));
  if (Asked.SharedBytes)
    std::memcpy(Task->Shareds, record()->Shareds, Asked.SharedBytes);
  return Task;
}

KmpTask *Tasks::submit(int32_t Thread, std::span<KmpDependInfo> Deps) {
  const bool Ran = run(Thread, Deps);
  IsBeingMade = false;
  return Ran ? nullptr : libompsOwn(Thread);
}

namespace {
struct Chain {
  late::Detached *Regions; ///< Owned by the task.
};
} // namespace

static void endChain(void *Args) {
  endInTask(
      std::unique_ptr<late::Detached>(static_cast<Chain *>(Args)->Regions));
}

/// What the thread does next may depend on the chain.
void Tasks::publish() {
  HasOthers = true;
  if (!late::onlyTasks())
    return settleLate();
  const Chain Ending = {late::detach().release()};
  spawnHelperTask<endChain>(&Ending, sizeof(Ending), std::move(All));
  All.clear();
}

void Tasks::settle(int Before) {
  const bool OnlyTasks = late::onlyTasks();
  if (OnlyTasks && Before == ACCX_SETTLE_ALL)
    return publish();
  // Programs that access what a task may access wait for it.
  if (OnlyTasks && Before != ACCX_SETTLE_TASKS)
    return;
  settleLate();
  if (Before == ACCX_SETTLE_TASKS)
    HasOthers = false;
}

void directTask::settle(int Before) {
  const int What = Before & ~ACCX_SETTLE_LOOP;
  // Accesses see nothing of launches that have yet to start.
  if (held::any() && Before != ACCX_SETTLE_STORES &&
      Before != ACCX_SETTLE_LOADS)
    held::start();
  if (What == ACCX_SETTLE_LOADS && !late::seenByLoads())
    return;
  if (Own)
    Own->settle(What);
  else if (late::any())
    settleLate();
}

ACCX_ABI void *__accx_target_task_alloc(void *Place, int32_t Thread,
                                        int32_t Flags, size_t TaskBytes,
                                        size_t SharedBytes, void *Routine,
                                        int64_t Device) {
  const auto Code = reinterpret_cast<decltype(KmpTask::Routine)>(Routine);
  auto *Loc = static_cast<Ident *>(Place);
  if (Tasks *T = tasks())
    if (KmpTask *Task =
            T->make({Loc, Flags, TaskBytes, SharedBytes, Device}, Code))
      return Task;
  return __kmpc_omp_target_task_alloc(Loc, Thread, Flags, TaskBytes,
                                      SharedBytes, Code, Device);
}

ACCX_ABI int32_t __accx_target_task(void *Place, int32_t Thread, void *Task,
                                    int32_t NumDependences, void *Dependences,
                                    int32_t NumNoAlias, void *NoAlias) {
  auto *Made = static_cast<KmpTask *>(Task);
  auto *Deps = static_cast<KmpDependInfo *>(Dependences);
  if (Tasks *T = tasks()) {
    const size_t Num = NumNoAlias ? 0 : static_cast<size_t>(NumDependences);
    if (T->isBeingMade(Made) && !(Made = T->submit(Thread, {Deps, Num})))
      return 0;
    T->publish();
  }
  return __kmpc_omp_task_with_deps(static_cast<Ident *>(Place), Thread, Made,
                                   NumDependences, Deps, NumNoAlias,
                                   static_cast<KmpDependInfo *>(NoAlias));
}
