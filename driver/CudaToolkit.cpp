//===- CudaToolkit.cpp - The CUDA toolkit on this machine -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CudaToolkit.h.
//
//===----------------------------------------------------------------------===//

#include "CudaToolkit.h"
#include "Process.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace accx::driver {

namespace fs = std::filesystem;

/// The oldest whose ptxas knows every GPU that Clang 19 compiles for.
static constexpr unsigned OldestVersion = 11080;

static std::string text(unsigned Version) {
  return std::to_string(Version / 1000) + "." +
         std::to_string(Version % 1000 / 10);
}

std::string CudaToolkit::versionText() const {
  return Version ? text(Version) : "of unknown version";
}

std::optional<std::string> CudaToolkit::tool(const std::string &Name) const {
  auto Own = findProgram((fs::path(Path) / "bin" / Name).string());
  return Own ? Own : findProgram(Name);
}

/// CUDA_VERSION in cuda.h, which every toolkit has where headers are installed.
static unsigned versionOf(const fs::path &Root) {
  std::ifstream Header(Root / "include" / "cuda.h");
  constexpr const char *Definition = "#define CUDA_VERSION ";
  for (std::string Line; std::getline(Header, Line);)
    if (Line.starts_with(Definition))
      return static_cast<unsigned>(
          std::strtoul(Line.c_str() + std::strlen(Definition), nullptr, 10));
  return 0;
}

/// What keeps `Root` from being a toolkit that serves; empty if nothing does.
static std::string lackOf(const fs::path &Root, unsigned &Version) {
  std::error_code Error;
  if (!fs::is_directory(Root, Error))
    return "no such folder";
  for (const char *Tool : {"ptxas", "nvlink"})
    if (!CudaToolkit{Root.string(), 0}.tool(Tool))
      return std::string("no bin/") + Tool;
  const char *Library = "nvvm/libdevice/libdevice.10.bc";
  if (!fs::exists(Root / Library, Error))
    return std::string("no ") + Library;
  Version = versionOf(Root);
  if (Version && Version < OldestVersion)
    return "CUDA " + text(Version) + " is older than " + text(OldestVersion);
  return "";
}

/// The folders like /usr/local/cuda-13.0, newest first.
static std::vector<fs::path> versionedFolders() {
  std::vector<fs::path> Folders;
  std::error_code Error;
  for (const auto &Entry : fs::directory_iterator("/usr/local", Error))
    if (Entry.path().filename().string().starts_with("cuda-"))
      Folders.push_back(Entry.path());
  std::ranges::sort(Folders, [](const fs::path &A, const fs::path &B) {
    return strverscmp(A.c_str(), B.c_str()) > 0;
  });
  return Folders;
}

CudaSearch CudaSearch::run(const std::string &Given) {
  CudaSearch Search;
  const auto Serves = [&Search](const std::string &Name, const fs::path &Root) {
    unsigned Version = 0;
    const std::string Lack = lackOf(Root, Version);
    if (Lack.empty())
      Search.Found = CudaToolkit{Root.string(), Version};
    else
      Search.InVain.push_back(Name + Root.string() + ": " + Lack);
    return Lack.empty();
  };
  if (!Given.empty()) {
    Serves("--cuda-path=", Given);
    return Search;
  }
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"}) {
    const auto Value = environment(Variable);
    if (!Value)
      Search.InVain.push_back(std::string(Variable) + ": not set");
    else if (Serves(Variable + std::string("="), *Value))
      return Search;
  }
  if (auto Nvcc = findProgram("nvcc")) {
    std::error_code Error;
    const fs::path Real = fs::canonical(*Nvcc, Error);
    if (!Error && Serves("nvcc in PATH: ", Real.parent_path().parent_path()))
      return Search;
  } else {
    Search.InVain.emplace_back("nvcc in PATH: none");
  }
  if (Serves("", "/usr/local/cuda"))
    return Search;
  for (const fs::path &Folder : versionedFolders())
    if (Serves("", Folder))
      return Search;
  for (const char *Folder : {"/usr/lib/cuda", "/opt/cuda"})
    if (Serves("", Folder))
      return Search;
  return Search;
}

} // namespace accx::driver
