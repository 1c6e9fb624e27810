//===- QueueClockTest.cpp - What of other queues a point comes after ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/QueueClock.h"

#include <catch2/catch.hpp>

#include <array>

using namespace accx;

namespace {

/// Addresses that stand for queues; nobody looks at what is there.
std::array<char, 3> Places;
const AsyncQueue *queue(int I) {
  return reinterpret_cast<const AsyncQueue *>(&Places[I]);
}

QueueClock clockOf(std::initializer_list<std::pair<int, uint64_t>> Works) {
  QueueClock C;
  for (const auto &[I, Work] : Works)
    C.add(queue(I), Work);
  return C;
}

} // namespace

TEST_CASE("A clock includes what lies before it") {
  const QueueClock C = clockOf({{2, 7}, {0, 5}});
  CHECK(C.includes(C));
  CHECK(C.includes({}));
  CHECK(C.includes(clockOf({{0, 5}})));
  CHECK(C.includes(clockOf({{2, 1}, {0, 4}})));
  CHECK_FALSE(C.includes(clockOf({{0, 6}})));
  CHECK_FALSE(C.includes(clockOf({{0, 5}, {2, 8}})));
  CHECK_FALSE(C.includes(clockOf({{1, 0}})));
  CHECK_FALSE(QueueClock().includes(C));
}

TEST_CASE("Work that was done before stays before") {
  QueueClock C = clockOf({{0, 5}});
  C.add(queue(0), 3);
  CHECK(C.includes(clockOf({{0, 5}})));
}

TEST_CASE("A clock takes over another one") {
  QueueClock C = clockOf({{0, 5}, {1, 1}});
  const QueueClock Other = clockOf({{1, 9}, {0, 2}, {2, 4}});
  C.add(Other);
  CHECK(C.includes(Other));
  CHECK(C.includes(clockOf({{0, 5}})));
  CHECK_FALSE(C.includes(clockOf({{0, 6}})));
}
