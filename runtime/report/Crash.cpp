//===- Crash.cpp - Which kernel a fatal signal ended ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handlers write one line and let the signal take its course: the exit
// status, core dumps and debuggers see what they would have seen. They allocate
// nothing and take no lock.
//
//===----------------------------------------------------------------------===//

#include "report/Crash.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

using namespace accx;

constinit thread_local detail::CrashSlot *detail::OwnCrashSlot = nullptr;

namespace {

/// Others' handlers do not see what more threads than this do.
constexpr size_t SlotCount = 256;
detail::CrashSlot Slots[SlotCount];
/// Of a thread that has none of these, or that gave it back.
constinit thread_local detail::CrashSlot PrivateSlot;

constexpr int FatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// A line that is put together without allocating.
class Line {
  char Text[512];
  size_t Size = 0;

public:
  void add(std::string_view More) {
    const size_t Length = std::min(More.size(), sizeof(Text) - 1 - Size);
    memcpy(Text + Size, More.data(), Length);
    Size += Length;
  }
  void addNumber(uint64_t Value, unsigned Base = 10) {
    char Digits[24];
    size_t First = sizeof(Digits);
    do {
      Digits[--First] = "0123456789abcdef"[Value % Base];
      Value /= Base;
    } while (Value);
    add({Digits + First, sizeof(Digits) - First});
  }
  void write() {
    Text[Size++] = '\n';
    // Nothing can be done where it fails.
    [[maybe_unused]] const ssize_t Written = ::write(STDERR_FILENO, Text, Size);
  }
};

bool isStack(const siginfo_t *Signal, const void *Context) {
#if defined(__x86_64__)
  const auto *At = static_cast<const ucontext_t *>(Context);
  const uint64_t Top = static_cast<uint64_t>(At->uc_mcontext.gregs[REG_RSP]);
  const auto Address = reinterpret_cast<uint64_t>(Signal->si_addr);
  constexpr uint64_t Near = 64 << 10;
  return Address + Near >= Top && Address <= Top + Near;
#else
  return false;
#endif
}

void addCause(Line &Out, const siginfo_t *Signal, const void *Context) {
  switch (Signal->si_signo) {
  case SIGFPE:
    Out.add(Signal->si_code == FPE_INTDIV ? "an integer was divided by zero"
                                          : "an arithmetic error");
    return;
  case SIGILL:
    Out.add("an instruction that this processor has not");
    return;
  case SIGABRT:
    Out.add("the program was aborted");
    return;
  default:
    break;
  }
  if (Signal->si_code <= 0) {
    Out.add("signal ");
    Out.addNumber(static_cast<uint64_t>(Signal->si_signo));
    return;
  }
  if (isStack(Signal, Context)) {
    Out.add("the stack is full (large arrays, or a recursion)");
    return;
  }
  Out.add("no memory at address 0x");
  Out.addNumber(reinterpret_cast<uint64_t>(Signal->si_addr), 16);
}

void addPlace(Line &Out, const ActivityInfo &What) {
  if (What.Kernel) {
    const SourceLocation At = SourceLocation::ofConstruct(What.Loc);
    Out.add(" in the kernel ");
    if (At.Line > 0) {
      Out.add("of ");
      Out.add(At.File);
      Out.add(":");
      Out.addNumber(static_cast<uint64_t>(At.Line));
      Out.add(", function ");
      Out.add(At.Name);
    } else {
      Out.add(What.Kernel);
    }
  } else {
    const SourceLocation At = SourceLocation::ofItem(What.ItemName);
    Out.add(" while ");
    Out.addNumber(What.Bytes);
    Out.add(" bytes of '");
    Out.add(At.Name);
    Out.add("'");
    if (At.Line > 0) {
      Out.add(" (");
      Out.add(At.File);
      Out.add(":");
      Out.addNumber(static_cast<uint64_t>(At.Line));
      Out.add(")");
    }
    Out.add(" were copied ");
    Out.add(What.What);
    Out.add(": is its memory still there on the host?");
  }
}

void tell(const siginfo_t *Signal, const void *Context,
          const ActivityInfo &What) {
  Line Out;
  Out.add("accx: device ");
  Out.addNumber(static_cast<uint64_t>(What.Device));
  Out.add(": ");
  addCause(Out, Signal, Context);
  addPlace(Out, What);
  Out.write();
}

void onFatalSignal(int Number, siginfo_t *Signal, void *Context) {
  const detail::CrashSlot *Own = detail::OwnCrashSlot;
  const ActivityInfo *What =
      Own ? Own->Doing.load(std::memory_order_acquire) : nullptr;
  if (What)
    tell(Signal, Context, *What);
  else // One of OpenMP's threads: it works for one of those that launched.
    for (const detail::CrashSlot &S : Slots)
      if ((What = S.Doing.load(std::memory_order_acquire)) && What->Kernel)
        tell(Signal, Context, *What);
  // The handler has been reset. A fault happens again; what was sent does not.
  if (Signal->si_code <= 0)
    raise(Number);
}

void installHandlers() {
  for (const int Number : FatalSignals) {
    struct sigaction Old;
    if (sigaction(Number, nullptr, &Old) != 0 || (Old.sa_flags & SA_SIGINFO) ||
        Old.sa_handler != SIG_DFL)
      continue;
    struct sigaction Own = {};
    Own.sa_sigaction = onFatalSignal;
    Own.sa_flags =
        static_cast<int>(SA_SIGINFO | SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
    sigemptyset(&Own.sa_mask);
    sigaction(Number, &Own, nullptr);
  }
}

/// A thread's slot, and a stack for handlers where its own one is full.
class ThreadState {
  static constexpr size_t StackBytes = 64 << 10;
  detail::CrashSlot *Slot = &PrivateSlot;
  void *Stack = MAP_FAILED;

public:
  ThreadState() {
    for (detail::CrashSlot &S : Slots)
      if (!S.Taken.exchange(true)) {
        Slot = &S;
        break;
      }
    stack_t Old;
    if (sigaltstack(nullptr, &Old) != 0 || !(Old.ss_flags & SS_DISABLE))
      return;
    Stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (Stack == MAP_FAILED)
      return;
    const stack_t New = {Stack, 0, StackBytes};
    sigaltstack(&New, nullptr);
  }
  ~ThreadState() {
    detail::OwnCrashSlot = &PrivateSlot;
    Slot->Taken.store(false);
    stack_t Now;
    if (Stack == MAP_FAILED || sigaltstack(nullptr, &Now) != 0 ||
        Now.ss_sp != Stack)
      return;
    stack_t None = {};
    None.ss_flags = SS_DISABLE;
    sigaltstack(&None, nullptr);
    munmap(Stack, StackBytes);
  }
  ThreadState(const ThreadState &) = delete;
  ThreadState &operator=(const ThreadState &) = delete;

  detail::CrashSlot *slot() const { return Slot; }
};

} // namespace

detail::CrashSlot *detail::takeCrashSlot() {
  static std::once_flag Once;
  std::call_once(Once, installHandlers);
  static thread_local ThreadState State;
  OwnCrashSlot = State.slot();
  return OwnCrashSlot;
}
