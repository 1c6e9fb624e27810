// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ACCX_NOTIFY and ACCX_STATS.

#include "Child.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <regex>

namespace {

/// The line without its time, which must be there.
std::string withoutTime(const std::string &Line) {
  std::smatch Match;
  INFO(Line);
  REQUIRE(std::regex_match(Line, Match, std::regex("(.*) [0-9]+\\.[0-9] us")));
  return Match[1];
}

std::vector<std::string> notified(const char *Bits) {
  Child C = run(ACCX_REPORT_PROBE, {"activities"}, {{"ACCX_NOTIFY", Bits}});
  CHECK(C.ExitCode == 0);
  std::vector<std::string> Result;
  for (const std::string &Line : lines(C.Err))
    Result.push_back(withoutTime(Line));
  return Result;
}

/// Counters by "<device> <name>"; times are left out.
std::map<std::string, uint64_t> counters(const std::string &Text) {
  std::map<std::string, uint64_t> Result;
  const std::regex Line("accx stats: (device [0-9]+|no device):((?: [a-z0-9_]+="
                        "[0-9.]+)+)"),
      Value("([a-z0-9_]+)=([0-9]+)(\\.[0-9]{3})?");
  for (const std::string &One : lines(Text)) {
    std::smatch Match;
    INFO(One);
    REQUIRE(std::regex_match(One, Match, Line));
    const std::string Values = Match[2];
    for (std::sregex_iterator It(Values.begin(), Values.end(), Value), End;
         It != End; ++It)
      if (!(*It)[3].matched)
        Result[Match[1].str() + " " + (*It)[1].str()] =
            std::stoull((*It)[2].str());
  }
  return Result;
}

} // namespace

TEST_CASE("ACCX_NOTIFY prints a line for each activity of its kinds") {
  const std::string P = "accx notify: ";
  const std::vector<std::string> Launches = {
      P + "device 0 launch probe.c:12 kernel_a", P + "device 0 launch kernel_b",
      P + "device 0 launch probe.c:12 static_destructor"};
  const std::vector<std::string> Transfers = {
      P + "device 0 transfer to device 4096 bytes a",
      P + "device 0 transfer from device 1000 bytes plain queue 2",
      P + "device 1 transfer within device 10 bytes",
      P + "device 1 transfer to peer 20 bytes",
      P + "device 1 transfer fill 30 bytes"};
  const std::vector<std::string> Waits = {P + "device 1 wait for queue",
                                          P + "wait events"};
  const std::vector<std::string> Regions = {
      P + "device 0 region target at probe.c:12:3"};
  const std::vector<std::string> Allocations = {
      P + "device 0 allocation reserve 1048576 bytes",
      P + "device 0 allocation commit 4096 bytes",
      P + "device 0 allocation allocate 100 bytes",
      P + "device 0 allocation free"};
  CHECK(notified("1") == Launches);
  CHECK(notified("2") == Transfers);
  CHECK(notified("4") == Waits);
  CHECK(notified("8") == Regions);
  CHECK(notified("16") == Allocations);
  CHECK(notified("5").size() == Launches.size() + Waits.size());
  CHECK(notified("-1").size() == 15);
  CHECK(notified("0").empty());
}

TEST_CASE("ACCX_STATS counts for each device") {
  Child C = run(ACCX_REPORT_PROBE, {"activities"}, {{"ACCX_STATS", "1"}});
  CHECK(C.ExitCode == 0);
  CHECK(C.errorLines("accx stats: ").size() == 3);
  auto Values = counters(C.Err);
  const std::map<std::string, uint64_t> Expected = {
      {"device 0 launches", 3},
      {"device 0 h2d_copies", 1},
      {"device 0 h2d_bytes", 4096},
      {"device 0 d2h_copies", 1},
      {"device 0 d2h_bytes", 1000},
      {"device 0 within_copies", 0},
      {"device 0 within_bytes", 0},
      {"device 0 peer_copies", 0},
      {"device 0 peer_bytes", 0},
      {"device 0 allocations", 2},
      {"device 0 allocated_bytes", 4196},
      {"device 0 regions", 1},
      {"device 0 waits", 0},
      {"device 1 launches", 0},
      {"device 1 h2d_copies", 0},
      {"device 1 h2d_bytes", 0},
      {"device 1 d2h_copies", 0},
      {"device 1 d2h_bytes", 0},
      {"device 1 within_copies", 2},
      {"device 1 within_bytes", 40},
      {"device 1 peer_copies", 1},
      {"device 1 peer_bytes", 20},
      {"device 1 peer_bytes_to_0", 20},
      {"device 1 allocations", 0},
      {"device 1 allocated_bytes", 0},
      {"device 1 regions", 0},
      {"device 1 waits", 1}};
  for (const auto &[Name, Value] : Expected) {
    INFO(Name);
    REQUIRE(Values.count(Name) == 1);
    CHECK(Values[Name] == Value);
  }
  CHECK(Values["no device waits"] == 1);
}

TEST_CASE("A line of totals has its fields in order") {
  Child C = run(ACCX_REPORT_PROBE, {"none"}, {{"ACCX_STATS", "1"}});
  REQUIRE(lines(C.Err).size() == 1);
  const std::string Times = "[0-9]+\\.[0-9]{3}";
  CHECK(std::regex_match(
      lines(C.Err)[0],
      std::regex("accx stats: device 0: launches=1 h2d_copies=0 h2d_bytes=0 "
                 "d2h_copies=0 d2h_bytes=0 within_copies=0 within_bytes=0 "
                 "peer_copies=0 peer_bytes=0 allocations=0 allocated_bytes=0 "
                 "regions=0 late_regions=0 graph_kernels=0 waits=0 "
                 "wait_ms=" +
                 Times + " launch_ms=" + Times + " h2d_ms=" + Times +
                 " d2h_ms=" + Times)));
}

TEST_CASE("Counts of many threads add up") {
  Child C =
      run(ACCX_REPORT_PROBE, {"threads", "6", "20000"}, {{"ACCX_STATS", "1"}});
  auto Values = counters(C.Err);
  for (int Device = 0; Device < 6; ++Device) {
    const std::string Name = "device " + std::to_string(Device);
    CHECK(Values[Name + " h2d_copies"] == 20000);
    CHECK(Values[Name + " h2d_bytes"] == 20000);
  }
}

TEST_CASE("Totals are printed again only after more activity") {
  Child C = run(ACCX_REPORT_PROBE, {"flush-and-go-on"}, {{"ACCX_STATS", "1"}});
  // Twice by the scenario's flushes, once after the static destructor.
  CHECK(C.errorLines("accx stats: device 0:").size() == 3);
  CHECK(counters(C.Err)["device 0 launches"] == 5);
}

TEST_CASE("A fatal error prints the totals") {
  Child C = run(ACCX_REPORT_PROBE, {"fatal", "1"}, {{"ACCX_STATS", "1"}});
  CHECK(C.Signal == SIGABRT);
  REQUIRE(lines(C.Err).size() == 2);
  CHECK(lines(C.Err)[0].find("omptarget fatal error 1: ") == 0);
  CHECK(lines(C.Err)[1].find("accx stats: device 0: launches=1 ") == 0);
}

TEST_CASE("Totals of a forking program are the parent's") {
  Child C = run(ACCX_REPORT_PROBE, {"fork"}, {{"ACCX_STATS", "1"}});
  CHECK(C.ExitCode == 0);
  REQUIRE(C.errorLines("accx stats: device 0:").size() == 1);
  CHECK(counters(C.Err)["device 0 h2d_bytes"] == 7);
}

TEST_CASE("Nothing is printed that was not asked for") {
  Child C = run(ACCX_REPORT_PROBE, {"activities"});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err.empty());
  CHECK(C.Out.empty());
}
