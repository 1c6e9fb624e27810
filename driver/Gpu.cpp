//===- Gpu.cpp - The GPUs of this machine ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Gpu.h. The file has two lines: what the answer depends on, and the
// answer.
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"
#include "Process.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <unistd.h>

namespace accx::driver {

namespace fs = std::filesystem;

/// Numbers of the CUDA driver's cuDeviceGetAttribute.
static constexpr int AttributeMajor = 75, AttributeMinor = 76;

/// Nothing where there is no driver to ask.
static std::optional<std::vector<std::string>> askDriver() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return std::nullopt;
  const auto Init =
      reinterpret_cast<int (*)(unsigned)>(dlsym(Library, "cuInit"));
  const auto GetCount =
      reinterpret_cast<int (*)(int *)>(dlsym(Library, "cuDeviceGetCount"));
  const auto GetAttribute = reinterpret_cast<int (*)(int *, int, int)>(
      dlsym(Library, "cuDeviceGetAttribute"));
  int Count = 0;
  if (!Init || !GetCount || !GetAttribute || Init(0) || GetCount(&Count))
    return std::vector<std::string>();
  std::set<int> Capabilities;
  for (int Device = 0; Device < Count; ++Device) {
    int Major = 0, Minor = 0;
    if (!GetAttribute(&Major, AttributeMajor, Device) &&
        !GetAttribute(&Minor, AttributeMinor, Device))
      Capabilities.insert(10 * Major + Minor);
  }
  std::vector<std::string> Names;
  Names.reserve(Capabilities.size());
  for (int Capability : Capabilities)
    Names.push_back("sm_" + std::to_string(Capability));
  return Names;
}

static std::string firstLineOf(const fs::path &Path) {
  std::ifstream File(Path);
  std::string Line;
  std::getline(File, Line);
  return Line;
}

/// A line that changes when the driver could answer otherwise.
static std::string circumstances() {
  std::error_code Error;
  std::set<std::string> Gpus;
  for (const auto &Entry :
       fs::directory_iterator("/proc/driver/nvidia/gpus", Error))
    Gpus.insert(Entry.path().filename().string());
  std::ostringstream Line;
  Line << firstLineOf("/proc/sys/kernel/random/boot_id") << ' '
       << firstLineOf("/proc/driver/nvidia/version");
  for (const std::string &Gpu : Gpus)
    Line << ' ' << Gpu;
  for (const char *Node : {"/dev/nvidiactl", "/dev/dxg"})
    Line << ' ' << fs::exists(Node, Error);
  // An empty CUDA_VISIBLE_DEVICES hides every GPU, an unset one none.
  for (const char *Variable : {"CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"}) {
    const char *Value = std::getenv(Variable);
    Line << ' ' << Variable << (Value ? "=" : "") << (Value ? Value : "");
  }
  return Line.str();
}

static fs::path cacheFile() {
  if (auto Folder = environment("XDG_CACHE_HOME"))
    return fs::path(*Folder) / "accx" / "gpus";
  if (auto Home = environment("HOME"))
    return fs::path(*Home) / ".cache" / "accx" / "gpus";
  return {};
}

/// Keeps an answer; without a place to keep it the driver is asked each time.
static void keep(const fs::path &File, const std::string &Circumstances,
                 const std::vector<std::string> &Names) {
  std::error_code Error;
  fs::create_directories(File.parent_path(), Error);
  const fs::path Temporary = File.string() + "." + std::to_string(getpid());
  std::ofstream Out(Temporary);
  Out << Circumstances << '\n';
  for (const std::string &Name : Names)
    Out << Name << ' ';
  Out << '\n';
  Out.close();
  // Renamed when whole: other drivers read it at the same time.
  if (Out)
    fs::rename(Temporary, File, Error);
  if (!Out || Error)
    fs::remove(Temporary, Error);
}

std::vector<std::string> gpuArchitectures() {
  const std::string Circumstances = circumstances();
  const fs::path File = cacheFile();
  std::ifstream In(File);
  std::string Line;
  if (std::getline(In, Line) && Line == Circumstances &&
      std::getline(In, Line)) {
    std::istringstream Words(Line);
    std::vector<std::string> Names;
    for (std::string Name; Words >> Name;)
      Names.push_back(Name);
    return Names;
  }
  const auto Names = askDriver();
  if (Names && !File.empty() && Circumstances.find('\n') == std::string::npos)
    keep(File, Circumstances, *Names);
  return Names.value_or(std::vector<std::string>());
}

} // namespace accx::driver
