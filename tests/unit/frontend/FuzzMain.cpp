// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// frontend-fuzz [lines [seed]]: the fuzzer at length.

#include "Fuzz.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

using namespace accx::test;

int main(int argc, char **argv) {
  uint64_t Lines = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  uint64_t Seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  bool Bad = false;
  for (Language L : {Language::C, Language::CPlusPlus}) {
    Fuzz F(L, Seed);
    std::string Trouble = F.run(Lines);
    std::printf("%-3s %s: %" PRIu64 " accepted with %" PRIu64
                " clauses, %" PRIu64 " refused with %" PRIu64 " errors\n",
                L == Language::C ? "C" : "C++", Trouble.empty() ? "ok" : "BAD",
                F.Good, F.Clauses, F.Bad, F.Errors);
    if (!Trouble.empty())
      std::printf("%s\n", Trouble.c_str());
    Bad |= !Trouble.empty();
  }
  return Bad;
}
