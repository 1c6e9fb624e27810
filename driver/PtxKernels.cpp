//===- PtxKernels.cpp - Kernels in PTX and in what ptxas says -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PtxKernels.h.
//
//===----------------------------------------------------------------------===//

#include "PtxKernels.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace accx::driver {

using std::string_view;

constexpr string_view Blanks = " \t\r\n";

/// The number that Text begins with, blanks ahead of it left out.
static std::optional<unsigned> numberAt(string_view Text) {
  Text.remove_prefix(std::min(Text.find_first_not_of(Blanks), Text.size()));
  unsigned Number = 0;
  const auto Read =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  if (Read.ec != std::errc())
    return std::nullopt;
  return Number;
}

/// The number in front of What, as in "12 bytes smem".
static unsigned numberBefore(string_view Line, string_view What) {
  const size_t End = Line.find(What);
  if (End == string_view::npos)
    return 0;
  size_t Begin = End;
  while (Begin > 0 && Line[Begin - 1] >= '0' && Line[Begin - 1] <= '9')
    --Begin;
  return numberAt(Line.substr(Begin, End - Begin)).value_or(0);
}

/// The product of up to three numbers behind Directive; 0 if it is not there.
static unsigned extentOf(string_view Directives, string_view Directive) {
  const size_t At = Directives.find(Directive);
  if (At == string_view::npos)
    return 0;
  Directives.remove_prefix(At + Directive.size());
  Directives = Directives.substr(0, Directives.find('.'));
  unsigned Product = 1;
  for (unsigned I = 0; I < 3; ++I) {
    const auto Number = numberAt(Directives);
    if (!Number)
      return 0;
    Product *= *Number;
    const size_t Comma = Directives.find(',');
    if (Comma == string_view::npos)
      break;
    Directives.remove_prefix(Comma + 1);
  }
  return Product;
}

std::vector<PtxKernel> kernelsIn(string_view Ptx) {
  constexpr string_view Entry = ".entry";
  std::vector<PtxKernel> Kernels;
  for (size_t At = 0; (At = Ptx.find(Entry, At)) != string_view::npos;) {
    At += Entry.size();
    const size_t Name = Ptx.find_first_not_of(Blanks, At);
    const size_t Parameters = Ptx.find('(', At);
    const size_t Body = Ptx.find('{', At);
    if (Name == At || Name >= Parameters || Parameters >= Body ||
        Body == string_view::npos)
      continue;
    const size_t Directives = Ptx.rfind(')', Body);
    if (Directives == string_view::npos || Directives < Parameters)
      continue;
    const string_view Said = Ptx.substr(Directives, Body - Directives);
    unsigned Threads = extentOf(Said, ".maxntid");
    if (!Threads)
      Threads = extentOf(Said, ".reqntid");
    if (Threads && Said.find(".minnctapersm") == string_view::npos &&
        Said.find(".maxnreg") == string_view::npos)
      Kernels.push_back({std::string(Ptx.substr(
                             Name, Ptx.find_first_of(" \t\r\n(", Name) - Name)),
                         Threads, Body});
    At = Body;
  }
  return Kernels;
}

/// Calls Each with every line of Text, its end included.
template <typename Fn> static void forEachLine(string_view Text, Fn Each) {
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Each(Text.substr(0, End));
    Text.remove_prefix(End);
  }
}

std::map<std::string, KernelUsage> usageIn(string_view Report) {
  constexpr string_view Begin = "Compiling entry function '";
  constexpr string_view Function = "Function properties for ";
  std::map<std::string, KernelUsage> All;
  std::string Kernel;
  // Functions that a kernel calls are reported between its lines.
  bool IsKernel = false;
  forEachLine(Report, [&](string_view Line) {
    if (size_t At = Line.find(Begin); At != string_view::npos) {
      Line.remove_prefix(At + Begin.size());
      Kernel = Line.substr(0, Line.find('\''));
    } else if (At = Line.find(Function); At != string_view::npos) {
      Line.remove_prefix(At + Function.size());
      IsKernel = Line.substr(0, Line.find_first_of(Blanks)) == Kernel;
    } else if (Kernel.empty()) {
      return;
    } else if (Line.find("bytes spill stores") != string_view::npos) {
      if (IsKernel)
        All[Kernel].SpillStores = numberBefore(Line, " bytes spill stores");
    } else if (Line.find(" registers") != string_view::npos) {
      All[Kernel].Registers = numberBefore(Line, " registers");
      All[Kernel].SharedBytes = numberBefore(Line, " bytes smem");
      Kernel.clear();
    }
  });
  return All;
}

std::string withoutUsage(string_view Report) {
  std::string Rest;
  forEachLine(Report, [&](string_view Line) {
    // Advice has a number.
    const bool IsAdvice = Line.find(" : (C") != string_view::npos;
    if (IsAdvice ||
        (!Line.starts_with("ptxas info") && !Line.starts_with("    ")))
      Rest += Line;
  });
  return Rest;
}

} // namespace accx::driver
