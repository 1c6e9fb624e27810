//===- Command.cpp - Commands a test runs ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Command.h.
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <sstream>

std::vector<std::string> linesOf(const std::string &Text) {
  INFO("command: " << Text);
  std::FILE *Pipe = popen(Text.c_str(), "r");
  REQUIRE(Pipe != nullptr);
  std::string Output;
  char Buffer[4096];
  while (size_t Read = std::fread(Buffer, 1, sizeof(Buffer), Pipe))
    Output.append(Buffer, Read);
  REQUIRE(pclose(Pipe) == 0);
  std::vector<std::string> Lines;
  std::istringstream Stream(Output);
  for (std::string Line; std::getline(Stream, Line);)
    Lines.push_back(Line);
  return Lines;
}

TemporaryFolder::TemporaryFolder() {
  std::string Template =
      (std::filesystem::temp_directory_path() / "accx-abi-XXXXXX").string();
  REQUIRE(mkdtemp(Template.data()) != nullptr);
  Path = Template;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code Ignored;
  std::filesystem::remove_all(Path, Ignored);
}
