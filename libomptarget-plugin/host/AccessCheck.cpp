//===- AccessCheck.cpp - What kernels may access --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of addresses, and the message where an access is in none.
//
//===----------------------------------------------------------------------===//

#include "AccessCheck.h"
#include "ImageUse.h"
#include "Lock.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <omp.h>
#include <pthread.h>
#include <set>
#include <vector>

using namespace accx;
using namespace accx::host;

namespace {

struct Range {
  uintptr_t Begin = 0, End = 0;
  bool holds(uintptr_t Address, uint64_t Size) const {
    return Address >= Begin && Address < End && Size <= End - Address;
  }
};

struct State {
  Lock Guard;
  /// Begin -> end; disjoint.
  std::map<uintptr_t, uintptr_t> Ranges;
  std::set<const AccessSite *> Told;
};

/// Ranges that the thread found last, as long as none has been removed.
struct Recent {
  static constexpr unsigned Count = 4;
  uint64_t Removals = 0;
  unsigned Next = 0;
  Range Ranges[Count];
};

/// The part of a thread's stack that is noted.
struct NotedStack {
  uintptr_t Low = 0;
  ~NotedStack() {
    if (Low)
      check::remove(reinterpret_cast<const void *>(Low));
  }
};

} // namespace

static std::atomic<uint32_t> Level{1};
static std::atomic<uint64_t> Removals{0};
static thread_local Recent Found;
static thread_local NotedStack Stack;

/// Never destroyed: kernels may run while the process ends.
static State &state() {
  static State &S = *new State;
  return S;
}

static uintptr_t toInt(const void *Address) {
  return reinterpret_cast<uintptr_t>(Address);
}

void check::setLevel(uint32_t Wanted) { Level = Wanted; }

void check::add(const void *Address, size_t Size) {
  if (!Size)
    return;
  const uintptr_t Begin = toInt(Address), End = Begin + Size;
  State &S = state();
  std::lock_guard Locked(S.Guard);
  // Whatever was here before is gone, though nobody said so.
  auto It = S.Ranges.lower_bound(Begin);
  if (It != S.Ranges.begin() && std::prev(It)->second > Begin)
    std::prev(It)->second = Begin;
  while (It != S.Ranges.end() && It->first < End)
    It = S.Ranges.erase(It);
  S.Ranges.emplace(Begin, End);
}

void check::remove(const void *Address) {
  State &S = state();
  std::lock_guard Locked(S.Guard);
  if (S.Ranges.erase(toInt(Address)))
    Removals.fetch_add(1, std::memory_order_release);
}

/// The segments of the object that an address lies in; none if it lies in no
/// object.
static std::vector<Range> segmentsAround(const void *Inside) {
  struct Search {
    uintptr_t Inside;
    std::vector<Range> Segments;
  } Wanted = {toInt(Inside), {}};
  dl_iterate_phdr(
      [](dl_phdr_info *Object, size_t, void *Data) {
        auto &Wanted = *static_cast<Search *>(Data);
        std::vector<Range> Segments;
        bool Holds = false;
        for (unsigned I = 0; I < Object->dlpi_phnum; ++I) {
          const ElfW(Phdr) &P = Object->dlpi_phdr[I];
          if (P.p_type != PT_LOAD)
            continue;
          const uintptr_t Begin = Object->dlpi_addr + P.p_vaddr;
          Segments.push_back({Begin, Begin + P.p_memsz});
          Holds |= Segments.back().holds(Wanted.Inside, 1);
        }
        if (Holds)
          Wanted.Segments = std::move(Segments);
        return int(Holds);
      },
      &Wanted);
  return Wanted.Segments;
}

void check::addImage(const void *Inside, bool Asks) {
  if (Asks)
    HasImages = true;
  for (const Range &Segment : segmentsAround(Inside))
    add(reinterpret_cast<const void *>(Segment.Begin),
        Segment.End - Segment.Begin);
}

/// Empty if it is not known. For a program's first thread the C library reads
/// the list of all the program's memory.
static Range readStackOfThread() {
  pthread_attr_t Attributes;
  if (pthread_getattr_np(pthread_self(), &Attributes) != 0)
    return {};
  void *Address = nullptr;
  size_t Size = 0;
  const bool Known = pthread_attr_getstack(&Attributes, &Address, &Size) == 0;
  pthread_attr_destroy(&Attributes);
  return Known ? Range{toInt(Address), toInt(Address) + Size} : Range();
}

static const Range &stackOfThread() {
  static thread_local const Range Own = readStackOfThread();
  return Own;
}

void check::KernelStack::enter(const char *Top) {
  const Range &Own = stackOfThread();
  // A kernel that starts a kernel: the thread's stack is noted already.
  if (Stack.Low || !Own.holds(toInt(Top), 0))
    return;
  Stack.Low = Own.Begin;
  check::add(reinterpret_cast<const void *>(Own.Begin), toInt(Top) - Own.Begin);
  Noted = true;
}

void check::KernelStack::leave() {
  check::remove(reinterpret_cast<const void *>(Stack.Low));
  Stack.Low = 0;
}

/// A thread of OpenMP's: all of its stack may hold what a team shares.
static void noteStack() {
  if (Stack.Low)
    return;
  const Range &Own = stackOfThread();
  Stack.Low = Own.Begin;
  check::add(reinterpret_cast<const void *>(Own.Begin), Own.End - Own.Begin);
}

static bool isNoted(uintptr_t Address, uint64_t Size) {
  Recent &R = Found;
  const uint64_t Now = Removals.load(std::memory_order_acquire);
  if (R.Removals != Now)
    R = {Now, 0, {}};
  for (const Range &Known : R.Ranges)
    if (Known.holds(Address, Size))
      return true;
  State &S = state();
  std::lock_guard Locked(S.Guard);
  auto It = S.Ranges.upper_bound(Address);
  if (It == S.Ranges.begin())
    return false;
  --It;
  const Range Known = {It->first, It->second};
  if (!Known.holds(Address, Size))
    return false;
  R.Ranges[R.Next++ % Recent::Count] = Known;
  return true;
}

/// Data of the C library and the like, which only its own pointers lead to.
static bool isOfSystem(const void *Address) {
  Dl_info Info;
  if (!dladdr(Address, &Info) || !Info.dli_fname ||
      !isSystemLibrary(Info.dli_fname))
    return false;
  for (const Range &Segment : segmentsAround(Address))
    check::add(reinterpret_cast<const void *>(Segment.Begin),
               Segment.End - Segment.Begin);
  return true;
}

/// The device on which a host address is present; -1: none. Asks the runtime,
/// which may be another one.
static int presentOn(const void *Address, void *&There) {
  using Mapped = void *(const void *, int);
  auto *Ask =
      reinterpret_cast<Mapped *>(dlsym(RTLD_DEFAULT, "omp_get_mapped_ptr"));
  for (int D = 0; Ask && D < omp_get_num_devices(); ++D)
    if ((There = Ask(Address, D)))
      return D;
  return -1;
}

static const char *placeOf(const void *Address, char *Text, size_t Size) {
  Dl_info Info;
  if (dladdr(Address, &Info) && Info.dli_fname) {
    if (Info.dli_sname)
      std::snprintf(Text, Size, "in the program's variable %s", Info.dli_sname);
    else
      std::snprintf(Text, Size, "in a global variable of %s", Info.dli_fname);
    return Text;
  }
  return "on the program's heap or one of its stacks";
}

[[gnu::cold]] static void tell(const void *Address, uint64_t Size,
                               const AccessSite &Site) {
  void *There = nullptr;
  const int On = presentOn(Address, There);
  // With unified memory the runtime maps nothing.
  if (On >= 0 && There == Address)
    return;
  {
    State &S = state();
    std::lock_guard Locked(S.Guard);
    if (!S.Told.insert(&Site).second)
      return;
    char Place[256], Where[512];
    if (Site.Line)
      std::snprintf(Where, sizeof(Where), "%s:%u", Site.File, Site.Line);
    else
      std::snprintf(Where, sizeof(Where), "%s (compile with -g for the line)",
                    Site.File);
    std::fprintf(
        stderr,
        "accx: error: %s: the device code of %s %s host memory%s%s%s: %" PRIu64
        " bytes at %p, %s\n",
        Where, Site.Construct, Site.IsWrite ? "writes" : "reads",
        Site.Name ? " through '" : "", Site.Name ? Site.Name : "",
        Site.Name ? "'" : "", Size, Address,
        placeOf(Address, Place, sizeof(Place)));
    if (On >= 0)
      std::fprintf(stderr,
                   "accx: it is present on device %d at %p, but the pointer is "
                   "the host's: attach it, or map it with what it points to\n",
                   On, There);
    else
      std::fprintf(stderr,
                   "accx: it is on no device: add it to a clause that maps it "
                   "(OpenACC: copy, copyin; OpenMP: map), and pointers in "
                   "structures with what they point to\n");
  }
  if (Level.load(std::memory_order_relaxed) < 2)
    std::abort();
}

void check::ask(const void *Address, uint64_t Size, const AccessSite *Site) {
  if (!Site) {
    if (Size && Address)
      add(Address, Size);
    else
      noteStack();
    return;
  }
  // Null has no memory on any side; the access itself traps.
  if (!Size || toInt(Address) < 4096 || isNoted(toInt(Address), Size) ||
      isOfSystem(Address))
    return;
  tell(Address, Size, *Site);
}

void check::lockForFork() { state().Guard.lock(); }
void check::unlockAfterFork() { state().Guard.unlock(); }
