//===- ForeignRemarks.cpp - -Minfo and -Mneginfo --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NVHPC's options for messages become: remarks of the front end and of
// passes.
//
//===----------------------------------------------------------------------===//

#include "ForeignOptions.h"
#include "Message.h"
#include "Text.h"

#include <algorithm>

namespace accx::driver {

using std::string_view;

namespace {
/// What -Minfo= asks to hear of.
struct Topic {
  string_view Name;
  bool Directives;
  string_view Passes;
};
} // namespace

static constexpr string_view DevicePasses =
    "grid-loop|grid-nest|hier-reduce|simt-lanes|smc-tile|workitem-loops|"
    "serial-regions|small-regions";
static constexpr string_view VectorPasses =
    "loop-vectorize|slp-vectorizer|simd-.*";

static constexpr Topic Topics[] = {
    {"accel", true, DevicePasses},
    {"acc", true, DevicePasses},
    {"mp", true, DevicePasses},
    {"par", true, DevicePasses},
    {"stdpar", true, DevicePasses},
    {"all", true, "."},
    {"vect", false, VectorPasses},
    {"loop", false, "loop-vectorize|slp-vectorizer|simd-.*|loop-unroll"},
    {"opt", false, "loop-vectorize|slp-vectorizer|simd-.*|loop-unroll"},
    {"unroll", false, "loop-unroll"},
    {"inline", false, "inline"},
    {"lre", false, "gvn|licm"},
    {"ftn", false, ""},
    {"intensity", false, ""},
    {"ipa", false, ""},
    {"pcast", false, ""},
    {"pfo", false, ""},
    {"time", false, ""},
    {"unified", false, ""},
};

std::string Foreign::takeRemarks(string_view Option, string_view Values) {
  const bool Missed = Option == "-Mneginfo";
  std::string Became;
  for (string_view Value :
       splitAtCommas(Values.empty() ? "accel,vect" : Values)) {
    const auto *Found = std::ranges::find(Topics, Value, &Topic::Name);
    if (Found == std::end(Topics)) {
      std::string Known;
      for (const Topic &T : Topics)
        Known += (Known.empty() ? "" : ", ") + std::string(T.Name);
      failUnknown(Option, Value, Known);
    }
    if (!Found->Directives && Found->Passes.empty()) {
      join(Became, std::string(Value) + " has no effect");
      continue;
    }
    const std::string Passes(Found->Passes);
    // Directives are read once for each target, and told of once.
    if (Found->Directives && !Missed)
      addOnce(HostRemarks, "accx");
    if (!Missed)
      addOnce(DeviceRemarks, Passes);
    // A refusal is what -Minfo=accel is asked for.
    if (Missed || Found->Directives)
      addOnce(MissedRemarks, Passes == "." ? std::string(DevicePasses) + "|" +
                                                 std::string(VectorPasses)
                                           : Passes);
    if (!Found->Directives && !Missed)
      addOnce(HostRemarks, Passes);
    join(Became, std::string(Value) + " becomes remarks (-Rpass" +
                     (Missed ? "-missed" : "") + ")");
  }
  return Became;
}

/// One regular expression: of several flags Clang takes the last.
static std::string anyOf(const std::vector<std::string> &Names) {
  // Everything covers the rest.
  if (std::ranges::find(Names, ".") != Names.end())
    return ".";
  std::string Expression;
  for (const std::string &Name : Names)
    Expression += (Expression.empty() ? "^(" : "|") + Name;
  return Expression + ")$";
}

std::vector<std::string> Foreign::remarkFlags(bool Offloads) const {
  std::vector<std::string> Flags;
  const auto Add = [&](const char *Where, const char *Flag,
                       const std::vector<std::string> &Names) {
    if (Names.empty())
      return;
    if (Offloads)
      Flags.emplace_back(Where);
    Flags.push_back(Flag + anyOf(Names));
  };
  Add("-Xarch_host", "-Rpass=", HostRemarks);
  if (Offloads) {
    Add("-Xarch_device", "-Rpass=", DeviceRemarks);
    Add("-Xarch_device", "-Rpass-missed=", MissedRemarks);
  }
  return Flags;
}

} // namespace accx::driver
