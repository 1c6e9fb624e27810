//===- OperationCheck.cpp - Mistakes in files and messages ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the grammar lets pass on `accx read`, `write`, `send` and `recv`, and no
// call could do. What depends on a template's parameters is left to Clang.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/SectionLayout.h"
#include "frontend/parse/OmpLine.h"
#include "frontend/plan/Planner.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

/// Whether token \p At is in a construct of OpenMP that devices run.
static bool isInTarget(const UnitTokens &Tokens, size_t At) {
  for (size_t I = 0; I < At; ++I) {
    if (Tokens[I].isNot(tok::annot_pragma_openmp))
      continue;
    const OmpLine Line(Tokens, I);
    const bool OnHost = Line.find("data") || Line.find("update");
    if (Line.has("target") && !OnHost && Line.End <= At &&
        At < statementEnd(Tokens, Line.End))
      return true;
    I = Line.End - 1;
  }
  return false;
}

/// Files and messages are the host's: reports an operation in code for devices.
bool Planner::checkHost(const Node &N) {
  const bool Routine = routineLevels(N).has_value();
  if (!Routine && !isInTarget(T.tokens(), N.At))
    return true;
  error(N.D->Loc,
        "'%0' may not stand in %select{a 'target' construct|a routine}1: "
        "devices have no files and send no messages; put it in front or behind")
      << row(N.D->Kind).Spelling << Routine;
  return false;
}

/// The memory that is read into, written, sent or received.
bool Planner::checkOperand(const Directive &D, const Clause &Of) {
  const StringRef Name = row(D.Kind).Spelling;
  if (Of.Items.size() != 1) {
    error(
        Of.Items[1].Tokens.front().getLocation(),
        "'%0' takes one variable or section: give '%1' a directive of its own")
        << Name << text(Of.Items[1].Tokens);
    return false;
  }
  const ListItem At = itemsOf(D, {ClauseKind::Argument}).front();
  const Item &I = At.item();
  const ItemFacts Known = F.item(At);
  const SourceLocation Loc = I.Tokens.front().getLocation();
  if (Known.IsFunction) {
    error(Loc, "'%0' is a function, and '%1' takes data")
        << text(I.Base) << Name;
    return false;
  }
  if (Known.Class == TypeClass::Pointer &&
      (I.Sections.empty() || I.hasNoLength())) {
    error(Loc, "'%0' does not say how much of what '%1' points to is meant: "
               "write '%2(%1[first:length])'")
        << text(I.Tokens) << text(I.Base) << Name;
    return false;
  }
  if (namesRows(At)) {
    error(Loc, "'%0' is a table of pointers, whose rows are no memory in one "
               "piece: '%1' one row at a time, or allocate them together")
        << text(I.Base) << Name;
    return false;
  }
  if (Known.HasHiddenParts) {
    error(Loc, "'%0' is of a class whose bytes are not its value: name what it "
               "holds by a pointer, as in 'p[first:length]'")
        << text(I.Base);
    return false;
  }
  if (!checkLengths(At))
    return false;
  const bool Fills =
      D.Kind == DirectiveKind::ReadFile || D.Kind == DirectiveKind::Recv;
  if (Fills && Known.IsConst) {
    error(Loc, "'%0' is constant, and '%1' would change it")
        << text(I.Base) << Name;
    return false;
  }
  const Clause *File = D.find(ClauseKind::File);
  const bool Pieces = File && !F.value(D, *File, 0).IsStream;
  const SectionLayout Layout = layoutOf(I, Known);
  if (Layout.Shape == SectionLayout::OnePiece ||
      Layout.Shape == SectionLayout::MaybeOnePiece ||
      (Layout.Shape == SectionLayout::Rows &&
       (Pieces || mayBeContiguous(I, Known))))
    return true;
  error(Loc, "'%0' leaves parts of the rows of '%1' out, and '%2' takes memory "
             "in %select{one piece|rows of one distance}3: %select{name all of "
             "the inner dimensions, as in '[:]', or copy the part to an array "
             "of its own|write a loop over the outermost dimension}3")
      << text(I.Tokens) << text(I.Base)
      << (Pieces || !File ? Name.str() : Name.str() + " file(stream)")
      << Pieces;
  return false;
}

bool Planner::checkFile(const Directive &D, const Clause &File) {
  const ValueFacts Which = F.value(D, File, 0);
  const std::string Name = text(File.Values.front());
  const SourceLocation Loc = File.Values.front().front().getLocation();
  if (Which.Resolved && !Which.IsClass && !Which.IsInteger && !Which.IsStream) {
    error(Loc, "'%0' in 'file' is neither a file descriptor nor a 'FILE *': "
               "its type is '%1'")
        << Name << Which.Type;
    return false;
  }
  if (File.Values.size() < 2)
    return true;
  const std::string Offset = text(File.Values[1]);
  const SourceLocation At = File.Values[1].front().getLocation();
  if (Which.IsStream) {
    error(At, "'%0' is a stream, which is at a position of its own: write "
              "'file(%0)', and set the position by 'fseek'")
        << Name;
    return false;
  }
  const ValueFacts Where = F.value(D, File, 1);
  if (Where.Resolved && !Where.IsClass && !Where.IsInteger) {
    error(At, "the offset '%0' in 'file' is no integer: its type is '%1'")
        << Offset << Where.Type;
    return false;
  }
  return true;
}

/// Rank and tag; and that accx/mpi.h declares the call, whose last argument has
/// a type of the MPI library's own.
bool Planner::checkPeer(const Node &N, const Clause &Peer) {
  const IdentifierInfo *Call = PP.getIdentifierInfo("accx_send");
  auto Names = [&](const Token &Tok) {
    return Tok.is(tok::identifier) && Tok.getIdentifierInfo() == Call;
  };
  // A precompiled header leaves no tokens, but its macros.
  const bool Declared =
      llvm::any_of(T.text({0, N.At}), Names) ||
      (PP.isMacroDefined("MPI_CL_MEM") && llvm::none_of(T.tokens(), Names));
  if (!Declared) {
    error(N.D->Loc,
          "'%0' needs the declarations of MPI and of accx's messages: write "
          "'#include <accx/mpi.h>' at the head of the file")
        << row(N.D->Kind).Spelling;
    return false;
  }
  for (unsigned V = 0; V < 2; ++V) {
    const ValueFacts Known = F.value(*N.D, Peer, V);
    if (!Known.Resolved || Known.IsClass || Known.IsInteger)
      continue;
    error(Peer.Values[V].front().getLocation(),
          "the %select{rank|tag}0 '%1' in '%2' is no integer: its type is '%3'")
        << V << text(Peer.Values[V]) << Peer.Spelling << Known.Type;
    return false;
  }
  return true;
}

/// Of after and event.
bool Planner::checkEvents(const Directive &D, const Clause &Of) {
  const bool Assigned = Of.Kind == ClauseKind::Event;
  for (unsigned V = 0; V < Of.Values.size(); ++V) {
    const ValueFacts Known = F.value(D, Of, V);
    if (!Known.Resolved || (Known.IsClass && !Assigned))
      continue;
    const SourceLocation Loc = Of.Values[V].front().getLocation();
    if (!Known.IsEvent) {
      error(Loc,
            "'%0' in '%1' is no event: its type is '%2', not 'accx_event_t'")
          << text(Of.Values[V]) << Of.Spelling << Known.Type;
      return false;
    }
    if (Assigned && !Known.IsAssignable) {
      error(Loc, "'%0' in 'event' cannot be assigned: name a variable of type "
                 "'accx_event_t'")
          << text(Of.Values[V]);
      return false;
    }
  }
  return true;
}

bool Planner::checkOperation(const Node &N) {
  bool Good = checkHost(N);
  for (const Clause &C : N.D->Clauses)
    if (C.Kind == ClauseKind::Argument)
      Good &= checkOperand(*N.D, C);
    else if (C.Kind == ClauseKind::File)
      Good &= checkFile(*N.D, C);
    else if (C.Kind == ClauseKind::To || C.Kind == ClauseKind::From)
      Good &= checkPeer(N, C);
    else if (C.Kind == ClauseKind::After || C.Kind == ClauseKind::Event)
      Good &= checkEvents(*N.D, C);
  return Good;
}

} // namespace accx::frontend
