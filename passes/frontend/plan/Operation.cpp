//===- Operation.cpp - Files and messages ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `accx read`, `write`, `send` and `recv` become a call of accx/event.h or
// accx/mpi.h each, between two of which the second looks at its result:
//
//   { accx_event_t __accx_wait[] = {queues..., events...}, __accx_event = 0;
//     __accx_operation_begin("place and name");
//     const int __accx_code = accx_read(queue, address, ..., &__accx_event);
//     __accx_operation_end(__accx_code, __accx_event, "place and name"); }
//
// With event(e), e gets the event, and only a call that gave none is looked at:
// what failed is in the event. The list is read before e is assigned, which may
// be in it.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/SectionLayout.h"
#include "frontend/plan/Planner.h"

using namespace clang;

namespace accx::frontend {

static bool isWrite(DirectiveKind K) { return K == DirectiveKind::WriteFile; }

static bool isMessage(DirectiveKind K) {
  return K == DirectiveKind::Send || K == DirectiveKind::Recv;
}

/// Declares the list of what the operation waits for; queues, whose events are
/// made for it, come first. A wait for all queues, or for those of another
/// device, is a call in front.
void Planner::addWaits(const Node &N, Phrases &Out) {
  const Directive &D = *N.D;
  const Clause *Async = queueClause(D);
  Phrases List;
  for (const Clause &C : D.Clauses)
    if (C.Kind == ClauseKind::Wait) {
      if (C.Values.empty() || C.Modifier == "devnum") {
        planWait(C, Async, Out);
        continue;
      }
      for (TokenRange Queue : C.Values)
        List.add("__accx_operation_behind((int)(", Queue,
                 "), " + record(PP, C.Loc, "wait(" + text(Queue) + ")", false) +
                     "), ",
                 C.Loc);
    }
  if (const Clause *After = D.find(ClauseKind::After))
    for (TokenRange Event : After->Values)
      List.add("(", Event, "), ", After->Loc);
  if (List.empty())
    return;
  Out.add("__accx_event_t __accx_wait[] = {", D.Loc);
  Out.append(List);
  Out.add("};", D.Loc);
}

/// `{address, width, height, bytes to the next}` of a section's rows.
static void addRowsOf(const Clause &C, const Item &I,
                      const SectionLayout &Layout, Phrases &Out) {
  Out.add("struct __accx_section __accx_rows = {", C.Loc);
  addAddress(C, I, Out);
  Out.add(", ", C.Loc);
  std::string Element, RowElement;
  Phrases Width, Height;
  for (unsigned Dim = 0; Dim < I.Sections.size(); ++Dim, Element += "[0]") {
    if (Dim == Layout.Row)
      RowElement = Element;
    if (Dim >= Layout.First)
      addCount(I, I.Sections[Dim], Element, C,
               Dim < Layout.Row ? Height : Width);
  }
  Out.append(Width);
  Out.add("sizeof((", I.Base, ")" + Element + "), ", C.Loc);
  Out.append(Height);
  Out.add("1ul, sizeof((", I.Base, ")" + RowElement + ")};", C.Loc);
}

/// The call up to the list, and what the runtime calls it. \p Rows: of the
/// variable that addRowsOf() declares.
static std::string addCallOf(const Directive &D, const Item &I,
                             const Clause &Of, bool Rows,
                             const ValueFacts &FileFacts, bool CPlusPlus,
                             Phrases &Out) {
  const bool Write = isWrite(D.Kind);
  const std::string Verb = row(D.Kind).Spelling.str();
  auto Value = [&](TokenRange Tokens, SourceLocation Loc) {
    Out.add("(", Tokens, "), ", Loc);
  };
  auto Begin = [&](const std::string &Name) {
    Out.add("const int __accx_code = " + Name + "(", D.Loc);
    addQueue(queueClause(D), "(int)(", "), ", D.Loc, Out);
  };
  if (isMessage(D.Kind)) {
    const Clause &Peer = *D.find(
        D.Kind == DirectiveKind::Send ? ClauseKind::To : ClauseKind::From);
    Begin((CPlusPlus ? "::accx_" : "accx_") + Verb);
    addAddress(Of, I, Out);
    Out.add(", ", Of.Loc);
    addBytes(Of, I, ", ", Out);
    for (TokenRange V : Peer.Values)
      Value(V, Peer.Loc);
    return "accx_" + Verb;
  }
  const Clause &File = *D.find(ClauseKind::File);
  if (FileFacts.IsStream) {
    Begin("__accx_operation_f" + Verb);
    addAddress(Of, I, Out);
    Out.add(", ", Of.Loc);
    addBytes(Of, I, ", ", Out);
    Value(File.Values[0], File.Loc);
    return "accx_f" + Verb;
  }
  // Where the type depends on a parameter of a template, an overload decides.
  const bool Any = CPlusPlus && !FileFacts.Resolved && !Rows;
  Begin("__accx_operation_" + Verb + (Rows ? "v" : Any ? "_any" : ""));
  if (Rows) {
    Out.add("1, &__accx_rows, ", Of.Loc);
  } else {
    if (Write)
      Out.add("(const void *)", Of.Loc);
    addAddress(Of, I, Out);
    Out.add(", ", Of.Loc);
  }
  Value(File.Values[0], File.Loc);
  if (File.Values.size() > 1)
    Value(File.Values[1], File.Loc);
  else
    Out.add("-1, ", File.Loc);
  if (!Rows)
    addBytes(Of, I, ", ", Out);
  return "accx_" + Verb + (Rows ? "v" : "");
}

bool Planner::planOperation(const Node &N, Rewrite &R) {
  const Directive &D = *N.D;
  if (!checkOperation(N))
    return false;
  const Clause &Of = *D.find(ClauseKind::Argument);
  const ListItem At = itemsOf(D, {ClauseKind::Argument}).front();
  const Item &I = At.item();
  const Clause *File = D.find(ClauseKind::File);
  const Clause *Event = D.find(ClauseKind::Event);
  const ValueFacts FileFacts = File ? F.value(D, *File, 0) : ValueFacts();
  const SectionLayout Layout = layoutOf(I, F.item(At));
  const bool Rows =
      File && !FileFacts.IsStream && Layout.Shape == SectionLayout::Rows;
  const std::string Name =
      row(D.Kind).Spelling.str() + "(" + text(I.Tokens) + ")";
  const std::string Place = record(PP, D.Loc, Name, false);

  Phrases Out;
  if (Event)
    Out.add("__accx_event_t *__accx_event_of = &(", Event->Values.front(), ");",
            Event->Loc);
  addWaits(N, Out);
  if (Layout.Shape != SectionLayout::OnePiece && !Rows)
    addWholeChecks(I, Of, Out);
  if (Rows)
    addRowsOf(Of, I, Layout, Out);
  Out.add("__accx_event_t __accx_event = 0; __accx_operation_begin(" + Place +
              ");",
          D.Loc);
  const std::string Function =
      addCallOf(D, I, Of, Rows, FileFacts, PP.getLangOpts().CPlusPlus, Out);
  unsigned Queues = 0;
  for (const Clause &C : D.Clauses)
    if (C.Kind == ClauseKind::Wait && C.Modifier != "devnum")
      Queues += C.Values.size();
  const Clause *After = D.find(ClauseKind::After);
  const unsigned Waits = Queues + (After ? After->Values.size() : 0);
  Out.add(Waits ? std::to_string(Waits) + ", __accx_wait, &__accx_event);"
                : "0, 0, &__accx_event);",
          D.Loc);
  for (unsigned Q = 0; Q < Queues; ++Q)
    Out.add("__accx_operation_release(__accx_wait[" + std::to_string(Q) + "]);",
            D.Loc);
  // What an event tells of is not told twice.
  if (Event)
    Out.add("if (__accx_event) *__accx_event_of = __accx_event;", D.Loc);
  Out.add((Event ? "__accx_operation_end(__accx_event ? 0 : __accx_code, 0, "
                 : "__accx_operation_end(__accx_code, __accx_event, ") +
              Place + ");",
          D.Loc);
  addUnderIf(D, Out, R.Before);
  const Clause *Async = queueClause(D);
  remark(N, "'" + Name + "' becomes '" + Function + "'" +
                (!Async ? ", and the thread waits for its end"
                 : Async->Values.empty() || Async->Kind != ClauseKind::Async
                     ? " on the default queue"
                     : " on queue " + text(Async->Values.front())));
  return true;
}

} // namespace accx::frontend
