//===- GangCode.cpp - A gang's code outside of worker loops ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All workers of a gang run it: what sets variables of their own gives each
// the same. What writes memory is the first worker's, and the others wait.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Tokens.h"
#include "frontend/plan/BlockPlanner.h"
#include "frontend/plan/GangTokens.h"
#include "markers/Markers.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

bool BlockPlanner::hasWorkers(size_t I, size_t End) const {
  return llvm::any_of(
      Nests, [=](const Workers &W) { return I <= W.N->At && W.N->At < End; });
}

bool BlockPlanner::planGangCode(Span Code) {
  if (!hasWorkers(Code.Begin, Code.End))
    return true; // one worker a gang
  auto [I, End] = withoutBraces(T, Code);
  while (I < End) {
    const size_t Next = statementEnd(T, I);
    if (Next <= I)
      return true;
    if (!planStatement(I, std::min(Next, End)))
      return false;
    I = Next;
  }
  return true;
}

bool BlockPlanner::planStatement(size_t I, size_t End) {
  while (isDirective(T[I])) {
    for (const Workers &W : Nests)
      if (W.N->At == I)
        return true;
    const DirectiveKind K = directiveOf(T[I])->Kind;
    if (K != DirectiveKind::OpenArc && K != DirectiveKind::Loop &&
        K != DirectiveKind::Barrier)
      return refuse(directiveOf(T[I])->Loc,
                    "this directive stands in a gang's code outside of worker "
                    "loops; put it into a worker loop");
    ++I;
    if (I >= End)
      return true;
  }
  if (!hasWorkers(I, End))
    return planPlain(I, End);
  if (T[I].is(tok::l_brace))
    return planGangCode({I, End});
  if (T[I].isOneOf(tok::kw_for, tok::kw_while, tok::kw_if, tok::kw_switch)) {
    for (size_t At = I; T[At].isNot(tok::l_brace) && At < End;) {
      const bool IsHead = T[At].is(tok::l_paren);
      const size_t Next = IsHead ? skipBrackets(T, At) : At + 1;
      if (IsHead) {
        ReadsMemory |= readsMemory(T, {At, Next}, Team);
        const size_t Then = statementEnd(T, Next);
        if (!planStatement(Next, Then))
          return false;
        return T[I].isNot(tok::kw_if) || T[Then].isNot(tok::kw_else) ||
               planStatement(Then + 1, statementEnd(T, Then + 1));
      }
      At = Next;
    }
  }
  return refuse(
      T[I].getLocation(),
      "worker loops of a gang must stand in blocks, 'for', 'while' and 'if'");
}

/// A statement without worker loops.
bool BlockPlanner::planPlain(size_t I, size_t End) {
  const Span S = {I, End};
  if (isDeclaration(T, I)) {
    ReadsMemory |= initializes(T, S, Team);
    return true;
  }
  ReadsMemory |= readsMemory(T, S, Team);
  if (!writesMemory(T, S, Team))
    return true;
  if (const std::string Name = setsOwn(T, S, Team); !Name.empty())
    return refuse(T[I].getLocation(),
                  "a statement of the gang, outside of worker loops, writes "
                  "memory and sets '" +
                      Name +
                      "', of which each worker has its own; make two "
                      "statements of it, or put it into a worker loop");
  const SourceLocation Loc = T[I].getLocation();
  IsBlock = ReadsMemory = true;
  P.Result.insert(I, "if (__accx_item == 0) {");
  P.Result.insert(End, "}", {Phrase(marker(markers::SmcBarrier, ""), Loc)});
  return true;
}

} // namespace accx::frontend
