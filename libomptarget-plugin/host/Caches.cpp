//===- Caches.cpp - How much the machine's caches hold --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux tells in /sys/devices/system/cpu.
//
//===----------------------------------------------------------------------===//

#include "Caches.h"

#include <cstdio>
#include <set>
#include <string>

using namespace accx;
using namespace accx::host;

/// The first line of a file; empty if there is none.
static std::string readLine(const std::string &Path) {
  char Line[1024] = "";
  if (FILE *File = std::fopen(Path.c_str(), "r")) {
    if (!std::fgets(Line, sizeof(Line), File))
      Line[0] = 0;
    std::fclose(File);
  }
  return Line;
}

/// Of all data caches of \p Cores behind their first ones, each counted once.
static uint64_t cacheBytes(const std::vector<int> &Cores) {
  // Levels and the cores that share the cache.
  std::set<std::pair<unsigned, std::string>> Seen;
  uint64_t Bytes = 0;
  for (int Core : Cores) {
    const std::string OfCore =
        "/sys/devices/system/cpu/cpu" + std::to_string(Core) + "/cache/index";
    for (unsigned Index = 0;; ++Index) {
      const std::string Cache = OfCore + std::to_string(Index) + "/";
      unsigned Level = 0;
      if (std::sscanf(readLine(Cache + "level").c_str(), "%u", &Level) != 1)
        break;
      unsigned long long Kilobytes = 0;
      if (Level > 1 && readLine(Cache + "type") != "Instruction\n" &&
          std::sscanf(readLine(Cache + "size").c_str(), "%lluK", &Kilobytes) ==
              1 &&
          Seen.insert({Level, readLine(Cache + "shared_cpu_list")}).second)
        Bytes += Kilobytes << 10;
    }
  }
  return Bytes;
}

/// On Zen 4 with 34 MB of caches a copy is as fast both ways at 56 MB; what it
/// leaves in the caches for the next kernel is worth as much again.
uint64_t host::streamBytes(const std::vector<int> &Cores) {
  return cacheBytes(Cores) / 4 * 7;
}
