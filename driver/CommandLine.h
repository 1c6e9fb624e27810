//===- CommandLine.h - What the user asks of the compiler -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments taken apart as far as it decides which flags to add: accx's own
// options, the inputs, how far the compilation goes, and offload flags of the
// user's that stand in place of ours.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_COMMANDLINE_H
#define ACCX_DRIVER_COMMANDLINE_H

#include "ForeignOptions.h"
#include "Input.h"
#include "Instrumentation.h"

#include <optional>
#include <string>
#include <vector>

namespace accx::driver {

/// Where Clang stops, earliest first. Several are asked for: the earliest one.
enum class Phase {
  Preprocess,
  /// A serialized tree or an analysis, which offloading has no part in.
  Tree,
  Syntax,
  Assembly,
  Object,
  Link,
};

enum class Show { Nothing, Command, CompileFlags, LinkFlags };

struct Input {
  /// In CommandLine::Arguments, unless that names response files.
  size_t Index;
  InputKind Kind;
  /// The -x in force; empty where the name decides.
  std::string Language;
  bool IsStandardInput;
};

struct CommandLine {
  /// For Clang: the caller's, less accx's own options. Where such an option or
  /// an input that has to be changed stands in a response file, the contents of
  /// the files take their places.
  std::vector<std::string> Arguments;

  Show Shown = Show::Nothing;
  bool WantsHelp = false;
  /// --accx-info: what became of each loop.
  bool WantsInfo = false;
  bool WantsVersion = false;
  /// The value of --accx-targets.
  std::optional<std::string> Targets;

  /// Other compilers' options.
  Foreign Other;
  /// -w: no notes either.
  bool IsQuiet = false;

  std::vector<Input> Inputs;
  Phase Last = Phase::Link;
  /// -l, which links even without a file.
  bool HasLibrary = false;
  /// -r: what is offloaded stays as it is until the real link.
  bool IsRelocatable = false;
  /// -static or -static-pie.
  std::string StaticOption;
  bool HasOutput = false;
  bool HasOpenMp = true;
  bool HasOffloadLto = false;
  Instrumentation Instrumented;
  /// -facc-implicit-reductions
  bool ImpliesReductions = false;
  /// -facc-bare-lengths
  bool TakesBareLengths = false;

  /// Values of the user's own flags.
  std::vector<std::string> OffloadTriples, OffloadArchitectures;
  std::string HostTriple, CudaPath;
  bool HasDeviceLibraryPath = false;

  /// Where the toolkit is; empty where nothing says so.
  const std::string &toolkit() const {
    return CudaPath.empty() ? Other.CudaPath : CudaPath;
  }

  bool hasOwnTargets() const {
    return !OffloadTriples.empty() || !OffloadArchitectures.empty();
  }

  bool has(InputKind Kind) const;

  /// The input `-`, if there is one.
  const Input *standardInput() const;

  /// `Arguments` are main's, without the program's name.
  static CommandLine parse(const std::vector<std::string> &Arguments);
};

} // namespace accx::driver

#endif // ACCX_DRIVER_COMMANDLINE_H
