//===- TimeTiles.cpp - Several steps in one launch ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/TimeTiles.h"

#include "frontend/parse/Report.h"
#include "frontend/parse/Tokens.h"
#include "frontend/timetile/Launches.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

std::string timeTileSwitch(const Directive &D) {
  return "__accx_tiles_" + std::to_string(D.Ordinal);
}

namespace {

/// Cells of a block where the directive does not say, which are its threads.
constexpr long CellsOfLine = 256, CellsOfSide = 32, MostCells = 1024;

class Finder {
public:
  Finder(Unit &U, Preprocessor &PP, TileWishes Wishes)
      : U(U), In(U.Tokens), PP(PP), Wishes(Wishes) {}

  void run() {
    for (size_t I = 0; I < In.size();)
      if (isTimeTile(In[I]))
        I = directive(I);
      else if (!*Wishes.Obstacle && Wishes.Unasked &&
               timetile::mayBeTimeLoop(In, I))
        I = chosen(I);
      else
        Out.push_back(In[I++]);
    U.Tokens = std::move(Out);
  }

  std::vector<UnaskedTiles> Unasked;

private:
  static bool isTimeTile(const Token &Of) {
    return isDirective(Of) && directiveOf(Of)->Kind == DirectiveKind::TimeTile;
  }

  std::optional<long> number(TokenRange R) const;
  void usual(long Steps);
  bool sizes();
  size_t directive(size_t I);
  size_t chosen(size_t I);
  bool calls(Span Of) const;

  Unit &U;
  const UnitTokens &In;
  Preprocessor &PP;
  const TileWishes Wishes;
  UnitTokens Out;
  /// Of the loop at hand.
  timetile::Tiling T;
};

std::optional<long> Finder::number(TokenRange R) const {
  long Value = 0;
  if (R.size() != 1 || R.front().isNot(tok::numeric_constant) ||
      StringRef(PP.getSpelling(R.front())).getAsInteger(0, Value))
    return std::nullopt;
  return Value;
}

void Finder::usual(long Steps) {
  T.Steps = Steps;
  T.Block[0] = T.Loop.Nest.size() == 1 ? CellsOfLine : CellsOfSide;
  T.Block[1] = CellsOfSide;
}

/// The directive's numbers, and whether a block's cells are enough for them.
bool Finder::sizes() {
  const Clause *Of = T.D->find(ClauseKind::Argument);
  const std::optional<long> S =
      Of && Of->Values.size() == 1 ? number(Of->Values.front()) : std::nullopt;
  if (!S || *S < 1 || *S > 64) {
    reportError(PP.getDiagnostics(), Of ? Of->Loc : T.D->Loc,
                "the steps of 'timetile' must be a number from 1 to 64");
    return false;
  }
  usual(*S);
  const Clause *Sizes = T.D->find(ClauseKind::Block);
  for (unsigned B = 0; Sizes && B < Sizes->Values.size(); ++B) {
    const std::optional<long> Size = number(Sizes->Values[B]);
    if (!Size || Sizes->Values.size() != T.Loop.Nest.size()) {
      reportError(PP.getDiagnostics(), Sizes->Loc,
                  "'block' of 'timetile' must have a number for each loop of "
                  "the construct");
      return false;
    }
    T.Block[B] = *Size;
  }
  if (T.Block[0] < 1 || T.Block[0] > MostCells ||
      (T.Loop.Nest.size() == 2 && T.Block[1] < 1) ||
      (T.Loop.Nest.size() == 2 && T.Block[1] > MostCells / T.Block[0])) {
    reportError(PP.getDiagnostics(), Sizes->Loc, "a block has at most %0 cells")
        << (int)MostCells;
    return false;
  }
  for (unsigned Dim = 0; Dim < T.Loop.Nest.size(); ++Dim)
    if (const long Around = T.Steps * (T.Loop.Before[Dim] + T.Loop.Behind[Dim]);
        T.Block[Dim] <= Around)
      T.Loop.Why = (Twine(T.Steps) + " steps read " + Twine(Around) +
                    " cells around a block of " + Twine(T.Block[Dim]) +
                    ": write fewer steps, or a larger 'block'")
                       .str();
  return true;
}

/// Returns the index to go on at.
size_t Finder::directive(size_t I) {
  T.D = directiveOf(In[I]);
  T.Loop = timetile::TimeLoop::read(In, I + 1, PP);
  if (T.Loop.Why.empty() && !sizes())
    return I + 1;
  if (*Wishes.Obstacle)
    T.Loop.Why = Wishes.Obstacle;
  if (T.Loop.Why.empty())
    T.Kept = T.Loop.keptClauses(In, PP);
  T.D->WhyWhole = T.Loop.Why;
  Out.push_back(In[I]);
  if (!T.Loop.Why.empty())
    return I + 1;
  timetile::writeLaunches(U, PP, T, Out);
  return T.Loop.End;
}

/// Whether it may call something. A block whose threads make a call that is not
/// inlined cannot be had, which only passes know, and the host's compilation
/// may find another function than the device's.
bool Finder::calls(Span Of) const {
  for (size_t I = Of.Begin; I < Of.End; ++I)
    if (In[I].is(tok::identifier) && In[I + 1].is(tok::l_paren))
      return true;
  return false;
}

/// A loop without the directive, as if it had one where that pays.
size_t Finder::chosen(size_t I) {
  T.Loop = timetile::TimeLoop::read(In, I, PP);
  const long Most = T.Loop.Why.empty() && !calls(T.Loop.Cell) &&
                            (Wishes.Rows || T.Loop.Stride.empty())
                        ? T.Loop.stepsThatPay()
                        : 0;
  if (Most)
    T.Kept = T.Loop.keptClauses(In, PP);
  const size_t Begin = Out.size();
  T.D = Most && T.Loop.Why.empty()
            ? timetile::addDirective(U, PP,
                                     "timetile(" + std::to_string(Most) + ")",
                                     In[I].getLocation(), Out)
            : nullptr;
  if (!T.D) {
    Out.push_back(In[I]);
    return I + 1;
  }
  T.D->Loc = In[I].getLocation();
  T.D->IsMade = false;
  T.D->Implied = true;
  usual(Most);
  timetile::writeLaunches(U, PP, T, Out);
  Unasked.push_back({T.D, Begin, Out.size(),
                     UnitTokens(In.begin() + I, In.begin() + T.Loop.End)});
  return T.Loop.End;
}

} // namespace

std::vector<UnaskedTiles> tileTimeLoops(Unit &U, Preprocessor &PP,
                                        TileWishes Wishes) {
  Finder F(U, PP, Wishes);
  F.run();
  return std::move(F.Unasked);
}

} // namespace accx::frontend
