//===- Sharing.cpp - Memory for other processes, on a fake driver ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose memory an address is, what can be given away, and that nothing stays
// behind. Processes play no part in this: what one exports it imports.
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr size_t Chunk = size_t(128) << 20;

char *at(void *Base, size_t Offset) {
  return static_cast<char *>(Base) + Offset;
}

/// A window with memory from page 1 on.
void *window(Machine &M, size_t Pages, unsigned Device = 0) {
  void *Base = nullptr;
  accx_device D = M.Devices[Device];
  REQUIRE(M.P->va_reserve(D, (Pages + 2) * Page, nullptr, &Base) == ACCX_OK);
  REQUIRE(M.P->va_commit(D, at(Base, Page), Pages * Page) == ACCX_OK);
  return Base;
}

long numDescriptors() {
  using Folder = std::filesystem::directory_iterator;
  return std::distance(Folder("/proc/self/fd"), Folder());
}

bool finds(Machine &M, const void *Address, size_t Size, unsigned Device = 0) {
  const accx_status S = M.P->memory_find(M.Devices[Device], Address, Size);
  CHECK((S == ACCX_OK || S == ACCX_ERROR_NOT_FOUND));
  return S == ACCX_OK;
}

accx_exported exported(Machine &M, const void *Address) {
  accx_exported E = {};
  REQUIRE(M.P->memory_export(M.Devices[0], Address, &E) == ACCX_OK);
  return E;
}

} // namespace

TEST_CASE("pages of windows that have memory are the device's") {
  Machine M("2,256");
  void *W = window(M, 8);
  CHECK(finds(M, at(W, Page), 8 * Page));
  CHECK(finds(M, at(W, 9 * Page - 1), 1));
  CHECK_FALSE(finds(M, at(W, Page - 1), 2));
  CHECK_FALSE(finds(M, at(W, 9 * Page - 1), 2));
  CHECK_FALSE(finds(M, at(W, 5 * Page), 1000 * Page));
  CHECK_FALSE(finds(M, at(W, Page), 1, 1));
  // A page of a chunk that has others.
  REQUIRE(M.P->va_decommit(M.Devices[0], at(W, 4 * Page), Page) == ACCX_OK);
  CHECK_FALSE(finds(M, at(W, Page), 8 * Page));
  CHECK_FALSE(finds(M, at(W, 4 * Page - 1), 2));
  CHECK(finds(M, at(W, Page), 3 * Page));
  CHECK(finds(M, at(W, 5 * Page), 4 * Page));
  CHECK(M.P->memory_find(M.Devices[0], W, 0) == ACCX_ERROR_INVALID);
  CHECK(M.P->memory_find(M.Devices[0], W, SIZE_MAX) == ACCX_ERROR_INVALID);
}

TEST_CASE("allocations are the device's, each by itself") {
  Machine M("2,64");
  void *A = nullptr, *B = nullptr;
  REQUIRE(M.P->alloc(M.Devices[0], 1000, ACCX_MEMORY_DEVICE, &A) == ACCX_OK);
  REQUIRE(M.P->alloc(M.Devices[0], 1000, ACCX_MEMORY_DEVICE, &B) == ACCX_OK);
  REQUIRE(at(A, 1000) == B);
  CHECK(finds(M, A, 1000));
  CHECK(finds(M, at(B, 999), 1));
  CHECK_FALSE(finds(M, A, 1001));
  CHECK_FALSE(finds(M, A, 1000, 1));
  CHECK_FALSE(finds(M, &M, sizeof(M)));
  accx_exported E;
  CHECK(M.P->memory_export(M.Devices[0], A, &E) == ACCX_ERROR_UNSUPPORTED);
  for (void *Address : {A, B})
    CHECK(M.P->free(M.Devices[0], Address, ACCX_MEMORY_DEVICE) == ACCX_OK);
}

TEST_CASE("spread memory is that of all its devices, and is not given away") {
  Machine M("3,64");
  const accx_spread_part Parts[] = {{2 * Page, 0, 0}, {Page, 1, 0}};
  void *Address = nullptr;
  REQUIRE(M.P->spread_alloc(M.Devices.data(), 2, Parts, 2, 3 * Page,
                            &Address) == ACCX_OK);
  CHECK(finds(M, Address, 3 * Page, 0));
  CHECK(finds(M, at(Address, 1), Page, 1));
  CHECK_FALSE(finds(M, at(Address, 1), 3 * Page));
  CHECK_FALSE(finds(M, Address, 3 * Page, 2));
  accx_exported E;
  CHECK(M.P->memory_export(M.Devices[0], Address, &E) ==
        ACCX_ERROR_UNSUPPORTED);
  CHECK(M.P->spread_free(M.Devices[0], Address) == ACCX_OK);
}

TEST_CASE("chunks of windows are given away and taken") {
  const long Before = numDescriptors();
  {
    Machine M("2,256");
    void *W = window(M, Chunk / Page + 8);
    const accx_exported First = exported(M, at(W, Page + 5));
    CHECK(First.begin == reinterpret_cast<uintptr_t>(at(W, Page)));
    CHECK(First.bytes == Chunk);
    CHECK((fcntl(First.fd, F_GETFD) & FD_CLOEXEC));
    const accx_exported Same = exported(M, at(W, Chunk + Page - 1));
    CHECK((Same.id == First.id && Same.fd == First.fd));
    const accx_exported Next = exported(M, at(W, Chunk + Page));
    CHECK(Next.id != First.id);
    CHECK(Next.begin == First.begin + Chunk);
    CHECK(Next.bytes == 8 * Page);
    CHECK(numDescriptors() == Before + 2);

    void *Here = nullptr, *There = nullptr;
    REQUIRE(M.P->memory_import(M.Devices[0], &First, &Here) == ACCX_OK);
    REQUIRE(M.P->memory_import(M.Devices[1], &First, &There) == ACCX_OK);
    CHECK(mappings(Here) == "0x64 for 1");
    CHECK(mappings(There) == "0x64 for 1");
    CHECK(Here != There);
    CHECK(M.P->memory_close(M.Devices[0], There) == ACCX_ERROR_INVALID);
    CHECK(M.P->memory_close(M.Devices[1], There) == ACCX_OK);
    CHECK(M.P->memory_close(M.Devices[1], There) == ACCX_ERROR_INVALID);
    // Numbers do not come back with the memory, and the descriptor goes.
    REQUIRE(M.P->va_decommit(M.Devices[0], at(W, Chunk + Page), 8 * Page) ==
            ACCX_OK);
    CHECK(numDescriptors() == Before + 1);
    CHECK(M.P->memory_export(M.Devices[0], at(W, Chunk + Page),
                             const_cast<accx_exported *>(&Same)) ==
          ACCX_ERROR_UNSUPPORTED);
    REQUIRE(M.P->va_commit(M.Devices[0], at(W, Chunk + Page), Page) == ACCX_OK);
    CHECK(exported(M, at(W, Chunk + Page)).id > Next.id);
    // What was not closed goes with the device.
  }
  CHECK(isEmpty());
  CHECK(numDescriptors() == Before);
}

TEST_CASE("what cannot be taken leaves nothing behind") {
  {
    Machine M("2,64,apart");
    void *W = window(M, 4), *Address = nullptr;
    accx_exported E = exported(M, at(W, Page));
    CHECK(M.P->memory_import(M.Devices[1], &E, &Address) ==
          ACCX_ERROR_UNSUPPORTED);
    CHECK(std::strstr(M.P->last_error(), "access to"));
    accx_exported Wrong = E;
    Wrong.fd = -1;
    CHECK(M.P->memory_import(M.Devices[0], &Wrong, &Address) ==
          ACCX_ERROR_INVALID);
    Wrong.fd = 0;
    CHECK(M.P->memory_import(M.Devices[0], &Wrong, &Address) ==
          ACCX_ERROR_UNSUPPORTED);
    Wrong = E;
    Wrong.bytes += Page;
    CHECK(M.P->memory_import(M.Devices[0], &Wrong, &Address) ==
          ACCX_ERROR_UNSUPPORTED);
    Wrong.bytes = 100;
    CHECK(M.P->memory_import(M.Devices[0], &Wrong, &Address) ==
          ACCX_ERROR_INVALID);
  }
  CHECK(isEmpty());
}

TEST_CASE("drivers that give nothing away still have windows") {
  for (const char *Fake : {"1,64,closed", "1,64,refuses"}) {
    {
      Machine M(Fake);
      void *W = window(M, 4);
      CHECK(finds(M, at(W, Page), 4 * Page));
      accx_exported E;
      CHECK(M.P->memory_export(M.Devices[0], at(W, Page), &E) ==
            ACCX_ERROR_UNSUPPORTED);
    }
    CHECK(isEmpty());
  }
}

TEST_CASE("descriptors are a part of what the process may have") {
  Machine M("1,64");
  rlimit Old, Few;
  REQUIRE(getrlimit(RLIMIT_NOFILE, &Old) == 0);
  Few = Old;
  Few.rlim_cur = 64;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &Few) == 0);
  void *W = nullptr;
  REQUIRE(M.P->va_reserve(M.Devices[0], 32 * Page, nullptr, &W) == ACCX_OK);
  unsigned Given = 0;
  for (size_t I = 0; I < 32; ++I) {
    accx_exported E;
    REQUIRE(M.P->va_commit(M.Devices[0], at(W, I * Page), Page) == ACCX_OK);
    Given += M.P->memory_export(M.Devices[0], at(W, I * Page), &E) == ACCX_OK;
  }
  CHECK(Given == 16);
  CHECK(std::strstr(M.P->last_error(), "file descriptors"));
  setrlimit(RLIMIT_NOFILE, &Old);
}
