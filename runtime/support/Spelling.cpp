//===- Spelling.cpp - What a misspelt name may have meant -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance of two names is the number of letters that were left out, added,
// exchanged for another or swapped with the next one.
//
//===----------------------------------------------------------------------===//

#include "support/Spelling.h"

#include <algorithm>
#include <array>
#include <cstddef>

using namespace accx;

namespace {

constexpr std::string_view Prefix = "ACCX_";
constexpr size_t Longest = 32;

constexpr std::string_view Names[] = {
#define FLAG(Field, Name, Default, Text) Name,
#define NUMBER(Field, Name, Default, Text) Name,
#define COUNT(Field, Name, Default, Text) Name,
#define CHOICE(Field, Name, Default, Values, Text) Name,
#define TEXT(Field, Name, Default, Text) Name,
#include "support/Environment.def"
#undef FLAG
#undef NUMBER
#undef COUNT
#undef CHOICE
#undef TEXT
#define OTHER(Reader, Name, Default, Accepted, Text) Name,
#include "support/OtherVariables.def"
#undef OTHER
};

size_t distance(std::string_view A, std::string_view B) {
  std::array<std::array<size_t, Longest + 1>, Longest + 1> D;
  for (size_t I = 0; I <= A.size(); ++I)
    for (size_t J = 0; J <= B.size(); ++J) {
      if (I == 0 || J == 0) {
        D[I][J] = I + J;
        continue;
      }
      D[I][J] = std::min({D[I - 1][J] + 1, D[I][J - 1] + 1,
                          D[I - 1][J - 1] + (A[I - 1] == B[J - 1] ? 0 : 1)});
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1])
        D[I][J] = std::min(D[I][J], D[I - 2][J - 2] + 1);
    }
  return D[A.size()][B.size()];
}

} // namespace

std::string_view accx::meantVariable(std::string_view Name) {
  if (!Name.starts_with(Prefix) || Name.size() - Prefix.size() > Longest)
    return {};
  const std::string_view Rest = Name.substr(Prefix.size());
  std::string_view Best;
  // A third of the letters may be wrong, so that names of others' are left
  // alone.
  size_t Least = std::max<size_t>(1, std::min<size_t>(Rest.size() / 3, 3)) + 1;
  for (std::string_view Known : Names) {
    if (Known == Name)
      return {};
    if (!Known.starts_with(Prefix) || Known.size() - Prefix.size() > Longest)
      continue;
    const size_t Apart = distance(Rest, Known.substr(Prefix.size()));
    if (Apart < Least) {
      Least = Apart;
      Best = Known;
    }
  }
  return Best;
}
