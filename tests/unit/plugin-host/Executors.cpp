//===- Executors.cpp - Kernels of callers inside regions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads run a kernel that is launched inside a parallel region.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <atomic>
#include <omp.h>
#include <sched.h>
#include <set>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static int threadId() { return int(syscall(SYS_gettid)); }

/// Runs \p Function on the first thread of a region of two, as a program's
/// region would: level 1, nothing left for inner regions.
template <typename F> static void insideRegion(F Function) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      Function();
  }
}

static std::vector<int> teamOf(accx_device Device, const LoadedImage &Image) {
  std::vector<int> Out(64, -1);
  CHECK(launch(Device, Image.kernel("kernel_threads"), Out.data()) == ACCX_OK);
  Out.resize(1 + size_t(Out[0]));
  return Out;
}

TEST_CASE("inside a region a kernel still has the device's threads") {
  Environment E({{"OMP_NUM_THREADS", ""}});
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  int Expected = 0;
  std::thread([&] { Expected = omp_get_max_threads(); }).join();
  std::vector<int> Team;
  insideRegion([&] { Team = teamOf(D[0], A); });
  CHECK(Team[0] == Expected);
  CHECK(Team[1] != threadId());
}

TEST_CASE("inside a region a kernel starts with fresh variables") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  int Seen[9] = {}, Fresh[9] = {};
  REQUIRE(launch(D[0], A.kernel("kernel_icvs"), Fresh) == ACCX_OK);
  insideRegion([&] {
    omp_set_num_threads(5);
    CHECK(launch(D[0], A.kernel("kernel_change")) == ACCX_OK);
    CHECK(omp_get_max_threads() == 5);
    CHECK(launch(D[0], A.kernel("kernel_icvs"), Seen) == ACCX_OK);
  });
  for (int I : {0, 1, 2, 3, 4, 5, 6, 8})
    CHECK(Seen[I] == Fresh[I]);
  CHECK(Seen[7] != threadId());
}

TEST_CASE("worksharing of kernels does not mix with the program's region") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  accx_kernel Orphan = A.kernel("kernel_orphan"),
              Loop = A.kernel("kernel_loop");
  constexpr int Callers = 4;
  constexpr long N = 500;
  std::vector<std::vector<int>> Data(Callers, std::vector<int>(N, 0));
  std::atomic<int> Failures{0};
#pragma omp parallel num_threads(Callers)
  {
    auto &Mine = Data[size_t(omp_get_thread_num())];
    for (int Round = 0; Round < 20; ++Round) {
      Failures += launch(D[0], Orphan, Mine.data(), N) != ACCX_OK;
      Failures += launch(D[0], Loop, Mine.data(), N) != ACCX_OK;
    }
  }
  CHECK(Failures == 0);
  bool Right = true;
  for (auto &Mine : Data)
    for (long I = 0; I < N; ++I)
      Right &= Mine[size_t(I)] == 20 * (I + 1);
  CHECK(Right);
}

TEST_CASE("a caller finds its kernels' threads again") {
  Devices D;
  LoadedImage A(D[0], "host_openmp"), B(D[1], "host_openmp");
  std::vector<int> First, OnOther;
  insideRegion([&] {
    First = teamOf(D[0], A);
    OnOther = teamOf(D[1], B);
    for (int I = 0; I < 10; ++I) {
      CHECK(teamOf(D[0], A) == First);
      CHECK(teamOf(D[1], B) == OnOther);
    }
  });
  // In a later region too, and on threads of its own for each device.
  insideRegion([&] { CHECK(teamOf(D[0], A) == First); });
  std::set<int> All(First.begin() + 1, First.end());
  for (size_t I = 1; I < OnOther.size(); ++I)
    CHECK(All.count(OnOther[I]) == 0);
}

TEST_CASE("threads of devices are spread over the cores") {
  Environment E({{"OMP_PROC_BIND", ""},
                 {"OMP_PLACES", ""},
                 {"KMP_AFFINITY", ""},
                 {"GOMP_CPU_AFFINITY", ""}});
  std::vector<int> Cores;
  cpu_set_t Mask;
  REQUIRE(sched_getaffinity(0, sizeof(Mask), &Mask) == 0);
  for (int I = 0; I < CPU_SETSIZE; ++I)
    if (CPU_ISSET(I, &Mask))
      Cores.push_back(I);
  Devices D({{"ACCX_HOST_DEVICES", "2"}});
  for (size_t Device : {0, 1}) {
    LoadedImage A(D[Device], "host_openmp");
    std::vector<int> Out(64, -1);
    insideRegion([&] {
      CHECK(launch(D[Device], A.kernel("kernel_cores"), Out.data()) == ACCX_OK);
    });
    size_t First = Device * Cores.size() / 2;
    for (size_t I = 0; I < size_t(Out[0]) && Cores.size() > 1; ++I)
      CHECK(Out[1 + I] == Cores[(First + I) % Cores.size()]);
  }
  // The program's own threads are left alone.
  cpu_set_t After;
  REQUIRE(sched_getaffinity(0, sizeof(After), &After) == 0);
  CHECK(CPU_EQUAL(&Mask, &After));
}

TEST_CASE("a kernel that cannot tell runs on its caller") {
  Devices D;
  LoadedImage A(D[0], "host_basic");
  int Out = 0;
  insideRegion([&] {
    // Nothing of OpenMP in the image: no hand-off, so no other thread.
    for (int I = 0; I < 3; ++I)
      CHECK(launch(D[0], A.kernel("kernel_add"), &Out, 1L) == ACCX_OK);
  });
  CHECK(Out == 8);
}

#if defined(__x86_64__)
TEST_CASE("inside a region code that calls nothing runs on its caller") {
  // The image uses OpenMP; only the kernel's own code tells that it cannot.
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  long Leaf = 0, Tail = 0, Caller = 0;
  insideRegion([&] {
    Caller = syscall(SYS_gettid);
    CHECK(launch(D[0], A.kernel("kernel_thread_leaf"), &Leaf) == ACCX_OK);
    CHECK(launch(D[0], A.kernel("kernel_thread_tail"), &Tail) == ACCX_OK);
  });
  CHECK(Leaf == Caller);
  CHECK(Tail != Caller);
}
#endif

TEST_CASE("more callers than executors share them without deadlock") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  accx_kernel Kernel = A.kernel("kernel_call");
  struct Count {
    std::atomic<int> Now{0}, Most{0}, All{0};
  } C;
  auto Body = [](void *Argument) {
    auto &C = *static_cast<Count *>(Argument);
    int Now = ++C.Now, Most = C.Most;
    while (Now > Most && !C.Most.compare_exchange_weak(Most, Now))
      ;
    usleep(200);
    --C.Now;
    ++C.All;
  };
  void (*Function)(void *) = Body;
  constexpr int Callers = 32, Rounds = 20;
  std::atomic<int> Failures{0};
#pragma omp parallel num_threads(Callers)
  for (int I = 0; I < Rounds; ++I)
    Failures +=
        launch(D[0], Kernel, Function, static_cast<void *>(&C)) != ACCX_OK;
  CHECK(Failures == 0);
  CHECK(C.All == Callers * Rounds);
  cpu_set_t Mask;
  REQUIRE(sched_getaffinity(0, sizeof(Mask), &Mask) == 0);
  CHECK(C.Most <= std::max(2 * CPU_COUNT(&Mask), 1));
}

namespace {
/// A kernel that starts a kernel of the same device inside its own region, and
/// so on: each level takes one more executor.
struct Nest {
  accx_device Device;
  accx_kernel Kernel;
  int Levels;
  static void go(void *Argument) {
    auto *N = static_cast<Nest *>(Argument);
    if (--N->Levels > 0)
      launch(N->Device, N->Kernel, go, Argument);
  }
};
} // namespace

TEST_CASE("kernels that start kernels go beyond the limit of executors") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  cpu_set_t Mask;
  REQUIRE(sched_getaffinity(0, sizeof(Mask), &Mask) == 0);
  Nest N = {D[0], A.kernel("kernel_call_in_region"), 2 * CPU_COUNT(&Mask) + 3};
  insideRegion([&] {
    CHECK(launch(D[0], N.Kernel, Nest::go, static_cast<void *>(&N)) == ACCX_OK);
  });
  CHECK(N.Levels == 0);
}

TEST_CASE("threads outside of OpenMP launch on themselves") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  accx_kernel Kernel = A.kernel("kernel_icvs");
  std::atomic<int> Failures{0};
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      int Seen[9] = {};
      for (int I = 0; I < 50; ++I) {
        Failures += launch(D[0], Kernel, Seen) != ACCX_OK;
        Failures += Seen[7] != threadId();
      }
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Failures == 0);
}
