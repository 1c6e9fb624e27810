// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that prints messages, does activities and ends as it is told.

#include "report/Activity.h"
#include "report/Report.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace accx;

namespace {

const Ident Here = {0, 0, 0, 0, ";dir/probe.c;compute;12;3;;"};

void launch(const char *Kernel, const Ident *Loc = &Here) {
  ActivityInfo Info;
  Info.Device = 0;
  Info.What = "launch";
  Info.Kernel = Kernel;
  Info.Loc = Loc;
  ActivityScope Scope(ActivityKind::Launch, Info);
}

void copy(int Device, ActivityInfo::DirectionTy Direction, uint64_t Bytes,
          const void *Name, uint32_t Queue = 0, const char *What = "") {
  ActivityInfo Info;
  Info.Device = Device;
  Info.Direction = Direction;
  Info.What = What;
  Info.Bytes = Bytes;
  Info.ItemName = Name;
  Info.Queue = Queue;
  Info.Peer = Direction == ActivityInfo::ToPeer ? 0 : -1;
  ActivityScope Scope(ActivityKind::Transfer, Info);
}

void other(ActivityKind Kind, int Device, const char *What, uint64_t Bytes = 0,
           const Ident *Loc = nullptr) {
  ActivityInfo Info;
  Info.Device = Device;
  Info.What = What;
  Info.Bytes = Bytes;
  Info.Loc = Loc;
  ActivityScope Scope(Kind, Info);
}

void oneOfEach() {
  other(ActivityKind::Allocation, 0, "reserve", 1 << 20);
  other(ActivityKind::Allocation, 0, "commit", 4096);
  other(ActivityKind::Allocation, 0, "allocate", 100);
  copy(0, ActivityInfo::ToDevice, 4096, ";a;dir/probe.c;7;9;;");
  launch("kernel_a");
  launch("kernel_b", nullptr);
  copy(0, ActivityInfo::FromDevice, 1000, "plain", 2);
  copy(1, ActivityInfo::Within, 10, nullptr);
  copy(1, ActivityInfo::ToPeer, 20, nullptr);
  copy(1, ActivityInfo::None, 30, nullptr, 0, "fill");
  other(ActivityKind::Wait, 1, "wait for queue");
  other(ActivityKind::Region, 0, "target", 0, &Here);
  other(ActivityKind::Allocation, 0, "free");
  other(ActivityKind::Wait, -1, "events");
}

/// \p Shared: all on device 0, else each on its own.
void onThreads(int Threads, int Each, bool Shared) {
  std::vector<std::thread> Running;
  for (int T = 0; T < Threads; ++T)
    Running.emplace_back([=] {
      pthread_setname_np(pthread_self(),
                         ("probe-" + std::to_string(T)).c_str());
      for (int I = 0; I < Each; ++I)
        copy(Shared ? 0 : T, ActivityInfo::ToDevice, 1, "a");
    });
  for (std::thread &T : Running)
    T.join();
}

void messages() {
  info(3, "without end");
  info(3, "%s\n", "with end");
  message("%d items", 5);
  error("no end");
  error("an end\n");
  plain("as it ");
  plain("is\n");
  message("%s", std::string(5000, 'm').c_str());
  // One byte around the size of the buffer on the stack.
  for (int Length = 1024 - 19 - 4; Length < 1024 - 19 + 4; ++Length)
    message("%s", std::string(static_cast<size_t>(Length), 'x').c_str());
  infoToOutput(1, "%s\n", "table");
}

void messagesOfThreads() {
  std::vector<std::thread> Running;
  for (int T = 0; T < 4; ++T)
    Running.emplace_back([T] {
      for (int I = 0; I < 500; ++I)
        message("%s", std::string(100, static_cast<char>('a' + T)).c_str());
    });
  for (std::thread &T : Running)
    T.join();
}

/// exit() on a second thread, while a third goes on and the main thread waits.
void exitOnThread() {
  std::atomic<bool> Started{false};
  std::thread Busy([&] {
    while (true) {
      copy(1, ActivityInfo::ToDevice, 1, "busy");
      Started = true;
    }
  });
  std::thread Ending([&] {
    while (!Started)
      std::this_thread::yield();
    launch("last_kernel");
    exit(0);
  });
  while (true)
    pause();
}

/// A child that was forked off does as much as its parent.
void forkAndWork() {
  copy(0, ActivityInfo::ToDevice, 1, "before");
  fflush(nullptr);
  pid_t Process = fork();
  copy(0, ActivityInfo::ToDevice, 2, Process ? "parent" : "child");
  std::thread([=] {
    copy(0, ActivityInfo::ToDevice, 4, Process ? "parent2" : "child2");
  }).join();
  if (Process == 0)
    exit(0);
  int Status = 0;
  if (waitpid(Process, &Status, 0) != Process || Status != 0)
    exit(1);
}

/// A key made before the runtime's must still be there at the end, when the
/// runtime removes its own.
pthread_key_t FirstKey;
[[gnu::constructor]] void makeFirstKey() {
  pthread_key_create(&FirstKey, nullptr);
}
[[gnu::destructor(101)]] void checkFirstKey() {
  if (pthread_key_delete(FirstKey) != 0)
    _exit(8);
}

void die(const std::string &How) {
  oneOfEach();
  launch("unfinished");
  if (How == "abort")
    abort();
  if (How == "kill")
    raise(SIGKILL);
  if (How == "segv")
    raise(SIGSEGV);
  _exit(0);
}

/// Starts this program with the same variables while it records.
void nested(const char *Self) {
  launch("outer");
  if (system((std::string(Self) + " activities").c_str()) != 0)
    exit(7);
  other(ActivityKind::Region, 0, "target");
}

/// Leaves a child that outlives it.
void leaveChild() {
  launch("k");
  if (fork() == 0) {
    sleep(2);
    _exit(0);
  }
}

struct AtTheVeryEnd {
  ~AtTheVeryEnd() { launch("static_destructor"); }
} End;

void strangeNames() {
  launch("quote\"back\\slash", nullptr);
  launch("control\x01\n\t\x7f", nullptr);
  launch("latin\xe9 cut\xe2\x82 long\xf8\x88 surrogate\xed\xa0\x80 "
         "ok\xe2\x82\xac",
         nullptr);
  launch(std::string(100000, 'k').c_str(), nullptr);
  launch(std::string(100000, '\x02').c_str(), nullptr);
  launch(std::string(4000, '\xff').c_str(), nullptr);
  std::string Wide;
  for (int I = 0; I < 2000; ++I)
    Wide += "\xe2\x82\xac";
  launch(("x" + Wide).c_str(), nullptr);
  const std::string Record = ";dir/" + std::string(9000, 'f') + "\";g\\;1;2;;";
  const Ident Loc = {0, 0, 0, 0, Record.c_str()};
  launch("located", &Loc);
  {
    // Names may be gone when the trace is written.
    std::string Gone = "gone_later";
    launch(Gone.c_str(), nullptr);
    Gone.assign(Gone.size(), '!');
  }
}

void keepsErrno() {
  errno = 1234;
  launch("k");
  message("m");
  flushActivityListeners();
  if (errno != 1234)
    exit(9);
}

} // namespace

int main(int Argc, char **Argv) {
  const std::string What = Argc > 1 ? Argv[1] : "";
  const int First = Argc > 2 ? atoi(Argv[2]) : 0;
  const int Second = Argc > 3 ? atoi(Argv[3]) : 0;
  startActivityListeners();
  startActivityListeners();

  if (What == "activities") {
    oneOfEach();
  } else if (What == "none") {
  } else if (What == "messages") {
    messages();
  } else if (What == "message-threads") {
    messagesOfThreads();
  } else if (What == "fatal") {
    launch("before_fatal");
    fatal(First, "failure of %s", "target construct");
  } else if (What == "level") {
    printf("%u %d %d\n", accx::detail::InfoLevel.load(),
           infoEnabled(InfoDumpTable), infoEnabled(InfoKernelArgs));
    setInfoLevel(InfoKernelArgs);
    printf("%d %d\n", infoEnabled(InfoDumpTable), infoEnabled(InfoKernelArgs));
  } else if (What == "threads") {
    onThreads(First, Second, /*Shared=*/false);
  } else if (What == "shared") {
    onThreads(First, Second, /*Shared=*/true);
  } else if (What == "flush-and-go-on") {
    oneOfEach();
    flushActivityListeners();
    flushActivityListeners();
    oneOfEach();
    flushActivityListeners();
  } else if (What == "flush-and-die") {
    oneOfEach();
    flushActivityListeners();
    launch("unwritten");
    _exit(0);
  } else if (What == "die") {
    die(Argv[2]);
  } else if (What == "nested") {
    nested(Argv[0]);
  } else if (What == "leave-child") {
    leaveChild();
  } else if (What == "own-key") {
    launch("k");
  } else if (What == "exit-on-thread") {
    exitOnThread();
  } else if (What == "fork") {
    forkAndWork();
  } else if (What == "names") {
    strangeNames();
  } else if (What == "errno") {
    keepsErrno();
  } else {
    fprintf(stderr, "unknown scenario '%s'\n", What.c_str());
    return 2;
  }
  return 0;
}
