//===- KernelName.cpp - Names of kernels for people -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the symbols apart that clang gives to target regions:
//
//   __omp_offloading_<device>_<file>_<function>_l<line>[_<count>][<more>]
//
// where <more> is what passes append. Decoded names are kept: traces ask for
// them at every launch.
//
//===----------------------------------------------------------------------===//

#include "report/KernelName.h"

#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <mutex>
#include <unordered_map>

using namespace accx;

namespace {

struct Decoded {
  std::string Function;
  int Line = 0;
};

bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// Removes "<hexadecimal>_" from the front.
bool cutNumber(std::string_view &Text) {
  size_t Length = 0;
  while (Length < Text.size() &&
         isxdigit(static_cast<unsigned char>(Text[Length])))
    ++Length;
  if (Length == 0 || Length == Text.size() || Text[Length] != '_')
    return false;
  Text.remove_prefix(Length + 1);
  return true;
}

/// Cuts the parameters off "void f<int>(double*)", and the type before it,
/// which templates have. What is no plain name is left alone.
std::string withoutTypes(std::string Text) {
  if (Text.find("operator") != std::string::npos)
    return Text;
  if (size_t End = Text.rfind(')'); End != std::string::npos) {
    int Depth = 0;
    for (size_t I = End + 1; I-- > 0;) {
      Depth += Text[I] == ')' ? 1 : Text[I] == '(' ? -1 : 0;
      if (Depth == 0) {
        Text.resize(I);
        break;
      }
    }
  }
  int Depth = 0;
  for (size_t I = Text.size(); I-- > 0;) {
    const char C = Text[I];
    if (C == '>' || C == ')' || C == '}')
      ++Depth;
    else if (C == '<' || C == '(' || C == '{')
      --Depth;
    else if (C == ' ' && Depth == 0)
      return Text.substr(I + 1);
  }
  return Text;
}

std::string demangled(const std::string &Symbol) {
  if (Symbol.rfind("_Z", 0) != 0)
    return Symbol;
  int Failure = 0;
  char *Text = abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Failure);
  if (!Text)
    return Symbol;
  std::string Result = withoutTypes(Text);
  free(Text);
  return Result.empty() ? Symbol : Result;
}

Decoded decode(std::string_view Symbol) {
  constexpr std::string_view Prefix = "__omp_offloading_";
  std::string_view Rest = Symbol;
  if (!Rest.starts_with(Prefix))
    return {std::string(Symbol), 0};
  Rest.remove_prefix(Prefix.size());
  if (!cutNumber(Rest) || !cutNumber(Rest))
    return {std::string(Symbol), 0};
  // The last "_l<digits>" that ends or is followed by no letter or digit.
  for (size_t At = Rest.rfind("_l"); At != std::string_view::npos && At > 0;
       At = Rest.rfind("_l", At - 1)) {
    size_t End = At + 2;
    while (End < Rest.size() && isDigit(Rest[End]))
      ++End;
    if (End == At + 2 || End - At > 11 ||
        (End < Rest.size() && isalnum(static_cast<unsigned char>(Rest[End]))))
      continue;
    Decoded Result = {
        demangled(std::string(Rest.substr(0, At))),
        atoi(std::string(Rest.substr(At + 2, End - At - 2)).c_str())};
    std::string_view More = Rest.substr(End);
    if (More.size() > 1 && More[0] == '_' && isDigit(More[1])) {
      More.remove_prefix(1);
      size_t Length = 0;
      while (Length < More.size() && isDigit(More[Length]))
        ++Length;
      Result.Function.append(" #").append(More.substr(0, Length));
      More.remove_prefix(Length);
    }
    while (!More.empty() && (More[0] == '_' || More[0] == '.'))
      More.remove_prefix(1);
    if (!More.empty())
      Result.Function.append(" ").append(More);
    return Result;
  }
  return {std::string(Symbol), 0};
}

/// Never destroyed: kernels run while the process ends.
const Decoded &known(const char *Symbol) {
  static std::mutex Mutex;
  static auto &Names = *new std::unordered_map<std::string, Decoded>;
  std::lock_guard Lock(Mutex);
  auto [Place, IsNew] = Names.try_emplace(Symbol);
  if (IsNew)
    Place->second = decode(Symbol);
  return Place->second;
}

} // namespace

std::string accx::kernelFunction(const char *Symbol, int &Line) {
  // Names of other kinds are as many as the program likes.
  if (std::string_view(Symbol).starts_with("__omp_offloading_")) {
    const Decoded &Name = known(Symbol);
    Line = Name.Line;
    return Name.Function;
  }
  Line = 0;
  return itemName(Symbol);
}

std::string accx::kernelPhrase(const char *Symbol) {
  int Line = 0;
  const std::string Function = kernelFunction(Symbol, Line);
  return "kernel '" + Function + "'" +
         (Line ? " of line " + std::to_string(Line) : "");
}

std::string accx::kernelLabel(const char *Symbol, const Ident *Loc) {
  int Line = 0;
  std::string Function = kernelFunction(Symbol, Line);
  const SourceLocation At = SourceLocation::ofConstruct(Loc);
  if (At.Known)
    return std::string(At.File) + ":" + std::to_string(At.Line) + " " +
           Function;
  return Line ? Function + ", line " + std::to_string(Line) : Function;
}
