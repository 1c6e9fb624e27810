//===- Launch.cpp - Arguments and internal control variables --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on the calling thread: what they get and what they leave.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstring>
#include <numeric>
#include <omp.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static int threadId() { return int(syscall(SYS_gettid)); }

namespace {
/// The values that kernel_icvs reports, of the calling thread.
struct State {
  int Values[9];

  static State ofThisThread() {
    State S = {};
    omp_sched_t Kind;
    S.Values[0] = omp_get_max_threads();
    S.Values[1] = omp_get_dynamic();
    S.Values[2] = omp_get_max_active_levels();
    omp_get_schedule(&Kind, &S.Values[4]);
    S.Values[3] = int(Kind);
    S.Values[5] = omp_get_level();
    S.Values[6] = omp_in_parallel();
    S.Values[7] = threadId();
    S.Values[8] = omp_get_default_allocator() == omp_default_mem_alloc;
    return S;
  }
  static State ofNewThread() {
    State S;
    std::thread([&] { S = ofThisThread(); }).join();
    return S;
  }
  bool sameVariables(const State &Other) const {
    return std::memcmp(Values, Other.Values, 5 * sizeof(int)) == 0 &&
           Values[8] == Other.Values[8];
  }
};
} // namespace

static void changeAll() {
  omp_set_num_threads(3);
  omp_set_dynamic(1);
  omp_set_max_active_levels(5);
  omp_set_schedule(omp_sched_dynamic, 17);
  omp_set_default_allocator(omp_large_cap_mem_alloc);
}

TEST_CASE("kernels of any number of arguments") {
  Devices D;
  LoadedImage A(D[0], "host_basic");
  CHECK(launch(D[0], A.kernel("kernel_none")) == ACCX_OK);
  long Sum = 0;
  REQUIRE(launch(D[0], A.kernel("kernel_seven"), &Sum, 1L, 2L, 3L, 4L, 5L,
                 6L) == ACCX_OK);
  CHECK(Sum == 654321);

  for (auto [Name, Count] : {std::pair("kernel_forty", size_t(40)),
                             std::pair("kernel_many", size_t(200))}) {
    std::vector<long> Out(Count), Expected(Count);
    std::iota(Expected.begin(), Expected.end(), 1000000007L);
    std::vector<void *> Slots = {Out.data()};
    for (long Value : Expected)
      Slots.push_back(toSlot(Value));
    REQUIRE(launchSlots(D[0], A.kernel(Name), Slots) == ACCX_OK);
    CHECK(Out == Expected);
  }

  std::vector<void *> Most(256);
  CHECK(launchSlots(D[0], A.kernel("kernel_none"), Most) == ACCX_OK);
  Most.push_back(nullptr);
  CHECK(launchSlots(D[0], A.kernel("kernel_none"), Most) == ACCX_ERROR_INVALID);
  CHECK(std::strstr(plugin().last_error(), "257 arguments"));
}

TEST_CASE("a kernel starts with the variables of a new thread") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  State Fresh = State::ofNewThread(), Seen = {};
  changeAll();
  State Mine = State::ofThisThread();
  REQUIRE(!Mine.sameVariables(Fresh));
  REQUIRE(launch(D[0], A.kernel("kernel_icvs"), Seen.Values) == ACCX_OK);
  CHECK(Seen.sameVariables(Fresh));
  CHECK(Seen.Values[5] == 0);
  CHECK(Seen.Values[6] == 0);
  CHECK(Seen.Values[7] == threadId());
  CHECK(State::ofThisThread().sameVariables(Mine));
}

TEST_CASE("what a kernel changes stays inside") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  State Fresh = State::ofNewThread(), Seen = {};
  std::thread([&] {
    for (bool Changed : {false, true}) {
      if (Changed)
        changeAll();
      State Before = State::ofThisThread();
      CHECK(launch(D[0], A.kernel("kernel_change")) == ACCX_OK);
      CHECK(State::ofThisThread().sameVariables(Before));
      CHECK(launch(D[0], A.kernel("kernel_icvs"), Seen.Values) == ACCX_OK);
      CHECK(Seen.sameVariables(Fresh));
    }
  }).join();
}

TEST_CASE("thread_limit without teams holds for the kernel") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  std::vector<int> Out(1 + size_t(omp_get_num_procs()) * 8);
  int Limit = omp_get_thread_limit();
  REQUIRE(launchSlots(D[0], A.kernel("kernel_threads"), {Out.data()}, 1, 1) ==
          ACCX_OK);
  CHECK(Out[0] == 1);
  CHECK(omp_get_thread_limit() == Limit);
  REQUIRE(launchSlots(D[0], A.kernel("kernel_threads"), {Out.data()}, 1, 0) ==
          ACCX_OK);
  CHECK(Out[0] == State::ofNewThread().Values[0]);
  // With teams the kernel's own code sets the limit.
  REQUIRE(launchSlots(D[0], A.kernel("kernel_threads"), {Out.data()}, 0, 1) ==
          ACCX_OK);
  CHECK(Out[0] == State::ofNewThread().Values[0]);
}

TEST_CASE("devices that the user counts have shares of the cores") {
  const int All = State::ofNewThread().Values[0];
  for (int Count : {1, 2, 3}) {
    Devices D({{"ACCX_HOST_DEVICES", std::to_string(Count).c_str()}});
    LoadedImage A(D[0], "host_openmp");
    std::vector<int> Out(1 + size_t(All) * 8);
    REQUIRE(launchSlots(D[0], A.kernel("kernel_threads"), {Out.data()}, 0, 1) ==
            ACCX_OK);
    CHECK(Out[0] == std::max(All / Count, 1));
  }
}

TEST_CASE("regions, loops and teams of kernels") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  const long N = 1000;
  std::vector<int> Data(N, 0);
  REQUIRE(launch(D[0], A.kernel("kernel_loop"), Data.data(), N) == ACCX_OK);
  REQUIRE(launch(D[0], A.kernel("kernel_orphan"), Data.data(), N) == ACCX_OK);
  REQUIRE(launch(D[0], A.kernel("kernel_teams"), Data.data(), N) == ACCX_OK);
  bool Right = true;
  for (long I = 0; I < N; ++I)
    Right &= Data[size_t(I)] == I + 2;
  CHECK(Right);
  long Sum = 0;
  REQUIRE(launch(D[0], A.kernel("kernel_sum"), &Sum,
                 static_cast<const int *>(Data.data()), N) == ACCX_OK);
  CHECK(Sum == N * (N - 1) / 2 + 2 * N);
}
