//===- LoopReader.h - Reads a loop of steps ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of TimeLoop::read(). TimeLoop.cpp reads the loop's form, Body.cpp
// what an iteration does, Places.cpp where its reads go.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_TIMETILE_LOOPREADER_H
#define ACCX_FRONTEND_TIMETILE_LOOPREADER_H

#include "frontend/parse/Tokens.h"
#include "frontend/timetile/TimeLoop.h"

#include "llvm/ADT/Twine.h"

#include <set>

namespace accx::frontend::timetile {

/// `=`, `+=` and the like.
bool isAssignment(const clang::Token &T);
/// `++` and `--`.
bool isStepped(const clang::Token &T);

/// Reads one loop: the first reason that is found stays.
class LoopReader {
public:
  LoopReader(const UnitTokens &T, clang::Preprocessor &PP, TimeLoop &L)
      : T(T), PP(PP), L(L), Offsets(PP) {}

  void run(size_t For);

private:
  bool fail(const llvm::Twine &Why) {
    if (L.Why.empty())
      L.Why = Why.str();
    return false;
  }
  TokenRange text(size_t Begin, size_t End) const {
    return TokenRange(T).slice(Begin, End - Begin);
  }
  TokenRange text(Span S) const { return text(S.Begin, S.End); }
  size_t indexOf(const clang::Token *Of) const { return Of - T.data(); }
  llvm::StringRef word(size_t I) const { return wordOf(T[I]); }

  bool time(size_t For);
  bool construct();
  bool nest(size_t For);
  bool swap(Span S);
  bool cell();
  void findOwn();
  bool block(Span S, llvm::ArrayRef<Guard> Known, unsigned Depth);
  bool statement(size_t I, llvm::ArrayRef<Guard> Known, unsigned Depth);
  bool loop(size_t I, llvm::ArrayRef<Guard> Known, unsigned Depth);
  bool store(Span S);
  bool isWhole(size_t Begin, size_t Name) const;
  void define(Span S);
  bool isFromOutside(llvm::StringRef Name);
  void keep(const clang::Token *Name, const clang::Token *Past);
  bool expression(TokenRange E, llvm::ArrayRef<Guard> Known, bool Always);
  const clang::Token *access(const clang::Token *Name, TokenRange E,
                             llvm::ArrayRef<Guard> Known, bool Always);
  struct Place {
    std::optional<Offset> Row, Column;
    Access A;
  };
  std::optional<Place> place(Span Brackets);
  bool split(TokenRange Index, Place &P);
  bool findStride(TokenRange Index);
  bool take(const Place &P, llvm::ArrayRef<Guard> Known, bool Always);

  const UnitTokens &T;
  clang::Preprocessor &PP;
  TimeLoop &L;
  OffsetReader Offsets;
  /// Declared in the body; assigned anew somewhere.
  std::set<std::string> Own, Assigned;
  bool Stored = false;
  unsigned Loops = 0; // of the body, around a statement
  /// Names that define() has met, in the blocks that are open.
  std::vector<std::string> Scope;
  struct Seen {
    Place P;
    Guards Known;
    bool Always;
  };
  std::vector<Seen> All;
};

} // namespace accx::frontend::timetile

#endif // ACCX_FRONTEND_TIMETILE_LOOPREADER_H
