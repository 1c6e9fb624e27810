//===- Settings.cpp - Variables of the CUDA plugin ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What values are taken, and what a wrong one says.
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace accx::cuda;

namespace {
struct Variable {
  const char *Name;
  Variable(const char *Name, const char *Value) : Name(Name) {
    setenv(Name, Value, 1);
  }
  ~Variable() { unsetenv(Name); }
};
} // namespace

TEST_CASE("defaults") {
  Settings S;
  REQUIRE(S.read() == ACCX_OK);
  CHECK(S.DriverPath.empty());
  CHECK(S.CopyThreads <= 8);
  CHECK(S.Waves == 3);
  CHECK(S.Share == 1);
  CHECK(S.MaxTeams == UINT32_MAX);
}

TEST_CASE("numbers are decimal or hexadecimal, and empty is unset") {
  Variable A("ACCX_CUDA_STAGED_IN", "0x200000");
  Variable B("ACCX_CUDA_WAVES", "12");
  Variable C("ACCX_CUDA_SPIN", "");
  Settings S;
  REQUIRE(S.read() == ACCX_OK);
  CHECK(S.StagedIn == 2u << 20);
  CHECK(S.Waves == 12);
  CHECK(S.SpinMicroseconds == Settings().SpinMicroseconds);
}

TEST_CASE("what makes no sense names the variable") {
  for (const char *Value :
       {"-1", "0", "x", "4x", " 4", "0x", "99999999999999999999999", "70000"}) {
    Variable A("ACCX_CUDA_WAVES", Value);
    Settings S;
    CHECK(S.read() == ACCX_ERROR_INVALID);
    CHECK(std::string(lastError()) == std::string("ACCX_CUDA_WAVES=") + Value +
                                          ": must be a number from 1 to 65536");
  }
}

TEST_CASE("OpenMP's bounds are taken when they are numbers") {
  Variable A("OMP_NUM_TEAMS", "12");
  Variable B("OMP_TEAMS_THREAD_LIMIT", "many");
  Settings S;
  REQUIRE(S.read() == ACCX_OK);
  CHECK(S.MaxTeams == 12);
  CHECK(S.MaxTeamThreads == UINT32_MAX);
}
