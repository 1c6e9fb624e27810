//===- Main.cpp - accxcc and accxc++ --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiler drivers in the manner of mpicc: Clang's arguments with flags put in
// front of them, so that the user's, which come later, win.
//
//===----------------------------------------------------------------------===//

#include "Clang.h"
#include "CommandLine.h"
#include "DriverFlags.h"
#include "Help.h"
#include "Layout.h"
#include "Message.h"
#include "Process.h"
#include "StandardInput.h"

#include <cstdio>

using namespace accx::driver;

#ifdef ACCX_DRIVER_CXX
static constexpr bool IsCxx = true;
#else
static constexpr bool IsCxx = false;
#endif

/// As if one source were compiled, or one object linked, with these options.
static CommandLine asIf(CommandLine Line, InputKind Kind, Phase Last) {
  Line.Inputs = {{0, Kind, "", false}};
  Line.Last = Last;
  return Line;
}

static void print(const std::vector<std::string> &Words) {
  std::printf("%s\n", shellQuoted(Words).c_str());
}

int main(int Count, char **Values) {
  setProgramName(IsCxx ? "accxc++" : "accxcc");
  const std::vector<std::string> Given(Values + 1, Values + Count);
  CommandLine Line = CommandLine::parse(Given);
  const Layout Here = Layout::ofThisProgram();
  const Clang Compiler = Clang::find(IsCxx, Here);
  if (Line.WantsHelp) {
    printHelp(Here, Compiler);
    return 0;
  }
  if (Line.WantsVersion && Line.Shown == Show::Nothing) {
    printVersion(Compiler);
    return 0;
  }
  if (Line.Shown == Show::CompileFlags || Line.Shown == Show::LinkFlags) {
    const bool Compile = Line.Shown == Show::CompileFlags;
    print(flagsFor(asIf(Line, Compile ? InputKind::Source : InputKind::Object,
                        Compile ? Phase::Object : Phase::Link),
                   Here, Compiler, Notes::Quiet));
    return 0;
  }

  std::vector<std::string> Command = {Compiler.Path};
  for (std::string &Flag : flagsFor(Line, Here, Compiler, Notes::Said))
    Command.push_back(std::move(Flag));
  rewritePreprocessed(Line, IsCxx);
  if (Line.Shown == Show::Nothing)
    spoolStandardInput(Line);
  Command.insert(Command.end(), Line.Arguments.begin(), Line.Arguments.end());
  if (Line.Shown == Show::Command) {
    print(Command);
    return 0;
  }
  execute(Command);
}
