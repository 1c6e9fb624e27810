//===- IrType.cpp - Layouts of types in LLVM IR ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See IrType.h.
//
//===----------------------------------------------------------------------===//

#include "IrType.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>

namespace {

size_t roundUp(size_t Value, size_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

void skipSpace(const std::string &Text, size_t &At) {
  while (At < Text.size() && Text[At] == ' ')
    ++At;
}

/// Steps over \p Token if it comes next.
bool take(const std::string &Text, size_t &At, const std::string &Token) {
  skipSpace(Text, At);
  if (Text.compare(At, Token.size(), Token) != 0)
    return false;
  At += Token.size();
  return true;
}

size_t takeNumber(const std::string &Text, size_t &At) {
  skipSpace(Text, At);
  size_t Value = 0, Begin = At;
  while (At < Text.size() && std::isdigit(static_cast<unsigned char>(Text[At])))
    Value = Value * 10 + (Text[At++] - '0');
  REQUIRE(At > Begin);
  return Value;
}

} // namespace

IrModule::IrModule(const std::vector<std::string> &Lines) {
  for (const std::string &Line : Lines) {
    static const std::string IsType = " = type ";
    if (size_t At = Line.find(IsType);
        Line.rfind("%", 0) == 0 && At != std::string::npos)
      Types[Line.substr(1, At - 1)] = Line.substr(At + IsType.size());
    if (Line.rfind("declare ", 0) != 0)
      continue;
    size_t Name = Line.find('@'), Open = Line.find('(', Name);
    size_t Close = Line.find(')', Open);
    REQUIRE(Close != std::string::npos);
    Functions[Line.substr(Name + 1, Open - Name - 1)] =
        Line.substr(8, Name - 8) + Line.substr(Open, Close + 1 - Open);
  }
}

IrLayout IrModule::layout(const std::string &Name) const {
  INFO("type %" << Name);
  auto It = Types.find(Name);
  REQUIRE(It != Types.end());
  size_t At = 0;
  return parse(It->second, At);
}

std::string IrModule::signature(const std::string &Function) const {
  auto It = Functions.find(Function);
  return It == Functions.end() ? "" : It->second;
}

IrLayout IrModule::parse(const std::string &Text, size_t &At) const {
  INFO("\"" << Text << "\" from " << At);
  if (take(Text, At, "ptr"))
    return {8, 8, {}};
  if (take(Text, At, "double"))
    return {8, 8, {}};
  if (take(Text, At, "{")) {
    IrLayout Whole;
    do {
      IrLayout Member = parse(Text, At);
      Whole.Size = roundUp(Whole.Size, Member.Alignment);
      Whole.Offsets.push_back(Whole.Size);
      Whole.Size += Member.Size;
      Whole.Alignment = std::max(Whole.Alignment, Member.Alignment);
    } while (take(Text, At, ","));
    REQUIRE(take(Text, At, "}"));
    Whole.Size = roundUp(Whole.Size, Whole.Alignment);
    return Whole;
  }
  if (take(Text, At, "[")) {
    size_t Count = takeNumber(Text, At);
    REQUIRE(take(Text, At, "x"));
    IrLayout Element = parse(Text, At);
    REQUIRE(take(Text, At, "]"));
    return {Count * Element.Size, Element.Alignment, {}};
  }
  if (take(Text, At, "%")) {
    size_t End = Text.find_first_of(" ,}]", At);
    std::string Name = Text.substr(At, End - At);
    At = End;
    return layout(Name);
  }
  REQUIRE(take(Text, At, "i"));
  size_t Bytes = takeNumber(Text, At) / 8;
  REQUIRE((Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8));
  return {Bytes, Bytes, {}};
}
