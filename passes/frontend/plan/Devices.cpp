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
  return phrase("__accx_device_of((", Number,
                "), " + record(PP, Loc, What, false) + ")", Loc);
}

void Planner::placeOnDevice(const Node &N) {
  const Clause *Device = N.D->find(ClauseKind::DeviceId);
  const auto Found = Result.Rewrites.find(&N);
  if (!Device || Device->Values.empty() || Found == Result.Rewrites.end())
    return;
  Rewrite &R = Found->second;
  const std::string Name = "__accx_device_" + std::to_string(N.D->Ordinal);
  const Phrase End = phrase("__accx_device_end();", {}, "", Device->Loc);
  const bool Data = N.D->Kind == DirectiveKind::Data;
  R.Before.insert(
      R.Before.begin(),
      phrase((Data ? "const int " + Name + " = " : "") +
                 "__accx_device_begin((",
             Device->Values.front(),
             "), " + record(PP, Device->Loc, "deviceid", false) + ");",
             Device->Loc));
  R.After.push_back(End);
  if (!Data)
    return;
  // The data's end is on that device; what stands inside says where it goes.
  R.Inside.push_back(End);
  R.InsideEnd.insert(
      R.InsideEnd.begin(),
      phrase("__accx_device_resume(" + Name + ");", {}, "", Device->Loc));
}

/// `const unsigned long Name[] = {count, bytes to the next, ...};`, outermost
/// dimension first.
static void addShape(const std::string &Name, const Clause &C, const Item &I,
                     Phrases &Calls) {
  Calls.push_back(
      phrase("const unsigned long " + Name + "[] = {", {}, "", C.Loc));
  if (I.Sections.empty())
    Calls.push_back(phrase("1, sizeof(", I.Tokens, ")", C.Loc));
  std::string Element;
  for (const Section &S : I.Sections) {
    Calls.push_back(phrase(Element.empty() ? "" : ", ", {}, "", C.Loc));
    addCount(I, S, Element, C, Calls);
    Element += "[0]";
    Calls.push_back(
        phrase("1ul, sizeof((", I.Base, ")" + Element + ")", C.Loc));
  }
  Calls.push_back(phrase("};", {}, "", C.Loc));
}

/// `address, device, dimensions, shape, name` of one side.
void Planner::addPeer(const Clause &C, const Item &I, const Clause &Device,
                      const std::string &Shape, Phrases &Calls) {
  addAddress(C, I, Calls);
  Calls.push_back(phrase(", ", {}, "", C.Loc));
  const size_t Dims = std::max<size_t>(I.Sections.size(), 1);
  Calls.push_back(deviceNumber(PP, Device.Values.front(), Device.Spelling.str(),
                               Device.Loc));
  Calls.push_back(phrase(
      ", " + std::to_string(Dims) + ", " + Shape + ", " +
          record(PP, I.Tokens.front().getLocation(), text(I.Tokens), true),
      {}, "", Device.Loc));
}

void Planner::planUpdatePeer(const Node &N) {
  const Directive &D = *N.D;
  Rewrite R;
  planQueue(N, R);
  unsigned Sides[2] = {};
  for (unsigned K = 0; K < D.Clauses.size(); ++K)
    if (D.Clauses[K].Kind == ClauseKind::To)
      Sides[0] = K;
    else if (D.Clauses[K].Kind == ClauseKind::From)
      Sides[1] = K;
  const Clause &To = D.Clauses[Sides[0]], &From = D.Clauses[Sides[1]];
  if (To.Items.size() != From.Items.size()) {
    report(D.Loc, DiagnosticsEngine::Error,
           "'update peer' copies each part of 'from' to the same one of 'to': "
           "'from' names %0, 'to' names %1")
        << unsigned(From.Items.size()) << unsigned(To.Items.size());
    return;
  }
  Phrases Calls;
  for (unsigned I = 0; I < To.Items.size(); ++I) {
    for (unsigned K : Sides) {
      const Item &What = D.Clauses[K].Items[I];
      if (F.item(D.Ordinal, K, I).Class == TypeClass::Pointer &&
          What.Tokens.front().isNot(tok::kw_this) &&
          (What.Sections.empty() || (What.Sections.front().Length.empty() &&
                                     !What.Sections.front().IsElement))) {
        report(D.Clauses[K].Loc, DiagnosticsEngine::Error,
               "'%0' does not say how much of what '%1' points to is copied: "
               "write '%1[first:count]'")
            << text(What.Tokens)
            << text(What.Sections.empty() ? What.Tokens : What.Base);
        return;
      }
      if (namesRows(N, K, I)) {
        report(D.Clauses[K].Loc, DiagnosticsEngine::Error,
               "'update peer' of '%0': rows behind a table of pointers are not "
               "supported; name each row")
            << text(What.Tokens);
        return;
      }
    }
    Calls.push_back(phrase("{", {}, "", D.Loc));
    addShape("__accx_to", To, To.Items[I], Calls);
    addShape("__accx_from", From, From.Items[I], Calls);
    Calls.push_back(phrase("__accx_update_peer(", {}, "", D.Loc));
    addPeer(To, To.Items[I], *D.find(ClauseKind::ToDevice), "__accx_to", Calls);
    Calls.push_back(phrase(", ", {}, "", D.Loc));
    addPeer(From, From.Items[I], *D.find(ClauseKind::FromDevice), "__accx_from",
            Calls);
    Calls.push_back(phrase(
        ", " + record(PP, D.Loc, "update peer", false) + ");}", {}, "", D.Loc));
  }
  addUnderIf(D, std::move(Calls), R.Before);
  Result.Rewrites.emplace(&N, std::move(R));
}

} // namespace accx::frontend
