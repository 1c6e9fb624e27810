// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// directory-soak [operations [seed [setup]]]: the random program at length.

#include "Fuzz.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace accx::test;

int main(int argc, char **argv) {
  uint64_t Operations =
      argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  uint64_t Seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  bool Bad = false;
  for (const FuzzSetup &Setup : fuzzSetups()) {
    if (argc > 3 && std::strcmp(argv[3], Setup.Name))
      continue;
    auto Start = std::chrono::steady_clock::now();
    Fuzz F(Setup, Seed);
    std::string Trouble = F.run(Operations);
    double Seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
            .count();
    const Fuzz::Totals &T = F.Counts;
    std::printf("%-18s %s: %" PRIu64 " operations in %.1f s: %" PRIu64
                " enters, %" PRIu64 " exits, %" PRIu64 " updates; %" PRIu64
                " done, %" PRIu64 "+%" PRIu64 " wait, %" PRIu64
                " fail, %" PRIu64 " out of memory; %" PRIu64
                " created, %" PRIu64 " left; %" PRIu64 " copies, %" PRIu64
                " moves, %" PRIu64 " attachments\n",
                Setup.Name, Trouble.empty() ? "ok" : "BAD", Operations, Seconds,
                T.Enters, T.Exits, T.Updates, T.Done, T.Waits, T.GrowthWaits,
                T.Failures, T.OutOfMemory, T.Created, T.Left, T.Copies, T.Moves,
                T.Attaches);
    if (!Trouble.empty())
      std::printf("%s\n", Trouble.c_str());
    std::fflush(stdout);
    Bad |= !Trouble.empty();
  }
  return Bad;
}
