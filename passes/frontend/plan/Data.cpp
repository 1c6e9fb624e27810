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

/// The map type of a data clause, empty if it maps nothing.
StringRef Planner::mapType(ClauseKind K, bool Finalize) {
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

void Planner::addMap(const ListItem &I, StringRef Type, bool Structured,
                     Phrases &Out) {
  const Clause &Data = I.clause();
  if (Data.Kind == ClauseKind::NoCreate)
    return addNoCreate(I, Out);
  const Item &What = I.item();
  const ItemFacts Known = F.item(I);
  const bool Pointer = What.Sections.empty() &&
                       What.Tokens.front().isNot(tok::kw_this) &&
                       Known.Class == TypeClass::Pointer;
  // `present(p)` and `delete(p)` speak of the data that p points to, of
  // whatever length.
  const bool ByAddress = Pointer && (Data.Kind == ClauseKind::Present ||
                                     Data.Kind == ClauseKind::Delete);
  if (Pointer && !ByAddress)
    warning(Data.Loc,
            "'%0' is a pointer: '%1' without a sub-array holds the pointer "
            "alone; write '%0[first:count]' for what it points to")
        << text(What.Tokens) << Data.Spelling;
  if (What.Sections.size() > 2 && Known.PointsToTables)
    warning(Data.Loc, "'%0' is a table of tables of pointers: '%1' holds the "
                      "rows of pointers that '%2' names, not what those point "
                      "to; give that data clauses of its own")
        << text(What.Base) << Data.Spelling << text(What.Tokens);
  if (namesRows(I)) {
    // The rows are there when the construct begins; it needs their table.
    const Section &Table = What.Sections.front();
    if (!Structured)
      return;
    // None is present where there are no rows.
    const bool Present = Data.Kind == ClauseKind::Present;
    Out.add(Present ? "map(ompx_hold, present, alloc: "
                    : "map(ompx_hold, alloc: ",
            What.Base, "[", Data.Loc);
    Out.add(Table.Lower.empty() ? "0" : "", Table.Lower, ":", Data.Loc);
    Out.add("", Table.Length, "])", Data.Loc);
    return;
  }
  std::string Map = Structured && !ByAddress ? "map(ompx_hold, " : "map(";
  if (isAlways(Data))
    Map += "always, ";
  // Memory of its own where the device could use the host's.
  if (Data.hasModifier("capture"))
    Map += "close, ";
  Out.add(Map + Type.str() + ": ", What.Tokens,
          ByAddress ? "[0:0])" : itemEnd(What), Data.Loc);
}

/// Data that are present are held, and pointers attached; of the rest the
/// construct gets the host's address. That is what OpenMP says of sections
/// without a length, which scalars and structs do not have.
void Planner::addNoCreate(const ListItem &I, Phrases &Out) {
  const SourceLocation Loc = I.clause().Loc;
  const Item &What = I.item();
  if (What.Sections.empty()) {
    if (F.item(I).Class == TypeClass::Array)
      Out.add("map(ompx_hold, alloc: ", What.Tokens, "[0:0])", Loc);
    // A map type that no other clause has; the runtime knows it.
    else if (!leavesAlone(I))
      Out.add("map(ompx_hold, always, alloc: ", What.Tokens, ")", Loc);
    return;
  }
  Out.add("map(ompx_hold, alloc: ", What.Base, "[", Loc);
  const TokenRange Lower = What.Sections.front().Lower;
  Out.add(Lower.empty() ? "0" : "", Lower, ":0])", Loc);
}

/// The map type of clause \p C of a construct that maps, empty for none.
StringRef Planner::enterType(const Clause &C, bool Structured) {
  if (C.hasModifier("zero")) // see addZeroed()
    return Structured ? "present, alloc" : "";
  return mapType(C.Kind, /*Finalize=*/false);
}

void Planner::addMaps(const Node &N, bool Structured, Phrases &Out) {
  for (const ListItem &I : itemsOf(*N.D))
    if (const StringRef Type = enterType(I.clause(), Structured); !Type.empty())
      addMap(I, Type, Structured, Out);
}

void Planner::addIf(const Node &N, StringRef Modifier, Phrases &Out) {
  if (const Clause *C = N.D->find(ClauseKind::If))
    Out.add("if(" + Modifier.str(), C->Values.front(), ")", C->Loc);
}

/// Adds \p D under the condition of \p N's if; OpenMP has none that maps
/// nothing.
void Planner::addDataDirective(const Node &N, OmpDirective D, Rewrite &R) {
  if (D.Clauses.empty())
    return;
  addIf(N, "", D.Clauses);
  if (!isCompute(N.D->Kind))
    remark(N, ("'" + row(N.D->Kind).Spelling + "' becomes '" + D.Name + "'" +
               text(D.Clauses))
                  .str());
  R.Directives.push_back(std::move(D));
}

void addExtent(const Item &I, const std::string &Element, const Clause &C,
               Phrases &Calls) {
  Calls.add("(sizeof((", I.Base, ")" + Element + ") / sizeof((", C.Loc);
  Calls.add("", I.Base, ")" + Element + "[0])) * ", C.Loc);
}

void addCount(const Item &I, const Section &S, const std::string &Element,
              const Clause &C, Phrases &Calls) {
  if (S.IsElement) {
    Calls.add("1ul * ", C.Loc);
  } else if (!S.Length.empty()) {
    Calls.add("(unsigned long)(", S.Length, ") * ", C.Loc);
  } else if (S.Lower.empty()) {
    addExtent(I, Element, C, Calls);
  } else {
    Calls.add("(", C.Loc);
    addExtent(I, Element, C, Calls);
    Calls.add("1ul - (unsigned long)(", S.Lower, ")) * ", C.Loc);
  }
}

void addAddress(const Clause &C, const Item &I, Phrases &Out) {
  if (I.Sections.empty()) {
    Out.add("(void *)&(", I.Tokens, ")", C.Loc);
    return;
  }
  Out.add("(void *)&((", I.Base, ")", C.Loc);
  for (const Section &S : I.Sections)
    Out.add(S.Lower.empty() ? "[0" : "[", S.Lower, "]", C.Loc);
  Out.add(")", C.Loc);
}

void addCallOn(const std::string &Function, const Clause &C, const Item &I,
               const std::string &End, Phrases &Calls) {
  if (!Function.empty())
    Calls.add(Function + "(", C.Loc);
  addAddress(C, I, Calls);
  Calls.add(", ", C.Loc);
  addBytes(C, I, End, Calls);
}

void addBytes(const Clause &C, const Item &I, const std::string &End,
              Phrases &Calls) {
  if (I.Sections.empty()) {
    Calls.add("sizeof(", I.Tokens, ")" + End, C.Loc);
    return;
  }
  std::string Element;
  for (const Section &S : I.Sections) {
    addCount(I, S, Element, C, Calls);
    Element += "[0]";
  }
  Calls.add("sizeof((", I.Base, ")" + Element + ")" + End, C.Loc);
}

void addUnderIf(const Directive &D, const Phrases &Calls, Phrases &Out) {
  if (Calls.empty())
    return;
  const Clause *If = D.find(ClauseKind::If);
  if (If)
    Out.add("if (", If->Values.front(), ") {", If->Loc);
  Out.append(Calls);
  if (If)
    Out.add("}", If->Loc);
}

void addFirstUnderIf(const Directive &D, const Phrases &Calls, Phrases &Out) {
  Phrases Front;
  addUnderIf(D, Calls, Front);
  Out.prepend(Front);
}

void Planner::addAttach(const Node &N, Rewrite &R) {
  const bool Data = N.D->Kind == DirectiveKind::Data;
  const std::string Finalize =
      N.D->has(ClauseKind::Finalize) ? "_finalize" : "";
  Phrases Attach, Detach;
  for (const ListItem &I :
       itemsOf(*N.D, {ClauseKind::Attach, ClauseKind::Detach})) {
    const Clause &C = I.clause();
    if (C.Kind == ClauseKind::Attach)
      Attach.add("__accx_acc_attach((void **)&(", I.item().Tokens, "));",
                 C.Loc);
    if (C.Kind == ClauseKind::Detach || Data)
      Detach.add("__accx_acc_detach" + Finalize + "((void **)&(",
                 I.item().Tokens, "));", C.Loc);
  }
  // Inside a data construct, where its data are present.
  addUnderIf(*N.D, Attach, Data ? R.Inside : R.After);
  addUnderIf(*N.D, Detach, Data ? R.InsideEnd : R.Before);
}

void addRange(const std::string &Name, const Clause &C, const Item &I,
              Phrases &Out) {
  Out.add("struct { void *Data; unsigned long Size; } " + Name + " = {", C.Loc);
  addCallOn("", C, I, "};", Out);
}

/// `zero` of create and copyout: memory that the construct creates begins as
/// zeros, which no map clause says. A call creates it ahead of the construct,
/// which finds it present, and another gives it up behind. What the clauses
/// name is evaluated once, in front.
void Planner::addZeroed(const Node &N, bool Structured, Rewrite &R) {
  const Directive &D = *N.D;
  const Clause *If = D.find(ClauseKind::If);
  unsigned Count = 0;
  for (const ListItem &I : itemsOf(D)) {
    const Clause &C = I.clause();
    if (!C.hasModifier("zero"))
      continue;
    if (Count == 0 && If)
      R.Before.add("const int __accx_zero = !!(", If->Values.front(), ");",
                   If->Loc);
    else if (Count == 0)
      R.Before.add("const int __accx_zero = 1;", C.Loc);
    if (namesRows(I)) {
      error(C.Loc, "'zero' is not supported on rows behind a table of "
                   "pointers, '%0'; set them to zero in a loop")
          << text(I.item().Tokens);
      continue;
    }
    const std::string Name = "__accx_zero_" + std::to_string(Count++),
                      What = llvm::formatv("{0}.Data, {0}.Size", Name);
    addRange(Name, C, I.item(), R.Before);
    R.Before.add("if (__accx_zero) __accx_create_zero(" + What + ");", C.Loc);
    if (!Structured)
      continue;
    const bool Copy = C.Kind == ClauseKind::CopyOut;
    R.After.add(
        std::string("if (__accx_zero) ") +
            (Copy ? "__accx_acc_copyout_async(" : "__accx_acc_delete_async(") +
            What + ", ",
        C.Loc);
    addQueue(queueClause(D), "", ");", C.Loc, R.After);
  }
}

void Planner::beginData(const Node &N, bool Structured, Rewrite &R) {
  addZeroed(N, Structured, R);
  planQueue(N, R);
  addRows(N, Structured, R);
  addOneWay(N, R);
}

/// The variable of which \p What is a part, as far as OpenMP tells variables
/// apart: what stands before the first bracket.
static TokenRange variableOf(const Item &What) {
  const auto *Bracket = llvm::find_if(
      What.Tokens, [](const Token &T) { return T.is(tok::l_square); });
  return What.Tokens.take_front(Bracket - What.Tokens.begin());
}

void Planner::planUpdate(const Node &N, Rewrite &R) {
  planQueue(N, R);
  // OpenMP takes one part of a variable a directive.
  SmallVector<OmpDirective, 1> Updates;
  SmallVector<llvm::StringSet<>, 1> Named;
  const std::string Present =
      N.D->has(ClauseKind::IfPresent) ? "" : "present: ";
  addRowUpdates(N, R);
  for (const ListItem &I :
       itemsOf(*N.D, {ClauseKind::Device, ClauseKind::Self})) {
    if (namesRows(I))
      continue;
    const Clause &Data = I.clause();
    const Item &What = I.item();
    const std::string Motion =
        Data.Kind == ClauseKind::Device ? "to(" : "from(";
    size_t Place = 0;
    const std::string Variable = text(variableOf(What));
    while (Place < Named.size() && Named[Place].contains(Variable))
      ++Place;
    if (Place == Named.size()) {
      Updates.push_back({"target update", {}, N.D->Loc});
      Named.emplace_back();
    }
    Named[Place].insert(Variable);
    Updates[Place].Clauses.add(Motion + Present, What.Tokens, itemEnd(What),
                               Data.Loc);
  }
  for (OmpDirective &D : Updates)
    addDataDirective(N, std::move(D), R);
}

void Planner::planHostData(const Node &N, Rewrite &R) {
  OmpDirective D{"target data", {}, N.D->Loc};
  for (const ListItem &I : itemsOf(*N.D, {ClauseKind::UseDevice})) {
    const TypeClass Class = F.item(I).Class;
    const bool Pointer =
        Class == TypeClass::Pointer || Class == TypeClass::Unknown;
    D.Clauses.add(Pointer ? "use_device_ptr(" : "use_device_addr(",
                  I.item().Tokens, ")", I.clause().Loc);
  }
  addIf(N, "", D.Clauses);
  R.Directives.push_back(std::move(D));
  R.Before.add(N.D->has(ClauseKind::IfPresent) ? "__accx_use_device(1);"
                                               : "__accx_use_device(2);",
               N.D->Loc);
  // A construct whose condition fails asks for no address.
  if (N.D->has(ClauseKind::If))
    R.Inside.add("__accx_use_device(0);", N.D->Loc);
}

void Planner::planAtomic(const Node &N, Rewrite &R) {
  OmpDirective D{"atomic", {}, N.D->Loc};
  for (const Clause &C : N.D->Clauses)
    if (C.Kind != ClauseKind::If)
      D.Clauses.add(row(C.Kind).Spelling.str(), C.Loc);
  // Where the condition does not hold, the same statement as it stands.
  if (const Clause *If = N.D->find(ClauseKind::If)) {
    R.Before.add("if (", If->Values.front(), ")", If->Loc);
    R.After.add("else", T.text(N.Statement), "", If->Loc);
  }
  R.Directives.push_back(std::move(D));
}

void Planner::planWaitDirective(const Node &N, Rewrite &R) {
  const Clause All = Clause::made(ClauseKind::Wait, N.D->Loc);
  const Clause *List = N.D->find(ClauseKind::Argument);
  const Clause *Async = N.D->find(ClauseKind::Async);
  Phrases Calls;
  if (const Clause *Devices = N.D->find(ClauseKind::Device))
    for (TokenRange Device : Devices->Values)
      planWait(List ? *List : All, Async, Calls, Device);
  else
    planWait(List ? *List : All, Async, Calls);
  addUnderIf(*N.D, Calls, R.Before);
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
void Planner::planCall(const Node &N, Rewrite &R) {
  const Directive &D = *N.D;
  const Clause *Type = D.find(ClauseKind::DeviceType);
  const Clause *Num = D.find(ClauseKind::DeviceNum);
  const std::string TypeName =
      std::to_string(deviceType(Type ? text(Type->Values.front()) : "default"));
  Phrases Calls;
  if (D.Kind == DirectiveKind::Set) {
    if (Num)
      Calls.add("__accx_acc_set_device_num(", Num->Values.front(),
                ", " + TypeName + ");", D.Loc);
    else if (Type)
      Calls.add("__accx_acc_set_device_type(" + TypeName + ");", D.Loc);
    if (const Clause *Async = D.find(ClauseKind::DefaultAsync))
      Calls.add("__accx_acc_set_default_async(", Async->Values.front(), ");",
                D.Loc);
  } else {
    const std::string Verb = D.Kind == DirectiveKind::Init
                                 ? "__accx_acc_init"
                                 : "__accx_acc_shutdown";
    if (Num)
      Calls.add(Verb + "_device(", Num->Values.front(), ", " + TypeName + ");",
                D.Loc);
    else
      Calls.add(Verb + "(" + TypeName + ");", D.Loc);
  }
  addUnderIf(D, Calls, R.Before);
}

} // namespace accx::frontend
