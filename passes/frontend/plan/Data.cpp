//===- Data.cpp - Data directives, updates and calls ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives whose meaning does not depend on loops; Members.cpp has the
// data constructs themselves.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Planner.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend {

StringRef mapType(ClauseKind K, bool Finalize) {
  switch (K) {
  case ClauseKind::Copy:
    return "tofrom";
  case ClauseKind::CopyIn:
    return "to";
  case ClauseKind::CopyOut:
    return "from";
  case ClauseKind::Create:
  case ClauseKind::NoCreate: // see addNoCreate()
    return "alloc";
  case ClauseKind::Present:
    return "present, alloc";
  case ClauseKind::Delete:
    return Finalize ? "delete" : "release";
  default:
    return "";
  }
}

/// What closes a list of one item: `this` stands for the object.
static const char *itemEnd(const Item &I) {
  return I.Tokens.size() == 1 && I.Tokens.front().is(tok::kw_this) ? "[0:1])"
                                                                   : ")";
}

void Planner::addMap(const Node &N, unsigned C, unsigned I, StringRef Type,
                     bool Structured, Phrases &Out) {
  const Clause &Data = N.D->Clauses[C];
  if (Data.Kind == ClauseKind::NoCreate) {
    addNoCreate(N, C, I, Out);
    return;
  }
  const Item &What = Data.Items[I];
  const bool Pointer = What.Sections.empty() &&
                       What.Tokens.front().isNot(tok::kw_this) &&
                       F.item(N.D->Ordinal, C, I).Class == TypeClass::Pointer;
  // `present(p)` and `delete(p)` speak of the data that p points to, of
  // whatever length.
  const bool ByAddress = Pointer && (Data.Kind == ClauseKind::Present ||
                                     Data.Kind == ClauseKind::Delete);
  if (Pointer && !ByAddress)
    report(Data.Loc, DiagnosticsEngine::Warning,
           "'%0' is a pointer: '%1' without a sub-array holds the pointer "
           "alone; write '%0[first:count]' for what it points to")
        << text(What.Tokens) << Data.Spelling;
  if (What.Sections.size() > 2 && F.item(N.D->Ordinal, C, I).PointsToTables)
    report(Data.Loc, DiagnosticsEngine::Warning,
           "'%0' is a table of tables of pointers: '%1' holds the rows of "
           "pointers that '%2' names, not what those point to; give that data "
           "clauses of its own")
        << text(What.Base) << Data.Spelling << text(What.Tokens);
  if (namesRows(N, C, I)) {
    // The rows are there when the construct begins; it needs their table.
    const Section &Table = What.Sections.front();
    if (!Structured)
      return;
    // None is present where there are no rows.
    const bool Present = Data.Kind == ClauseKind::Present;
    Out.push_back(phrase(Present ? "map(ompx_hold, present, alloc: "
                                 : "map(ompx_hold, alloc: ",
                         What.Base, "[", Data.Loc));
    Out.push_back(
        phrase(Table.Lower.empty() ? "0" : "", Table.Lower, ":", Data.Loc));
    Out.push_back(phrase("", Table.Length, "])", Data.Loc));
    return;
  }
  std::string Map = Structured && !ByAddress ? "map(ompx_hold, " : "map(";
  if (isAlways(Data))
    Map += "always, ";
  // Memory of its own where the device could use the host's.
  if (Data.hasModifier("capture"))
    Map += "close, ";
  Out.push_back(phrase(Map + Type.str() + ": ", What.Tokens,
                       ByAddress ? "[0:0])" : itemEnd(What), Data.Loc));
}

/// Data that are present are held, and pointers attached; of the rest the
/// construct gets the host's address. That is what OpenMP says of sections
/// without a length, which scalars and structs do not have.
void Planner::addNoCreate(const Node &N, unsigned C, unsigned I, Phrases &Out) {
  const Clause &Data = N.D->Clauses[C];
  const Item &What = Data.Items[I];
  if (What.Sections.empty()) {
    const TypeClass Class = F.item(N.D->Ordinal, C, I).Class;
    if (Class == TypeClass::Array)
      Out.push_back(
          phrase("map(ompx_hold, alloc: ", What.Tokens, "[0:0])", Data.Loc));
    // A map type that no other clause has; the runtime knows it.
    else if (!leavesAlone(N, C, I))
      Out.push_back(
          phrase("map(ompx_hold, always, alloc: ", What.Tokens, ")", Data.Loc));
    return;
  }
  Out.push_back(phrase("map(ompx_hold, alloc: ", What.Base, "[", Data.Loc));
  const TokenRange Lower = What.Sections.front().Lower;
  Out.push_back(phrase(Lower.empty() ? "0" : "", Lower, ":0])", Data.Loc));
}

/// The map type of clause \p C of a construct that maps, empty for none.
StringRef Planner::enterType(const Node &N, unsigned C, bool Structured) const {
  if (N.D->Clauses[C].hasModifier("zero")) // see addZeroed()
    return Structured ? "present, alloc" : "";
  return mapType(N.D->Clauses[C].Kind, /*Finalize=*/false);
}

void Planner::addMaps(const Node &N, bool Structured, Phrases &Out) {
  for (unsigned C = 0; C < N.D->Clauses.size(); ++C) {
    const StringRef Type = enterType(N, C, Structured);
    for (unsigned I = 0; !Type.empty() && I < N.D->Clauses[C].Items.size(); ++I)
      addMap(N, C, I, Type, Structured, Out);
  }
}

void Planner::addIf(const Node &N, StringRef Modifier, Phrases &Out) {
  if (const Clause *C = N.D->find(ClauseKind::If); C && !C->Values.empty())
    Out.push_back(
        phrase("if(" + Modifier.str(), C->Values.front(), ")", C->Loc));
}

/// Adds \p D under the condition of \p N's if; OpenMP has none that maps
/// nothing.
void Planner::addDataDirective(const Node &N, OmpDirective D, Rewrite &R) {
  if (D.Clauses.empty())
    return;
  addIf(N, "", D.Clauses);
  if (Remarks && !combines(N.D->Kind)) {
    std::string Text =
        ("'" + row(N.D->Kind).Spelling + "' becomes '" + D.Name + "'").str();
    for (const Phrase &C : D.Clauses)
      Text += " " + C.Before + text(C.Tokens) + C.After;
    remark(N, Text);
  }
  R.Directives.push_back(std::move(D));
}

void addExtent(const Item &I, const std::string &Element, const Clause &C,
               Phrases &Calls) {
  Calls.push_back(
      phrase("(sizeof((", I.Base, ")" + Element + ") / sizeof((", C.Loc));
  Calls.push_back(phrase("", I.Base, ")" + Element + "[0])) * ", C.Loc));
}

void addCount(const Item &I, const Section &S, const std::string &Element,
              const Clause &C, Phrases &Calls) {
  if (S.IsElement) {
    Calls.push_back(phrase("1ul * ", {}, "", C.Loc));
  } else if (!S.Length.empty()) {
    Calls.push_back(phrase("(unsigned long)(", S.Length, ") * ", C.Loc));
  } else if (S.Lower.empty()) {
    addExtent(I, Element, C, Calls);
  } else {
    Calls.push_back(phrase("(", {}, "", C.Loc));
    addExtent(I, Element, C, Calls);
    Calls.push_back(phrase("1ul - (unsigned long)(", S.Lower, ")) * ", C.Loc));
  }
}

void addAddress(const Clause &C, const Item &I, Phrases &Out) {
  if (I.Sections.empty()) {
    Out.push_back(phrase("(void *)&(", I.Tokens, ")", C.Loc));
    return;
  }
  Out.push_back(phrase("(void *)&((", I.Base, ")", C.Loc));
  for (const Section &S : I.Sections)
    Out.push_back(phrase(S.Lower.empty() ? "[0" : "[", S.Lower, "]", C.Loc));
  Out.push_back(phrase(")", {}, "", C.Loc));
}

void addCallOn(const std::string &Function, const Clause &C, const Item &I,
               const std::string &End, Phrases &Calls) {
  if (!Function.empty())
    Calls.push_back(phrase(Function + "(", {}, "", C.Loc));
  addAddress(C, I, Calls);
  Calls.push_back(phrase(", ", {}, "", C.Loc));
  addBytes(C, I, End, Calls);
}

void addBytes(const Clause &C, const Item &I, const std::string &End,
              Phrases &Calls) {
  if (I.Sections.empty()) {
    Calls.push_back(phrase("sizeof(", I.Tokens, ")" + End, C.Loc));
    return;
  }
  std::string Element;
  for (const Section &S : I.Sections) {
    addCount(I, S, Element, C, Calls);
    Element += "[0]";
  }
  Calls.push_back(phrase("sizeof((", I.Base, ")" + Element + ")" + End, C.Loc));
}

void addUnderIf(const Directive &D, Phrases Calls, Phrases &Out) {
  if (Calls.empty())
    return;
  const Clause *If = D.find(ClauseKind::If);
  const bool Condition = If && !If->Values.empty();
  if (Condition)
    Out.push_back(phrase("if (", If->Values.front(), ") {", If->Loc));
  Out.insert(Out.end(), Calls.begin(), Calls.end());
  if (Condition)
    Out.push_back(phrase("}", {}, "", If->Loc));
}

void Planner::addAttach(const Node &N, Rewrite &R) {
  const bool Data = N.D->Kind == DirectiveKind::Data;
  Phrases Attach, Detach;
  for (const Clause &C : N.D->Clauses) {
    const std::string Finalize =
        N.D->has(ClauseKind::Finalize) ? "_finalize" : "";
    for (const Item &I : C.Items) {
      if (C.Kind == ClauseKind::Attach)
        Attach.push_back(
            phrase("__accx_acc_attach((void **)&(", I.Tokens, "));", C.Loc));
      if (C.Kind == ClauseKind::Detach ||
          (Data && C.Kind == ClauseKind::Attach))
        Detach.push_back(phrase("__accx_acc_detach" + Finalize + "((void **)&(",
                                I.Tokens, "));", C.Loc));
    }
  }
  // Inside a data construct, where its data are present.
  addUnderIf(*N.D, std::move(Attach), Data ? R.Inside : R.After);
  addUnderIf(*N.D, std::move(Detach), Data ? R.InsideEnd : R.Before);
}

void addFinalizedCopy(const Directive &D, const Clause &C, const Item &I,
                      Phrases &Calls) {
  const Clause *Async = queueClause(D);
  addCallOn("__accx_acc_copyout_finalize_async", C, I, ", ", Calls);
  Phrase Queue = Async ? queueArgument(*Async) : phrase("-2", {}, "", C.Loc);
  Queue.After = ");";
  Calls.push_back(std::move(Queue));
}

/// `zero` of create and copyout: memory that the construct creates begins as
/// zeros, which no map clause says. A call creates it ahead of the construct,
/// which finds it present, and another gives it up behind. What the clauses
/// name is evaluated once, in front.
void Planner::addZeroed(const Node &N, bool Structured, Rewrite &R) {
  const Directive &D = *N.D;
  const Clause *Async = queueClause(D);
  const Clause *If = D.find(ClauseKind::If);
  const bool Condition = If && !If->Values.empty();
  unsigned Count = 0;
  for (unsigned K = 0; K < D.Clauses.size(); ++K) {
    const Clause &C = D.Clauses[K];
    if (!C.hasModifier("zero"))
      continue;
    if (Count == 0)
      R.Before.push_back(
          Condition ? phrase("const int __accx_zero = !!(", If->Values.front(),
                             ");", If->Loc)
                    : phrase("const int __accx_zero = 1;", {}, "", C.Loc));
    for (unsigned Number = 0; Number < C.Items.size(); ++Number) {
      const Item &I = C.Items[Number];
      if (namesRows(N, K, Number)) {
        report(C.Loc, DiagnosticsEngine::Error,
               "'zero' is not supported on rows behind a table of pointers, "
               "'%0'; set them to zero in a loop")
            << text(I.Tokens);
        continue;
      }
      const std::string Name = "__accx_zero_" + std::to_string(Count++);
      R.Before.push_back(
          phrase(llvm::formatv("struct {{ void *Data; unsigned long Size; } "
                               "{0} = {{",
                               Name),
                 {}, "", C.Loc));
      addCallOn("", C, I, "};", R.Before);
      const std::string What = llvm::formatv("{0}.Data, {0}.Size", Name);
      R.Before.push_back(phrase(
          "if (__accx_zero) __accx_create_zero(" + What + ");", {}, "", C.Loc));
      if (!Structured)
        continue;
      const bool Copy = C.Kind == ClauseKind::CopyOut;
      R.After.push_back(phrase(std::string("if (__accx_zero) ") +
                                   (Copy ? "__accx_acc_copyout_async("
                                         : "__accx_acc_delete_async(") +
                                   What + ", ",
                               {}, "", C.Loc));
      Phrase Queue =
          Async ? queueArgument(*Async) : phrase("-2", {}, "", C.Loc);
      Queue.After = ");";
      R.After.push_back(std::move(Queue));
    }
  }
}

/// The variable of which \p What is a part, as far as OpenMP tells variables
/// apart: what stands before the first bracket.
static TokenRange variableOf(const Item &What) {
  const auto *Bracket = llvm::find_if(
      What.Tokens, [](const Token &T) { return T.is(tok::l_square); });
  return What.Tokens.take_front(Bracket - What.Tokens.begin());
}

void Planner::planUpdate(const Node &N) {
  Rewrite R;
  planQueue(N, R);
  // OpenMP takes one part of a variable a directive.
  SmallVector<OmpDirective, 1> Updates;
  SmallVector<llvm::StringSet<>, 1> Named;
  const char *Present = N.D->has(ClauseKind::IfPresent) ? "" : "present: ";
  addRowUpdates(N, R);
  for (unsigned C = 0; C < N.D->Clauses.size(); ++C) {
    const Clause &Data = N.D->Clauses[C];
    if (Data.Kind != ClauseKind::Device && Data.Kind != ClauseKind::Self)
      continue;
    const std::string Motion =
        Data.Kind == ClauseKind::Device ? "to(" : "from(";
    for (unsigned I = 0; I < Data.Items.size(); ++I) {
      const Item &What = Data.Items[I];
      if (namesRows(N, C, I))
        continue;
      size_t Place = 0;
      const std::string Variable = text(variableOf(What));
      while (Place < Named.size() && Named[Place].contains(Variable))
        ++Place;
      if (Place == Named.size()) {
        Updates.push_back({"target update", {}, N.D->Loc});
        Named.emplace_back();
      }
      Named[Place].insert(Variable);
      Updates[Place].Clauses.push_back(
          phrase(Motion + Present, What.Tokens, itemEnd(What), Data.Loc));
    }
  }
  for (OmpDirective &D : Updates)
    addDataDirective(N, std::move(D), R);
  Result.Rewrites.emplace(&N, std::move(R));
}

void Planner::planHostData(const Node &N) {
  Rewrite R;
  R.Statement = N.Statement;
  OmpDirective D{"target data", {}, N.D->Loc};
  for (unsigned C = 0; C < N.D->Clauses.size(); ++C) {
    const Clause &Use = N.D->Clauses[C];
    if (Use.Kind != ClauseKind::UseDevice)
      continue;
    for (unsigned I = 0; I < Use.Items.size(); ++I) {
      const TypeClass Class = F.item(N.D->Ordinal, C, I).Class;
      const bool Pointer =
          Class == TypeClass::Pointer || Class == TypeClass::Unknown;
      D.Clauses.push_back(
          phrase(Pointer ? "use_device_ptr(" : "use_device_addr(",
                 Use.Items[I].Tokens, ")", Use.Loc));
    }
  }
  addIf(N, "", D.Clauses);
  R.Directives.push_back(std::move(D));
  R.Before.push_back(phrase(N.D->has(ClauseKind::IfPresent)
                                ? "__accx_use_device(1);"
                                : "__accx_use_device(2);",
                            {}, "", N.D->Loc));
  // A construct whose condition fails asks for no address.
  if (N.D->has(ClauseKind::If))
    R.Inside.push_back(phrase("__accx_use_device(0);", {}, "", N.D->Loc));
  Result.Rewrites.emplace(&N, std::move(R));
}

void Planner::planAtomic(const Node &N) {
  Rewrite R;
  R.Statement = N.Statement;
  OmpDirective D{"atomic", {}, N.D->Loc};
  for (const Clause &C : N.D->Clauses)
    if (C.Kind != ClauseKind::If)
      D.Clauses.push_back(phrase(row(C.Kind).Spelling.str(), {}, "", C.Loc));
  // Where the condition does not hold, the same statement as it stands.
  if (const Clause *If = N.D->find(ClauseKind::If); If && !If->Values.empty()) {
    R.Before.push_back(phrase("if (", If->Values.front(), ")", If->Loc));
    R.After.push_back(phrase("else", T.text(N.Statement), "", If->Loc));
  }
  R.Directives.push_back(std::move(D));
  Result.Rewrites.emplace(&N, std::move(R));
}

void Planner::planWaitDirective(const Node &N) {
  Rewrite R;
  Clause All{};
  All.Loc = N.D->Loc;
  const Clause *List = N.D->find(ClauseKind::Argument);
  Phrases Calls;
  const Clause *Async = N.D->find(ClauseKind::Async);
  if (const Clause *Devices = N.D->find(ClauseKind::Device))
    for (TokenRange Device : Devices->Values)
      planWait(List ? *List : All, Async, Calls, Device);
  else
    planWait(List ? *List : All, Async, Calls);
  if (const Clause *If = N.D->find(ClauseKind::If); If && !If->Values.empty()) {
    R.Before.push_back(phrase("if (", If->Values.front(), ") {", If->Loc));
    Calls.push_back(phrase("}", {}, "", If->Loc));
  }
  R.Before.insert(R.Before.end(), Calls.begin(), Calls.end());
  Result.Rewrites.emplace(&N, std::move(R));
}

/// The number of openacc.h's acc_device_t that a device type's name stands for.
static int deviceType(StringRef Name) {
  static constexpr struct {
    const char *Name;
    int Value;
  } Types[] = {{"none", 0},   {"default", 1}, {"host", 2},      {"not_host", 4},
               {"nvidia", 5}, {"radeon", 8},  {"multicore", 32}};
  const std::string Lower = Name.lower();
  StringRef Known = Lower;
  Known.consume_front("acc_device_");
  for (const auto &T : Types)
    if (Known == T.Name)
      return T.Value;
  return 1;
}

/// init, shutdown and set are calls.
void Planner::planCall(const Node &N) {
  Rewrite R;
  const Directive &D = *N.D;
  const Clause *If = D.find(ClauseKind::If);
  if (If && !If->Values.empty())
    R.Before.push_back(phrase("if (", If->Values.front(), ") {", If->Loc));
  const Clause *Type = D.find(ClauseKind::DeviceType);
  const Clause *Num = D.find(ClauseKind::DeviceNum);
  const std::string TypeName = std::to_string(deviceType(
      Type && !Type->Values.empty() ? text(Type->Values.front()) : "default"));
  auto Call = [&](const std::string &Begin, const Clause *Argument,
                  const std::string &End) {
    R.Before.push_back(phrase(Begin,
                              Argument && !Argument->Values.empty()
                                  ? Argument->Values.front()
                                  : TokenRange(),
                              End, D.Loc));
  };
  if (D.Kind == DirectiveKind::Set) {
    if (Num)
      Call("__accx_acc_set_device_num(", Num, ", " + TypeName + ");");
    else if (Type)
      Call("__accx_acc_set_device_type(" + TypeName + ");", nullptr, "");
    if (const Clause *Async = D.find(ClauseKind::DefaultAsync))
      Call("__accx_acc_set_default_async(", Async, ");");
  } else {
    const std::string Verb = D.Kind == DirectiveKind::Init
                                 ? "__accx_acc_init"
                                 : "__accx_acc_shutdown";
    if (Num)
      Call(Verb + "_device(", Num, ", " + TypeName + ");");
    else
      Call(Verb + "(" + TypeName + ");", nullptr, "");
  }
  if (If && !If->Values.empty())
    R.Before.push_back(phrase("}", {}, "", If->Loc));
  Result.Rewrites.emplace(&N, std::move(R));
}

} // namespace accx::frontend
