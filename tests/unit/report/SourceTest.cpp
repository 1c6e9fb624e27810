// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decoding of clang's location and name records.

#include "report/Source.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace accx;

namespace {

SourceLocation construct(const char *Record) {
  Ident Loc = {};
  Loc.Source = Record;
  return SourceLocation::ofConstruct(&Loc);
}

/// Text whose terminator is the last byte that can be read.
class GuardedText {
  size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char *Memory;
  char *Text;

public:
  explicit GuardedText(const std::string &Content) {
    size_t Pages = (Content.size() + 1 + Page - 1) / Page;
    Memory = static_cast<char *>(mmap(nullptr, (Pages + 1) * Page,
                                      PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(Memory != MAP_FAILED);
    REQUIRE(mprotect(Memory + Pages * Page, Page, PROT_NONE) == 0);
    Text = Memory + Pages * Page - Content.size() - 1;
    memcpy(Text, Content.c_str(), Content.size() + 1);
    Page *= Pages + 1;
  }
  ~GuardedText() { munmap(Memory, Page); }
  const char *get() const { return Text; }
};

} // namespace

TEST_CASE("A construct's record has file, function, line and column") {
  SourceLocation At = construct(";dir/prog.c;compute;12;7;;");
  CHECK(At.Name == "compute");
  CHECK(At.File == "prog.c");
  CHECK(At.Line == 12);
  CHECK(At.Column == 7);
  CHECK(At.Known);
  CHECK(At.text() == "prog.c:12:7");
}

TEST_CASE("An item's record has name, file, line and column") {
  SourceLocation At =
      SourceLocation::ofItem(";A[0:64];/home/user/info.c;31;9;;");
  CHECK(At.Name == "A[0:64]");
  CHECK(At.File == "info.c");
  CHECK(At.Line == 31);
  CHECK(At.Column == 9);
  CHECK(At.Known);
  CHECK(itemName(";A[0:64];/home/user/info.c;31;9;;") == "A[0:64]");
}

TEST_CASE("Without a record everything is unknown") {
  for (const SourceLocation &At :
       {SourceLocation::ofConstruct(nullptr), construct(nullptr), construct(""),
        SourceLocation::ofItem(nullptr), SourceLocation::ofItem("")}) {
    CHECK(At.Name == "unknown");
    CHECK(At.File == "unknown");
    CHECK_FALSE(At.Known);
    CHECK(At.text() == "unknown:0:0");
  }
  CHECK(itemName(nullptr) == "unknown");
  CHECK(itemName("") == "unknown");
}

TEST_CASE("clang's record of a program without -g is not known") {
  SourceLocation At = construct(";unknown;unknown;0;0;;");
  CHECK(At.Name == "unknown");
  CHECK(At.File == "unknown");
  CHECK_FALSE(At.Known);
}

TEST_CASE("A name without separators is the variable's name") {
  SourceLocation At = SourceLocation::ofItem("global");
  CHECK(At.Name == "global");
  CHECK(At.text() == "unknown:0:0");
  CHECK_FALSE(At.Known);
  CHECK(itemName("global") == "global");
}

TEST_CASE("Semicolons in a file's path do not shift the numbers") {
  SourceLocation At = construct(";/tmp/a;b/c;d.c;main;3;4;;");
  CHECK(At.File == "c;d.c");
  CHECK(At.Name == "main");
  CHECK(At.Line == 3);
  At = SourceLocation::ofItem(";x;/tmp/a;b/c.c;3;4;;");
  CHECK(At.Name == "x");
  CHECK(At.File == "c.c");
  CHECK(At.Column == 4);
}

TEST_CASE("Malformed records give what they have") {
  struct {
    const char *Record, *Name, *File;
    int Line, Column;
  } const Cases[] = {
      {";", "unknown", "unknown", 0, 0},
      {";;", "unknown", "unknown", 0, 0},
      {";;;;;;", "unknown", "unknown", 0, 0},
      {";file.c", "unknown", "file.c", 0, 0},
      {";file.c;f", "f", "file.c", 0, 0},
      {";file.c;f;5", "f", "file.c", 5, 0},
      {";file.c;f;5;6", "f", "file.c", 5, 6},
      {";file.c;f;5;6;", "f", "file.c", 5, 6},
      {";file.c;f;x;6;;", "f", "file.c", 0, 6},
      {";file.c;f;5;-6;;", "f", "file.c", 5, 0},
      {";file.c;f;99999999999999999999;6;;", "f", "file.c", 0, 6},
      {"before;file.c;f;5;6;;", "f", "file.c", 5, 6},
      {";dir/;f;5;6;;", "f", "unknown", 5, 6},
      {"nothing", "unknown", "unknown", 0, 0},
  };
  for (const auto &Case : Cases) {
    INFO(Case.Record);
    SourceLocation At = construct(Case.Record);
    CHECK(At.Name == Case.Name);
    CHECK(At.File == Case.File);
    CHECK(At.Line == Case.Line);
    CHECK(At.Column == Case.Column);
    CHECK(At.Known == (Case.Line || Case.Column));
  }
}

TEST_CASE("No byte behind a record's end is read") {
  const std::string Whole = ";some/file.c;function;123;45;;";
  for (size_t Length = 0; Length <= Whole.size(); ++Length) {
    GuardedText Text(Whole.substr(0, Length));
    CHECK(construct(Text.get()).Line <= 123);
    CHECK_FALSE(itemName(Text.get()).empty());
  }
}

TEST_CASE("Very long records are decoded whole") {
  const std::string Name(1 << 20, 'n'), Folder(1 << 20, 'd');
  GuardedText Text(";" + Folder + "/f.c;" + Name + ";8;9;;");
  SourceLocation At = construct(Text.get());
  CHECK(At.Name.size() == Name.size());
  CHECK(At.File == "f.c");
  CHECK(At.text() == "f.c:8:9");
}
