//===- Prof.cpp - Events of OpenACC's profiling interface -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills the structures of an event: where the program is, on which device, and
// what happens.
//
//===----------------------------------------------------------------------===//

#include "report/Prof.h"

#include <cerrno>
#include <mutex>
#include <string>
#include <unordered_map>

using namespace accx;
using namespace accx::prof;

namespace {

/// A place in the program. Strings live on, as tools may keep them.
struct Place {
  std::string File, Function;
  int Line = -1;
};

/// What the calling thread is in.
struct Frame {
  ConstructFacts Facts;
  const Place *Where;
  Frame *Outer;
};
constinit thread_local Frame *Current = nullptr;

constinit std::atomic<Describer> Describe{nullptr};
/// Set by runtimeShutdown().
constinit std::atomic<bool> Over{false};

/// Strings of the records that were seen, by their text: a record may go with
/// its library. Never destroyed.
template <typename Value, typename Make>
const Value *interned(std::string_view Record, Make MakeValue) {
  static auto *const Mutex = new std::mutex;
  static auto *const Known = new std::unordered_map<std::string, Value>;
  std::lock_guard Lock(*Mutex);
  const auto [It, Fresh] = Known->try_emplace(std::string(Record));
  if (Fresh)
    MakeValue(It->second);
  return &It->second;
}

/// Null where it is unknown.
const Place *placeOf(const Ident *Loc) {
  if (!Loc || !Loc->Source)
    return nullptr;
  const Place *P = interned<Place>(Loc->Source, [&](Place &New) {
    const SourceLocation At = SourceLocation::ofConstruct(Loc);
    if (!At.Known)
      return;
    New = {std::string(At.File), std::string(At.Name), At.Line};
  });
  return P->Line > 0 ? P : nullptr;
}

/// "a.b" of "a.b[0:n][1:m]".
std::string_view withoutSections(std::string_view Name) {
  while (Name.ends_with(']')) {
    const size_t Open = Name.rfind('[');
    if (Open == std::string_view::npos ||
        Name.find(':', Open) == std::string_view::npos)
      break;
    Name = Name.substr(0, Open);
  }
  return Name;
}

/// The variable's name, or null. What is no record names a routine.
const char *variableOf(const void *Record) {
  if (!Record)
    return nullptr;
  const auto *Text = static_cast<const char *>(Record);
  if (std::string_view(Text).find(';') == std::string_view::npos)
    return nullptr;
  const std::string *Name = interned<std::string>(Text, [&](std::string &New) {
    const std::string Found = itemName(Record);
    New = Found == "unknown" ? "" : withoutSections(Found);
  });
  return Name->empty() ? nullptr : Name->c_str();
}

const char *orNull(const std::string &Text) {
  return Text.empty() || Text == "unknown" ? nullptr : Text.c_str();
}

int threadNumber() {
  static constinit std::atomic<int> Next{0};
  thread_local const int Own = Next.fetch_add(1, std::memory_order_relaxed);
  return Own;
}

bool wanted(acc_event_t Event) {
  return detail::Wanted.load(std::memory_order_acquire) >> Event & 1;
}

/// Where there is no construct.
Frame bareFrame(int Device) {
  return {{acc_construct_runtime_api, Device}, nullptr, nullptr};
}

void trigger(acc_event_t Event, acc_event_info &Info, const Frame &F) {
  if (!wanted(Event) || Over.load(std::memory_order_relaxed))
    return;
  // Callbacks lie inside calls that a program may make between an operation
  // and its look at errno.
  const int SavedErrno = errno;
  const Describer Tell = Describe.load(std::memory_order_acquire);
  const DeviceFacts Device =
      Tell ? Tell(F.Facts.Device, F.Facts.Async) : DeviceFacts();
  acc_prof_info Prof = {};
  Prof.event_type = Event;
  Prof.valid_bytes = _ACC_PROF_INFO_VALID_BYTES;
  Prof.version = _ACC_PROF_INFO_VERSION;
  Prof.device_type = Device.Type;
  Prof.device_number = Device.Number;
  Prof.thread_id = threadNumber();
  Prof.async = Prof.async_queue = static_cast<ptrdiff_t>(F.Facts.Async);
  Prof.src_file = F.Where ? orNull(F.Where->File) : nullptr;
  Prof.func_name = F.Where ? orNull(F.Where->Function) : nullptr;
  Prof.line_no = F.Where ? F.Where->Line : -1;
  Prof.end_line_no = Prof.func_line_no = Prof.func_end_line_no = -1;
  acc_api_info Api = {};
  Api.device_api = Device.Api;
  Api.valid_bytes = _ACC_API_INFO_VALID_BYTES;
  Api.device_type = Device.Type;
  Api.vendor = -1;
  Api.device_handle = Device.Device;
  Api.context_handle = Device.Context;
  Api.async_handle = Device.Queue;
  Info.event_type = Event;
  callAll(Prof, Info, Api);
  errno = SavedErrno;
}

acc_event_info otherInfo(const Frame &F, bool Implicit) {
  acc_event_info Info = {};
  Info.other_event = {acc_ev_none, _ACC_OTHER_EVENT_INFO_VALID_BYTES,
                      F.Facts.Kind, Implicit, nullptr};
  return Info;
}

acc_event_info dataInfo(const Frame &F, const DataFacts &Facts) {
  acc_event_info Info = {};
  Info.data_event = {acc_ev_none,   _ACC_DATA_EVENT_INFO_VALID_BYTES,
                     F.Facts.Kind,  Facts.Implicit,
                     nullptr,       variableOf(Facts.Name),
                     Facts.Bytes,   Facts.Host,
                     Facts.OnDevice};
  return Info;
}

} // namespace

struct EventScope::Open {
  acc_event_t End = acc_ev_none;
  acc_event_info Info = {};
  Frame F;
  bool IsCurrent = false;

  explicit Open(int Device) : F(Current ? *Current : bareFrame(Device)) {}

  void start(acc_event_t Start, const acc_event_info &What) {
    Info = What;
    trigger(Start, Info, F);
    End = static_cast<acc_event_t>(Start + 1);
  }
  void makeCurrent() {
    F.Outer = Current;
    Current = &F;
    IsCurrent = true;
  }
};

void EventScope::end() {
  if (O->IsCurrent)
    Current = O->F.Outer;
  if (O->End != acc_ev_none)
    trigger(O->End, O->Info, O->F);
  delete O;
}

void EventScope::construct(acc_event_t Start, const ConstructFacts &Facts) {
  const bool Outermost = !Current;
  O = new Open(Facts.Device);
  if (Outermost)
    O->F = {Facts, placeOf(Facts.Loc), nullptr};
  O->start(Start, otherInfo(O->F, !Outermost));
  O->makeCurrent();
}

void EventScope::inside(const ConstructFacts &Facts) {
  if (Current)
    return;
  O = new Open(Facts.Device);
  O->F = {Facts, placeOf(Facts.Loc), nullptr};
  O->makeCurrent();
}

void EventScope::step(acc_event_t Start, int Device, bool Implicit) {
  O = new Open(Device);
  O->start(Start, otherInfo(O->F, Implicit));
}

void EventScope::data(acc_event_t Start, const DataFacts &Facts) {
  O = new Open(Facts.Device);
  O->start(Start, dataInfo(O->F, Facts));
}

void EventScope::launch(acc_event_t Start, const LaunchFacts &Facts) {
  O = new Open(Facts.Device);
  acc_event_info Info = {};
  Info.launch_event = {acc_ev_none,     _ACC_LAUNCH_EVENT_INFO_VALID_BYTES,
                       O->F.Facts.Kind,
                       /*implicit=*/1,  nullptr,
                       Facts.Kernel,    Facts.Gangs,
                       Facts.Workers,   Facts.VectorLength};
  O->start(Start, Info);
}

void prof::dataEvent(acc_event_t Event, const DataFacts &Facts) {
  const Frame F = Current ? *Current : bareFrame(Facts.Device);
  acc_event_info Info = dataInfo(F, Facts);
  trigger(Event, Info, F);
}

void prof::runtimeShutdown(int Device) {
  const Frame F = bareFrame(Device);
  acc_event_info Info = otherInfo(F, /*Implicit=*/true);
  trigger(acc_ev_runtime_shutdown, Info, F);
  Over.store(true, std::memory_order_relaxed);
}

void prof::setDescriber(Describer Function) {
  Describe.store(Function, std::memory_order_release);
}
