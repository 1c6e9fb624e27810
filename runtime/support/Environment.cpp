//===- Environment.cpp - Typed environment variables ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the rows of Environment.def from the process's environment.
//
//===----------------------------------------------------------------------===//

#include "support/Environment.h"

#include "support/EnvironmentReader.h"
#include "support/Output.h"
#include "support/Spelling.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <unistd.h>

using namespace accx;

namespace {

std::string_view trim(std::string_view Text) {
  constexpr std::string_view Blanks = " \t\r\n\f\v";
  const size_t First = Text.find_first_not_of(Blanks);
  if (First == std::string_view::npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(Blanks) - First + 1);
}

/// The value as it can be shown on a terminal.
std::string shown(std::string_view Value) {
  constexpr size_t Longest = 80;
  std::string Text;
  for (char C : Value.substr(0, Longest))
    Text += isprint(static_cast<unsigned char>(C)) ? C : '?';
  if (Value.size() > Longest)
    Text += "...";
  return Text;
}

/// Parses rows one after another into an Environment.
class Reader {
  const std::function<const char *(const char *)> &Lookup;
  const std::function<void(const std::string &)> &Complain;

  /// Null for a variable that is unset or empty, which mean the same.
  const char *text(const char *Name) const {
    const char *Text = Lookup(Name);
    return Text && *Text ? Text : nullptr;
  }

  void reject(const char *Name, const char *Text, const std::string &Accepted,
              const std::string &Default) const {
    Complain(std::string(Name) + "='" + shown(Text) +
             "' is not accepted: " + Accepted + "; using " + Default);
  }

public:
  Reader(const std::function<const char *(const char *)> &Lookup,
         const std::function<void(const std::string &)> &Complain)
      : Lookup(Lookup), Complain(Complain) {}

  void flag(const char *Name, bool &Value) const {
    const char *Text = text(Name);
    if (Text && !parseFlag(Text, Value))
      reject(Name, Text, "give 1, true, yes, on or 0, false, no, off",
             Value ? "1" : "0");
  }

  void number(const char *Name, int64_t &Value) const {
    const char *Text = text(Name);
    if (Text && !parseNumber(Text, Value))
      reject(Name, Text, "give an integer, decimal or 0x...",
             std::to_string(Value));
  }

  void count(const char *Name, int64_t &Value) const {
    const char *Text = text(Name);
    int64_t Parsed = 0;
    if (!Text)
      return;
    if (parseNumber(Text, Parsed) && Parsed >= 0)
      Value = Parsed;
    else
      reject(Name, Text, "give an integer of 0 or more, decimal or 0x...",
             std::to_string(Value));
  }

  void choice(const char *Name, const char *Values, std::string &Value) const {
    const char *Text = text(Name);
    if (!Text || parseChoice(Text, Values, Value))
      return;
    std::string Accepted = "give ";
    for (const char *C = Values; *C; ++C)
      if (*C == '|')
        Accepted += " or ";
      else
        Accepted += *C;
    reject(Name, Text, Accepted, Value);
  }

  void string(const char *Name, std::string &Value) const {
    if (const char *Text = text(Name))
      Value = Text;
  }
};

[[gnu::format(printf, 1, 2)]] void complain(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  writeText(STDERR_FILENO, "accx: ", LineEnd::IfMissing, Format, Args);
  va_end(Args);
}

} // namespace

bool accx::parseFlag(std::string_view Text, bool &Value) {
  std::string Lower(trim(Text));
  for (char &C : Lower)
    C = static_cast<char>(tolower(static_cast<unsigned char>(C)));
  const bool Yes =
      Lower == "1" || Lower == "true" || Lower == "yes" || Lower == "on";
  const bool No =
      Lower == "0" || Lower == "false" || Lower == "no" || Lower == "off";
  if (Yes || No)
    Value = Yes;
  return Yes || No;
}

bool accx::parseNumber(std::string_view Text, int64_t &Value) {
  const std::string Digits(trim(Text));
  if (Digits.empty())
    return false;
  const size_t Sign = Digits[0] == '-' || Digits[0] == '+' ? 1 : 0;
  // Base 0 would read a leading zero as octal, which nobody means here.
  const bool Hex = Digits.size() > Sign + 2 && Digits[Sign] == '0' &&
                   (Digits[Sign + 1] == 'x' || Digits[Sign + 1] == 'X');
  const size_t First = Sign + (Hex ? 2 : 0);
  if (First >= Digits.size() ||
      !isxdigit(static_cast<unsigned char>(Digits[First])))
    return false;
  const int SavedErrno = errno;
  errno = 0;
  char *End = nullptr;
  const long long Parsed = strtoll(Digits.c_str(), &End, Hex ? 16 : 10);
  const bool Good = errno == 0 && End == Digits.c_str() + Digits.size();
  errno = SavedErrno;
  if (Good)
    Value = Parsed;
  return Good;
}

bool accx::parseChoice(std::string_view Text, std::string_view Values,
                       std::string &Value) {
  Text = trim(Text);
  while (true) {
    const size_t Bar = Values.find('|');
    if (!Text.empty() && Text == Values.substr(0, Bar)) {
      Value = Text;
      return true;
    }
    if (Bar == std::string_view::npos)
      return false;
    Values.remove_prefix(Bar + 1);
  }
}

Environment accx::readEnvironment(
    const std::function<const char *(const char *)> &Lookup,
    const std::function<void(const std::string &)> &Complain) {
  const Reader Read(Lookup, Complain);
  Environment Env;
#define FLAG(Field, Name, Default, Text) Read.flag(Name, Env.Field);
#define NUMBER(Field, Name, Default, Text) Read.number(Name, Env.Field);
#define COUNT(Field, Name, Default, Text) Read.count(Name, Env.Field);
#define CHOICE(Field, Name, Default, Values, Text)                             \
  Read.choice(Name, Values, Env.Field);
#define TEXT(Field, Name, Default, Text) Read.string(Name, Env.Field);
#include "support/Environment.def"
#undef FLAG
#undef NUMBER
#undef COUNT
#undef CHOICE
#undef TEXT
  return Env;
}

void accx::findMisspelt(
    const char *const *Variables,
    const std::function<void(const std::string &)> &Complain) {
  for (; Variables && *Variables; ++Variables) {
    const std::string_view Whole = *Variables;
    const std::string_view Name = Whole.substr(0, Whole.find('='));
    if (const std::string_view Meant = meantVariable(Name); !Meant.empty())
      Complain(std::string(Name) + " is not a variable of accx; did you mean " +
               std::string(Meant) + "?");
  }
}

const Environment &Environment::get() {
  // Never destroyed: the runtime still reads settings while the process ends.
  static const Environment *const Process = [] {
    auto Complain = [](const std::string &Line) {
      complain("%s", Line.c_str());
    };
    findMisspelt(environ, Complain);
    return new Environment(readEnvironment(
        [](const char *Name) -> const char * { return getenv(Name); },
        Complain));
  }();
  return *Process;
}
