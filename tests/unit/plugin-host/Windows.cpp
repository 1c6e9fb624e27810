//===- Windows.cpp - Reserved addresses -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reservation, commit, decommit, and what is refused.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static constexpr size_t Page = size_t(2) << 20;

static char *at(void *Base, size_t Pages) {
  return static_cast<char *>(Base) + Pages * Page;
}

static uint64_t freeBytes(accx_device Device) {
  uint64_t Free = 0;
  REQUIRE(plugin().memory_info(Device, &Free, nullptr) == ACCX_OK);
  return Free;
}

TEST_CASE("windows take memory only where they are committed") {
  Devices D({{"ACCX_HOST_MEMORY", "16M"}});
  void *Base = nullptr;
  size_t Size = size_t(1) << 36;
  REQUIRE(plugin().va_reserve(D[0], Size, nullptr, &Base) == ACCX_OK);
  CHECK(reinterpret_cast<uintptr_t>(Base) % Page == 0);
  CHECK(freeBytes(D[0]) == 8 * Page);

  REQUIRE(plugin().va_commit(D[0], at(Base, 10), 2 * Page) == ACCX_OK);
  REQUIRE(plugin().va_commit(D[0], at(Base, 30000), Page) == ACCX_OK);
  CHECK(freeBytes(D[0]) == 5 * Page);
  std::memset(at(Base, 10), 1, 2 * Page);
  at(Base, 30000)[Page - 1] = 2;

  CHECK(plugin().va_commit(D[0], at(Base, 100), 6 * Page) ==
        ACCX_ERROR_OUT_OF_MEMORY);
  CHECK(freeBytes(D[0]) == 5 * Page);
  void *Block = nullptr;
  CHECK(plugin().alloc(D[0], 5 * Page + 1, ACCX_MEMORY_DEVICE, &Block) ==
        ACCX_ERROR_OUT_OF_MEMORY);

  REQUIRE(plugin().va_decommit(D[0], at(Base, 10), 2 * Page) == ACCX_OK);
  CHECK(freeBytes(D[0]) == 7 * Page);
  CHECK(at(Base, 30000)[Page - 1] == 2);
  // Releasing gives back what is still committed.
  REQUIRE(plugin().va_release(D[0], Base, Size) == ACCX_OK);
  CHECK(freeBytes(D[0]) == 8 * Page);
}

TEST_CASE("decommitted memory goes back to the system") {
  Devices D;
  void *Base = nullptr;
  REQUIRE(plugin().va_reserve(D[0], 8 * Page, nullptr, &Base) == ACCX_OK);
  REQUIRE(plugin().va_commit(D[0], Base, 4 * Page) == ACCX_OK);
  std::memset(Base, 1, 4 * Page);
  auto Resident = [&](size_t First) {
    std::vector<unsigned char> Pages(Page / 4096);
    REQUIRE(mincore(at(Base, First), Page, Pages.data()) == 0);
    size_t Count = 0;
    for (unsigned char P : Pages)
      Count += P & 1;
    return Count;
  };
  CHECK(Resident(1) == Page / 4096);
  REQUIRE(plugin().va_decommit(D[0], at(Base, 1), Page) == ACCX_OK);
  CHECK(Resident(1) == 0);
  CHECK(Resident(0) == Page / 4096);
  CHECK(Resident(2) == Page / 4096);
  REQUIRE(plugin().va_release(D[0], Base, 8 * Page) == ACCX_OK);
}

TEST_CASE("the hint is followed where it is free") {
  Devices D;
  void *Base = nullptr, *Again = nullptr;
  REQUIRE(plugin().va_reserve(D[0], 16 * Page, nullptr, &Base) == ACCX_OK);
  REQUIRE(plugin().va_release(D[0], Base, 16 * Page) == ACCX_OK);
  REQUIRE(plugin().va_reserve(D[0], 16 * Page, Base, &Again) == ACCX_OK);
  CHECK(Again == Base);
  // Taken: somewhere else.
  void *Other = nullptr;
  REQUIRE(plugin().va_reserve(D[1], 16 * Page, Base, &Other) == ACCX_OK);
  CHECK(Other != Base);
  REQUIRE(plugin().va_release(D[0], Again, 16 * Page) == ACCX_OK);
  REQUIRE(plugin().va_release(D[1], Other, 16 * Page) == ACCX_OK);
}

TEST_CASE("commits that do not fit the accounting are refused") {
  Devices D;
  uint64_t Before = freeBytes(D[0]);
  void *Base = nullptr;
  REQUIRE(plugin().va_reserve(D[0], 16 * Page, nullptr, &Base) == ACCX_OK);
  auto Commit = [&](size_t First, size_t Count) {
    return plugin().va_commit(D[0], at(Base, First), Count * Page);
  };
  auto Decommit = [&](size_t First, size_t Count) {
    return plugin().va_decommit(D[0], at(Base, First), Count * Page);
  };
  REQUIRE(Commit(4, 4) == ACCX_OK);
  CHECK(Commit(7, 1) == ACCX_ERROR_INVALID);
  CHECK(Commit(2, 3) == ACCX_ERROR_INVALID);
  CHECK(Commit(0, 16) == ACCX_ERROR_INVALID);
  CHECK(Commit(15, 2) == ACCX_ERROR_INVALID);
  CHECK(Commit(0, 0) == ACCX_ERROR_INVALID);
  CHECK(plugin().va_commit(D[0], at(Base, 0) + 4096, Page) ==
        ACCX_ERROR_INVALID);
  CHECK(plugin().va_commit(D[0], Base, 4096) == ACCX_ERROR_INVALID);
  CHECK(plugin().va_commit(D[1], Base, Page) == ACCX_ERROR_INVALID);
  CHECK(Decommit(3, 2) == ACCX_ERROR_INVALID);
  CHECK(Decommit(7, 2) == ACCX_ERROR_INVALID);
  CHECK(Decommit(0, 1) == ACCX_ERROR_INVALID);
  CHECK(freeBytes(D[0]) == Before - 4 * Page);

  // Neighbours join, and a hole splits.
  REQUIRE(Commit(8, 2) == ACCX_OK);
  REQUIRE(Commit(2, 2) == ACCX_OK);
  REQUIRE(Decommit(3, 6) == ACCX_OK);
  CHECK(freeBytes(D[0]) == Before - 2 * Page);
  CHECK(Decommit(3, 1) == ACCX_ERROR_INVALID);
  REQUIRE(Commit(3, 6) == ACCX_OK);
  REQUIRE(Decommit(2, 8) == ACCX_OK);
  CHECK(freeBytes(D[0]) == Before);

  CHECK(plugin().va_release(D[0], Base, 8 * Page) == ACCX_ERROR_INVALID);
  CHECK(plugin().va_release(D[0], at(Base, 1), 15 * Page) ==
        ACCX_ERROR_INVALID);
  CHECK(plugin().va_release(D[1], Base, 16 * Page) == ACCX_ERROR_INVALID);
  REQUIRE(plugin().va_release(D[0], Base, 16 * Page) == ACCX_OK);
  CHECK(plugin().va_release(D[0], Base, 16 * Page) == ACCX_ERROR_INVALID);
  CHECK(Commit(0, 1) == ACCX_ERROR_INVALID);
}

TEST_CASE("impossible reservations fail cleanly") {
  Devices D;
  void *Base = nullptr;
  CHECK(plugin().va_reserve(D[0], 0, nullptr, &Base) == ACCX_ERROR_INVALID);
  CHECK(plugin().va_reserve(D[0], 4096, nullptr, &Base) == ACCX_ERROR_INVALID);
  CHECK(plugin().va_reserve(D[0], size_t(1) << 62, nullptr, &Base) ==
        ACCX_ERROR_OUT_OF_MEMORY);
  CHECK(std::strstr(plugin().last_error(), "cannot reserve"));
  CHECK(plugin().va_reserve(D[0], SIZE_MAX - Page + 1, nullptr, &Base) ==
        ACCX_ERROR_OUT_OF_MEMORY);
}

TEST_CASE("under a limit of the address space reservations fail cleanly") {
  Devices D;
  // Sanitizers use more addresses than any limit would leave: only look at the
  // plugin's answer, in a process of its own.
  pid_t Child = fork();
  REQUIRE(Child >= 0);
  if (Child == 0) {
    rlimit Limit = {size_t(1) << 33, size_t(1) << 33};
    setrlimit(RLIMIT_AS, &Limit);
    void *Base = nullptr;
    _exit(plugin().va_reserve(D[0], size_t(1) << 40, nullptr, &Base) ==
                  ACCX_ERROR_OUT_OF_MEMORY
              ? 0
              : 1);
  }
  int Status = 0;
  REQUIRE(waitpid(Child, &Status, 0) == Child);
  CHECK(WIFEXITED(Status));
  CHECK(WEXITSTATUS(Status) == 0);
}

TEST_CASE("threads commit parts of one window at once") {
  Devices D;
  uint64_t Before = freeBytes(D[0]);
  void *Base = nullptr;
  REQUIRE(plugin().va_reserve(D[0], 64 * Page, nullptr, &Base) == ACCX_OK);
  std::atomic<unsigned> Failures{0};
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      for (unsigned I = 0; I < 50; ++I) {
        char *Mine = at(Base, T + 4 * (I % 16));
        if (plugin().va_commit(D[0], Mine, Page))
          ++Failures;
        Mine[T] = char(I);
        if (Mine[T] != char(I) || plugin().va_decommit(D[0], Mine, Page))
          ++Failures;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Failures == 0);
  CHECK(freeBytes(D[0]) == Before);
  REQUIRE(plugin().va_release(D[0], Base, 64 * Page) == ACCX_OK);
}
