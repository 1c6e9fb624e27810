// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random and damaged directives for the parser.

#ifndef ACCX_TESTS_FRONTEND_FUZZ_H
#define ACCX_TESTS_FRONTEND_FUZZ_H

#include "Rig.h"

#include <cstdint>
#include <random>

namespace accx::test {

class Fuzz {
public:
  Fuzz(Language L, uint64_t Seed);

  /// Parses \p Count lines made from valid ones. Empty, or the first line that
  /// the parser treated wrongly and why.
  std::string run(uint64_t Count);

  uint64_t Good = 0, Bad = 0, Errors = 0, Clauses = 0;

private:
  using Line = frontend::TokenVector;
  uint64_t below(uint64_t N) { return Random() % N; }
  clang::Token stray();
  Line make();
  void damage(Line &T);
  std::string parse(const Line &Tokens);
  std::string check(const frontend::Directive &D, bool Parsed) const;
  std::string show(frontend::TokenRange Tokens) const;

  Rig R;
  std::mt19937_64 Random;
  std::vector<clang::Token> Pool;
};

} // namespace accx::test

#endif // ACCX_TESTS_FRONTEND_FUZZ_H
