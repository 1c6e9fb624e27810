// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A preprocessor over a string, and what the directive parser makes of the
// `#pragma acc` lines in it.

#ifndef ACCX_TESTS_FRONTEND_RIG_H
#define ACCX_TESTS_FRONTEND_RIG_H

#include "frontend/parse/Reader.h"

#include <memory>
#include <string>
#include <vector>

namespace accx::test {

struct Message {
  enum Level { Note, Warning, Error };
  Level Kind;
  std::string Text;
  /// Whether the place is one in a file.
  bool Placed;
  unsigned Line, Column;
};

enum class Language { C, CPlusPlus };

class Rig {
public:
  /// Reads \p Code and keeps the tokens behind each `#pragma acc`.
  explicit Rig(const std::string &Code, Language L = Language::CPlusPlus);
  ~Rig();

  struct Line {
    frontend::TokenVector Tokens;
    clang::SourceLocation Begin, End;
  };
  const std::vector<Line> &lines() const;

  /// Parses the tokens of \p D, whose Begin and End are set.
  bool parse(frontend::Directive &D);

  /// What was reported since the last call of clear().
  const std::vector<Message> &messages() const;
  void clear();

  std::string text(frontend::TokenRange R) const;

private:
  struct State;
  std::unique_ptr<State> S;
};

/// One directive, parsed: `Parsed P("parallel copy(a)")`.
struct Parsed {
  explicit Parsed(const std::string &Line, Language L = Language::CPlusPlus,
                  const std::string &Before = "");

  Rig R;
  frontend::Directive D;
  bool Good = false;

  /// The only clause of its kind.
  const frontend::Clause &clause(frontend::ClauseKind K) const;
  std::string text(frontend::TokenRange Range) const { return R.text(Range); }
  /// All messages, `column: error: text`, one a line; columns count from the
  /// first character behind `#pragma acc `.
  std::string report() const;
  std::vector<std::string> errors() const;
};

} // namespace accx::test

#endif // ACCX_TESTS_FRONTEND_RIG_H
