//===- share.cpp - Device memory that two processes share -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One process gives 256 MiB of a window away, another maps them on the same
// GPU, and on the last one if there are several, and copies them into memory of
// its own. Through the plugin's own interface, without the runtime.
// Usage: share <path of the plugin>. Prints RESULT lines.
//
//===----------------------------------------------------------------------===//

#include "accx/plugin.h"
#include "bench/measure.h"
#include "channel.h"
#include "check.h"

#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static constexpr size_t Bytes = size_t(256) << 20, Words = Bytes / 4;
static constexpr size_t MarkAt = Bytes - (size_t(3) << 20);

static const accx_plugin *P;

static void ok(accx_status S, int Line) {
  if (S == ACCX_OK)
    return;
  if (++Wrong <= 10)
    std::printf("%s, line %d: status %d: %s\n", Who, Line, S, P->last_error());
}
#define OK(Call) ok(Call, __LINE__)

static uint32_t word(size_t I) { return uint32_t(I * 2654435761u + 12345); }

static void copy(accx_device D, accx_queue Q, accx_direction Direction,
                 void *To, const void *From, size_t Size) {
  const accx_copy C = {Direction, To, From, Size, 1, 0, 0, nullptr};
  OK(P->copy(D, Q, &C));
}

static size_t countBad(accx_device D, const void *There) {
  std::vector<uint32_t> Back(Words);
  copy(D, nullptr, ACCX_FROM_DEVICE, Back.data(), There, Bytes);
  size_t Bad = 0;
  for (size_t I = 0; I < MarkAt / 4; ++I)
    Bad += Back[I] != word(I);
  return Bad;
}

//===----------------------------------------------------------------------===//
// The process that gives
//===----------------------------------------------------------------------===//

static void *windowOf(accx_device D, size_t Size) {
  void *Base = nullptr;
  OK(P->va_reserve(D, Size, nullptr, &Base));
  OK(P->va_commit(D, Base, Size));
  return Base;
}

static std::vector<accx_exported> exportAll(accx_device D, char *Base) {
  std::vector<accx_exported> All;
  const auto Begin = reinterpret_cast<uintptr_t>(Base);
  for (uintptr_t At = Begin; At < Begin + Bytes;) {
    accx_exported E = {};
    OK(P->memory_export(D, reinterpret_cast<void *>(At), &E));
    CHECK(E.begin == At && E.bytes > 0 && E.fd >= 0);
    if (!E.bytes)
      break;
    All.push_back(E);
    At += E.bytes;
  }
  return All;
}

static void whoseMemory(accx_device D, char *Base) {
  auto Finds = [&](const void *Address, size_t Size) {
    return P->memory_find(D, Address, Size) == ACCX_OK;
  };
  CHECK(Finds(Base, Bytes));
  CHECK(!Finds(Base + Bytes - 1, 2));
  CHECK(!Finds(&Base, sizeof(Base)));
  void *Block = nullptr, *Pinned = nullptr;
  accx_exported E = {};
  OK(P->alloc(D, 100000, ACCX_MEMORY_DEVICE, &Block));
  OK(P->alloc(D, 100000, ACCX_MEMORY_HOST, &Pinned));
  CHECK(Finds(Block, 100000));
  CHECK(Finds(static_cast<char *>(Block) + 99999, 1));
  CHECK(!Finds(Block, Bytes * 8));
  CHECK(!Finds(Pinned, 100000));
  CHECK(P->memory_export(D, Block, &E) == ACCX_ERROR_UNSUPPORTED);
  OK(P->free(D, Block, ACCX_MEMORY_DEVICE));
  CHECK(!Finds(Block, 100000));
  OK(P->free(D, Pinned, ACCX_MEMORY_HOST));
  const double Ms =
      medianMs(11, 1000, [&] { (void)P->memory_find(D, &E, sizeof(E)); });
  result("memory-find", "accx", "host", Ms, microseconds(Ms), true);
}

static void give(accx_device D) {
  char *Base = static_cast<char *>(windowOf(D, Bytes));
  whoseMemory(D, Base);
  {
    std::vector<uint32_t> In(Words);
    for (size_t I = 0; I < Words; ++I)
      In[I] = word(I);
    copy(D, nullptr, ACCX_TO_DEVICE, Base, In.data(), Bytes);
  }
  const std::vector<accx_exported> All = exportAll(D, Base);
  const uint32_t Count = uint32_t(All.size());
  send(&Count, sizeof(Count));
  for (const accx_exported &E : All)
    send(&E, sizeof(E), E.fd);
  hear('w');
  uint32_t Mark = 0;
  copy(D, nullptr, ACCX_FROM_DEVICE, &Mark, Base + MarkAt, sizeof(Mark));
  CHECK(Mark == 4711);

  // What is mapped elsewhere is given back here; what comes is other memory.
  OK(P->va_decommit(D, Base, Bytes));
  OK(P->va_commit(D, Base, Bytes));
  OK(P->fill(D, nullptr, Base, 0, 1, Bytes));
  const auto Again = exportAll(D, Base);
  CHECK(!Again.empty() && !All.empty() && Again[0].id > All.back().id);
  say('g');
  hear('c');
  OK(P->va_release(D, Base, Bytes));
}

//===----------------------------------------------------------------------===//
// The process that takes
//===----------------------------------------------------------------------===//

/// Chunks, as mapped on one device.
using Mapped = std::vector<std::pair<void *, size_t>>;

static double copyMs(accx_device D, char *To, const Mapped &From) {
  accx_queue Q = nullptr;
  OK(P->queue_create(D, &Q));
  const double Ms = medianMs(21, 1, [&] {
    size_t At = 0;
    for (auto [Address, Size] : From) {
      copy(D, Q, ACCX_WITHIN_DEVICE, To + At, Address, Size);
      At += Size;
    }
    OK(P->queue_wait(Q));
  });
  P->queue_destroy(Q);
  return Ms;
}

static std::string rate(double Ms) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%.1f GB/s", double(Bytes) / Ms / 1e6);
  return Text;
}

static Mapped importAll(accx_device D, const std::vector<accx_exported> &All) {
  Mapped Here;
  for (const accx_exported &E : All) {
    void *Address = nullptr;
    OK(P->memory_import(D, &E, &Address));
    if (Address)
      Here.emplace_back(Address, E.bytes);
  }
  return Here;
}

static void closeAll(accx_device D, const Mapped &Here) {
  for (auto [Address, Size] : Here)
    OK(P->memory_close(D, Address));
}

static void measure(accx_device D, const std::vector<accx_exported> &All,
                    const Mapped &Here, const char *Bench) {
  const int Before = Wrong;
  char *Own = static_cast<char *>(windowOf(D, Bytes));
  const double Ms = copyMs(D, Own, Here);
  const bool Right = countBad(D, Own) == 0 && Wrong == Before;
  CHECK(Right);
  result(Bench, "accx", "256MiB", Ms, rate(Ms), Right);
  char *Other = static_cast<char *>(windowOf(D, Bytes));
  const double Within = copyMs(D, Other, {{Own, Bytes}});
  result(Bench, "one process", "256MiB", Within, rate(Within), true);
  OK(P->va_release(D, Own, Bytes));
  OK(P->va_release(D, Other, Bytes));

  Mapped More;
  const double Open = medianMs(11, 1, [&] {
    closeAll(D, More);
    More = importAll(D, All);
  });
  closeAll(D, More);
  const std::string Name = std::string(Bench) + "-close-import";
  result(Name.c_str(), "accx", std::to_string(All.size()) + " chunks", Open,
         microseconds(Open, double(All.size())), true);
}

static void take(accx_device D, accx_device Far) {
  uint32_t Count = 0;
  receive(&Count, sizeof(Count));
  std::vector<accx_exported> All(Count);
  for (accx_exported &E : All) {
    const int Descriptor = receive(&E, sizeof(E));
    E.fd = Descriptor;
  }
  const Mapped Here = importAll(D, All);
  measure(D, All, Here, "share");
  if (Far) {
    const Mapped There = importAll(Far, All);
    measure(Far, All, There, "share-peer");
    closeAll(Far, There);
  }
  for (const accx_exported &E : All)
    close(E.fd);

  const uint32_t Mark = 4711;
  size_t At = 0;
  for (auto [Address, Size] : Here) {
    if (MarkAt >= At && MarkAt < At + Size)
      copy(D, nullptr, ACCX_TO_DEVICE,
           static_cast<char *>(Address) + (MarkAt - At), &Mark, sizeof(Mark));
    At += Size;
  }
  say('w');
  hear('g');
  // The memory has no other owner any more.
  char *Own = static_cast<char *>(windowOf(D, Bytes));
  (void)copyMs(D, Own, Here);
  CHECK(countBad(D, Own) == 0);
  OK(P->va_release(D, Own, Bytes));
  closeAll(D, Here);
  if (!Here.empty())
    CHECK(P->memory_close(D, Here[0].first) == ACCX_ERROR_INVALID);
  // One that is left goes with the device.
  say('c');
}

static std::vector<accx_device> start(const char *Path) {
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library) {
    std::printf("%s\n", dlerror());
    std::exit(2);
  }
  auto Get =
      reinterpret_cast<accx_plugin_get_fn>(dlsym(Library, ACCX_PLUGIN_ENTRY));
  P = Get(ACCX_PLUGIN_ABI_VERSION, nullptr);
  uint32_t Count = 0;
  OK(P->init(&Count));
  std::vector<accx_device> Devices(Count);
  for (uint32_t I = 0; I < Count; ++I)
    OK(P->device_open(I, &Devices[I]));
  CHECK(Count > 0);
  if (!Count)
    std::exit(verdict());
  return Devices;
}

int main(int Argc, char **Argv) {
  const char *Path = Argc > 1 ? Argv[1] : "libaccx.rtl.cuda.so";
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, Ends))
    return 2;
  // Before the driver starts: it does not live through a fork.
  const pid_t Child = fork();
  if (Child < 0)
    return 2;
  Who = Child ? "giver" : "taker";
  Channel = Ends[Child ? 0 : 1];
  close(Ends[Child ? 1 : 0]);
  const std::vector<accx_device> Devices = start(Path);
  if (Child)
    give(Devices[0]);
  else
    take(Devices[0], Devices.size() > 1 ? Devices.back() : nullptr);
  for (accx_device D : Devices)
    P->device_close(D);
  if (!Child)
    return Wrong != 0;
  int Status = 1;
  waitpid(Child, &Status, 0);
  CHECK(Status == 0);
  return verdict();
}
