//===- Targets.cpp - What a program is compiled for -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Targets.h.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"
#include "Clang.h"
#include "Gpu.h"
#include "Message.h"

#include <algorithm>
#include <filesystem>

namespace accx::driver {

namespace fs = std::filesystem;

/// The architectures that Clang has an OpenMP device library for.
static std::vector<std::string> knownArchitectures(const Clang &Compiler) {
  constexpr std::string_view Prefix = "libomptarget-nvptx-", Suffix = ".bc";
  std::vector<std::string> Names;
  std::error_code Error;
  for (const auto &Entry :
       fs::directory_iterator(Compiler.libraries(), Error)) {
    const std::string File = Entry.path().filename().string();
    if (File.starts_with(Prefix) && File.ends_with(Suffix))
      Names.push_back(File.substr(Prefix.size(),
                                  File.size() - Prefix.size() - Suffix.size()));
  }
  std::ranges::sort(Names);
  return Names;
}

/// Why Clang with this toolkit cannot compile for `Gpu`; empty if it can.
static std::string lackFor(const std::string &Gpu,
                           const std::vector<std::string> &Known,
                           const CudaToolkit &Cuda) {
  if (Known.empty())
    return "LLVM's OpenMP device libraries are missing (Debian: apt-get "
           "install libomp-19-dev)";
  if (std::ranges::find(Known, Gpu) == Known.end()) {
    std::string List;
    for (const std::string &Name : Known)
      List += (List.empty() ? "" : ", ") + Name;
    return "LLVM 19 has no OpenMP device library for it, only for " + List;
  }
  // CUDA 13's ptxas begins at Turing.
  if (Cuda.Version >= 13000 && std::stoi(Gpu.substr(3)) < 75)
    return "CUDA " + Cuda.versionText() + " in " + Cuda.Path +
           " no longer compiles for it; name a CUDA 12 with --cuda-path=";
  return "";
}

CudaToolkit requireCuda(const std::string &CudaPath, const std::string &For) {
  CudaSearch Search = CudaSearch::run(CudaPath);
  if (Search.Found)
    return *Search.Found;
  std::string Places;
  for (const std::string &Place : Search.InVain)
    Places += "\n  " + Place;
  fail("target " + For +
       " needs a CUDA toolkit (11.8 or newer), and none serves:" + Places +
       "\ninstall one (Debian: nvidia-cuda-toolkit; NVIDIA: cuda-toolkit), or "
       "say where it is with --cuda-path=DIR or CUDA_PATH, or compile for the "
       "host alone with --accx-targets=host");
}

Targets Targets::named(const std::string &List, const std::string &CudaPath,
                       const Clang &Compiler) {
  Targets Chosen;
  Chosen.Host = false;
  for (size_t Begin = 0; Begin <= List.size();) {
    const size_t End = std::min(List.find(',', Begin), List.size());
    const std::string Name = List.substr(Begin, End - Begin);
    Begin = End + 1;
    if (Name == "host") {
      Chosen.Host = true;
      continue;
    }
    // Later architectures may have a letter behind the number.
    if (!Name.starts_with("sm_") || Name.size() < 5 || Name.size() > 7 ||
        !std::all_of(Name.begin() + 3, Name.end() - 1,
                     [](char C) { return C >= '0' && C <= '9'; }))
      fail("--accx-targets=" + List + ": '" + Name +
           "' is no target; targets are host and GPU architectures like sm_90");
    if (std::ranges::find(Chosen.Gpus, Name) == Chosen.Gpus.end())
      Chosen.Gpus.push_back(Name);
  }
  if (Chosen.Gpus.empty())
    return Chosen;
  Chosen.Cuda = requireCuda(CudaPath, Chosen.Gpus.front());
  const auto Known = knownArchitectures(Compiler);
  for (const std::string &Gpu : Chosen.Gpus)
    if (std::string Lack = lackFor(Gpu, Known, *Chosen.Cuda); !Lack.empty())
      fail("target " + Gpu + ": " + Lack);
  return Chosen;
}

Targets Targets::ofArchitectures(const std::vector<std::string> &Names,
                                 const std::string &CudaPath,
                                 const Clang &Compiler) {
  const bool One = Names.front() != "every" && Names.front() != "major";
  Targets Chosen;
  Chosen.Cuda =
      requireCuda(CudaPath, One ? Names.front() : "of every architecture");
  const auto Known = knownArchitectures(Compiler);
  const auto Add = [&Chosen](const std::string &Gpu) {
    if (std::ranges::find(Chosen.Gpus, Gpu) == Chosen.Gpus.end())
      Chosen.Gpus.push_back(Gpu);
  };
  std::vector<std::string> Refused;
  for (const std::string &Name : Names) {
    if (Name != "every" && Name != "major") {
      const std::string Lack = lackFor(Name, Known, *Chosen.Cuda);
      if (Lack.empty())
        Add(Name);
      else
        Refused.push_back(Name + ": " + Lack);
      continue;
    }
    for (const std::string &Gpu : Known)
      if ((Name == "every" || Gpu.ends_with('0')) &&
          lackFor(Gpu, Known, *Chosen.Cuda).empty())
        Add(Gpu);
  }
  if (Chosen.Gpus.empty())
    Chosen = ofThisMachine(CudaPath, Compiler);
  Chosen.Refused = std::move(Refused);
  return Chosen;
}

Targets Targets::ofThisMachine(const std::string &CudaPath,
                               const Clang &Compiler) {
  Targets Chosen;
  const auto Gpus = gpuArchitectures();
  if (Gpus.empty()) {
    Chosen.LeftOut = "no GPU found";
    return Chosen;
  }
  CudaSearch Search = CudaSearch::run(CudaPath);
  if (!Search.Found) {
    Chosen.LeftOut = Gpus.front() +
                     " found, but no CUDA toolkit (11.8 or "
                     "newer): --accx-targets=" +
                     Gpus.front() + " says where it was looked for";
    return Chosen;
  }
  Chosen.Cuda = Search.Found;
  const auto Known = knownArchitectures(Compiler);
  for (const std::string &Gpu : Gpus)
    if (std::string Lack = lackFor(Gpu, Known, *Chosen.Cuda); Lack.empty())
      Chosen.Gpus.push_back(Gpu);
    else
      Chosen.LeftOut = Gpu + " found, but " + Lack;
  return Chosen;
}

} // namespace accx::driver
