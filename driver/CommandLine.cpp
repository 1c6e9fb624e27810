//===- CommandLine.cpp - What the user asks of the compiler ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandLine.h.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Message.h"
#include "ResponseFile.h"
#include "Text.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace accx::driver {

using std::string_view;

/// How many of the following arguments are the value of `Option`.
static unsigned valuesOf(string_view Option) {
  struct Valued {
    string_view Name;
    unsigned Values;
  };
  static constexpr Valued Options[] = {
#define VALUED(NAME, VALUES) {NAME, VALUES},
#include "ValuedOptions.def"
#undef VALUED
  };
  for (string_view Prefix : {"-Xarch_", "-Xoffload-linker", "-Xopenmp-target="})
    if (Option.starts_with(Prefix))
      return 1;
  const auto *Found = std::ranges::find(Options, Option, &Valued::Name);
  return Found == std::end(Options) ? 0 : Found->Values;
}

static Phase phaseOf(string_view Option) {
  struct Stop {
    string_view Name;
    Phase Last;
  };
  static constexpr Stop Stops[] = {
      {"-E", Phase::Preprocess},
      {"-M", Phase::Preprocess},
      {"-MM", Phase::Preprocess},
      {"--preprocess", Phase::Preprocess},
      {"--dependencies", Phase::Preprocess},
      {"--user-dependencies", Phase::Preprocess},
      {"--precompile", Phase::Tree},
      {"-extract-api", Phase::Tree},
      {"-emit-ast", Phase::Tree},
      {"--analyze", Phase::Tree},
      {"--migrate", Phase::Tree},
      {"-module-file-info", Phase::Tree},
      {"-verify-pch", Phase::Tree},
      {"-rewrite-objc", Phase::Tree},
      {"-rewrite-legacy-objc", Phase::Tree},
      {"-emit-interface-stubs", Phase::Tree},
      {"-fsyntax-only", Phase::Syntax},
      {"-S", Phase::Assembly},
      {"--assemble", Phase::Assembly},
      {"-c", Phase::Object},
      {"--compile", Phase::Object},
  };
  const auto *Found = std::ranges::find(Stops, Option, &Stop::Name);
  return Found == std::end(Stops) ? Phase::Link : Found->Last;
}

/// Whether it is one of accx's own options; if so it is taken.
static bool takeOwn(string_view Option, CommandLine &Line) {
  // GCC's name for what is always on here. In Clang 19 it switches on a parser
  // of Clang's own that emits nothing.
  if (Option == "-fopenacc" || Line.Other.take(Option))
    return true;
  if (Option == "-facc-implicit-reductions" ||
      Option == "-fno-acc-implicit-reductions") {
    Line.ImpliesReductions = Option.starts_with("-facc");
    return true;
  }
  if (Option == "-facc-bare-lengths" || Option == "-fno-acc-bare-lengths") {
    Line.TakesBareLengths = Option.starts_with("-facc");
    return true;
  }
  if (!Option.starts_with("--accx-"))
    return false;
  if (Option == "--accx-help")
    Line.WantsHelp = true;
  else if (Option == "--accx-show")
    Line.Shown = Show::Command;
  else if (Option == "--accx-show=compile")
    Line.Shown = Show::CompileFlags;
  else if (Option == "--accx-show=link")
    Line.Shown = Show::LinkFlags;
  else if (Option == "--accx-check")
    Line.Instrumented.Checks = true;
  else if (Option == "--accx-info")
    Line.WantsInfo = true;
  else if (Option.starts_with("--accx-targets="))
    Line.Targets = Option.substr(Option.find('=') + 1);
  else
    fail("unknown option '" + std::string(Option) +
         "'; --accx-help lists those there are");
  return true;
}

/// The value of `Option`, where it begins with `Prefix`.
static std::optional<string_view> after(string_view Option,
                                        string_view Prefix) {
  if (!Option.starts_with(Prefix))
    return std::nullopt;
  return Option.substr(Prefix.size());
}

static void addList(string_view List, std::vector<std::string> &Into) {
  for (string_view Part : splitAtCommas(List))
    Into.emplace_back(Part);
}

/// Notes what an option that is all in one argument says.
static void note(string_view Option, CommandLine &Line) {
  Line.Last = std::min(Line.Last, phaseOf(Option));
  Line.Instrumented.note(Option);
  if (Option == "--version")
    Line.WantsVersion = true;
  else if (Option == "-w")
    Line.IsQuiet = true;
  else if (Option.starts_with("-l"))
    Line.HasLibrary = true;
  else if (Option == "-static" || Option == "-static-pie")
    Line.StaticOption = Option;
  else if (Option == "-r")
    Line.IsRelocatable = true;
  else if (Option.starts_with("-o") || Option.starts_with("--output="))
    Line.HasOutput = true;
  else if (Option == "-fno-openmp")
    Line.HasOpenMp = false;
  else if (Option == "-fopenmp" || Option.starts_with("-fopenmp="))
    Line.HasOpenMp = true;
  else if (Option == "-foffload-lto" || Option.starts_with("-foffload-lto="))
    Line.HasOffloadLto = true;
  else if (Option == "-fno-offload-lto")
    Line.HasOffloadLto = false;
  else if (auto Triples = after(Option, "-fopenmp-targets="))
    addList(*Triples, Line.OffloadTriples);
  else if (auto Offload = after(Option, "--offload-arch="))
    addList(*Offload, Line.OffloadArchitectures);
  else if (auto Cuda = after(Option, "--cuda-gpu-arch="))
    addList(*Cuda, Line.OffloadArchitectures);
  else if (auto Path = after(Option, "--cuda-path="))
    Line.CudaPath = *Path;
  else if (auto Triple = after(Option, "--target="))
    Line.HostTriple = *Triple;
  else if (Option.starts_with("--libomptarget-nvptx-bc-path=") ||
           Option == "-nogpulib")
    Line.HasDeviceLibraryPath = true;
}

/// Fills `Line` from its own Arguments.
static void takeApart(CommandLine &Line) {
  std::string Language;
  bool OnlyInputs = false;
  for (size_t At = 0; At < Line.Arguments.size(); ++At) {
    const string_view Argument = Line.Arguments[At];
    if (OnlyInputs || Argument == "-" || !Argument.starts_with("-")) {
      // Standard input has no name to go by: C, or C++ where that is the
      // driver.
      const InputKind Kind =
          Language.empty()
              ? (Argument == "-" ? InputKind::Source : kindOfFile(Argument))
              : kindOfLanguage(Language);
      Line.Inputs.push_back({At, Kind, Language, Argument == "-"});
      continue;
    }
    if (Argument == "--") {
      OnlyInputs = true;
      continue;
    }
    const unsigned Values = valuesOf(Argument);
    string_view Value;
    if (Values && At + 1 < Line.Arguments.size())
      Value = Line.Arguments[At + 1];
    if (Argument == "-x" || Argument == "--language")
      Language = Value;
    else if (Argument.starts_with("-x"))
      Language = Argument.substr(2);
    else if (auto Name = after(Argument, "--language="))
      Language = *Name;
    else if (Argument == "-o" || Argument == "--output")
      Line.HasOutput = true;
    else if (Argument == "-l")
      Line.HasLibrary = true;
    else if (Argument == "-target")
      Line.HostTriple = Value;
    else if (!Values)
      note(Argument, Line);
    if (Language == "none")
      Language.clear();
    At += Values;
  }
}

const Input *CommandLine::standardInput() const {
  for (const Input &Candidate : Inputs)
    if (Candidate.IsStandardInput)
      return &Candidate;
  return nullptr;
}

bool CommandLine::has(InputKind Kind) const {
  return std::ranges::find(Inputs, Kind, &Input::Kind) != Inputs.end();
}

/// `Arguments` without accx's own options, which `Line` takes.
static std::vector<std::string>
withoutOwn(const std::vector<std::string> &Arguments, CommandLine &Line) {
  std::vector<std::string> Rest;
  bool OnlyInputs = false;
  for (size_t At = 0; At < Arguments.size(); ++At) {
    OnlyInputs |= Arguments[At] == "--";
    if (!OnlyInputs && takeOwn(Arguments[At], Line)) {
      // At its place: what comes later wins.
      std::ranges::move(Line.Other.Flags, std::back_inserter(Rest));
      Line.Other.Flags.clear();
      continue;
    }
    Rest.push_back(Arguments[At]);
    // A value that looks like an option of ours is still a value.
    for (unsigned Left = OnlyInputs ? 0 : valuesOf(Arguments[At]);
         Left && At + 1 < Arguments.size(); --Left)
      Rest.push_back(Arguments[++At]);
  }
  return Rest;
}

CommandLine CommandLine::parse(const std::vector<std::string> &Arguments) {
  CommandLine Line;
  Line.Arguments = withoutOwn(expanded(Arguments), Line);
  takeApart(Line);
  // Response files are there because lines are long: they are opened up only
  // where something inside is ours or has to be changed.
  CommandLine Outside;
  std::vector<std::string> Given = withoutOwn(Arguments, Outside);
  if (!Line.standardInput() && !Line.has(InputKind::Preprocessed) &&
      expanded(Given) == Line.Arguments)
    Line.Arguments = std::move(Given);
  return Line;
}

} // namespace accx::driver
