// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fuzzer with fixed seeds; frontend-fuzz runs it at length.

#include "Fuzz.h"

#include <catch2/catch.hpp>

using namespace accx::test;

static void fuzz(Language L, uint64_t Seed) {
  Fuzz F(L, Seed);
  CAPTURE(Seed);
  CHECK(F.run(25000) == "");
  // Both kinds of line are made, in numbers.
  CHECK(F.Good > 2500);
  CHECK(F.Bad > 10000);
  CHECK(F.Clauses > F.Good);
  CHECK(F.Errors > F.Bad);
}

TEST_CASE("fuzz: damaged directives in C++") {
  fuzz(Language::CPlusPlus, 1);
  fuzz(Language::CPlusPlus, 2);
}

TEST_CASE("fuzz: damaged directives in C") {
  fuzz(Language::C, 3);
  fuzz(Language::C, 4);
}
