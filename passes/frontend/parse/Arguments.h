//===- Arguments.h - Parses one argument ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between a clause's parentheses: one function for each kind of
// argument that the table knows, all of which report and return false if the
// argument is not of that kind.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_ARGUMENTS_H
#define ACCX_FRONTEND_PARSE_ARGUMENTS_H

#include "frontend/parse/Context.h"

namespace accx::frontend {

class ArgumentParser {
public:
  ArgumentParser(ParseContext &Context, Clause &C)
      : Context(Context), C(C), Name(Context.nameOf(C)), R(C.Arguments) {}

  /// What stands between the clause's parentheses. Reports and returns false if
  /// it is not of the form \p F.
  bool parse(ArgumentForm F);

private:
  clang::SourceLocation locOf(const clang::Token *T) const {
    return Context.locOf(T);
  }
  /// Reports \p Format, of which '%0' is the clause, and returns false.
  bool fail(const clang::Token *At, llvm::StringRef Format) {
    Context.error(locOf(At), Format) << Name;
    return false;
  }
  void note(clang::SourceLocation Loc, llvm::StringRef Format) {
    Context.note(Loc, Format) << Name;
  }
  bool variables();
  bool dataModifiers(const clang::Token *Colon);
  bool items(TokenRange List);
  bool reduction();
  bool expressions(size_t AtMost, bool Stars);
  bool place(size_t AtLeast, size_t AtMost);
  bool expression(TokenRange Value, bool StarAllowed);
  bool level(llvm::ArrayRef<llvm::StringRef> Keys);
  bool keyedValue(TokenRange Part, llvm::ArrayRef<llvm::StringRef> Keys);
  bool wait();
  bool collapse();
  bool defaultKind();
  bool deviceTypes();
  bool functionName(bool StringAllowed);
  bool ranges();
  bool range(TokenRange Part);
  bool unknownWord(const clang::Token *T, llvm::StringRef Kind,
                   llvm::ArrayRef<llvm::StringRef> Words);

  ParseContext &Context;
  Clause &C;
  const llvm::StringRef Name;
  const TokenRange R;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_ARGUMENTS_H
