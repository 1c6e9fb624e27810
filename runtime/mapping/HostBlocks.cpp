//===- HostBlocks.cpp - Memory that the program took ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HostBlocks.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/HostBlocks.h"

#include "device/Device.h"
#include "device/DeviceList.h"
#include "report/Report.h"
#include "report/Source.h"

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <map>

using namespace accx;

std::atomic<bool> blocks::detail::Noted{false};

namespace {

struct State {
  std::mutex Guard;
  /// Begin -> end.
  std::map<uintptr_t, uintptr_t> Blocks;
};

enum class Level { Nothing, Message, Fatal };

} // namespace

/// Never destroyed: the program frees memory to its very end.
static State &state() {
  static State &S = *new State;
  return S;
}

static Level level() {
  static const Level L = [] {
    const char *Text = std::getenv("ACCX_CHECK");
    return !Text || !std::strcmp(Text, "1") ? Level::Fatal
           : !std::strcmp(Text, "0")        ? Level::Nothing
           : !std::strcmp(Text, "2")        ? Level::Message
                                            : Level::Fatal;
  }();
  return L;
}

static uintptr_t toInt(const void *Memory) {
  return reinterpret_cast<uintptr_t>(Memory);
}

void blocks::take(void *Memory, size_t Size) {
  if (!Memory || level() == Level::Nothing)
    return;
  detail::Noted.store(true, std::memory_order_relaxed);
  const uintptr_t Begin = toInt(Memory), End = Begin + Size;
  State &S = state();
  std::lock_guard Lock(S.Guard);
  // Libraries free blocks, too, which nobody says.
  auto It = S.Blocks.upper_bound(Begin);
  if (It != S.Blocks.begin() && std::prev(It)->second > Begin)
    --It;
  while (It != S.Blocks.end() && It->first < End)
    It = S.Blocks.erase(It);
  S.Blocks[Begin] = End;
}

/// Tells of what is on \p D of a block that is freed.
static void tellMapped(Device &D, HostRange Freed) {
  std::lock_guard Lock(D.MapMutex);
  for (const Entry *E : D.Maps.entries()) {
    if (E->Permanent || E->Host.Begin >= Freed.End ||
        E->Host.End <= Freed.Begin)
      continue;
    const Ident Loc = {0, 0, 0, 0, E->Place};
    const SourceLocation Since = SourceLocation::ofConstruct(&Loc);
    const std::string Place =
        Since.Known ? ", which " + Since.text() + " has put there" : "";
    plain("accx: warning: '%s' is freed on the host and still on device %d%s: "
          "'exit data' comes first\n",
          itemName(E->Name).c_str(), D.id(), Place.c_str());
  }
}

void blocks::give(void *Memory) {
  if (!Memory || !any())
    return;
  HostRange Freed;
  {
    State &S = state();
    std::lock_guard Lock(S.Guard);
    const auto It = S.Blocks.find(toInt(Memory));
    if (It == S.Blocks.end())
      return;
    Freed = {It->first, It->second};
    S.Blocks.erase(It);
  }
  for (int I = 0; I < DeviceList::get().count(); ++I)
    tellMapped(*DeviceList::get().find(I), Freed);
}

void blocks::check(const Ident *Loc, const void *Name, HostRange Mapped) {
  if (Mapped.empty())
    return;
  HostRange Block;
  {
    State &S = state();
    std::lock_guard Lock(S.Guard);
    auto It = S.Blocks.upper_bound(Mapped.Begin);
    if (It == S.Blocks.begin())
      return;
    --It;
    Block = {It->first, It->second};
  }
  if (Mapped.Begin >= Block.End || Mapped.End <= Block.End)
    return;
  // A library may have freed the block, and given its place to a larger one.
  if (Mapped.Begin == Block.Begin &&
      malloc_usable_size(reinterpret_cast<void *>(Block.Begin)) >=
          Mapped.size())
    return;
  char Text[200];
  std::snprintf(Text, sizeof(Text),
                "ends %" PRIuPTR " bytes behind the memory that it is in, "
                "which is %zu bytes long: behind ':' stands a number of "
                "elements, not the last index",
                Mapped.End - Block.End, Block.size());
  const std::string Where = SourceLocation::ofConstruct(Loc).text();
  if (level() == Level::Fatal)
    fatal(1, "%s: '%s' %s", Where.c_str(), itemName(Name).c_str(), Text);
  error("%s: '%s' %s", Where.c_str(), itemName(Name).c_str(), Text);
}
