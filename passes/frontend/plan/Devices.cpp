//===- Devices.cpp - Directives for several devices -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `deviceid` places a construct on a device and queues it there; `wait` with
// `device` waits for devices; `update peer` copies between two.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Planner.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

std::string record(Preprocessor &PP, SourceLocation Loc,
                   const std::string &Name, bool Variable) {
  const PresumedLoc At = PP.getSourceManager().getPresumedLoc(Loc);
  if (At.isInvalid())
    return "0";
  const std::string File = At.getFilename();
  return quoted(";" + (Variable ? Name + ";" + File : File + ";" + Name) + ";" +
                std::to_string(At.getLine()) + ";" +
                std::to_string(At.getColumn()) + ";;");
}

Phrase deviceNumber(Preprocessor &PP, TokenRange Number,
                    const std::string &What, SourceLocation Loc) {
  return Phrase("__accx_device_of((", Number,
                "), " + record(PP, Loc, What, false) + ")", Loc);
}

void Planner::placeOnDevice(const Node &N) {
  const Clause *Device = N.D->find(ClauseKind::DeviceId);
  const auto Found = Result.Rewrites.find(&N);
  if (!Device || Found == Result.Rewrites.end())
    return;
  Rewrite &R = Found->second;
  const SourceLocation Loc = Device->Loc;
  const std::string Name = "__accx_device_" + std::to_string(N.D->Ordinal);
  const bool Data = N.D->Kind == DirectiveKind::Data;
  R.Before.prepend({Phrase(
      (Data ? "const int " + Name + " = " : "") + "__accx_device_begin((",
      Device->Values.front(), "), " + record(PP, Loc, "deviceid", false) + ");",
      Loc)});
  R.After.add("__accx_device_end();", Loc);
  if (!Data)
    return;
  // The data's end is on that device; what stands inside says where it goes.
  R.Inside.add("__accx_device_end();", Loc);
  R.InsideEnd.prepend({Phrase("__accx_device_resume(" + Name + ");", Loc)});
}

/// `const unsigned long Name[] = {count, bytes to the next, ...};`, outermost
/// dimension first.
static void addShape(const std::string &Name, const Clause &C, const Item &I,
                     Phrases &Calls) {
  Calls.add("const unsigned long " + Name + "[] = {", C.Loc);
  if (I.Sections.empty())
    Calls.add("1, sizeof(", I.Tokens, ")", C.Loc);
  std::string Element;
  for (const Section &S : I.Sections) {
    Calls.add(Element.empty() ? "" : ", ", C.Loc);
    addCount(I, S, Element, C, Calls);
    Element += "[0]";
    Calls.add("1ul, sizeof((", I.Base, ")" + Element + ")", C.Loc);
  }
  Calls.add("};", C.Loc);
}

/// `address, device, dimensions, shape, name` of one side.
void Planner::addPeer(const Clause &C, const Item &I, const Clause &Device,
                      const std::string &Shape, Phrases &Calls) {
  addAddress(C, I, Calls);
  Calls.add(", ", C.Loc);
  const size_t Dims = std::max<size_t>(I.Sections.size(), 1);
  Calls.push_back(deviceNumber(PP, Device.Values.front(), Device.Spelling.str(),
                               Device.Loc));
  Calls.add(", " + std::to_string(Dims) + ", " + Shape + ", " + recordOf(I),
            Device.Loc);
}

bool Planner::planUpdatePeer(const Node &N, Rewrite &R) {
  const Directive &D = *N.D;
  planQueue(N, R);
  const Clause &To = *D.find(ClauseKind::To), &From = *D.find(ClauseKind::From);
  if (To.Items.size() != From.Items.size()) {
    error(D.Loc, "'update peer' copies each part of 'from' to the same one of "
                 "'to': 'from' names %0, 'to' names %1")
        << unsigned(From.Items.size()) << unsigned(To.Items.size());
    return false;
  }
  Phrases Calls;
  for (unsigned I = 0; I < To.Items.size(); ++I) {
    for (const Clause *Side : {&To, &From}) {
      const ListItem At{&D, unsigned(Side - D.Clauses.data()), I};
      const Item &What = At.item();
      if (F.item(At).Class == TypeClass::Pointer &&
          What.Tokens.front().isNot(tok::kw_this) &&
          (What.Sections.empty() || What.hasNoLength())) {
        error(Side->Loc, "'%0' does not say how much of what '%1' points to is "
                         "copied: write '%1[first:count]'")
            << text(What.Tokens)
            << text(What.Sections.empty() ? What.Tokens : What.Base);
        return false;
      }
      if (namesRows(At)) {
        error(Side->Loc, "'update peer' of '%0': rows behind a table of "
                         "pointers are not supported; name each row")
            << text(What.Tokens);
        return false;
      }
    }
    Calls.add("{", D.Loc);
    addShape("__accx_to", To, To.Items[I], Calls);
    addShape("__accx_from", From, From.Items[I], Calls);
    Calls.add("__accx_update_peer(", D.Loc);
    addPeer(To, To.Items[I], *D.find(ClauseKind::ToDevice), "__accx_to", Calls);
    Calls.add(", ", D.Loc);
    addPeer(From, From.Items[I], *D.find(ClauseKind::FromDevice), "__accx_from",
            Calls);
    Calls.add(", " + record(PP, D.Loc, "update peer", false) + ");}", D.Loc);
  }
  addUnderIf(D, Calls, R.Before);
  return true;
}

} // namespace accx::frontend
