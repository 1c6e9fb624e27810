// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carrying out plans on simulated memory, and putting them into words.

#include "Rig.h"

#include <catch2/catch.hpp>
#include <cstring>

namespace accx::test {

static std::string text(uintptr_t A) { return std::to_string(A - H); }

std::string Construct::operations() const {
  static const char *const Names[] = {"to ", "from ", "move ", "attach "};
  std::string All;
  for (const Operation &Op : P.Operations) {
    All += All.empty() ? "" : ", ";
    All += Names[Op.Kind] + text(Op.Host);
    if (Op.Kind != Operation::Attach)
      All += "+" + std::to_string(Op.Size);
    for (uint32_t I = 0; I < Op.NumSkips; ++I)
      All += "!" + text(Op.Host + P.Skips[Op.FirstSkip + I].Offset);
  }
  return All;
}

static std::string outcome(const Construct &C) {
  if (C.Result == Outcome::Wait)
    return "wait";
  switch (C.Error.code()) {
  case ErrorCode::NotPresent:
    return "not present";
  case ErrorCode::Extension:
    return "extension";
  case ErrorCode::OutOfMemory:
    return "out of memory";
  default:
    return "error";
  }
}

Construct Rig::start(std::vector<EnterItem> Items) {
  Construct C;
  C.In = std::move(Items);
  C.Result = D.enter(C.In, C.P, C.Error, C.FailedItem);
  return C;
}

Construct Rig::startExit(std::vector<ExitItem> Items) {
  Construct C;
  C.Out = std::move(Items);
  C.Result = D.exit(C.Out, C.P, C.Error, C.FailedItem);
  return C;
}

std::string Rig::enter(std::vector<EnterItem> Items) {
  Construct C = start(std::move(Items));
  if (C.Result != Outcome::Done)
    return outcome(C);
  std::string Text = C.operations();
  finish(C);
  return Text;
}

std::string Rig::exit(std::vector<ExitItem> Items) {
  Construct C = startExit(std::move(Items));
  if (C.Result != Outcome::Done)
    return outcome(C);
  std::string Text = C.operations();
  finish(C);
  return Text;
}

std::string Rig::update(std::vector<UpdateItem> Items) {
  Construct C;
  C.Result = D.update(Items, C.P, C.Error, C.FailedItem);
  if (C.Result != Outcome::Done)
    return outcome(C);
  std::string Text = C.operations();
  finish(C);
  return Text;
}

void Rig::finish(Construct &C) {
  perform(C.P);
  D.settle(C.P);
  REQUIRE(C.P.empty());
}

void Rig::perform(const Plan &P) {
  for (const Operation &Op : P.Operations) {
    uint8_t *To = Memory.at(Op.Device, Op.Size);
    REQUIRE(To);
    if (Op.Kind == Operation::Attach) {
      std::memcpy(To, &Op.Device2, 8);
    } else if (Op.Kind == Operation::WithinDevice) {
      uint8_t *From = Memory.at(Op.Device2, Op.Size);
      REQUIRE(From);
      std::memmove(Memory.at(Op.Device, Op.Size), From, Op.Size);
    } else {
      uint32_t S = Op.FirstSkip, End = S + Op.NumSkips;
      for (size_t I = 0; I < Op.Size; ++I) {
        uint8_t &OnHost = Host[Op.Host - H + I];
        if (S < End && P.Skips[S].Offset == I) {
          if (Op.Kind == Operation::ToDevice)
            std::memcpy(To + I, &P.Skips[S].DeviceValue, 8);
          I += 7;
          ++S;
        } else if (Op.Kind == Operation::ToDevice) {
          To[I] = OnHost;
        } else {
          OnHost = To[I];
        }
      }
    }
  }
}

Entry *Rig::entry(uintptr_t Offset, size_t Size) const {
  Entry *E = D.find(at(Offset, Size));
  return E && E->Host == at(Offset, Size) ? E : nullptr;
}

std::string Rig::counts(uintptr_t Offset, size_t Size) const {
  Entry *E = entry(Offset, Size);
  return E ? std::to_string(E->DynCount) + "/" + std::to_string(E->HoldCount)
           : "-";
}

std::string Rig::entries() const {
  std::string All;
  for (const Entry *E : D.entries())
    All += (All.empty() ? "" : " ") + text(E->Host.Begin) + "+" +
           std::to_string(E->Host.size());
  return All;
}

uint8_t &Rig::device(uintptr_t Offset) {
  Entry *E = D.find(at(Offset, 1));
  REQUIRE(E);
  uint8_t *P = Memory.at(H + Offset + E->Delta, 1);
  REQUIRE(P);
  return *P;
}

uintptr_t Rig::devicePointer(uintptr_t Offset) {
  Entry *E = D.find(at(Offset, 8));
  REQUIRE(E);
  uint8_t *P = Memory.at(H + Offset + E->Delta, 8);
  REQUIRE(P);
  uintptr_t Value;
  std::memcpy(&Value, P, 8);
  return Value;
}

} // namespace accx::test
