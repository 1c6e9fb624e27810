//===- TimeLoop.cpp - A loop of steps around a stencil --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tokens tell the form, and where each read goes. What they cannot tell, the
// tree does later (facts/TimeTiles.cpp): that no call, reference or pointer
// inside of a variable reaches the arrays otherwise.
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/LoopReader.h"

#include "frontend/parse/OmpLine.h"

using namespace clang;

namespace accx::frontend::timetile {

/// Whether a loop's variable is of a type that holds every index, or declared
/// elsewhere, which the tree looks at.
static bool isCounter(const LoopHead &H) {
  const TokenRange Type = H.Declared.drop_back();
  if (Type.size() == 1 && Type.front().is(tok::identifier))
    return llvm::is_contained({"size_t", "ssize_t", "ptrdiff_t", "int64_t",
                               "int32_t", "uint64_t", "uint32_t"},
                              wordOf(Type.front()));
  return llvm::all_of(Type, [](const Token &T) {
    return T.isOneOf(tok::kw_int, tok::kw_long, tok::kw_unsigned,
                     tok::kw_signed);
  });
}

bool isSigned(const LoopHead &H) {
  return H.declares() &&
         llvm::all_of(H.Declared.drop_back(), [](const Token &T) {
           return T.isOneOf(tok::kw_int, tok::kw_long, tok::kw_signed);
         });
}

/// `for (int t = 0; t < n; ++t)`, upwards.
bool LoopReader::time(size_t For) {
  L.For = For;
  if (T[For].isNot(tok::kw_for) || T[For + 1].isNot(tok::l_paren))
    return fail("what follows is no 'for' over the steps");
  L.Body = skipBrackets(T, For + 1);
  L.End = statementEnd(T, L.Body);
  const auto Head = LoopHead::parse(text(For + 2, L.Body - 1));
  if (!Head || Head->IsMinus ||
      (Head->Relation != tok::less && Head->Relation != tok::lessequal))
    return fail("the head of the loop over the steps is not 'for (variable = "
                "first; variable < bound; ++variable)' or the like");
  L.Time = *Head;
  if (!isCounter(*Head) ||
      (!Head->Step.empty() &&
       !Head->Step.front().isOneOf(tok::identifier, tok::numeric_constant)))
    return fail("the loop over the steps does not count them in an integer");
  for (TokenRange Part : {Head->Init, Head->Bound, Head->Step})
    for (size_t I = 0; I < Part.size(); ++I)
      if (Part[I].isOneOf(tok::l_square, tok::l_brace) || isStepped(Part[I]) ||
          (I && Part[I].is(tok::l_paren) && Part[I - 1].is(tok::identifier)))
        return fail("the bounds of the loop over the steps are more than "
                    "numbers and variables");
  if (T[L.Body].isNot(tok::l_brace))
    return fail("the loop over the steps has no body in braces");
  return true;
}

/// The directive, its loops, and what is behind them.
bool LoopReader::construct() {
  size_t I = L.Construct = L.Body + 1;
  if (T[I].is(tok::annot_pragma_openmp)) {
    const OmpLine Line(T, I);
    if (!Line.isTargetLoop())
      return fail("the construct in it is not one loop of a target region in "
                  "one directive");
    I = Line.End;
  } else if (isDirective(T[I])) {
    const Directive &D = *directiveOf(T[I]);
    if (!isCompute(D.Kind) || D.Kind == DirectiveKind::Serial || D.IsOwn)
      return fail("it does not begin with a parallel construct");
    ++I;
    if (!D.HasLoop && isDirective(T[I]) &&
        directiveOf(T[I])->Kind == DirectiveKind::Loop)
      ++I;
  } else {
    return fail("it does not begin with a parallel construct");
  }
  if (!nest(I))
    return false;
  const size_t Behind = statementEnd(T, I);
  return swap({Behind, L.End - 1});
}

bool LoopReader::nest(size_t For) {
  size_t Body = For;
  for (unsigned Depth = 0; Depth < 2; ++Depth) {
    if (T[For].isNot(tok::kw_for) || T[For + 1].isNot(tok::l_paren))
      break;
    Body = skipBrackets(T, For + 1);
    auto Head = LoopHead::parse(text(For + 2, Body - 1));
    if (!Head || Head->IsMinus || !Head->Step.empty() ||
        (Head->Relation != tok::less && Head->Relation != tok::lessequal) ||
        !isCounter(*Head))
      return Depth ? true
                   : fail("a loop of the construct does not go up by one from "
                          "a first index to a bound");
    if (Depth)
      for (TokenRange Part : {Head->Init, Head->Bound})
        for (const Token &Each : Part)
          if (wordOf(Each) == wordOf(L.Nest[0].Variable))
            return fail("the bounds of the inner loop depend on the outer one");
    L.Nest.push_back(*Head);
    L.Cell = {Body, statementEnd(T, Body)};
    // What is tightly inside.
    size_t Next = Body;
    const bool Braces = T[Body].is(tok::l_brace);
    Next += Braces;
    while (isDirective(T[Next]) || T[Next].is(tok::annot_pragma_openmp))
      Next = isDirective(T[Next]) ? Next + 1 : OmpLine(T, Next).End;
    if (T[Next].isNot(tok::kw_for) ||
        statementEnd(T, Next) + Braces != L.Cell.End)
      break;
    For = Next;
  }
  return !L.Nest.empty() || fail("behind the directive stands no loop");
}

/// `tmp = a; a = b; b = tmp;` or `swap(a, b);`.
bool LoopReader::swap(Span S) {
  L.Swap = S;
  const auto Fail = [&] {
    return fail("the construct is not followed by the swap of two pointers, "
                "'T *old = a; a = b; b = old;' or 'std::swap(a, b);', alone");
  };
  std::vector<Span> Parts;
  for (size_t I = S.Begin; I < S.End; I = Parts.back().End)
    Parts.push_back({I, std::max(statementEnd(T, I), I + 1)});
  std::string A, B;
  if (Parts.size() == 1) {
    size_t I = Parts[0].Begin;
    if (word(I) == "std" && T[I + 1].is(tok::coloncolon))
      I += 2;
    if (word(I) != "swap" || Parts[0].End - I != 7 ||
        T[I + 3].isNot(tok::comma))
      return Fail();
    A = word(I + 2);
    B = word(I + 4);
  } else if (Parts.size() == 3) {
    const auto Sides = [&](Span P) {
      std::pair<std::string, std::string> Names;
      if (P.End - P.Begin < 4 || T[P.End - 1].isNot(tok::semi) ||
          T[P.End - 3].isNot(tok::equal) ||
          T[P.Begin].isOneOf(tok::kw_if, tok::kw_for, tok::kw_while, tok::kw_do,
                             tok::kw_switch, tok::kw_case, tok::kw_default,
                             tok::kw_static))
        return Names;
      for (size_t I = P.Begin; I + 3 < P.End; ++I)
        if (T[I].isOneOf(tok::equal, tok::question, tok::comma))
          return Names;
      Names = {word(P.End - 4).str(), word(P.End - 2).str()};
      // `float (*old)[n] = a;`
      for (size_t I = P.Begin; I + 3 < P.End && Names.first.empty(); ++I)
        if (T[I].is(tok::l_paren) && T[I + 1].is(tok::star) &&
            T[I + 3].is(tok::r_paren))
          Names.first = word(I + 2);
      return Names;
    };
    const auto [Old, First] = Sides(Parts[0]);
    const auto [To, From] = Sides(Parts[1]);
    const auto [Last, Kept] = Sides(Parts[2]);
    if (Old.empty() || Kept != Old || To != First || Last != From ||
        To == From || Old == To || Old == From ||
        Parts[1].End - Parts[1].Begin != 4 ||
        Parts[2].End - Parts[2].Begin != 4)
      return Fail();
    A = To;
    B = From;
    L.Private.push_back(Old);
  } else {
    return Fail();
  }
  if (A.empty() || B.empty() || A == B)
    return Fail();
  L.In = A;
  L.Out = B;
  return true;
}

void LoopReader::run(size_t For) {
  if (!time(For) || !construct())
    return;
  // Which of the two is written, the body tells.
  for (size_t I = L.Cell.Begin; I < L.Cell.End; ++I)
    if (word(I) == L.In && T[I + 1].is(tok::l_square)) {
      size_t Past = I + 1;
      while (T[Past].is(tok::l_square))
        Past = skipBrackets(T, Past);
      if (T[Past].is(tok::equal)) {
        std::swap(L.In, L.Out);
        break;
      }
    }
  cell();
}

TimeLoop TimeLoop::read(const UnitTokens &Tokens, size_t For,
                        Preprocessor &PP) {
  TimeLoop L;
  LoopReader(Tokens, PP, L).run(For);
  return L;
}

/// Whether the statement at \p I belongs to a directive that has a say in how
/// it runs: to none that stands alone, and not to a data construct.
static bool isTaken(const UnitTokens &T, size_t I) {
  if (!I)
    return false;
  if (isDirective(T[I - 1])) {
    const DirectiveKind Kind = directiveOf(T[I - 1])->Kind;
    return row(Kind).Follows != Association::None &&
           Kind != DirectiveKind::Data && Kind != DirectiveKind::HostData;
  }
  if (T[I - 1].isNot(tok::annot_pragma_openmp_end))
    return T[I - 1].isAnnotation();
  while (I && T[I].isNot(tok::annot_pragma_openmp))
    --I;
  return wordOf(T[I + 1]) != "target" ||
         !llvm::is_contained({"data", "enter", "exit", "update"},
                             wordOf(T[I + 2]));
}

bool mayBeTimeLoop(const UnitTokens &T, size_t I) {
  if (T[I].isNot(tok::kw_for) || T[I + 1].isNot(tok::l_paren) || isTaken(T, I))
    return false;
  const size_t Body = skipBrackets(T, I + 1);
  return T[Body].is(tok::l_brace) &&
         (isDirective(T[Body + 1]) || T[Body + 1].is(tok::annot_pragma_openmp));
}

// A block of 256 cells in a row does a third more than its own at most, one of
// 32 by 32 three quarters (docs/benchmarks/software-cache.md). How much a cell
// takes, the tree tells.
long TimeLoop::stepsThatPay() const {
  const int64_t Row = std::max<int64_t>(Before[0] + Behind[0], 1),
                Column = Before[1] + Behind[1];
  const bool IsLine = Nest.size() == 1;
  const int64_t Steps = IsLine
                            ? std::min<int64_t>(64 / Row, 16)
                            : std::min<int64_t>(8 / std::max(Row, Column), 4);
  return Steps < (IsLine ? 4 : 2) ? 0 : Steps;
}

} // namespace accx::frontend::timetile
