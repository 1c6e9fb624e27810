//===- Places.cpp - Where reads of a stencil go ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/LoopReader.h"

#include "frontend/parse/LoopDim.h"

using namespace clang;

namespace accx::frontend::timetile {

/// What the outer variable is multiplied by.
bool LoopReader::findStride(TokenRange Index) {
  for (const auto &[Term, Minus] : terms(Index)) {
    const auto Parts = factors(Term);
    if (Parts.size() != 2 || Minus)
      continue;
    for (unsigned P = 0; P < 2; ++P) {
      const std::optional<Offset> O = Offsets.read(Parts[P]);
      if (!O || O->Dim != 0u)
        continue;
      const TokenRange Length = bare(Parts[1 - P]);
      for (const Token &Each : Length)
        if (Offsets.Own.count(wordOf(Each).str()) ||
            llvm::is_contained(Offsets.Loops, wordOf(Each)) ||
            isOpenBracket(Each) || isStepped(Each))
          return fail("the length of a row, '" + spell(PP, Length) +
                      "', is not the same in all iterations and steps");
      L.Stride = spell(PP, Length);
    }
  }
  return !L.Stride.empty() ||
         fail("'" + Twine(L.Out) +
              "' has no subscript 'row * length + column'");
}

/// Takes `Row * Stride + Column` apart.
bool LoopReader::split(TokenRange Index, Place &P) {
  Terms Parts[2];
  std::string Texts[2];
  int64_t Rows = 0; // that the length of a row alone adds
  for (const auto &[Term, Minus] : terms(Index)) {
    const auto Product = factors(Term);
    TokenRange Rest = Term;
    unsigned Part = 1;
    for (unsigned F = 0; F < Product.size() && Product.size() <= 2; ++F)
      if (spell(PP, bare(Product[F])) == L.Stride) {
        Part = 0;
        Rest = Product.size() == 2 ? Product[1 - F] : TokenRange();
        break;
      }
    Texts[Part] += (Minus ? " - (" : " + (") +
                   (Rest.empty() ? std::string("1") : spell(PP, Rest)) + ")";
    if (Rest.empty())
      Rows += Minus ? -1 : 1;
    else
      Parts[Part].emplace_back(Rest, Minus);
  }
  P.Row = Offsets.sum(Parts[0], Rows);
  P.Column = Offsets.sum(Parts[1], 0);
  P.A.Row = Texts[0];
  P.A.Column = Texts[1];
  return P.Row && P.Column;
}

/// What the brackets at \p S choose.
std::optional<LoopReader::Place> LoopReader::place(Span S) {
  Place P;
  const size_t Past = skipBrackets(T, S.Begin);
  const TokenRange First = text(S.Begin + 1, Past - 1);
  if (L.Nest.size() == 1) {
    P.Column = Offsets.read(First);
    P.A.Column = spell(PP, First);
    return P.Column && Past == S.End ? std::optional(P) : std::nullopt;
  }
  if (Past == S.End)
    return !L.Stride.empty() && split(First, P) ? std::optional(P)
                                                : std::nullopt;
  if (!L.Stride.empty() || skipBrackets(T, Past) != S.End)
    return std::nullopt;
  L.IsNested = true;
  const TokenRange Second = text(Past + 1, S.End - 1);
  P.Row = Offsets.read(First);
  P.Column = Offsets.read(Second);
  P.A.Row = spell(PP, First);
  P.A.Column = spell(PP, Second);
  return P.Row && P.Column ? std::optional(P) : std::nullopt;
}

/// Returns the token behind it; null where it is not understood.
const Token *LoopReader::access(const Token *Name, TokenRange E,
                                llvm::ArrayRef<Guard> Known, bool Always) {
  Seen S;
  const size_t Begin = indexOf(Name);
  size_t End = Begin + 1;
  while (T[End].is(tok::l_square))
    End = skipBrackets(T, End);
  const auto Bad = [&](const Twine &Why) {
    fail("'" + spell(PP, text(Begin, End)) + "' " + Why);
    return nullptr;
  };
  if (End == Begin + 1)
    return Bad("is used without a subscript");
  if (isAssignment(T[End]) || isStepped(T[End]) || isStepped(T[Begin - 1]) ||
      T[Begin - 1].is(tok::amp))
    return Bad("is written, or its address taken");
  std::optional<Place> P = place({Begin + 1, End});
  if (!P)
    return Bad("is not beside the iteration's own element");
  S.P = std::move(*P);
  S.P.A.Tokens = {Begin, End};
  S.Known.append(Known.begin(), Known.end());
  S.Always = Always;
  All.push_back(std::move(S));
  return T.data() + End;
}

/// A read: how far, and what makes it stay inside.
bool LoopReader::take(const Place &P, llvm::ArrayRef<Guard> Known,
                      bool Always) {
  const std::string Text = "'" + spell(PP, text(P.A.Tokens)) + "'";
  const Offset *Parts[2] = {P.Row ? &*P.Row : &*P.Column,
                            P.Row ? &*P.Column : nullptr};
  bool Exact = true;
  for (unsigned D = 0; D < L.Nest.size(); ++D) {
    const Offset &O = *Parts[D];
    if (!O.isShift() || *O.Dim != D)
      return fail(Text + " is not beside the iteration's own element");
    if (O.Low < -64 || O.High > 64)
      return fail(Text + " is more than 64 elements away");
    L.Before[D] = std::max(L.Before[D], -O.Low);
    L.Behind[D] = std::max(L.Behind[D], O.High);
    L.Needs = both(L.Needs, O.Needs);
    Exact &= !O.Chosen;
  }
  const int64_t Lows[2] = {Parts[0]->Low, Parts[1] ? Parts[1]->Low : 0},
                Highs[2] = {Parts[0]->High, Parts[1] ? Parts[1]->High : 0};
  if (Exact && Always) {
    for (int64_t Y = Lows[0]; Y <= Highs[0]; ++Y)
      for (int64_t X = Lows[1]; X <= Highs[1]; ++X)
        if ((Y || X) && !llvm::is_contained(L.Always, std::pair(Y, X)))
          L.Always.emplace_back(Y, X);
    return true;
  }
  if (Exact) {
    bool AllThere = true;
    for (int64_t Y = Lows[0]; Y <= Highs[0]; ++Y)
      for (int64_t X = Lows[1]; X <= Highs[1]; ++X)
        AllThere &= (!Y && !X) || llvm::is_contained(L.Always, std::pair(Y, X));
    if (AllThere)
      return true;
  }
  for (unsigned D = 0; D < L.Nest.size(); ++D) {
    const Offset O = under(*Parts[D], Known);
    const Condition Inside = both(O.NotBelow, O.NotAbove);
    if (Inside == "0")
      return fail(Text + " may be outside of what the loops write, and not "
                         "every iteration reads it");
    L.Needs = both(L.Needs, Inside);
  }
  return true;
}

} // namespace accx::frontend::timetile
