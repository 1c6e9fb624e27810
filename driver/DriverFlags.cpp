//===- DriverFlags.cpp - The flags that the driver adds -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DriverFlags.h.
//
//===----------------------------------------------------------------------===//

#include "DriverFlags.h"
#include "Clang.h"
#include "CommandLine.h"
#include "DriverConfig.h"
#include "Layout.h"
#include "Message.h"
#include "Process.h"
#include "Targets.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace accx::driver {

namespace fs = std::filesystem;

/// The plugin defines it to the same value where it is not defined yet, but
/// only where something is compiled: -E has to know it, too.
static constexpr const char *OpenAccMacro = "-D_OPENACC=201811";

static constexpr const char *NvidiaTriple = "nvptx64-nvidia-cuda";

namespace {
/// What one invocation does, as far as flags go.
struct Use {
  /// Any of the languages that may hold directives, in any form of it.
  bool ReadsSource = false;
  /// Text comes out, in which directives need the plugin to expand macros.
  bool Preprocesses = false;
  /// Front end and passes run.
  bool Compiles = false;
  /// Device code is emitted.
  bool Offloads = false;
  /// IR alone: passes run.
  bool RunsPasses = false;
  bool Links = false;

  explicit Use(const CommandLine &Line);
};
} // namespace

Use::Use(const CommandLine &Line) {
  const bool HasSource =
      Line.has(InputKind::Source) || Line.has(InputKind::Preprocessed);
  const bool HasTree = Line.has(InputKind::Header) || Line.has(InputKind::Ast);
  ReadsSource = HasSource || HasTree;
  Preprocesses = ReadsSource && Line.Last == Phase::Preprocess;
  Compiles = ReadsSource && Line.Last > Phase::Preprocess;
  Offloads = HasSource && Line.Last >= Phase::Syntax && Line.HasOpenMp;
  RunsPasses = Compiles || (Line.has(InputKind::Ir) && Line.Last > Phase::Tree);
  // With -Wl,--version and the like alone the linker is only asked something,
  // and headers go no further than the front end.
  const bool HasObject = std::ranges::any_of(Line.Inputs, [](const Input &In) {
    return In.Kind != InputKind::Header;
  });
  Links = Line.Last == Phase::Link && !Line.IsRelocatable && Line.HasOpenMp &&
          (HasObject || Line.HasLibrary);
}

static bool isDefaultSystemFolder(const std::string &Folder) {
  return Folder == "/usr/include" || Folder == "/usr/local/include";
}

static void addRunPath(const std::string &Folder,
                       std::vector<std::string> &Flags) {
  if (Folder.find(',') == std::string::npos) {
    Flags.push_back("-Wl,-rpath," + Folder);
    return;
  }
  Flags.insert(Flags.end(), {"-Xlinker", "-rpath", "-Xlinker", Folder});
}

static void require(const std::string &File, const char *Target) {
  std::error_code Error;
  if (!fs::exists(File, Error))
    fail("no " + File + "; build it (cmake --build <build tree> --target " +
         Target + ") or install accx again");
}

/// Targets of the user's flags that need the toolkit.
static std::string ownGpuTarget(const CommandLine &Line) {
  for (const std::string &Triple : Line.OffloadTriples)
    if (Triple.starts_with("nvptx"))
      return Triple;
  for (const std::string &Name : Line.OffloadArchitectures)
    if (Name.starts_with("sm_"))
      return Name;
  return "";
}

/// Whether every target of the user's own flags is surely a processor.
static bool hasNoOwnGpu(const CommandLine &Line) {
  return Line.OffloadArchitectures.empty() &&
         std::ranges::all_of(Line.OffloadTriples, [](const std::string &T) {
           return T.starts_with("x86_64");
         });
}

/// The targets of this invocation, less those of the user's own flags.
static Targets targetsFor(const CommandLine &Line, const Use &Used,
                          const Clang &Compiler, Notes Said) {
  if (Line.Targets) {
    if (Line.hasOwnTargets())
      fail("--accx-targets and " +
           std::string(Line.OffloadTriples.empty() ? "--offload-arch"
                                                   : "-fopenmp-targets") +
           " both choose targets; give one of them");
    return Targets::named(*Line.Targets, Line.toolkit(), Compiler);
  }
  Targets Chosen;
  if (Line.hasOwnTargets()) {
    // Up to assembly Clang comes without ptxas.
    if (std::string Gpu = ownGpuTarget(Line); !Gpu.empty()) {
      if (Line.Last >= Phase::Object)
        Chosen.Cuda = requireCuda(Line.toolkit(), Gpu);
      else
        Chosen.Cuda = CudaSearch::run(Line.toolkit()).Found;
    }
    return Chosen;
  }
  if (Line.Other.wantsHostAlone())
    return Chosen;
  if (Used.Offloads)
    Chosen = Line.Other.Architectures.empty()
                 ? Targets::ofThisMachine(Line.toolkit(), Compiler)
                 : Targets::ofArchitectures(Line.Other.Architectures,
                                            Line.toolkit(), Compiler);
  else
    // The objects know their architectures; the tools may be needed.
    Chosen.Cuda = CudaSearch::run(Line.toolkit()).Found;
  // The text has the host's headers in it.
  if (Line.has(InputKind::Preprocessed) && !Chosen.Gpus.empty()) {
    if (Said == Notes::Said)
      note("preprocessed text is compiled for the host alone; "
           "--accx-targets=host," +
           Chosen.Gpus.front() + " asks for more");
    Chosen.Gpus.clear();
  }
  return Chosen;
}

/// Flags for GPU code, which no other compilation may see.
static void addGpuFlags(const std::vector<std::string> &Wanted,
                        std::vector<std::string> &Flags) {
  for (const std::string &Flag : Wanted) {
    const size_t Blank = Flag.find(' ');
    if (Blank == std::string::npos)
      Flags.insert(Flags.end(),
                   {"-Xopenmp-target=" + std::string(NvidiaTriple), Flag});
    else
      Flags.insert(Flags.end(),
                   {Flag.substr(0, Blank), Flag.substr(Blank + 1)});
  }
}

/// Says what other compilers' options became.
static void tellFates(const CommandLine &Line, const Targets &Chosen) {
  std::string Choosing;
  for (const Foreign::Fate &F : Line.Other.Fates)
    if (F.ChoosesTargets)
      Choosing += (Choosing.empty() ? "" : " ") + F.Given;
  if (!Choosing.empty() && Line.Targets)
    note(Choosing + ": --accx-targets=" + *Line.Targets + " has been chosen");
  else if (!Choosing.empty() && Line.hasOwnTargets())
    note(Choosing + ": other flags have chosen the targets");
  else if (!Choosing.empty()) {
    std::string Names = Chosen.Host ? "host" : "";
    for (const std::string &Gpu : Chosen.Gpus)
      Names += (Names.empty() ? "" : ",") + Gpu;
    if (Chosen.Gpus.empty() && !Chosen.LeftOut.empty())
      Names += " (" + Chosen.LeftOut + ")";
    for (const std::string &Refused : Chosen.Refused)
      warn(Choosing + ": left out " + Refused);
    note(Choosing + ": compiled as with --accx-targets=" + Names);
  }
  for (const Foreign::Fate &F : Line.Other.Fates)
    if (!F.Became.empty())
      note(F.Given + ": " + F.Became);
}

/// Has Clang call accx-ptxas, which learns from the environment where the
/// toolkit's own is. Who asks for the flags gets no environment: there it has
/// to find the same.
static void addPtxas(const CommandLine &Line, const Targets &Chosen,
                     const Layout &Here, std::vector<std::string> &Flags) {
  const bool Runs = Line.Shown == Show::Nothing;
  if (!Chosen.Cuda || Line.Last < Phase::Object || Line.HasOffloadLto ||
      !(Runs || Line.toolkit().empty()))
    return;
  const auto Own = Chosen.Cuda->tool("ptxas");
  if (!Own || !findProgram(Here.ptxas()))
    return;
  // With -emit-llvm Clang comes without it.
  Flags.insert(Flags.end(),
               {"--start-no-unused-arguments", "--ptxas-path=" + Here.ptxas(),
                "--end-no-unused-arguments"});
  if (Runs)
    setenv("ACCX_PTXAS", Own->c_str(), /*overwrite=*/1);
}

/// -fopenmp-targets and what goes with it.
static void addTargets(const CommandLine &Line, const Use &Used,
                       const Targets &Chosen, const Layout &Here,
                       const Clang &Compiler, std::vector<std::string> &Flags) {
  const bool HasOwnGpu = !ownGpuTarget(Line).empty();
  if (!Line.hasOwnTargets()) {
    std::string Triples;
    if (Chosen.Host)
      Triples = Line.HostTriple.empty() ? ACCX_HOST_TRIPLE : Line.HostTriple;
    if (!Chosen.Gpus.empty())
      Triples += (Chosen.Host ? "," : "") + std::string(NvidiaTriple);
    Flags.push_back("-fopenmp-targets=" + Triples);
  }
  const bool CompilesForGpu =
      Used.Offloads && (HasOwnGpu || !Chosen.Gpus.empty());
  if (Chosen.Cuda && Line.CudaPath.empty() && (CompilesForGpu || Used.Links))
    Flags.push_back("--cuda-path=" + Chosen.Cuda->Path);
  if (!CompilesForGpu)
    return;
  addPtxas(Line, Chosen, Here, Flags);
  if (!Chosen.Gpus.empty()) {
    std::string Names;
    for (const std::string &Gpu : Chosen.Gpus)
      Names += (Names.empty() ? "" : ",") + Gpu;
    Flags.push_back("-Xopenmp-target=" + std::string(NvidiaTriple));
    Flags.push_back("--offload-arch=" + Names);
    addGpuFlags(Line.Other.GpuFlags, Flags);
  }
  // Debian's Clang does not look into its own folder. With -foffload-lto the
  // library is linked in by the linker, which does.
  const bool UsesLibrary = Line.Last != Phase::Assembly && !Line.HasOffloadLto;
  if (UsesLibrary && !Line.HasDeviceLibraryPath)
    Flags.push_back("--libomptarget-nvptx-bc-path=" + Compiler.libraries());
}

std::vector<std::string> flagsFor(const CommandLine &Line, const Layout &Here,
                                  const Clang &Compiler, Notes Said) {
  const Use Used(Line);
  std::vector<std::string> Flags;
  bool ProcessorsOnly = false;
  if (Line.HasOpenMp && (Used.ReadsSource || Used.Links))
    Flags.emplace_back("-fopenmp");
  if (Used.Offloads || Used.Links) {
    const Targets Chosen = targetsFor(Line, Used, Compiler, Said);
    addTargets(Line, Used, Chosen, Here, Compiler, Flags);
    ProcessorsOnly = Chosen.Gpus.empty() && hasNoOwnGpu(Line);
    if (Used.Offloads && Said == Notes::Said && !Line.IsQuiet)
      tellFates(Line, Chosen);
  }
  // In front of these two folders Clang looks into its own; named again, they
  // would lose their places.
  if (Used.ReadsSource && !isDefaultSystemFolder(Here.Include))
    Flags.insert(Flags.end(), {"-isystem", Here.Include});
  if (Used.Offloads && !ProcessorsOnly)
    Flags.insert(Flags.end(), {"-isystem", Here.Include + "/accx/gpu"});
  if (Used.ReadsSource && Line.HasOpenMp)
    Flags.emplace_back(OpenAccMacro);
  // Clang asks its vectorizers for more than they can do in loops of kernels,
  // and warns of it without a line. The user's flags follow this one.
  if (Used.Compiles && Used.Offloads)
    Flags.emplace_back("-Wno-pass-failed");
  if (Used.Compiles)
    std::ranges::move(Line.Other.remarkFlags(Used.Offloads),
                      std::back_inserter(Flags));
  if ((Used.RunsPasses || Used.Preprocesses) && Line.HasOpenMp) {
    require(Here.plugin(), "accx");
    if (Used.Compiles || Used.Preprocesses)
      Flags.push_back("-fplugin=" + Here.plugin());
    // The plugin sees one target at a time, and all have to agree.
    if (Used.Compiles && Used.Offloads && ProcessorsOnly)
      Flags.emplace_back("-fplugin-arg-accx-processor");
    if (Used.Compiles && Line.ImpliesReductions)
      Flags.emplace_back("-fplugin-arg-accx-implicit-reductions");
    if (Used.Compiles && Line.TakesBareLengths)
      Flags.emplace_back("-fplugin-arg-accx-bare-lengths");
    if (Used.Compiles && Used.Offloads)
      Line.Instrumented.addCompileFlags(Flags);
    if (Used.RunsPasses)
      Flags.push_back("-fpass-plugin=" + Here.plugin());
    if (Used.RunsPasses && Line.WantsInfo) {
      // Clang reads -mllvm ahead of what -fpass-plugin loads.
      if (!Used.Compiles)
        Flags.push_back("-fplugin=" + Here.plugin());
      for (const char *Flag : {"-mllvm", "-accx-info"})
        Flags.insert(Flags.end(), {"-Xclang", Flag});
    }
  }
  if (Used.Links) {
    if (!Line.StaticOption.empty())
      fail(Line.StaticOption +
           ": the runtime is a shared library that opens its device plugins; "
           "link without " +
           Line.StaticOption +
           ", or with -fno-openmp a program that offloads "
           "nothing");
    // Without ours the linker would quietly take LLVM's.
    require(Here.Lib + "/libomptarget.so", "omptarget");
    Flags.push_back("-L" + Here.Lib);
    addRunPath(Here.Lib, Flags);
    Line.Instrumented.addLinkFlags(Here, Compiler, Flags);
  }
  return Flags;
}

void rewritePreprocessed(CommandLine &Line, bool IsCxx) {
  if (Line.Last < Phase::Syntax || !Line.HasOpenMp ||
      !Line.has(InputKind::Preprocessed))
    return;
  std::vector<std::string> Rewritten;
  size_t Next = 0;
  bool Changed = false;
  for (Input &In : Line.Inputs) {
    for (; Next < In.Index; ++Next)
      Rewritten.push_back(Line.Arguments[Next]);
    const std::string Path = Line.Arguments[Next++];
    if (In.Kind == InputKind::Preprocessed) {
      In.Language = sourceLanguage(Path, In.Language, IsCxx);
      Rewritten.insert(Rewritten.end(), {"-x", In.Language});
      Changed = true;
    } else if (Changed) {
      Rewritten.insert(Rewritten.end(),
                       {"-x", In.Language.empty() ? "none" : In.Language});
      Changed = false;
    }
    In.Index = Rewritten.size();
    Rewritten.push_back(Path);
  }
  for (; Next < Line.Arguments.size(); ++Next)
    Rewritten.push_back(Line.Arguments[Next]);
  Line.Arguments = std::move(Rewritten);
}

} // namespace accx::driver
