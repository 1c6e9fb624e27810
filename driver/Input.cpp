//===- Input.cpp - What an input of the compiler is -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Input.h.
//
//===----------------------------------------------------------------------===//

#include "Input.h"

#include <algorithm>
#include <span>

namespace accx::driver {

namespace {
struct Rule {
  std::string_view Name;
  InputKind Kind;
};
} // namespace

static constexpr Rule Extensions[] = {
    {"c", InputKind::Source},
    {"C", InputKind::Source},
    {"c++", InputKind::Source},
    {"cc", InputKind::Source},
    {"CC", InputKind::Source},
    {"cp", InputKind::Source},
    {"cpp", InputKind::Source},
    {"CPP", InputKind::Source},
    {"cxx", InputKind::Source},
    {"CXX", InputKind::Source},
    {"c++m", InputKind::Source},
    {"ccm", InputKind::Source},
    {"cppm", InputKind::Source},
    {"cxxm", InputKind::Source},
    {"m", InputKind::Source},
    {"M", InputKind::Source},
    {"mm", InputKind::Source},
    {"i", InputKind::Preprocessed},
    {"ii", InputKind::Preprocessed},
    {"mi", InputKind::Preprocessed},
    {"mii", InputKind::Preprocessed},
    {"h", InputKind::Header},
    {"H", InputKind::Header},
    {"hh", InputKind::Header},
    {"hpp", InputKind::Header},
    {"hxx", InputKind::Header},
    {"bc", InputKind::Ir},
    {"ll", InputKind::Ir},
    {"ast", InputKind::Ast},
    {"gch", InputKind::Ast},
    {"pch", InputKind::Ast},
    {"pcm", InputKind::Ast},
    {"iim", InputKind::Ast},
    {"s", InputKind::Assembler},
    {"S", InputKind::Assembler},
    {"asm", InputKind::Assembler},
    {"cl", InputKind::Foreign},
    {"clcpp", InputKind::Foreign},
    {"clii", InputKind::Foreign},
    {"cli", InputKind::Foreign},
    {"cu", InputKind::Foreign},
    {"cui", InputKind::Foreign},
    {"hip", InputKind::Foreign},
    {"hipi", InputKind::Foreign},
    {"hlsl", InputKind::Foreign},
    {"f", InputKind::Foreign},
    {"F", InputKind::Foreign},
    {"f90", InputKind::Foreign},
    {"F90", InputKind::Foreign},
    {"f95", InputKind::Foreign},
    {"F95", InputKind::Foreign},
    {"f03", InputKind::Foreign},
    {"F03", InputKind::Foreign},
    {"f08", InputKind::Foreign},
    {"F08", InputKind::Foreign},
    {"for", InputKind::Foreign},
    {"FOR", InputKind::Foreign},
    {"fpp", InputKind::Foreign},
    {"FPP", InputKind::Foreign},
    {"adb", InputKind::Foreign},
    {"ads", InputKind::Foreign},
    {"ifs", InputKind::Foreign},
};

static constexpr Rule Languages[] = {
    {"c", InputKind::Source},
    {"c++", InputKind::Source},
    {"c++-module", InputKind::Source},
    {"objective-c", InputKind::Source},
    {"objective-c++", InputKind::Source},
    {"cpp-output", InputKind::Preprocessed},
    {"c++-cpp-output", InputKind::Preprocessed},
    {"objective-c-cpp-output", InputKind::Preprocessed},
    {"objc-cpp-output", InputKind::Preprocessed},
    {"objective-c++-cpp-output", InputKind::Preprocessed},
    {"objc++-cpp-output", InputKind::Preprocessed},
    {"c-header", InputKind::Header},
    {"c++-header", InputKind::Header},
    {"c++-system-header", InputKind::Header},
    {"c++-user-header", InputKind::Header},
    {"objective-c-header", InputKind::Header},
    {"objective-c++-header", InputKind::Header},
    {"c-header-cpp-output", InputKind::Header},
    {"c++-header-cpp-output", InputKind::Header},
    {"c++-header-unit-cpp-output", InputKind::Header},
    {"c++-header-unit-header", InputKind::Header},
    {"objective-c-header-cpp-output", InputKind::Header},
    {"objective-c++-header-cpp-output", InputKind::Header},
    {"c++-module-cpp-output", InputKind::Ast},
    {"ast", InputKind::Ast},
    {"pcm", InputKind::Ast},
    {"ir", InputKind::Ir},
    {"assembler", InputKind::Assembler},
    {"assembler-with-cpp", InputKind::Assembler},
    {"object", InputKind::Object},
};

static InputKind lookUp(std::span<const Rule> Rules, std::string_view Name,
                        InputKind Otherwise) {
  const auto *Found = std::find_if(
      Rules.data(), Rules.data() + Rules.size(),
      [Name](const Rule &Candidate) { return Candidate.Name == Name; });
  return Found == Rules.data() + Rules.size() ? Otherwise : Found->Kind;
}

InputKind kindOfLanguage(std::string_view Language) {
  return lookUp(Languages, Language, InputKind::Foreign);
}

static std::string_view extension(std::string_view Path) {
  const size_t Slash = Path.rfind('/');
  const size_t Dot = Path.rfind('.');
  if (Dot == std::string_view::npos ||
      (Slash != std::string_view::npos && Dot < Slash))
    return {};
  return Path.substr(Dot + 1);
}

InputKind kindOfFile(std::string_view Path) {
  return lookUp(Extensions, extension(Path), InputKind::Object);
}

std::string sourceLanguage(std::string_view Path, std::string_view Language,
                           bool IsCxx) {
  const std::string_view Extension = extension(Path);
  const bool ByName = Language.empty();
  const bool IsObjective = ByName ? Extension == "mi" || Extension == "mii"
                                  : Language.starts_with("obj");
  // clang++ takes what was C for C++, but only where no -x says otherwise.
  if (ByName ? IsCxx || Extension == "ii" || Extension == "mii"
             : Language.find("c++") != std::string_view::npos)
    return IsObjective ? "objective-c++" : "c++";
  return IsObjective ? "objective-c" : "c";
}

} // namespace accx::driver
