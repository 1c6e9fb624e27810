//===- FaultSweepTest.cpp - Every call of a plugin may fail ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program, run again and again with the first, second, third ... call of
// each of the plugin's functions failing for good, until none fails any more:
// each time it ends at once, says why and where, never runs on the host, and
// leaves the host's data and pointers what they were.
//
//===----------------------------------------------------------------------===//

#include "harness/Child.h"
#include "harness/Program.h"
#include "harness/Variant.h"
#include "images/descriptors.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unistd.h>

using namespace accx;
using namespace harness;

namespace {

constexpr const char *Where = ";field.c;advance;77;3;;";

/// A structure with more pointers than are copied around piece by piece, and
/// one with few.
struct Many {
  int64_t Value[12];
  int64_t *Pointer[12];
};
struct Few {
  int64_t Before;
  int64_t *Pointer;
  int64_t After;
};

/// All host data of the scenario.
struct Data {
  int64_t A[600];
  int64_t Pool[12][4];
  Many M;
  Few F;
  int64_t Global;
};
Data Now;
/// What Now has to be while nothing was copied back yet, by stage.
Data Before;

void fill(Data &D) {
  for (int64_t I = 0; I < 600; ++I)
    D.A[I] = I;
  for (int I = 0; I < 12; ++I) {
    for (int64_t K = 0; K < 4; ++K)
      D.Pool[I][K] = 10 * I + K;
    D.M.Value[I] = I;
    D.M.Pointer[I] = Now.Pool[I];
  }
  D.F = {1, Now.A, 2};
  D.Global = 3;
}

/// Pointers are the host's, always; values are the old or the new ones, never
/// anything else.
bool intact() {
  for (int I = 0; I < 12; ++I)
    if (Now.M.Pointer[I] != Now.Pool[I])
      return false;
  if (Now.F.Pointer != Now.A)
    return false;
  for (int64_t I = 0; I < 600; ++I)
    if (Now.A[I] != I && Now.A[I] != I + 5 && Now.A[I] != I + 10)
      return false;
  for (int I = 0; I < 12; ++I)
    if (Now.M.Value[I] != I)
      return false;
  return !std::memcmp(Now.Pool, Before.Pool, sizeof(Now.Pool)) &&
         Now.F.Before == 1 && Now.F.After == 2 && Now.Global == 3;
}

void onAbort(int) {
  const char *Text = intact() ? "host data intact\n" : "host data DAMAGED\n";
  (void)!write(STDERR_FILENO, Text, std::strlen(Text));
}

} // namespace

TEST_CASE("fault-scenario", "[.]") {
  fill(Now);
  fill(Before);
  std::signal(SIGABRT, onAbort);
  Library Lib(readFile(ACCX_TEST_PLUGINS "/arrays.img"));
  void *Add = Lib.kernel("add");
  Lib.global("device_counter", &Now.Global, sizeof(Now.Global));
  Lib.registerNow();

  // Structures with attached pointers.
  Arguments Structures, PointersOut;
  Structures.map(&Now.F, sizeof(Now.F), MapTo, ";F;field.c;10;1;;")
      .map(&Now.M, sizeof(Now.M), MapTo, ";M;field.c;11;1;;");
  Structures.enter(0, Where);
  Arguments Attach;
  Attach.item(&Now.F.Pointer, Now.A, 100 * 8, MapTo | MapPtrAndObj,
              ";F.Pointer;field.c;12;1;;");
  for (int I = 0; I < 12; ++I)
    Attach.item(&Now.M.Pointer[I], Now.Pool[I], sizeof(Now.Pool[I]),
                MapTo | MapPtrAndObj, ";M.Pointer;field.c;13;1;;");
  Attach.enter(0, Where);

  // Back without the pointers: in pieces, and through staging memory.
  Arguments().map(&Now.F, sizeof(Now.F), MapFrom).update(0, Where);
  Arguments().map(&Now.M, sizeof(Now.M), MapFrom).update(0, Where);
  Arguments().map(&Now.M, sizeof(Now.M), MapTo).update(0, Where);

  // Overlapping parts, a private argument, a kernel, and everything back.
  Arguments()
      .map(&Now.A[50], 400 * 8, MapTo, ";A;field.c;9;1;;")
      .enter(0, Where);
  char Private[64] = {};
  for (int Round = 0; Round < 2; ++Round)
    Arguments()
        .map(&Now.A[300], 300 * 8, MapTargetParam | MapTo | MapFrom | MapAlways,
             ";A;field.c;9;1;;")
        .literal(uintptr_t(300))
        .literal(uintptr_t(5))
        .item(Private, Private, sizeof(Private),
              MapTargetParam | MapPrivate | MapTo)
        .target(0, Add, 0, Where);
  for (int64_t I = 300; I < 600; ++I)
    REQUIRE(Now.A[I] == I + 10);
  Arguments().map(&Now.A[50], 400 * 8, MapFrom).exit(0, Where);
  Attach.exit(0, Where);
  Structures.exit(0, Where);
  REQUIRE(intact());
  std::fprintf(stderr, "went through\n");
  std::signal(SIGABRT, SIG_DFL);
}

// A process for each failure is slow under a sanitizer, which need not see all.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr int Stride = 3;
#else
constexpr int Stride = 1;
#endif

TEST_CASE("Whatever fails for good ends the program and harms nothing") {
  for (const char *Operation :
       {"image_load", "image_global", "image_kernel", "alloc", "commit",
        "reserve", "queue_create", "queue_wait", "copy_to", "copy_from",
        "copy_within", "fill", "launch", "trap", "lost"}) {
    unsigned Ended = 0;
    for (int N = 1;; N += Stride) {
      REQUIRE(N < 200);
      const std::string Fault =
          std::string(Operation) + ":" + std::to_string(N) + "+";
      Child C = runCase("fault-scenario", {{"ACCX_FAULT", Fault}});
      INFO(Fault << "\n" << C.Err);
      CHECK_FALSE(C.TimedOut);
      CHECK_FALSE(C.has("rule broken"));
      CHECK_FALSE(C.has("Sanitizer"));
      CHECK_FALSE(C.has("DAMAGED"));
      if (C.ExitCode == 0) {
        CHECK(C.has("went through"));
        break;
      }
      ++Ended;
      CHECK(C.Signal == SIGABRT);
      CHECK(C.has("host data intact"));
      // Says which call failed, and where the construct stands. A window that
      // cannot be had is a block instead, so reservations never fail alone.
      CHECK(C.has(std::string("injected: ") + (Operation == std::string("lost")
                                                   ? "the device is gone"
                                                   : Operation)));
      CHECK(C.has("field.c:77:3: omptarget fatal error 1: "));
      if (C.Signal != SIGABRT)
        break;
    }
    // The operation is used at all, where the variant has it.
    const bool Async =
        variant().substr(0, 5) == "async" || variant().substr(0, 6) == "staged";
    const bool Mirror = variant().find("mirror") != std::string::npos;
    const std::string Name = Operation;
    const bool Unused = (!Async && Name.substr(0, 5) == "queue") ||
                        (!Mirror && (Name == "commit" || Name == "reserve")) ||
                        (Mirror && Name == "copy_within") || Name == "fill" ||
                        Name == "reserve";
    INFO(Operation);
    CHECK((Ended > 0 || Unused));
  }
}

TEST_CASE("One failed allocation is not the end") {
  for (const char *Operation : {"alloc", "commit", "reserve"})
    for (int N = 1; N < 12; ++N) {
      const std::string Fault =
          std::string(Operation) + ":" + std::to_string(N);
      Child C = runCase("fault-scenario", {{"ACCX_FAULT", Fault}});
      INFO(Fault << "\n" << C.Err);
      CHECK(C.ExitCode == 0);
      CHECK(C.has("went through"));
    }
}
