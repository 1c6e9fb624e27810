//===- ResponseFile.cpp - Arguments in files ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ResponseFile.h.
//
//===----------------------------------------------------------------------===//

#include "ResponseFile.h"
#include "Message.h"

#include <fstream>
#include <iterator>
#include <optional>

namespace accx::driver {

static bool isSpace(char Character) {
  return Character == ' ' || Character == '\t' || Character == '\r' ||
         Character == '\n' || Character == '\v' || Character == '\f';
}

/// GNU's rules: blanks separate, either quote joins, a backslash takes the next
/// character as it is, in quotes too.
static std::vector<std::string> tokens(const std::string &Text) {
  std::vector<std::string> Tokens;
  std::optional<std::string> Token;
  char Quote = 0;
  for (size_t At = 0; At < Text.size(); ++At) {
    const char Character = Text[At];
    if (!Quote && isSpace(Character)) {
      if (Token)
        Tokens.push_back(*Token);
      Token.reset();
      continue;
    }
    if (!Token)
      Token.emplace();
    if (Character == '\\' && At + 1 < Text.size())
      *Token += Text[++At];
    else if (Quote && Character == Quote)
      Quote = 0;
    else if (!Quote && (Character == '"' || Character == '\''))
      Quote = Character;
    else
      *Token += Character;
  }
  if (Token)
    Tokens.push_back(*Token);
  return Tokens;
}

static void expand(const std::vector<std::string> &Arguments, unsigned Depth,
                   std::vector<std::string> &Into) {
  // A file that names itself would go on for ever.
  if (Depth > 64)
    fail("response files are nested too deeply");
  for (const std::string &Argument : Arguments) {
    if (Argument.size() > 1 && Argument[0] == '@')
      if (std::ifstream File{Argument.substr(1), std::ios::binary}) {
        const std::string Text{std::istreambuf_iterator<char>(File), {}};
        if (!File.bad()) {
          expand(tokens(Text), Depth + 1, Into);
          continue;
        }
      }
    Into.push_back(Argument);
  }
}

std::vector<std::string> expanded(const std::vector<std::string> &Arguments) {
  std::vector<std::string> Result;
  expand(Arguments, 0, Result);
  return Result;
}

} // namespace accx::driver
