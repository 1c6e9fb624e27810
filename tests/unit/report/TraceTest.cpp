// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ACCX_TRACE: valid JSON of the Chrome trace format, however a program ends.

#include "Child.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using nlohmann::json;

namespace {

struct Traced {
  Child Process;
  json Document;

  /// Events of the kind \p Phase.
  std::vector<json> events(const std::string &Phase) const {
    std::vector<json> Result;
    for (const json &Event : Document.at("traceEvents"))
      if (Event.at("ph") == Phase)
        Result.push_back(Event);
    return Result;
  }
  std::vector<std::string> names(const std::string &Phase) const {
    std::vector<std::string> Result;
    for (const json &Event : events(Phase))
      Result.push_back(Event.at("name"));
    return Result;
  }
};

Traced trace(const std::vector<std::string> &Arguments,
             std::map<std::string, std::string> Variables = {}) {
  TemporaryFile File;
  Variables["ACCX_TRACE"] = File.path();
  Traced Result;
  Result.Process = run(ACCX_REPORT_PROBE, Arguments, Variables);
  const std::string Text = readFile(File.path());
  Result.Document = json::parse(Text, nullptr, /*allow_exceptions=*/false);
  INFO(Result.Process.Err);
  INFO(Text.substr(0, 2000));
  REQUIRE_FALSE(Result.Document.is_discarded());
  return Result;
}

const json &named(const std::vector<json> &Events, const std::string &Name) {
  for (const json &Event : Events)
    if (Event.at("name") == Name)
      return Event;
  FAIL("no event named " << Name);
  return Events.front();
}

} // namespace

TEST_CASE("A trace has one complete event for each activity") {
  Traced T = trace({"activities"});
  CHECK(T.Process.ExitCode == 0);
  CHECK(T.Process.Err.empty());
  CHECK(T.names("X") == std::vector<std::string>{
                            "reserve", "commit", "allocate", "to device a",
                            "probe.c:12 kernel_a", "kernel_b",
                            "from device plain", "within device", "to peer",
                            "fill", "wait for queue", "target", "free",
                            "events", "probe.c:12 static_destructor"});
  double Last = 0;
  for (const json &Event : T.events("X")) {
    CHECK(Event.at("dur").get<double>() >= 0);
    CHECK(Event.at("ts").get<double>() >= Last);
    Last = Event.at("ts");
    CHECK(Event.at("pid").is_number_unsigned());
    if (Event.at("cat") != "launch" && Event.at("cat") != "transfer")
      CHECK(Event.at("tid") == Event.at("pid"));
  }
}

TEST_CASE("Events carry what the activity was") {
  auto Events = trace({"activities"}).events("X");
  const json &Launch = named(Events, "probe.c:12 kernel_a");
  CHECK(Launch.at("cat") == "launch");
  CHECK(Launch.at("args") == json({{"queue", 0},
                                   {"device", 0},
                                   {"kernel", "kernel_a"},
                                   {"function", "compute"},
                                   {"file", "probe.c"},
                                   {"line", 12},
                                   {"column", 3}}));
  CHECK(
      named(Events, "to device a").at("args") ==
      json({{"queue", 0}, {"device", 0}, {"bytes", 4096}, {"variable", "a"}}));
  CHECK(named(Events, "from device plain").at("args").at("queue") == 2);
  CHECK(named(Events, "events").at("args") == json({{"queue", 0}}));
  CHECK(named(Events, "commit").at("cat") == "allocation");
  CHECK(named(Events, "target").at("cat") == "region");
}

TEST_CASE("Process and threads are named") {
  Traced T = trace({"threads", "3", "5"});
  std::map<std::string, std::set<std::string>> Names;
  for (const json &Event : T.events("M"))
    Names[Event.at("name")].insert(Event.at("args").at("name"));
  CHECK(Names["process_name"] == std::set<std::string>{"accx-report-probe"});
  CHECK(Names["thread_name"] ==
        std::set<std::string>{"main", "probe-0", "probe-1", "probe-2",
                              "device 0", "device 1", "device 2"});
}

TEST_CASE("Kernels and transfers stand in the row of their device") {
  Traced T = trace({"threads", "3", "50"});
  std::map<int, std::string> Rows;
  for (const json &Event : T.events("M"))
    if (Event.at("name") == "thread_name")
      Rows[Event.at("tid")] = Event.at("args").at("name");
  for (const json &Event : T.events("X"))
    CHECK(Rows[Event.at("tid")] ==
          "device " + std::to_string(Event.at("args").at("device").get<int>()));
}

TEST_CASE("Slices of one row do not overlap where threads share a device") {
  Traced T = trace({"shared", "4", "3000"});
  std::map<int, std::vector<std::pair<double, double>>> Slices;
  std::map<int, std::string> Rows;
  for (const json &Event : T.events("M"))
    Rows[Event.at("tid")] = Event.at("args").at("name");
  for (const json &Event : T.events("X"))
    if (Event.at("name") == "to device a")
      Slices[Event.at("tid")].emplace_back(Event.at("ts"),
                                           Event.at("ts").get<double>() +
                                               Event.at("dur").get<double>());
  size_t Number = 0;
  for (auto &[Row, All] : Slices) {
    CHECK(Rows[Row].rfind("device 0", 0) == 0);
    Number += All.size();
    std::sort(All.begin(), All.end());
    for (size_t I = 1; I < All.size(); ++I)
      REQUIRE(All[I].first >= All[I - 1].second - 0.0015);
  }
  CHECK(Number == 4 * 3000);
}

TEST_CASE("Copies between devices add to the counter of the two") {
  const auto Counters = trace({"activities"}).events("C");
  REQUIRE(Counters.size() == 1);
  CHECK(Counters[0].at("name") == "device 1 to device 0");
  CHECK(Counters[0].at("args") == json({{"bytes", 20}}));
}

TEST_CASE("Every activity of many threads is there once") {
  // More than the threads' buffers hold, so that they are emptied on the way.
  constexpr int Threads = 4, Each = 8000;
  Traced T = trace({"threads", std::to_string(Threads), std::to_string(Each)});
  std::map<int, int> Counts;
  for (const json &Event : T.events("X"))
    if (Event.at("name") == "to device a")
      ++Counts[Event.at("args").at("device").get<int>()];
  REQUIRE(Counts.size() == Threads);
  for (auto [Device, Count] : Counts)
    CHECK(Count == Each);
}

TEST_CASE("Any name gives valid JSON") {
  Traced T = trace({"names"});
  CHECK(T.Process.ExitCode == 0);
  auto Names = T.names("X");
  REQUIRE(Names.size() == 10);
  CHECK(Names[0] == "quote\"back\\slash");
  CHECK(Names[1] == "control\x01\n\t\x7f");
  const std::string Bad = "\xef\xbf\xbd";
  CHECK(Names[2] == "latin" + Bad + " cut" + Bad + Bad + " long" + Bad + Bad +
                        " surrogate" + Bad + Bad + Bad + " ok\xe2\x82\xac");
  CHECK(Names[3] == std::string(2048, 'k') + "...");
  CHECK(Names[4] == std::string(2048, '\x02') + "...");
  CHECK(Names[5].size() == 2048 * 3 + 3);
  // Cut between characters: 1 + 682 * 3 bytes are the last whole one.
  CHECK(Names[6].size() == 1 + 682 * 3 + 3);
  CHECK(T.events("X")[7].at("args").at("function") == "g\\");
  CHECK(Names[8] == "gone_later");
}

TEST_CASE("A trace is complete after exit() on another thread") {
  Traced T = trace({"exit-on-thread"});
  CHECK(T.Process.ExitCode == 0);
  auto Names = T.names("X");
  CHECK(std::count(Names.begin(), Names.end(), "probe.c:12 last_kernel") == 1);
  CHECK(std::count(Names.begin(), Names.end(), "to device busy") >= 1);
}

TEST_CASE("A trace is complete after a fatal error") {
  Traced T = trace({"fatal", "1"});
  CHECK(T.Process.Signal == SIGABRT);
  CHECK(T.names("X") == std::vector<std::string>{"probe.c:12 before_fatal"});
}

TEST_CASE("A flushed trace is valid whatever comes then") {
  CHECK(trace({"flush-and-die"}).events("X").size() == 14);
  CHECK(trace({"flush-and-go-on"}).events("X").size() == 29);
}

TEST_CASE("The trace of a forking program is the parent's") {
  Traced T = trace({"fork"});
  CHECK(T.Process.ExitCode == 0);
  // In the order of the threads' buffers.
  const auto Names = T.names("X");
  CHECK(std::multiset<std::string>(Names.begin(), Names.end()) ==
        std::multiset<std::string>{"to device before", "to device parent",
                                   "to device parent2",
                                   "probe.c:12 static_destructor"});
}

TEST_CASE("The size of a trace is limited, and what is missing is said") {
  constexpr int Threads = 3, Each = 20000;
  TemporaryFile File;
  Child C = run(ACCX_REPORT_PROBE,
                {"threads", std::to_string(Threads), std::to_string(Each)},
                {{"ACCX_TRACE", File.path()}, {"ACCX_TRACE_LIMIT", "1"}});
  const std::string Text = readFile(File.path());
  CHECK(Text.size() <= (1 << 20) + 512);
  CHECK(Text.size() > (1 << 19));
  json Document = json::parse(Text, nullptr, false);
  REQUIRE_FALSE(Document.is_discarded());
  int Recorded = 0;
  std::string Note;
  for (const json &Event : Document.at("traceEvents")) {
    Recorded += Event.at("ph") == "X";
    if (Event.at("ph") == "i")
      Note = Event.at("name");
  }
  // One more for the static destructor.
  const std::string Missing = std::to_string(Threads * Each + 1 - Recorded);
  CHECK(Note == Missing + " activities not recorded: ACCX_TRACE_LIMIT");
  CHECK(C.Err == "omptarget message: ACCX_TRACE: '" + File.path() +
                     "' reached ACCX_TRACE_LIMIT=1 MiB; " + Missing +
                     " activities are not recorded\n");
}

TEST_CASE("%p in the file's name is the process id") {
  TemporaryFile File;
  Child C = run(ACCX_REPORT_PROBE, {"level"},
                {{"ACCX_TRACE", File.path() + ".%p.%"}});
  CHECK(C.Err.empty());
  // The probe's id is unknown here, so look for the one name that fits.
  const std::string Folder = File.path().substr(0, File.path().rfind('/'));
  Child List = run("/bin/sh", {"-c", "echo " + File.path() + ".*"});
  std::string Name = List.Out.substr(0, List.Out.find('\n'));
  const std::string Prefix = File.path() + ".";
  REQUIRE(Name.size() > Prefix.size() + 2);
  const std::string Id =
      Name.substr(Prefix.size(), Name.size() - Prefix.size() - 2);
  CHECK(Id.find_first_not_of("0123456789") == std::string::npos);
  json Document = json::parse(readFile(Name), nullptr, false);
  unlink(Name.c_str());
  REQUIRE_FALSE(Document.is_discarded());
  CHECK(std::to_string(Document.at("traceEvents")[0].at("pid").get<int>()) ==
        Id);
}

TEST_CASE("A trace file that cannot be written is reported") {
  Child C = run(ACCX_REPORT_PROBE, {"activities"},
                {{"ACCX_TRACE", "/nowhere/trace.json"}});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err == "omptarget error: ACCX_TRACE: cannot open "
                 "'/nowhere/trace.json': No such file or directory; nothing is "
                 "recorded\n");
  C = run(ACCX_REPORT_PROBE, {"activities"}, {{"ACCX_TRACE", "/dev/full"}});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err ==
        "omptarget error: ACCX_TRACE: '/dev/full' is not a regular file; "
        "nothing is recorded\n");
}

TEST_CASE("A folder or a pipe as trace file neither ends nor stops a program") {
  Child C =
      run(ACCX_REPORT_PROBE, {"own-key"}, {{"ACCX_TRACE", "/nowhere/t.json"}});
  CHECK(C.ExitCode == 0);
  C = run(ACCX_REPORT_PROBE, {"own-key"}, {{"ACCX_TRACE", "/"}});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err == "omptarget error: ACCX_TRACE: cannot open '/': Is a "
                 "directory; nothing is recorded\n");
  TemporaryFile Pipe;
  REQUIRE(mkfifo(Pipe.path().c_str(), 0600) == 0);
  C = run(ACCX_REPORT_PROBE, {"own-key"}, {{"ACCX_TRACE", Pipe.path()}});
  CHECK(C.ExitCode == 0);
  CHECK(C.errorLines("omptarget error: ACCX_TRACE: cannot open '").size() == 1);
}

TEST_CASE("A program that ends without notice leaves a valid trace") {
  // Up to the wait that ended last.
  for (const char *How : {"_exit", "abort", "kill", "segv"}) {
    INFO(How);
    CHECK(trace({"die", How}).events("X").size() == 14);
  }
}

TEST_CASE("Two processes with one trace file write two files") {
  TemporaryFile File;
  const std::string Name = File.path() + ".json";
  Child C = run(ACCX_REPORT_PROBE, {"nested"}, {{"ACCX_TRACE", Name}});
  CHECK(C.ExitCode == 0);
  json Outer = json::parse(readFile(Name), nullptr, false);
  unlink(Name.c_str());
  REQUIRE_FALSE(Outer.is_discarded());
  CHECK(Outer.at("traceEvents").size() == 6);
  const std::string Start = "this one writes '";
  const size_t Begin = C.Err.find(Start);
  REQUIRE(Begin != std::string::npos);
  const size_t First = Begin + Start.size();
  const std::string Other =
      C.Err.substr(First, C.Err.find('\'', First) - First);
  CHECK(Other.rfind(File.path() + ".", 0) == 0);
  CHECK(Other.substr(Other.size() - 5) == ".json");
  json Inner = json::parse(readFile(Other), nullptr, false);
  unlink(Other.c_str());
  REQUIRE_FALSE(Inner.is_discarded());
  CHECK(Inner.at("traceEvents").size() == 20);
}

TEST_CASE("A child that lives on does not keep the trace file") {
  TemporaryFile File;
  Child C = run("/bin/sh",
                {"-c", ACCX_REPORT_PROBE " leave-child && " ACCX_REPORT_PROBE
                                         " activities"},
                {{"ACCX_TRACE", File.path()}});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err.empty());
}

TEST_CASE("A thousand threads are recorded") {
  Traced T = trace({"threads", "1000", "3"});
  CHECK(T.events("X").size() == 3001);
}

TEST_CASE("A disk that is full leaves a valid trace and one message") {
  // The shell's limit stands for the disk's end; writes beyond it fail.
  TemporaryFile File;
  Child C = run("/bin/sh",
                {"-c", "trap '' XFSZ; ulimit -f 600; exec " ACCX_REPORT_PROBE
                       " threads 3 20000"},
                {{"ACCX_TRACE", File.path()}});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err == "omptarget error: ACCX_TRACE: cannot write '" + File.path() +
                     "': File too large; no further activities are "
                     "recorded\n");
  json Document = json::parse(readFile(File.path()), nullptr, false);
  REQUIRE_FALSE(Document.is_discarded());
  CHECK(Document.at("traceEvents").size() > 100);
}
