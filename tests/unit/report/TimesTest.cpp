// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ACCX_TIME's table, and NVIDIA's names for what accx has.

#include "Child.h"

#include <catch2/catch.hpp>
#include <regex>

namespace {

/// The table's rows: name and count.
std::map<std::string, int> rows(const std::string &Text) {
  std::map<std::string, int> Result;
  const std::regex Row("    (.{44}) *([0-9]+) +[0-9.]+ +[0-9.]+ .*");
  for (const std::string &Line : lines(Text)) {
    std::smatch Match;
    if (!std::regex_match(Line, Match, Row))
      continue;
    std::string Name = Match[1];
    Name.resize(Name.find_last_not_of(' ') + 1);
    Result[Name] = std::stoi(Match[2]);
  }
  return Result;
}

} // namespace

TEST_CASE("ACCX_TIME's table has kernels, transfers, waits and constructs") {
  for (const char *Name :
       {"ACCX_TIME", "NVCOMPILER_ACC_TIME", "PGI_ACC_TIME"}) {
    INFO(Name);
    Child C = run(ACCX_REPORT_PROBE, {"activities"}, {{Name, "1"}});
    CHECK(C.ExitCode == 0);
    INFO(C.Err);
    CHECK(C.errorLines("accx time: device 0: kernels ").size() == 1);
    CHECK(C.errorLines("accx time: device 1: kernels ").size() == 1);
    CHECK(C.errorLines("accx time: no device: kernels ").size() == 1);
    CHECK(rows(C.Err) ==
          std::map<std::string, int>{{"probe.c:12 kernel_a", 1},
                                     {"kernel_b", 1},
                                     {"probe.c:12 static_destructor", 1},
                                     {"to device     a (probe.c:7)", 1},
                                     {"from device   plain", 1},
                                     {"within device (no variable)", 1},
                                     {"to peer       (no variable)", 1},
                                     {"fill          (no variable)", 1},
                                     {"wait for queue", 1},
                                     {"events", 1},
                                     {"probe.c:12 target", 1}});
  }
}

TEST_CASE("ACCX_TIME adds up what several threads do") {
  Child C =
      run(ACCX_REPORT_PROBE, {"threads", "4", "500"}, {{"ACCX_TIME", "1"}});
  auto Rows = rows(C.Err);
  CHECK(Rows["to device     a"] == 500);
  CHECK(C.errorLines("accx time: device ").size() == 4);
}

TEST_CASE("A child that was forked off prints no table") {
  Child C = run(ACCX_REPORT_PROBE, {"fork"}, {{"ACCX_TIME", "1"}});
  CHECK(C.errorLines("accx time: ").size() == 1);
}

TEST_CASE("NVIDIA's notify bits 4 and 8 are regions and waits") {
  for (const char *Name : {"NVCOMPILER_ACC_NOTIFY", "PGI_ACC_NOTIFY"}) {
    auto Kinds = [&](const char *Bits) {
      Child C = run(ACCX_REPORT_PROBE, {"activities"}, {{Name, Bits}});
      std::string Result;
      for (const char *Kind :
           {" launch ", " transfer ", " region ", " wait ", " allocation "})
        if (C.Err.find(Kind) != std::string::npos)
          Result += Kind;
      return Result;
    };
    CHECK(Kinds("1") == " launch ");
    CHECK(Kinds("2") == " transfer ");
    CHECK(Kinds("4") == " region ");
    CHECK(Kinds("8") == " wait ");
    CHECK(Kinds("16") == " allocation ");
    CHECK(Kinds("3") == " launch  transfer ");
    CHECK(Kinds("0").empty());
  }
}
