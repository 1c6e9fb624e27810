//===- Probing.h - Facts of a program in a string ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the probe from inside of a compiler instance, as the plugin does.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_FRONTENDFACTS_PROBING_H
#define ACCX_TESTS_FRONTENDFACTS_PROBING_H

#include "frontend/facts/Facts.h"

#include <string>
#include <vector>

namespace accx::test {

struct Probed {
  frontend::Facts Facts;
  /// What the probe itself wrote, to either stream.
  std::string Output;
  bool Ran = false;

  const frontend::StatementFacts &at(unsigned Ordinal) const {
    return Facts.statement(Ordinal);
  }
  /// A variable's facts; an empty record if it is not among them.
  frontend::Variable var(unsigned Ordinal, const char *Name) const {
    const frontend::Variable *V = at(Ordinal).find(Name);
    return V ? *V : frontend::Variable{};
  }
};

/// \p Args are -cc1's; `-x c++` and the like included.
Probed probe(const std::string &Code, std::vector<std::string> Args);

inline Probed probeC(const std::string &Code) {
  return probe(Code, {"-x", "c", "-std=gnu17"});
}
inline Probed probeCxx(const std::string &Code) {
  return probe(Code, {"-x", "c++", "-std=gnu++20"});
}

} // namespace accx::test

#endif // ACCX_TESTS_FRONTENDFACTS_PROBING_H
