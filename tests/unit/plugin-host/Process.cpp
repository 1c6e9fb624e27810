//===- Process.cpp - Forks and exits --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin in a child process, and at the end of a process.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <omp.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// The exit status of a child within 20 seconds, or -1 for anything else.
static int exitStatus(pid_t Child) {
  for (int I = 0; I < 2000; ++I) {
    int Status = 0;
    if (waitpid(Child, &Status, WNOHANG) == Child)
      return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
    usleep(10000);
  }
  kill(Child, SIGKILL);
  waitpid(Child, nullptr, 0);
  return -1;
}

/// Launches from inside a region of the program; 0 if all went well.
static int launchInside(accx_device Device, accx_kernel Kernel) {
  int Seen[9] = {}, Result = 1;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      Result = launch(Device, Kernel, Seen) != ACCX_OK || Seen[5] != 0;
  }
  return Result;
}

TEST_CASE("a child of fork goes on with executors of its own") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  accx_kernel Kernel = A.kernel("kernel_icvs");
  REQUIRE(launchInside(D[0], Kernel) == 0);
  pid_t Child = fork();
  REQUIRE(Child >= 0);
  if (Child == 0) {
    int Result = launchInside(D[0], Kernel);
    void *Address = nullptr;
    Result |= plugin().alloc(D[0], 64, ACCX_MEMORY_DEVICE, &Address);
    Result |= plugin().free(D[0], Address, ACCX_MEMORY_DEVICE);
    plugin().device_close(D[0]);
    _exit(Result);
  }
  CHECK(exitStatus(Child) == 0);
  CHECK(launchInside(D[0], Kernel) == 0);
}

TEST_CASE("forks while other threads use the plugin") {
  Devices D;
  LoadedImage A(D[0], "host_openmp");
  accx_kernel Kernel = A.kernel("kernel_icvs");
  std::atomic<bool> Stop{false};
  std::thread Other([&] {
    while (!Stop) {
      void *Address = nullptr;
      if (plugin().alloc(D[0], 64, ACCX_MEMORY_DEVICE, &Address) == ACCX_OK)
        plugin().free(D[0], Address, ACCX_MEMORY_DEVICE);
    }
  });
  int Failures = 0;
  for (int I = 0; I < 20; ++I) {
    pid_t Child = fork();
    if (Child == 0) {
      void *Address = nullptr;
      int Result = plugin().alloc(D[0], 64, ACCX_MEMORY_DEVICE, &Address);
      Result |= plugin().free(D[0], Address, ACCX_MEMORY_DEVICE);
      _exit(Result);
    }
    Failures += exitStatus(Child) != 0;
  }
  Stop = true;
  Other.join();
  CHECK(Failures == 0);
  CHECK(launchInside(D[0], Kernel) == 0);
}

namespace {
/// How a process ends after kernels ran on executors.
enum class End {
  Return,
  Linger,
  Close,
  CloseLate,
  ExitInKernel,
  ExitWhileBusy
};
} // namespace

// Alive while the process ends.
static Devices *Open;
static LoadedImage *Image;

static void closeAll() {
  for (accx_device Device : Open->All)
    plugin().device_close(Device);
  plugin().fini();
}

[[noreturn]] static void endProcess(End How) {
  // Registered before OpenMP starts: runs after it has ended.
  if (How == End::Linger)
    atexit([] { usleep(500000); });
  else if (How != End::Return && How != End::Close)
    atexit(closeAll);
  Open = new Devices;
  Image = new LoadedImage((*Open)[0], "host_openmp");
  accx_kernel Call = Image->kernel("kernel_call");
  if (launchInside((*Open)[0], Image->kernel("kernel_icvs")))
    _exit(2);
  if (How == End::Close)
    closeAll();
  if (How == End::ExitInKernel) {
    void (*Quit)(void *) = [](void *) { exit(0); };
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0)
        launch((*Open)[0], Call, Quit, static_cast<void *>(nullptr));
    }
    _exit(3);
  }
  if (How == End::ExitWhileBusy) {
    static std::atomic<bool> Runs{false};
    void (*Forever)(void *) = [](void *) {
      Runs = true;
      for (;;)
        pause();
    };
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 1)
        launch((*Open)[0], Call, Forever, static_cast<void *>(nullptr));
      while (!Runs)
        usleep(100);
      exit(0);
    }
  }
  exit(0);
}

TEST_CASE("a process ends, whatever executors do") {
  // Before this process has threads of OpenMP's: each child starts its own.
  for (End How : {End::Return, End::Linger, End::Close, End::CloseLate,
                  End::ExitInKernel, End::ExitWhileBusy}) {
    pid_t Child = fork();
    REQUIRE(Child >= 0);
    if (Child == 0)
      endProcess(How);
    INFO("way " << int(How));
    CHECK(exitStatus(Child) == 0);
  }
}
