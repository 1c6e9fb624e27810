//===- Memory.cpp - Allocation and accounting -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of device memory, their limit, and wrong frees.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <atomic>
#include <cstring>
#include <thread>

static uint64_t freeBytes(accx_device Device) {
  uint64_t Free = 0;
  REQUIRE(plugin().memory_info(Device, &Free, nullptr) == ACCX_OK);
  return Free;
}

TEST_CASE("blocks are aligned, writable and accounted exactly") {
  Devices D({{"ACCX_HOST_MEMORY", "1G"}});
  uint64_t Before = freeBytes(D[0]);
  std::vector<std::pair<void *, size_t>> Blocks;
  uint64_t Sum = 0;
  for (size_t Size : {1, 7, 255, 256, 257, 4096, 100000, 5 << 20}) {
    void *Address = nullptr;
    REQUIRE(plugin().alloc(D[0], Size, ACCX_MEMORY_DEVICE, &Address) ==
            ACCX_OK);
    CHECK(reinterpret_cast<uintptr_t>(Address) % 256 == 0);
    std::memset(Address, 0xAB, Size);
    Blocks.emplace_back(Address, Size);
    Sum += Size;
    CHECK(freeBytes(D[0]) == Before - Sum);
  }
  CHECK(freeBytes(D[1]) == Before);
  for (auto [Address, Size] : Blocks) {
    CHECK(plugin().free(D[0], Address, ACCX_MEMORY_DEVICE) == ACCX_OK);
    Sum -= Size;
    CHECK(freeBytes(D[0]) == Before - Sum);
  }
}

TEST_CASE("the limit holds for each device") {
  Devices D({{"ACCX_HOST_MEMORY", "1M"}});
  void *A = nullptr, *B = nullptr;
  REQUIRE(plugin().alloc(D[0], 1 << 20, ACCX_MEMORY_DEVICE, &A) == ACCX_OK);
  CHECK(plugin().alloc(D[0], 1, ACCX_MEMORY_DEVICE, &B) ==
        ACCX_ERROR_OUT_OF_MEMORY);
  CHECK(std::string(plugin().last_error()) ==
        "cannot allocate 1 bytes: 0 of 1048576 bytes of the device are free");
  CHECK(plugin().alloc(D[0], 1, ACCX_MEMORY_SHARED, &B) ==
        ACCX_ERROR_OUT_OF_MEMORY);
  // Pinned host memory is the machine's, and so is another device's.
  REQUIRE(plugin().alloc(D[0], 1, ACCX_MEMORY_HOST, &B) == ACCX_OK);
  CHECK(plugin().free(D[0], B, ACCX_MEMORY_HOST) == ACCX_OK);
  REQUIRE(plugin().alloc(D[1], 1 << 20, ACCX_MEMORY_DEVICE, &B) == ACCX_OK);
  CHECK(plugin().free(D[1], B, ACCX_MEMORY_DEVICE) == ACCX_OK);
  CHECK(plugin().free(D[0], A, ACCX_MEMORY_DEVICE) == ACCX_OK);
  REQUIRE(plugin().alloc(D[0], 1 << 20, ACCX_MEMORY_DEVICE, &A) == ACCX_OK);
  CHECK(plugin().free(D[0], A, ACCX_MEMORY_DEVICE) == ACCX_OK);
}

TEST_CASE("sizes near the end of the address space fail cleanly") {
  Devices D;
  void *Address = nullptr;
  for (size_t Size : {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2})
    CHECK(plugin().alloc(D[0], Size, ACCX_MEMORY_DEVICE, &Address) ==
          ACCX_ERROR_OUT_OF_MEMORY);
}

TEST_CASE("wrong frees are reported and change nothing") {
  Devices D;
  uint64_t Before = freeBytes(D[0]);
  int Local = 0;
  void *Address = nullptr;
  REQUIRE(plugin().alloc(D[0], 100, ACCX_MEMORY_DEVICE, &Address) == ACCX_OK);
  for (void *Wrong : {static_cast<void *>(nullptr), static_cast<void *>(&Local),
                      static_cast<void *>(static_cast<char *>(Address) + 1),
                      reinterpret_cast<void *>(uintptr_t(0x100))})
    CHECK(plugin().free(D[0], Wrong, ACCX_MEMORY_DEVICE) == ACCX_ERROR_INVALID);
  CHECK(plugin().free(D[1], Address, ACCX_MEMORY_DEVICE) == ACCX_ERROR_INVALID);
  CHECK(plugin().free(D[0], Address, ACCX_MEMORY_HOST) == ACCX_ERROR_INVALID);
  CHECK(freeBytes(D[0]) == Before - 100);
  CHECK(plugin().free(D[0], Address, ACCX_MEMORY_DEVICE) == ACCX_OK);
  CHECK(plugin().free(D[0], Address, ACCX_MEMORY_DEVICE) == ACCX_ERROR_INVALID);
  CHECK(freeBytes(D[0]) == Before);
}

TEST_CASE("many threads allocate and free on one device") {
  Devices D({{"ACCX_HOST_MEMORY", "64M"}});
  uint64_t Before = freeBytes(D[0]);
  std::atomic<unsigned> Failures{0};
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < 8; ++T)
    Threads.emplace_back([&, T] {
      for (unsigned I = 0; I < 500; ++I) {
        void *Address = nullptr;
        size_t Size = 1 + (T * 977 + I * 131) % 5000;
        if (plugin().alloc(D[0], Size, ACCX_MEMORY_DEVICE, &Address)) {
          ++Failures;
          continue;
        }
        std::memset(Address, int(T), Size);
        if (static_cast<unsigned char *>(Address)[Size - 1] != T ||
            plugin().free(D[0], Address, ACCX_MEMORY_DEVICE))
          ++Failures;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK(Failures == 0);
  CHECK(freeBytes(D[0]) == Before);
}

TEST_CASE("host memory is visible where it is") {
  Devices D;
  int Value = 0;
  void *Address = nullptr;
  REQUIRE(plugin().pin(D[0], &Value, sizeof(Value), &Address) == ACCX_OK);
  CHECK(Address == &Value);
  CHECK(plugin().unpin(D[0], &Value) == ACCX_OK);
}
