//===- OperationCheck.cpp - Mistakes in files and messages ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the grammar lets pass on `accx read`, `write`, `send` and `recv`, and no
// call could do. What depends on a template's parameters is left to Clang.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/SectionLayout.h"
#include "frontend/plan/Planner.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

/// Whether token \p At is in a construct of OpenMP that devices run.
static bool isInTarget(const UnitTokens &Tokens, size_t At) {
  for (size_t I = 0; I < At; ++I) {
    if (Tokens[I].isNot(tok::annot_pragma_openmp))
      continue;
    bool Target = false, OnHost = false;
    size_t End = I + 1;
    // Words in front of the first parenthesis hold the directive's name.
    for (; !Tokens[End].isOneOf(tok::annot_pragma_openmp_end, tok::eof,
                                tok::l_paren);
         ++End)
      if (const IdentifierInfo *Word = Tokens[End].getIdentifierInfo()) {
        const StringRef Name = Word->getName();
        Target |= Name == "target";
        OnHost |= Name == "data" || Name == "enter" || Name == "exit" ||
                  Name == "update" || Name == "declare" || Name == "end";
      }
    while (!Tokens[End].isOneOf(tok::annot_pragma_openmp_end, tok::eof))
      ++End;
    if (Target && !OnHost && End < At && At < statementEnd(Tokens, End + 1))
      return true;
    I = End;
  }
  return false;
}

/// Files and messages are the host's: reports an operation in code for devices.
bool Planner::checkHost(const Node &N) {
  const bool Routine = routineLevels(N).has_value();
  if (!Routine && !isInTarget(T.tokens(), N.At))
    return true;
  report(N.D->Loc, DiagnosticsEngine::Error,
         "'%0' may not stand in %select{a 'target' construct|a routine}1: "
         "devices have no files and send no messages; put it in front or "
         "behind")
      << row(N.D->Kind).Spelling << Routine;
  return false;
}

/// The memory that is read into, written, sent or received.
bool Planner::checkOperand(const Node &N, unsigned C) {
  const Clause &Of = N.D->Clauses[C];
  const StringRef Name = row(N.D->Kind).Spelling;
  if (Of.Items.size() != 1) {
    report(Of.Items[1].Tokens.front().getLocation(), DiagnosticsEngine::Error,
           "'%0' takes one variable or section: give '%1' a directive of its "
           "own")
        << Name << text(Of.Items[1].Tokens);
    return false;
  }
  const Item &I = Of.Items.front();
  const ItemFacts Known = F.item(N.D->Ordinal, C, 0);
  const SourceLocation Loc = I.Tokens.front().getLocation();
  if (Known.IsFunction) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is a function, and '%1' takes data")
        << text(I.Base) << Name;
    return false;
  }
  const bool NoLength = !I.Sections.empty() &&
                        I.Sections.front().Length.empty() &&
                        !I.Sections.front().IsElement;
  if (Known.Class == TypeClass::Pointer && (I.Sections.empty() || NoLength)) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' does not say how much of what '%1' points to is meant: write "
           "'%2(%1[first:length])'")
        << text(I.Tokens) << text(I.Base) << Name;
    return false;
  }
  if (namesRows(N, C, 0)) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is a table of pointers, whose rows are no memory in one "
           "piece: '%1' one row at a time, or allocate them together")
        << text(I.Base) << Name;
    return false;
  }
  if (Known.HasHiddenParts) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is of a class whose bytes are not its value: name what it "
           "holds by a pointer, as in 'p[first:length]'")
        << text(I.Base);
    return false;
  }
  for (unsigned Dim = 0; Dim < I.Sections.size(); ++Dim)
    if (const auto Length = Known.Bounds.find(2 * Dim + 1);
        Length != Known.Bounds.end() && Length->second < 0) {
      report(Loc, DiagnosticsEngine::Error,
             "the length of '%0' is negative: %1 elements")
          << text(I.Tokens) << std::to_string(Length->second);
      return false;
    }
  const bool Fills =
      N.D->Kind == DirectiveKind::ReadFile || N.D->Kind == DirectiveKind::Recv;
  if (Fills && Known.IsConst) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' is constant, and '%1' would change it")
        << text(I.Base) << Name;
    return false;
  }
  const Clause *File = N.D->find(ClauseKind::File);
  const bool Pieces =
      File && !F.value(N.D->Ordinal, File - N.D->Clauses.data(), 0).IsStream;
  const SectionLayout Layout = layoutOf(I, Known);
  if (Layout.Shape == SectionLayout::OnePiece ||
      Layout.Shape == SectionLayout::MaybeOnePiece ||
      (Layout.Shape == SectionLayout::Rows &&
       (Pieces || mayBeContiguous(I, Known))))
    return true;
  report(Loc, DiagnosticsEngine::Error,
         "'%0' leaves parts of the rows of '%1' out, and '%2' takes memory in "
         "%select{one piece|rows of one distance}3: %select{name all of the "
         "inner dimensions, as in '[:]', or copy the part to an array of its "
         "own|write a loop over the outermost dimension}3")
      << text(I.Tokens) << text(I.Base)
      << (Pieces || !File ? Name.str() : Name.str() + " file(stream)")
      << Pieces;
  return false;
}

bool Planner::checkFile(const Node &N, unsigned C) {
  const Clause &File = N.D->Clauses[C];
  const ValueFacts Which = F.value(N.D->Ordinal, C, 0);
  const std::string Name = text(File.Values.front());
  const SourceLocation Loc = File.Values.front().front().getLocation();
  if (Which.Resolved && !Which.IsClass && !Which.IsInteger && !Which.IsStream) {
    report(Loc, DiagnosticsEngine::Error,
           "'%0' in 'file' is neither a file descriptor nor a 'FILE *': its "
           "type is '%1'")
        << Name << Which.Type;
    return false;
  }
  if (File.Values.size() < 2)
    return true;
  const std::string Offset = text(File.Values[1]);
  const SourceLocation At = File.Values[1].front().getLocation();
  if (Which.IsStream) {
    report(At, DiagnosticsEngine::Error,
           "'%0' is a stream, which is at a position of its own: write "
           "'file(%0)', and set the position by 'fseek'")
        << Name;
    return false;
  }
  const ValueFacts Where = F.value(N.D->Ordinal, C, 1);
  if (Where.Resolved && !Where.IsClass && !Where.IsInteger) {
    report(At, DiagnosticsEngine::Error,
           "the offset '%0' in 'file' is no integer: its type is '%1'")
        << Offset << Where.Type;
    return false;
  }
  return true;
}

/// Rank and tag; and that accx/mpi.h declares the call, whose last argument has
/// a type of the MPI library's own.
bool Planner::checkPeer(const Node &N, unsigned C) {
  const Clause &Peer = N.D->Clauses[C];
  const IdentifierInfo *Call = PP.getIdentifierInfo("accx_send");
  auto Names = [&](const Token &Tok) {
    return Tok.is(tok::identifier) && Tok.getIdentifierInfo() == Call;
  };
  // A precompiled header leaves no tokens, but its macros.
  const bool Declared =
      llvm::any_of(T.text({0, N.At}), Names) ||
      (PP.isMacroDefined("MPI_CL_MEM") && llvm::none_of(T.tokens(), Names));
  if (!Declared) {
    report(N.D->Loc, DiagnosticsEngine::Error,
           "'%0' needs the declarations of MPI and of accx's messages: write "
           "'#include <accx/mpi.h>' at the head of the file")
        << row(N.D->Kind).Spelling;
    return false;
  }
  for (unsigned V = 0; V < 2; ++V) {
    const ValueFacts Known = F.value(N.D->Ordinal, C, V);
    if (!Known.Resolved || Known.IsClass || Known.IsInteger)
      continue;
    report(Peer.Values[V].front().getLocation(), DiagnosticsEngine::Error,
           "the %select{rank|tag}0 '%1' in '%2' is no integer: its type is "
           "'%3'")
        << V << text(Peer.Values[V]) << Peer.Spelling << Known.Type;
    return false;
  }
  return true;
}

/// Of after and event.
bool Planner::checkEvents(const Node &N, unsigned C) {
  const Clause &Of = N.D->Clauses[C];
  const bool Assigned = Of.Kind == ClauseKind::Event;
  for (unsigned V = 0; V < Of.Values.size(); ++V) {
    const ValueFacts Known = F.value(N.D->Ordinal, C, V);
    if (!Known.Resolved || (Known.IsClass && !Assigned))
      continue;
    const SourceLocation Loc = Of.Values[V].front().getLocation();
    if (!Known.IsEvent) {
      report(Loc, DiagnosticsEngine::Error,
             "'%0' in '%1' is no event: its type is '%2', not 'accx_event_t'")
          << text(Of.Values[V]) << Of.Spelling << Known.Type;
      return false;
    }
    if (Assigned && !Known.IsAssignable) {
      report(Loc, DiagnosticsEngine::Error,
             "'%0' in 'event' cannot be assigned: name a variable of type "
             "'accx_event_t'")
          << text(Of.Values[V]);
      return false;
    }
  }
  return true;
}

bool Planner::checkOperation(const Node &N) {
  const Directive &D = *N.D;
  bool Good = checkHost(N);
  for (unsigned C = 0; C < D.Clauses.size(); ++C)
    switch (D.Clauses[C].Kind) {
    case ClauseKind::Argument:
      Good &= checkOperand(N, C);
      break;
    case ClauseKind::File:
      Good &= checkFile(N, C);
      break;
    case ClauseKind::To:
    case ClauseKind::From:
      Good &= checkPeer(N, C);
      break;
    case ClauseKind::After:
    case ClauseKind::Event:
      Good &= checkEvents(N, C);
      break;
    default:
      break;
    }
  return Good;
}

} // namespace accx::frontend
