//===- Spread.cpp - Spread memory of GPUs, on a fake driver ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeMachine.h"

#include <cstring>

namespace {

accx_status alloc(Machine &M, const std::vector<accx_spread_part> &Parts,
                  size_t Pages, void *&Address) {
  return M.P->spread_alloc(M.Devices.data(), uint32_t(M.Devices.size()),
                           Parts.data(), uint32_t(Parts.size()), Pages * Page,
                           &Address);
}

} // namespace

TEST_CASE("parts of a spread range are mapped on their GPUs") {
  Machine M("3,64");
  accx_device_info Info;
  REQUIRE(M.P->device_info(M.Devices[0], &Info) == ACCX_OK);
  CHECK(Info.spread_granularity == Page);
  void *Address = nullptr;
  REQUIRE(alloc(M, {{2 * Page, 0, 0}, {Page, 1, 0}, {Page, 2, 0}, {Page, 0, 0}},
                5, Address) == ACCX_OK);
  CHECK(mappings(Address) == "0x2 1x1 2x1 0x1 for 3");
  CHECK(reinterpret_cast<uintptr_t>(Address) % Page == 0);
  CHECK(M.P->spread_free(M.Devices[0], Address) == ACCX_OK);
  CHECK(isEmpty());
  CHECK(M.P->spread_free(M.Devices[0], Address) == ACCX_ERROR_INVALID);
}

TEST_CASE("devices that are one GPU have one allocation") {
  Machine M("2,64", "2");
  REQUIRE(M.Devices.size() == 4);
  void *Address = nullptr;
  REQUIRE(alloc(M, {{Page, 0, 0}, {Page, 1, 0}, {3 * Page, 2, 0}, {Page, 1, 0}},
                6, Address) == ACCX_OK);
  CHECK(mappings(Address) == "0x2 1x3 0x1 for 2");
  CHECK(M.P->spread_free(M.Devices[0], Address) == ACCX_OK);
  CHECK(isEmpty());
}

TEST_CASE("a GPU without memory leaves nothing behind") {
  Machine M("2,4");
  void *Address = nullptr;
  CHECK(alloc(M, {{3 * Page, 0, 0}, {5 * Page, 1, 0}}, 8, Address) ==
        ACCX_ERROR_OUT_OF_MEMORY);
  CHECK(std::strstr(M.P->last_error(), "CUDA device 1"));
  CHECK(isEmpty());
}

TEST_CASE("GPUs that are apart have no common memory") {
  Machine M("2,64,apart");
  void *Address = nullptr;
  CHECK(alloc(M, {{Page, 0, 0}, {Page, 1, 0}}, 2, Address) ==
        ACCX_ERROR_UNSUPPORTED);
  CHECK(std::strstr(M.P->last_error(), "does not reach"));
  CHECK(isEmpty());
}

TEST_CASE("wrong parts are refused") {
  Machine M("2,64");
  void *Address = nullptr;
  using Parts = std::vector<accx_spread_part>;
  for (const Parts &P :
       {Parts{}, Parts{{Page, 0, 0}}, Parts{{2 * Page, 2, 0}},
        Parts{{100, 0, 0}, {2 * Page - 100, 1, 0}}, Parts{{3 * Page, 0, 0}}})
    CHECK(alloc(M, P, 2, Address) == ACCX_ERROR_INVALID);
  CHECK(isEmpty());
}
