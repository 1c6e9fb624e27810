//===- ImageKind.cpp - Which images a GPU can run -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ImageKind.h.
//
//===----------------------------------------------------------------------===//

#include "ImageKind.h"

#include <algorithm>

using namespace accx;
using namespace accx::cuda;

static constexpr std::string_view Blanks = " \t\r\n";

static bool isNameCharacter(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_' || C == '$' || C == '%';
}

/// What follows blanks and comments at the start of \p Text.
static std::string_view skipBlanks(std::string_view Text) {
  while (true) {
    Text.remove_prefix(std::min(Text.find_first_not_of(Blanks), Text.size()));
    size_t End;
    if (Text.starts_with("//"))
      End = Text.find('\n');
    else if (Text.starts_with("/*"))
      End = Text.find("*/", 2);
    else
      return Text;
    if (End == std::string_view::npos)
      return {};
    Text.remove_prefix(End + (Text[1] == '*' ? 2 : 1));
  }
}

/// The architecture after ".target sm_", and whether letters follow it; 0 if
/// there is none.
static unsigned ptxArchitecture(std::string_view Text, bool &Specific) {
  Specific = false;
  size_t Target = Text.find("\n.target");
  if (Target == std::string_view::npos)
    return 0;
  Text.remove_prefix(Target + 8);
  Text = skipBlanks(Text);
  if (!Text.starts_with("sm_"))
    return 0;
  Text.remove_prefix(3);
  unsigned Value = 0, Digits = 0;
  for (; Digits < Text.size() && Digits < 4; ++Digits) {
    const char C = Text[Digits];
    if (C < '0' || C > '9')
      break;
    Value = Value * 10 + unsigned(C - '0');
  }
  Specific = Digits < Text.size() && Text[Digits] == 'a';
  return Value;
}

accx_status cuda::checkImage(const void *Data, size_t Size, unsigned Major,
                             unsigned Minor, ImageKind &Kind) {
  if (!Data || Size == 0)
    return fail(ACCX_ERROR_IMAGE, "an empty image");
  const unsigned Own = Major * 10 + Minor;
  const Cubin Code(Data, Size);
  if (Code.isElf()) {
    if (accx_status S = Code.check())
      return S;
    const unsigned For = Code.architecture();
    if (For / 10 != Major || For % 10 > Minor ||
        (Code.isArchitectureSpecific() && For != Own))
      return fail(ACCX_ERROR_IMAGE, "code for sm_%u%s, the device is sm_%u",
                  For, Code.isArchitectureSpecific() ? "a" : "", Own);
    Kind = ImageKind::Cubin;
    return ACCX_OK;
  }

  const std::string_view Text(static_cast<const char *>(Data), Size);
  if (!skipBlanks(Text).starts_with(".version"))
    return fail(ACCX_ERROR_IMAGE, "neither a cubin nor PTX");
  bool Specific;
  const unsigned For = ptxArchitecture(Text, Specific);
  if (!For)
    return fail(ACCX_ERROR_IMAGE, "PTX without a target architecture");
  if (For > Own || (Specific && For != Own))
    return fail(ACCX_ERROR_IMAGE, "PTX for sm_%u%s, the device is sm_%u", For,
                Specific ? "a" : "", Own);
  Kind = ImageKind::Ptx;
  return ACCX_OK;
}

std::vector<std::string> cuda::ptxNamesWith(std::string_view Text,
                                            std::string_view Prefix) {
  std::vector<std::string> Found;
  for (size_t At = Text.find(Prefix); At != std::string_view::npos;
       At = Text.find(Prefix, At + 1)) {
    if (At && isNameCharacter(Text[At - 1]))
      continue;
    size_t End = At;
    while (End < Text.size() && isNameCharacter(Text[End]))
      ++End;
    Found.emplace_back(Text.substr(At, End - At));
  }
  std::sort(Found.begin(), Found.end());
  Found.erase(std::unique(Found.begin(), Found.end()), Found.end());
  return Found;
}
