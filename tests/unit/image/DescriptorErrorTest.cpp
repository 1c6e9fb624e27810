//===- DescriptorErrorTest.cpp - Launches with a bad descriptor -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose descriptor or chain is unusable is never launched: the
// program ends, naming the kernel, the field and the construct.
//
//===----------------------------------------------------------------------===//

#include "DescribedImage.h"

#include "harness/Child.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>

using namespace accx;
using namespace harness;

namespace {

struct Case {
  std::function<void(DescribedImage &)> Damage;
  std::string Kernel;
  std::string Says;
};

const std::map<std::string, Case> &cases() {
  static const std::map<std::string, Case> All = {
      {"unfilled",
       {[](DescribedImage &) {}, "whole",
        "descriptor 'whole_accx_desc': magic is"}},
      {"cut",
       {[](DescribedImage &I) {
          accx_kernel_desc D = plainDescriptor();
          I.put("cut", &D, 79);
        },
        "cut", "descriptor 'cut_accx_desc': the size is 79"}},
      {"tiny",
       {[](DescribedImage &I) {
          accx_kernel_desc D = plainDescriptor();
          I.put("tiny", &D, 24);
        },
        "tiny", "descriptor 'tiny_accx_desc': the size is 24"}},
      {"longer-than-symbol",
       {[](DescribedImage &I) {
          accx_kernel_desc D = plainDescriptor();
          D.num_chain = 1;
          D.chain_bytes = 5;
          D.total_bytes = 85;
          I.describe("head", D);
        },
        "head", "descriptor 'head_accx_desc': total_bytes is 85"}},
      {"version",
       {[](DescribedImage &I) {
          accx_kernel_desc D = plainDescriptor();
          D.version = 9;
          I.describe("whole", D);
        },
        "whole", "version is 9, this runtime reads 1"}},
      {"no-workspace-flag",
       {[](DescribedImage &I) {
          accx_kernel_desc D = plainDescriptor();
          D.workspace_bytes = 8;
          I.describe("whole", D);
        },
        "whole", "a workspace has to be passed"}},
      {"missing-member",
       {[](DescribedImage &I) {
          I.chain("whole", plainDescriptor(), {"sub0", "nowhere"});
        },
        "whole", "kernel 'nowhere'"}},
      {"member-with-workspace",
       {[](DescribedImage &I) {
          accx_kernel_desc D = plainDescriptor();
          D.flags = ACCX_DESC_PASS_WORKSPACE;
          D.workspace_bytes = 8;
          I.chain("whole", plainDescriptor(), {"sub1"});
          I.describe("sub1", D);
        },
        "whole", "'sub1' asks for a workspace"}},
      {"member-with-chain",
       {[](DescribedImage &I) {
          I.chain("whole", plainDescriptor(), {"sub0", "sub1"});
          I.chain("sub1", plainDescriptor(), {"sub2"});
        },
        "whole", "'sub1' has a chain of its own"}},
      {"bad-member",
       {[](DescribedImage &I) {
          I.chain("whole", plainDescriptor(), {"sub0", "sub1"});
        },
        "whole", "descriptor 'sub1_accx_desc': magic is"}},
  };
  return All;
}

} // namespace

TEST_CASE("launch-with-bad-descriptor", "[.]") {
  const Case &C = cases().at(std::getenv("BAD_DESCRIPTOR"));
  DescribedImage Image;
  C.Damage(Image);
  Library Lib(Image.bytes());
  void *Region = Lib.kernel(C.Kernel);
  Lib.registerNow();
  auto R = std::make_unique<record>();
  static record *Seen = R.get();
  // Catch's own handler would not know the record.
  std::signal(SIGABRT,
              [](int) { std::fprintf(stderr, "calls=%u\n", Seen->calls); });
  Arguments().literal(R.get()).target(0, Region, 10, ";solver.c;step;42;7;;");
}

TEST_CASE("A bad descriptor ends the program before anything runs") {
  for (const auto &[Name, C] : cases()) {
    DYNAMIC_SECTION(Name) {
      Child Run =
          runCase("launch-with-bad-descriptor", {{"BAD_DESCRIPTOR", Name}});
      INFO(Run.Err);
      CHECK(Run.Signal == SIGABRT);
      CHECK(Run.has(C.Says));
      CHECK(Run.has("calls=0"));
      CHECK(Run.has("solver.c:42:7: omptarget fatal error 1: "));
    }
  }
}
