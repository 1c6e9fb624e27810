//===- FailureTest.cpp - Queued work that fails ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rig.h"
#include "harness/Child.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace accx;
using namespace harness;
using namespace rig;

namespace {

/// How the program learns that its queued work failed.
void learn(const std::string &How) {
  if (How == "wait")
    acc_wait(1);
  else if (How == "wait_all")
    acc_wait_all();
  else if (How == "other") {
    acc_wait_async(1, 2);
    acc_wait(2);
  } else if (How == "test")
    while (!acc_async_test(1))
      ;
  else if (How == "any") {
    int Queues[1] = {1};
    acc_wait_any(1, Queues);
  } else if (How == "shutdown")
    acc_shutdown(acc_device_not_host);
}

} // namespace

TEST_CASE("queued work fails", "[.]") {
  Program &P = program();
  std::vector<int64_t> A(100000);
  acc_copyin(A.data(), A.size() * 8);
  setFaults(std::getenv("TEST_FAULT"));
  {
    OnQueue Q(1);
    P.add(0, A, 1);
  }
  acc_update_self_async(A.data(), A.size() * 8, 1);
  learn(std::getenv("TEST_HOW"));
  std::fprintf(stderr, "the program went on\n");
  // As a program that ends without a wait.
  std::exit(0);
}

TEST_CASE("Queued work that fails ends the program at the next wait") {
  if (variant().rfind("host", 0) == 0)
    return;
  for (const char *Fault : {"trap:1", "launch:1", "copy_from:1", "lost:1"})
    for (const char *How :
         {"wait", "wait_all", "other", "test", "any", "shutdown"}) {
      INFO(Fault << " " << How);
      const Child C = runCase("queued work fails",
                              {{"TEST_FAULT", Fault}, {"TEST_HOW", How}});
      INFO(C.Err);
      CHECK_FALSE(C.TimedOut);
      CHECK(C.Signal == SIGABRT);
      CHECK_FALSE(C.has("the program went on"));
      // A device that is gone may be missed by whatever comes next.
      CHECK((C.has("queues.c:11:3") || C.has("acc_update_self_async") ||
             C.has("the device is gone")));
    }
}

TEST_CASE("work queued behind work that failed", "[.]") {
  Program &P = program();
  std::vector<int64_t> A(100);
  acc_copyin(A.data(), A.size() * 8);
  setFaults("trap:1");
  OnQueue Q(1);
  P.add(0, A, 1);
  usleep(10000);
  // More than the queue lets pass before it looks at what is done.
  for (int I = 0; I < 1000; ++I)
    P.add(0, A, 1, Both | Implicit, ";queues.c;behind;44;3;;");
  usleep(10000);
  P.add(0, A, 1, Both | Implicit, ";queues.c;behind;44;3;;");
  acc_wait(1);
  std::fprintf(stderr, "the program went on\n");
  std::exit(0);
}

TEST_CASE("However much is queued behind, the work that failed is named") {
  // The host's kernels run when they are launched.
  if (variant().rfind("host", 0) == 0)
    return;
  const Child C = runCase("work queued behind work that failed", {});
  INFO(C.Err);
  CHECK_FALSE(C.TimedOut);
  CHECK_FALSE(C.has("the program went on"));
  CHECK(C.has("queues.c:11:3"));
}
