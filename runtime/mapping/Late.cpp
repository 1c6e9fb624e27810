//===- Late.cpp - Regions whose waits come later --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Late.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Late.h"

#include "image/Registry.h"
#include "mapping/Absent.h"
#include "mapping/Announce.h"
#include "mapping/ByValue.h"
#include "mapping/CallRecord.h"
#include "mapping/Regions.h"
#include "report/KernelName.h"
#include "report/Ompt.h"
#include "report/Prof.h"
#include "report/Report.h"
#include "support/Environment.h"
#include "support/ThreadOwned.h"

#include <algorithm>
#include <utility>

using namespace accx;

thread_local constinit bool late::detail::Some = false;

namespace {

/// So many may be under way; who starts more waits for them first.
constexpr size_t MaxLate = 256;
/// So many launches of them, as those that repeat hold nothing.
constexpr size_t MaxLaunches = 8192;
/// So many are compared with one that is met.
constexpr size_t MaxCompared = 64;
/// So many are asked for the values that the next one has.
constexpr size_t NumLatest = 8;
/// Numbers of the queues that stand in where a device has none. Threads share
/// them, as each is a thread itself.
constexpr int64_t FirstNumber = asyncScope::None + 1;
constexpr unsigned NumNumbers = 8;

/// A region that is under way. Kept by its thread for the next one, as its
/// vectors have room by then.
struct Region {
  const Ident *Loc = nullptr;
  Kernel *K = nullptr;
  ConstructScratch S;
  std::optional<RegionResources> Resources;
  std::optional<ConstructQueue> Q;
  CallRecord Call;
  /// Which of the kernel's first parameters point to memory that the runtime
  /// has for the device, and how many it has in all.
  uint64_t Own = 0;
  unsigned NumParameters = 0;
};

/// Whether the kernel of \p R writes only memory that the runtime has for the
/// device.
bool writesOwn(const Region &R) {
  const KernelParts *Table = R.K->knownWrites();
  if (!Table || R.NumParameters > 64)
    return false;
  for (unsigned Param = 0; Param < R.NumParameters; ++Param)
    if (!(R.Own >> Param & 1) && Table->writes(Param))
      return false;
  return true;
}

class Regions final : public late::Detached {
  Device *D = nullptr;
  accx_queue Queue = nullptr;
  /// Holder of Queue where that is none of the plugin's.
  AsyncQueue *Async = nullptr;
  std::vector<std::unique_ptr<Region>> All;
  size_t Num = 0;
  /// Launches, repeated ones, too.
  size_t NumLaunches = 0;
  /// Index of the region that was repeated last, or started.
  size_t Last = 0;
  bool OnlyTasks = false;
  /// What they found is what the same calls would find.
  bool MayRepeat = true;
  /// What they found and is not there any more.
  std::vector<HostRange> Gone;
  /// The first regions, of which loads of the host's see nothing.
  size_t NumUnseen = 0;
  /// Of regions that were given away, on a queue that stands in.
  QueueEventRef End;
  /// What the region that is launched may share values with.
  std::vector<const PrivateArguments *> Latest;

  bool open(Device &On);
  void shareValues(Region &R, const MapArrays &Arrays, bool HasEnvironment);
  static void noteParameters(Region &R, const MapArrays &Arrays,
                             bool HasEnvironment);
  void close();
  Construct constructOf(const Region &R) const { return {*D, R.Loc}; }
  void clear(Region &R);
  template <typename Fn> Status launch(Region &R, Fn Launch);
  bool repeat(Construct C, const void *HostPtr, const KernelArgs &Args);
  late::Outcome wait();
  std::string kernels() const;
  void giveUp(const late::Outcome &O);

public:
  ~Regions() override;
  bool start(Construct C, const void *HostPtr, const KernelArgs &Args,
             late::Role Is, late::Outcome &Failed);
  bool any() const { return Num != 0; }
  bool onlyTasks() const { return any() && OnlyTasks; }
  Device *device() const { return D; }
  bool counts(std::vector<const Entry *> &Held) const;
  void lookUpAgain(std::span<const HostRange> Left) {
    MayRepeat = false;
    Gone.insert(Gone.end(), Left.begin(), Left.end());
  }
  std::span<const HostRange> gone() const { return Gone; }
  bool seenByLoads();
  void markEnd() {
    if (Async)
      End = Async->mark();
  }
  bool done() override;
  late::Outcome settle() override;
};

/// Whether regions on \p D may be late at all.
bool mayBeLate(const Device &D) {
  const std::string &Setting = Environment::get().Sync;
  // A device without queues would only be handed to another thread.
  if (Setting == "1" ||
      (Setting != "0" && D.info().features & ACCX_FEATURE_SYNCHRONOUS))
    return false;
  // Tools are told of regions step by step.
  return !ompt::enabled() && !prof::enabled() &&
         !Registry::get().sharesMemory(D) &&
         !D.UsesHostMemory.load(std::memory_order_relaxed);
}

/// Whether an entry is where the host's bytes are.
bool sharesBytes(const ConstructScratch &S) {
  return std::any_of(S.Enter.begin(), S.Enter.end(), [](const EnterItem &I) {
    return I.Target && !I.Host.empty() && I.Device == I.Host.Begin;
  });
}

} // namespace

/// Takes a queue; false if there is none.
bool Regions::open(Device &On) {
  if (D)
    return true;
  if (On.info().features & ACCX_FEATURE_SYNCHRONOUS) {
    static std::atomic<unsigned> NumThreads{0};
    static thread_local const unsigned Thread = NumThreads.fetch_add(1);
    auto Found = On.asyncQueue(FirstNumber + Thread % NumNumbers);
    if (!Found.ok())
      return false;
    Async = *Found;
    Queue = Async->handle();
  } else {
    auto Taken = On.takeQueue();
    if (!Taken.ok())
      return false;
    Queue = *Taken;
  }
  D = &On;
  return true;
}

/// Steps of a loop often have the same firstprivate values: those of the latest
/// regions serve.
void Regions::shareValues(Region &R, const MapArrays &Arrays,
                          bool HasEnvironment) {
  if (!onlyReadsPrivates(*R.K, Arrays, HasEnvironment))
    return;
  Latest.clear();
  for (size_t I = Num; I-- && Latest.size() < NumLatest;)
    Latest.push_back(&All[I]->Resources->Privates);
  R.Resources->Privates.share(Latest);
}

void Regions::close() {
  if (!Async)
    D->giveQueue(Queue);
  Async = nullptr;
  Queue = nullptr;
  D = nullptr;
  Num = NumLaunches = NumUnseen = 0;
  MayRepeat = true;
  Gone.clear();
}

void Regions::clear(Region &R) {
  R.Resources.reset();
  R.Q.reset();
}

Regions::~Regions() {
  // Threads settle before they end; whoever did not has nobody to tell.
  if (Num)
    (void)settle();
}

/// Notes what the kernel's parameters point to.
void Regions::noteParameters(Region &R, const MapArrays &Arrays,
                             bool HasEnvironment) {
  // The environment is the device's.
  R.Own = HasEnvironment;
  R.NumParameters = HasEnvironment;
  forEachParameter(Arrays, HasEnvironment, [&](int Arg, unsigned Param) {
    const uint64_t Type = Arrays.type(Arg);
    const int32_t Item = R.S.Items.ofArg(Arg);
    const Entry *E = Item >= 0 ? R.S.Enter[Item].Target : nullptr;
    const bool IsOwn =
        E ? !E->Associated : (Type & (MapPrivate | MapLiteral)) == MapPrivate;
    R.NumParameters = Param + 1;
    if (IsOwn && Param < 64)
      R.Own |= uint64_t(1) << Param;
  });
}

bool Regions::counts(std::vector<const Entry *> &Held) const {
  if (Num > MaxCompared)
    return false;
  for (size_t I = 0; I < Num; ++I)
    for (const EnterItem &It : All[I]->S.Enter) {
      if (!It.Target || !It.Count || !It.Counted)
        continue;
      if (It.Hold)
        return false;
      Held.push_back(It.Target);
    }
  return true;
}

bool Regions::seenByLoads() {
  while (NumUnseen < Num && writesOwn(*All[NumUnseen]))
    ++NumUnseen;
  return NumUnseen < Num;
}

/// Calls Launch(whether the launch may wait for others).
template <typename Fn> Status Regions::launch(Region &R, Fn Launch) {
  std::unique_lock<std::mutex> InOrder;
  if (Async) {
    InOrder = std::unique_lock(Async->Order);
    Async->Source.store(R.Loc ? R.Loc->Source : nullptr,
                        std::memory_order_relaxed);
    // Behind something, so that a short kernel is not run at once.
    Async->issueHost([] { return Status(); });
  }
  return Launch(!Async);
}

/// Launches a region again that is under way, if this call says the same.
bool Regions::repeat(Construct C, const void *HostPtr, const KernelArgs &Args) {
  if (!MayRepeat || NumLaunches == MaxLaunches || announcing())
    return false;
  for (size_t I = 1; I <= std::min(Num, MaxCompared); ++I) {
    const size_t Index = (Last + I) % Num;
    Region &R = *All[Index];
    if (!R.Call.isRepeatedBy(HostPtr, C.Loc, Args, R.Resources->Privates))
      continue;
    CallRecord::passLiterals(Args, R.S.KernelArgs);
    LaunchRequest Request = requestOf(C, Args);
    const Status Result = launch(R, [&](bool MayWait) {
      Request.MayWait = MayWait;
      return R.Resources->Launch.launch(*R.Q, *R.K, R.S.KernelArgs, Request);
    });
    // Started anew it fails again, and is told of as others are.
    if (Result.failed())
      return false;
    Last = Index;
    ++NumLaunches;
    return true;
  }
  return false;
}

bool Regions::start(Construct C, const void *HostPtr, const KernelArgs &Args,
                    late::Role Is, late::Outcome &Failed) {
  if (Num && D != &C.D && Is == late::Role::Task)
    return false;
  if (Num && D == &C.D && repeat(C, HostPtr, Args)) {
    OnlyTasks &= Is == late::Role::Task;
    return true;
  }
  if (Num && (D != &C.D || Num == MaxLate || NumLaunches == MaxLaunches))
    if (Failed = settle(); Failed.Result.failed())
      return false;
  Kernel *K = Registry::findKernel(C.D, HostPtr);
  // Whoever runs the region then says what is missing.
  if (!K || !open(C.D))
    return false;

  if (Num == All.size())
    All.push_back(std::make_unique<Region>());
  Region &R = *All[Num];
  R.Loc = C.Loc;
  R.K = K;
  R.Q.emplace(C.D).share(Queue);
  const MapArrays Arrays =
      passByValue(C, R.S, *K, arraysOf(Args), hasEnvironment(Args));
  R.S.Items.assign(Arrays, C.Loc);
  const bool Entered = enterPresent(C, R.S);
  Status Result;
  if (Entered && !sharesBytes(R.S)) {
    R.Resources.emplace(C.D);
    shareValues(R, Arrays, hasEnvironment(Args));
    Result = launch(R, [&](bool MayWait) {
      return launchRegion(C, *R.Q, R.S, *R.Resources, *K, Arrays, Args,
                          MayWait);
    });
    if (Result.ok()) [[likely]] {
      R.Call.set(HostPtr, C.Loc, Args, *K);
      noteParameters(R, Arrays, hasEnvironment(Args));
      OnlyTasks = Is == late::Role::Task && (!Num || OnlyTasks);
      Last = Num++;
      ++NumLaunches;
      return true;
    }
    // The queue may have failed in an earlier region, and tell it only now.
    if (late::Outcome O = wait(); O.Result.failed()) {
      Failed = std::move(O);
      return false;
    }
    // Whoever waits at once has all memory for one region.
    const bool Again =
        Result.code() == ErrorCode::OutOfMemory && K->steps().size() <= 1;
    if (!Again) {
      Failed = {endRegion(C, *R.Q, R.S, *K, std::move(Result)), C.Loc};
      clear(R);
      return false;
    }
  }
  if (Entered)
    Failed = {leaveItems(C, *R.Q, R.S, /*Pinned=*/true), C.Loc};
  clear(R);
  if (!Num)
    close();
  return false;
}

/// "kernel 'f' of line 4, or kernel 'g' of line 9": those under way.
std::string Regions::kernels() const {
  std::string Names;
  std::vector<const Kernel *> Named;
  for (size_t I = 0; I < Num; ++I) {
    if (std::find(Named.begin(), Named.end(), All[I]->K) != Named.end())
      continue;
    Named.push_back(All[I]->K);
    Names += (Names.empty() ? "" : ", or ") + kernelPhrase(All[I]->K->name());
  }
  return Names;
}

/// Waits for the queue. A queue that failed does not always say in what.
late::Outcome Regions::wait() {
  if (!Num)
    return {};
  late::Outcome O = {{}, All.front()->Loc};
  if (Async) {
    QueueOutcome Told = Async->wait();
    for (size_t I = 0; I < Num; ++I)
      if (All[I]->Loc && All[I]->Loc->Source == Told.Source) {
        O.Loc = All[I]->Loc;
        break;
      }
    O.Result = std::move(Told.Result);
  } else {
    O.Result = D->wait(Queue);
    if (O.Result.failed())
      O.Result = std::move(O.Result).within(kernels());
  }
  if (O.Result.failed())
    giveUp(O);
  return O;
}

/// All of them end as a region does whose kernel failed.
void Regions::giveUp(const late::Outcome &O) {
  error("%s", O.Result.text().c_str());
  if (inWordsOfLlvm(O.Loc))
    error("Executing target region abort target.");
  for (size_t I = 0; I < Num; ++I) {
    unpinItems(constructOf(*All[I]), All[I]->S);
    clear(*All[I]);
  }
  close();
}

bool Regions::done() {
  if (!Num)
    return true;
  return End ? End->done() : All[Num - 1]->Q->passed();
}

late::Outcome Regions::settle() {
  late::Outcome O = wait();
  if (O.Result.failed() || !Num)
    return O;
  for (size_t I = 0; I < Num; ++I) {
    Region &R = *All[I];
    if (O.Result.ok())
      O = {leaveRegion(constructOf(R), *R.Q, R.S, Status()), R.Loc};
    else
      unpinItems(constructOf(R), R.S);
    clear(R);
  }
  close();
  return O;
}

/// Who finds null waits.
static thread_local constinit Regions *Own = nullptr;

bool late::needThread(const Device &D) {
  return D.info().warp_size == 1 && mayBeLate(D);
}

bool late::start(Construct C, const void *HostPtr, const KernelArgs &Args,
                 Role Is, Outcome &Failed) {
  if (asyncScope::current() != asyncScope::None || !mayBeLate(C.D))
    return false;
  static thread_local ThreadOwned Thread(Own);
  if (!Own)
    return false;
  const bool Started = Own->start(C, HostPtr, Args, Is, Failed);
  detail::Some = Own->any();
  return Started;
}

late::Outcome late::settle() {
  if (!Own || !any())
    return {};
  detail::Some = false;
  return Own->settle();
}

Device *late::device() { return any() && Own ? Own->device() : nullptr; }

bool late::counts(std::vector<const Entry *> &Held) {
  return Own && Own->counts(Held);
}

void late::lookUpAgain(std::span<const HostRange> Gone) {
  Own->lookUpAgain(Gone);
}

std::span<const HostRange> late::gone() { return Own->gone(); }

bool late::seenByLoads() { return any() && Own && Own->seenByLoads(); }

bool late::onlyTasks() { return any() && Own && Own->onlyTasks(); }

std::unique_ptr<late::Detached> late::detach() {
  detail::Some = false;
  Own->markEnd();
  return std::unique_ptr<Detached>(std::exchange(Own, new Regions));
}
