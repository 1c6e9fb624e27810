// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formats of messages.

#include "Child.h"

#include <catch2/catch.hpp>
#include <csignal>

TEST_CASE("Messages have LLVM's prefixes and end their lines") {
  Child C = run(ACCX_REPORT_PROBE, {"messages"});
  CHECK(C.ExitCode == 0);
  std::vector<std::string> Expected = {"omptarget device 3 info: without end",
                                       "omptarget device 3 info: with end",
                                       "omptarget message: 5 items",
                                       "omptarget error: no end",
                                       "omptarget error: an end",
                                       "as it is",
                                       "omptarget message: " +
                                           std::string(5000, 'm')};
  for (size_t Length = 1024 - 19 - 4; Length < 1024 - 19 + 4; ++Length)
    Expected.push_back("omptarget message: " + std::string(Length, 'x'));
  CHECK(lines(C.Err) == Expected);
  CHECK(C.Err.back() == '\n');
  CHECK(C.Out == "omptarget device 1 info: table\n");
}

TEST_CASE("A fatal error says its number and aborts") {
  Child C = run(ACCX_REPORT_PROBE, {"fatal", "7"});
  CHECK(C.Signal == SIGABRT);
  CHECK(C.Err == "omptarget fatal error 7: failure of target construct\n");
}

TEST_CASE("Lines of several threads do not mix") {
  Child C = run(ACCX_REPORT_PROBE, {"message-threads"});
  std::map<std::string, int> Seen;
  for (const std::string &Line : lines(C.Err))
    ++Seen[Line];
  std::map<std::string, int> Expected;
  for (char Letter : {'a', 'b', 'c', 'd'})
    Expected["omptarget message: " + std::string(100, Letter)] = 500;
  CHECK(Seen == Expected);
}

TEST_CASE("The information level comes from LIBOMPTARGET_INFO") {
  CHECK(run(ACCX_REPORT_PROBE, {"level"}).Out == "0 0 0\n0 1\n");
  CHECK(run(ACCX_REPORT_PROBE, {"level"}, {{"LIBOMPTARGET_INFO", "4"}}).Out ==
        "4 1 0\n0 1\n");
  CHECK(run(ACCX_REPORT_PROBE, {"level"}, {{"LIBOMPTARGET_INFO", "-1"}}).Out ==
        "4294967295 1 1\n0 1\n");
}

TEST_CASE("Reporting leaves errno alone") {
  TemporaryFile Trace;
  Child C = run(ACCX_REPORT_PROBE, {"errno"},
                {{"ACCX_NOTIFY", "31"},
                 {"ACCX_STATS", "1"},
                 {"ACCX_TRACE", Trace.path()}});
  CHECK(C.ExitCode == 0);
}
