//===- Nowait.cpp - Deferred target tasks ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Nowait.h.
//
//===----------------------------------------------------------------------===//

#include "abi/Nowait.h"

#include "abi/Libomp.h"
#include "abi/Policy.h"
#include "device/Worker.h"
#include "report/Activity.h"
#include "report/Ompt.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <algorithm>
#include <chrono>

using namespace accx;

namespace {

/// What libomp keeps in the task: the end of the worker's operation, a region
/// that was started, or several.
struct TaskHandle {
  std::shared_ptr<Completion> End;
  std::unique_ptr<StartedRegion> Region;
  std::unique_ptr<late::Detached> Regions;
  const Ident *Loc;

  bool done() const {
    return Regions ? Regions->done() : Region ? Region->done() : End->done();
  }
  /// Waits; ends the program if the work failed.
  void finish() const {
    if (Regions) {
      const late::Outcome O = Regions->settle();
      return handleOutcome(O.Result, O.Loc);
    }
    if (Region)
      return handleOutcome(Region->finish(), Loc);
    End->wait();
    handleOutcome(End->result(), Loc);
  }
};

/// The place for a handle in the current task, or null if the task cannot be
/// resumed to ask for it.
void **taskHandlePlace() {
  if (!__kmpc_global_thread_num || !__kmpc_omp_has_task_team ||
      !__kmpc_omp_get_target_async_handle_ptr)
    return nullptr;
  const int32_t Gtid = __kmpc_global_thread_num(nullptr);
  if (Gtid == GtidDoesNotExist || !__kmpc_omp_has_task_team(Gtid))
    return nullptr;
  void **Place = __kmpc_omp_get_target_async_handle_ptr(Gtid);
  return Place && !*Place ? Place : nullptr;
}

/// Owns copies of a construct's argument arrays, which usually live in the
/// frame of the function that is about to return.
struct CopiedArrays {
  std::vector<void *> BasePtrs, Ptrs, Names, Mappers;
  std::vector<int64_t> Sizes, Types;

  explicit CopiedArrays(const MapArrays &A)
      : BasePtrs(A.BasePtrs, A.BasePtrs + A.Num), Ptrs(A.Ptrs, A.Ptrs + A.Num),
        Sizes(A.Sizes, A.Sizes + A.Num), Types(A.Types, A.Types + A.Num) {
    if (A.Names)
      Names.assign(A.Names, A.Names + A.Num);
    if (A.Mappers)
      Mappers.assign(A.Mappers, A.Mappers + A.Num);
  }

  MapArrays view() {
    return {static_cast<int32_t>(Ptrs.size()),
            BasePtrs.data(),
            Ptrs.data(),
            Sizes.data(),
            Types.data(),
            Names.empty() ? nullptr : Names.data(),
            Mappers.empty() ? nullptr : Mappers.data()};
  }
};

/// Waits a moment for \p R. libomp hands a task that is not over to another
/// thread each time it asks, which costs more than a short kernel takes; after
/// kernels that took longer, the moment is skipped more and more often.
bool endsSoon(StartedRegion &R) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds Moment(20);
  constexpr unsigned MostSkipped = 63;
  thread_local unsigned Skip = 0, NextSkip = 0;
  if (Skip) {
    --Skip;
    return R.done();
  }
  for (const auto End = Clock::now() + Moment; Clock::now() < End;)
    if (R.done()) {
      NextSkip = 0;
      return true;
    }
  Skip = NextSkip = std::min(NextSkip * 2 + 1, MostSkipped);
  return false;
}

} // namespace

bool accx::deferToTask(Device &D, const Ident *Loc, const MapArrays &Arrays,
                       std::function<Status(const MapArrays &)> Run) {
  void **Place = taskHandlePlace();
  if (!Place)
    return false;
  auto Copy = std::make_shared<CopiedArrays>(Arrays);
  auto End = D.worker().enqueue(
      [Copy, Run = std::move(Run)] { return Run(Copy->view()); });
  *Place = new TaskHandle{std::move(End), nullptr, nullptr, Loc};
  return true;
}

bool accx::startInTask(Construct C, const void *HostPtr,
                       const KernelArgs &Args) {
  // A tool is told of a region from beginning to end on one thread.
  if (ompt::enabled())
    return false;
  void **Place = taskHandlePlace();
  if (!Place)
    return false;
  ActivityInfo Activity;
  Activity.Device = C.D.id();
  Activity.What = "target nowait";
  Activity.Loc = C.Loc;
  Status Result;
  std::unique_ptr<StartedRegion> Region;
  {
    ActivityScope Scope(ActivityKind::Region, Activity);
    Region = startRegion(C, HostPtr, Args, Result);
  }
  handleOutcome(Result, C.Loc);
  if (!Region)
    return false;
  if (endsSoon(*Region)) {
    handleOutcome(Region->finish(), C.Loc);
    return true;
  }
  *Place = new TaskHandle{nullptr, std::move(Region), nullptr, C.Loc};
  return true;
}

void accx::endInTask(std::unique_ptr<late::Detached> Regions) {
  TaskHandle Handle = {nullptr, nullptr, std::move(Regions), nullptr};
  if (void **Place = taskHandlePlace())
    *Place = new TaskHandle(std::move(Handle));
  else
    Handle.finish();
}

void accx::queryTask(void **Handle) {
  if (!Handle || !*Handle)
    fatal(1, "Receive an invalid async handle from the current OpenMP task. Is "
             "this a target nowait region?\n");
  auto *Task = static_cast<TaskHandle *>(*Handle);

  // A thread that asks in vain again and again has nothing better to do than
  // to wait; each success halves its impatience.
  thread_local int64_t Impatience = 0;
  const Environment &Env = Environment::get();
  if (Impatience <= Env.QueryCountThreshold && !Task->done()) {
    Impatience = std::min(Impatience + 1, Env.QueryCountMax);
    return;
  }
  Impatience /= 2;
  Task->finish();
  delete Task;
  *Handle = nullptr;
}
