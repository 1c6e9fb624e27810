// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How environment variables are read, and what is said about bad values.

#include "Child.h"
#include "support/EnvironmentReader.h"

#include <catch2/catch.hpp>

using namespace accx;

namespace {

struct Reading {
  Environment Env;
  std::vector<std::string> Complaints;
};

Reading read(const std::map<std::string, std::string> &Variables) {
  Reading Result;
  Result.Env = readEnvironment(
      [&](const char *Name) -> const char * {
        auto Found = Variables.find(Name);
        return Found == Variables.end() ? nullptr : Found->second.c_str();
      },
      [&](const std::string &Line) { Result.Complaints.push_back(Line); });
  return Result;
}

} // namespace

TEST_CASE("Unset and empty variables give the defaults") {
  for (const auto &Variables :
       {std::map<std::string, std::string>{},
        {{"ACCX_DIRECTORY", ""}, {"ACCX_STATS", ""}, {"ACCX_NOTIFY", ""}}}) {
    Reading R = read(Variables);
    CHECK(R.Env.DirectoryKind == "mirror");
    CHECK_FALSE(R.Env.Stats);
    CHECK(R.Env.Notify == 0);
    CHECK(R.Env.InfoLevel == 0);
    CHECK(R.Env.DumpEntries == -1);
    CHECK(R.Env.QueryCountMax == 10);
    CHECK(R.Env.Trace.empty());
    CHECK(R.Complaints.empty());
  }
}

TEST_CASE("Flags take the usual words in any case") {
  bool Value = false;
  for (const char *Text : {"1", "true", "TRUE", "Yes", "on", " on\n"}) {
    Value = false;
    CHECK(parseFlag(Text, Value));
    CHECK(Value);
  }
  for (const char *Text : {"0", "false", "No", "OFF", "\toff "}) {
    Value = true;
    CHECK(parseFlag(Text, Value));
    CHECK_FALSE(Value);
  }
  for (const char *Text : {"", " ", "2", "ye", "truee", "1 1"}) {
    Value = true;
    CHECK_FALSE(parseFlag(Text, Value));
    CHECK(Value);
  }
}

TEST_CASE("Numbers are decimal or hexadecimal and whole") {
  int64_t Value = 0;
  struct {
    const char *Text;
    int64_t Value;
  } const Good[] = {{"0", 0},       {"63", 63},
                    {"-1", -1},     {"+5", 5},
                    {" 7 ", 7},     {"010", 10},
                    {"0x3f", 63},   {"0XFF", 255},
                    {"-0x10", -16}, {"9223372036854775807", INT64_MAX}};
  for (const auto &Case : Good) {
    INFO(Case.Text);
    CHECK(parseNumber(Case.Text, Value));
    CHECK(Value == Case.Value);
  }
  Value = 42;
  for (const char *Text : {"", " ", "-", "0x", "0xg", "1x", "x1", "1 2", "1.5",
                           "--1", "- 1", "9223372036854775808"}) {
    INFO(Text);
    CHECK_FALSE(parseNumber(Text, Value));
    CHECK(Value == 42);
  }
}

TEST_CASE("Choices are exact words of the list") {
  std::string Value = "kept";
  CHECK(parseChoice(" fused ", "mirror|fused", Value));
  CHECK(Value == "fused");
  CHECK(parseChoice("mirror", "mirror|fused", Value));
  CHECK(Value == "mirror");
  for (const char *Text : {"", "mirror|fused", "fuse", "Fused", "|"})
    CHECK_FALSE(parseChoice(Text, "mirror|fused", Value));
  CHECK(Value == "mirror");
}

TEST_CASE("Good values arrive in their fields") {
  Reading R = read({{"LIBOMPTARGET_PLUGIN", "host:/x y/z.so"},
                    {"ACCX_DIRECTORY", "fused"},
                    {"ACCX_STRICT_MAP", "on"},
                    {"LIBOMPTARGET_INFO", "-1"},
                    {"LIBOMPTARGET_SHARED_MEMORY_SIZE", "0x400"}});
  CHECK(R.Complaints.empty());
  CHECK(R.Env.Plugins == "host:/x y/z.so");
  CHECK(R.Env.DirectoryKind == "fused");
  CHECK(R.Env.StrictMap);
  CHECK(R.Env.InfoLevel == -1);
  CHECK(R.Env.SharedMemorySize == 1024);
}

TEST_CASE("A bad value is named with what is accepted, and not used") {
  Reading R = read({{"ACCX_DIRECTORY", "both"},
                    {"ACCX_STATS", "maybe"},
                    {"ACCX_NOTIFY", "many"},
                    {"ACCX_TRACE_LIMIT", "-4"}});
  CHECK(R.Complaints ==
        std::vector<std::string>{
            "ACCX_DIRECTORY='both' is not accepted: give mirror or fused; "
            "using mirror",
            "ACCX_NOTIFY='many' is not accepted: give an integer, decimal or "
            "0x...; using 0",
            "ACCX_TRACE_LIMIT='-4' is not accepted: give an integer of 0 or "
            "more, decimal or 0x...; using 1024",
            "ACCX_STATS='maybe' is not accepted: give 1, true, yes, on or 0, "
            "false, no, off; using 0"});
  CHECK(R.Env.DirectoryKind == "mirror");
  CHECK_FALSE(R.Env.Stats);
  CHECK(R.Env.Notify == 0);
  CHECK(R.Env.TraceLimit == 1024);
}

TEST_CASE("A complaint shows a value in one printable line") {
  Reading R = read({{"ACCX_NOTIFY", "a\n\x1b[31m" + std::string(500, 'x')}});
  REQUIRE(R.Complaints.size() == 1);
  CHECK(R.Complaints[0].find("ACCX_NOTIFY='a??[31mxxx") == 0);
  CHECK(R.Complaints[0].size() < 250);
}

TEST_CASE("The process complains once on stderr") {
  Child C = run(ACCX_REPORT_PROBE, {"activities"}, {{"ACCX_NOTIFY", "all"}});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err == "accx: ACCX_NOTIFY='all' is not accepted: give an integer, "
                 "decimal or 0x...; using 0\n");
}

namespace {

std::vector<std::string> misspelt(std::vector<const char *> Variables) {
  std::vector<std::string> Lines;
  Variables.push_back(nullptr);
  findMisspelt(Variables.data(),
               [&](const std::string &Line) { Lines.push_back(Line); });
  return Lines;
}

} // namespace

TEST_CASE("A misspelt variable is named with the one that was meant") {
  auto Meant = [](const char *Name) {
    const auto Lines = misspelt({Name});
    REQUIRE(Lines.size() == 1);
    const size_t At = Lines[0].find("did you mean ");
    REQUIRE(At != std::string::npos);
    return Lines[0].substr(At + 13);
  };
  CHECK(misspelt({"ACCX_TRACEE=x.json"})[0] ==
        "ACCX_TRACEE is not a variable of accx; did you mean ACCX_TRACE?");
  CHECK(Meant("ACCX_NOTFY=1") == "ACCX_NOTIFY?");
  CHECK(Meant("ACCX_NOTIYF=1") == "ACCX_NOTIFY?");
  CHECK(Meant("ACCX_STAT=1") == "ACCX_STATS?");
  CHECK(Meant("ACCX_TIMES=") == "ACCX_TIME?");
  CHECK(Meant("ACCX_HOST_DEVICE=2") == "ACCX_HOST_DEVICES?");
  CHECK(Meant("ACCX_CUDA_COPYTHREADS=2") == "ACCX_CUDA_COPY_THREADS?");
}

TEST_CASE("Names that are right or are somebody else's are left alone") {
  CHECK(misspelt({"ACCX_TRACE=x", "ACCX_HOST_DEVICES=2", "ACCX_CC=clang",
                  "ACCX_HOME=/opt/accx", "ACCX_LIB=x", "ACCX_FAULT=copy_to:1",
                  "ACCX_TEST_PLUGINS=x", "ACCX_", "ACCX_=1", "PATH=/bin",
                  "OMP_TRACE=1", "NOEQUALS"})
            .empty());
  CHECK(misspelt({("ACCX_" + std::string(5000, 'T')).c_str()}).empty());
  CHECK(misspelt({}).empty());
}

TEST_CASE("A program says once which variables are misspelt") {
  Child C = run(ACCX_REPORT_PROBE, {"activities"}, {{"ACCX_STATSS", "1"}});
  CHECK(C.ExitCode == 0);
  CHECK(C.Err == "accx: ACCX_STATSS is not a variable of accx; did you mean "
                 "ACCX_STATS?\n");
}
