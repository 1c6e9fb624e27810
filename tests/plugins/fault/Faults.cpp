//===- Faults.cpp - Which calls fail --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Faults.h.
//
//===----------------------------------------------------------------------===//

#include "Faults.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

using namespace fault;

namespace {

struct Fault {
  std::string Operation;
  std::optional<uint32_t> Device;
  uint64_t First = 0;
  bool Persistent = false;
  uint64_t Calls = 0;
};

/// Whether any call can fail. Without faults no call takes the mutex: it would
/// order the runtime's threads and hide their races from the thread sanitizer.
std::atomic<bool> Armed{false};

/// Guards all of the following, which are never destroyed: queues go on while
/// the process ends.
std::mutex Mutex;
std::vector<Fault> &Faults = *new std::vector<Fault>;
std::map<accx_device, uint32_t> &Ordinals =
    *new std::map<accx_device, uint32_t>;
std::set<accx_device> &Lost = *new std::set<accx_device>;

/// Without a destructor: queues are asked while the process ends, when objects
/// of its first thread have gone.
thread_local char Text[512];
thread_local bool HasText = false;

constexpr const char *Operations[] = {
    "init",         "device_open",  "device_info",  "memory_info",
    "image_check",  "image_load",   "image_unload", "image_global",
    "image_kernel", "alloc",        "free",         "reserve",
    "commit",       "decommit",     "pin",          "queue_create",
    "queue_wait",   "event_create", "event_record", "event_wait",
    "queues_meet",  "event_sync",   "copy_to",      "copy_from",
    "copy_within",  "copy_peer",    "fill",         "launch",
    "trap",         "lost",         "spread_alloc", "spread_free",
    "export",       "import"};

accx_status statusOf(std::string_view Operation) {
  if (Operation == "alloc" || Operation == "commit" || Operation == "reserve" ||
      Operation == "pin" || Operation == "spread_alloc")
    return ACCX_ERROR_OUT_OF_MEMORY;
  if (Operation == "export" || Operation == "import")
    return ACCX_ERROR_UNSUPPORTED;
  if (Operation == "launch" || Operation == "trap")
    return ACCX_ERROR_KERNEL;
  if (Operation == "lost")
    return ACCX_ERROR_DEVICE_LOST;
  if (Operation.substr(0, 6) == "image_")
    return ACCX_ERROR_IMAGE;
  return ACCX_ERROR_UNKNOWN;
}

bool parseNumber(std::string_view Digits, uint64_t &Value) {
  auto [End, Error] =
      std::from_chars(Digits.data(), Digits.data() + Digits.size(), Value);
  return Error == std::errc() && End == Digits.data() + Digits.size() &&
         !Digits.empty();
}

bool parse(std::string_view Item, Fault &F) {
  const size_t Colon = Item.find(':');
  if (Colon == std::string_view::npos)
    return false;
  std::string_view What = Item.substr(0, Colon);
  std::string_view When = Item.substr(Colon + 1);
  if (const size_t At = What.find('@'); At != std::string_view::npos) {
    uint64_t Ordinal = 0;
    if (!parseNumber(What.substr(At + 1), Ordinal))
      return false;
    F.Device = static_cast<uint32_t>(Ordinal);
    What = What.substr(0, At);
  }
  F.Operation = What;
  if (When.ends_with('+')) {
    F.Persistent = true;
    When.remove_suffix(1);
  }
  if (!parseNumber(When, F.First) || F.First == 0)
    return false;
  for (const char *Known : Operations)
    if (What == Known)
      return true;
  return false;
}

bool concerns(const Fault &F, accx_device Device) {
  if (!F.Device)
    return true;
  auto It = Ordinals.find(Device);
  return It != Ordinals.end() && It->second == *F.Device;
}

/// Whether this call, which all faults of \p Operation count, fails.
bool falls(std::string_view Operation, accx_device Device) {
  bool Fails = false;
  for (Fault &F : Faults) {
    if (F.Operation != Operation || !concerns(F, Device))
      continue;
    ++F.Calls;
    Fails |= F.Calls == F.First || (F.Persistent && F.Calls > F.First);
  }
  return Fails;
}

accx_status lost() {
  return fault::fail(ACCX_ERROR_DEVICE_LOST, "injected: the device is gone");
}

accx_status countLocked(const char *Operation, accx_device Device) {
  forgetText();
  if (Lost.count(Device))
    return lost();
  if (!falls(Operation, Device))
    return ACCX_OK;
  return fault::fail(statusOf(Operation),
                     std::string("injected: ") + Operation);
}

} // namespace

std::string fault::setFaults(std::string_view List) {
  std::vector<Fault> Found;
  while (!List.empty()) {
    const size_t End = std::min(List.find(','), List.size());
    const std::string_view Item = List.substr(0, End);
    if (!parse(Item, Found.emplace_back()))
      return "ACCX_FAULT: '" + std::string(Item) + "' is no fault";
    List.remove_prefix(std::min(End + 1, List.size()));
  }
  std::lock_guard Lock(Mutex);
  Faults = std::move(Found);
  Armed.store(!Faults.empty() || !Lost.empty(), std::memory_order_relaxed);
  return "";
}

void fault::nameDevice(accx_device Device, uint32_t Ordinal) {
  std::lock_guard Lock(Mutex);
  Ordinals[Device] = Ordinal;
}

accx_status fault::count(const char *Operation, accx_device Device) {
  if (!Armed.load(std::memory_order_relaxed)) {
    forgetText();
    return ACCX_OK;
  }
  std::lock_guard Lock(Mutex);
  return countLocked(Operation, Device);
}

accx_status fault::countWork(const char *Operation, accx_device Device) {
  if (!Armed.load(std::memory_order_relaxed)) {
    forgetText();
    return ACCX_OK;
  }
  std::lock_guard Lock(Mutex);
  if (accx_status S = countLocked(Operation, Device))
    return S;
  if (!falls("lost", Device))
    return ACCX_OK;
  Lost.insert(Device);
  return lost();
}

accx_status fault::fail(accx_status Code, const std::string &What) {
  Text[What.copy(Text, sizeof(Text) - 1)] = '\0';
  HasText = true;
  return Code;
}

const char *fault::notedText() { return HasText ? Text : nullptr; }

void fault::forgetText() { HasText = false; }
