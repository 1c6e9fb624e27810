// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directory against the model, with constructs in flight, under each
// placement. directory-soak does the same at length.

#include "Fuzz.h"

#include <catch2/catch.hpp>

using namespace accx::test;

namespace {
void run(const char *Name) {
  for (const FuzzSetup &Setup : fuzzSetups()) {
    if (std::string(Name) != Setup.Name)
      continue;
    Fuzz F(Setup, 2026);
    REQUIRE(F.run(300000) == "");
    // The program was one that does things.
    REQUIRE(F.Counts.Created > 10000);
    REQUIRE(F.Counts.Left > 10000);
    REQUIRE(F.Counts.Copies > 10000);
    REQUIRE(F.Counts.Waits > 1000);
    REQUIRE(F.Counts.Failures > 1000);
    REQUIRE(F.Counts.OutOfMemory > 100);
    REQUIRE((Setup.Exact ? F.Counts.Moves == 0 : F.Counts.Moves > 1000));
    return;
  }
  FAIL("no such setup");
}
} // namespace

TEST_CASE("model: mirror") { run("mirror"); }
TEST_CASE("model: mirror, strict") { run("mirror-strict"); }
TEST_CASE("model: mirror, small spans") { run("mirror-spans"); }
TEST_CASE("model: mirror, headers") { run("mirror-headers"); }
TEST_CASE("model: mirror, headers, small spans") { run("mirror-header-spans"); }
TEST_CASE("model: mirror, small budget") { run("mirror-budget"); }
TEST_CASE("model: mirror, nothing reserved") { run("mirror-unreserved"); }
TEST_CASE("model: fused") { run("fused"); }
TEST_CASE("model: fused, strict") { run("fused-strict"); }
