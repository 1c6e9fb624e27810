// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints Clang's options that take values from the following arguments, in the
// form of driver/ValuedOptions.def. Those of them that are prefixes, such as
// -Xarch_<name>, are the driver's own business.

#include "clang/Driver/Options.h"
#include <cstdio>
#include <cstring>

namespace {
enum Kind {
  Group,
  Input,
  Unknown,
  Flag,
  Joined,
  Values,
  Separate,
  RemainingArgs,
  RemainingArgsJoined,
  CommaJoined,
  MultiArg,
  JoinedOrSeparate,
  JoinedAndSeparate,
};

void print(Kind OptionKind, const char *Name, unsigned Parameter,
           unsigned Visibility, bool OneDashOrTwo) {
  if (!(Visibility & llvm::opt::DefaultVis) || Name[0] != '-')
    return;
  unsigned Count = 1;
  if (OptionKind == MultiArg)
    Count = Parameter;
  else if (OptionKind != Separate && OptionKind != JoinedOrSeparate)
    return;
  std::printf("VALUED(\"%s\", %u)\n", Name, Count);
  if (OneDashOrTwo)
    std::printf("VALUED(\"-%s\", %u)\n", Name, Count);
}
} // namespace

using namespace clang::driver::options;
using llvm::opt::DefaultVis;

int main() {
#define OPTION(PREFIX, NAME, ID, KIND, GROUP, ALIAS, ALIASARGS, FLAGS,         \
               VISIBILITY, PARAM, ...)                                         \
  print(KIND, NAME, PARAM, VISIBILITY, std::strcmp(#PREFIX, "prefix_4") == 0);
#include "clang/Driver/Options.inc"
#undef OPTION
}
