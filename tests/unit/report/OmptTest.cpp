// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which callbacks a tool gets, in which order and with which arguments.

#include "Child.h"

#include <catch2/catch.hpp>

namespace {

using Lines = std::vector<std::string>;

Lines events(const std::string &Mode, const std::string &What) {
  Child C = run(ACCX_OMPT_PROBE, {Mode, What});
  INFO(C.Out);
  INFO(C.Err);
  CHECK(C.ExitCode == 0);
  CHECK(C.Err.empty());
  return lines(C.Out);
}

} // namespace

TEST_CASE("Plain callbacks get identifiers from the runtime") {
  CHECK(events("plain", "construct") ==
        Lines{"connect", "enabled=1",
              "target begin kind=1 device=1 task=11 id=1 code=0xc0de",
              "data-op target=1 id=2 op=1 src=0x10@4 dst=0xd0@1 bytes=64 "
              "code=0xc0de",
              "data-op target=1 id=3 op=2 src=0x10@4 dst=0xd0@1 bytes=64 "
              "code=0xc0de",
              "submit target=1 id=4 teams=7",
              "data-op target=1 id=5 op=3 src=0xd0@1 dst=0x10@4 bytes=8 "
              "code=0xc0de",
              "data-op target=1 id=6 op=4 src=0xd0@1 dst=(nil)@-1 bytes=0 "
              "code=0xc0de",
              "target end kind=1 device=1 task=11 id=1 code=0xc0de",
              "address afterwards: 0"});
}

TEST_CASE("EMI callbacks come in pairs with the tool's identifiers") {
  CHECK(events("emi", "construct") ==
        Lines{"connect", "enabled=1",
              "target-emi begin kind=1 device=1 task=11 target_task=22 "
              "target=1000 code=0xc0de",
              "data-op-emi begin target_task=22 target=1000 id=1001 op=1 "
              "src=0x10@4 dst=(nil)@1 bytes=64 code=0xc0de",
              "data-op-emi end target_task=22 target=1000 id=1001 op=1 "
              "src=0x10@4 dst=0xd0@1 bytes=64 code=0xc0de",
              "data-op-emi begin target_task=22 target=1000 id=1002 op=2 "
              "src=0x10@4 dst=0xd0@1 bytes=64 code=0xc0de",
              "data-op-emi end target_task=22 target=1000 id=1002 op=2 "
              "src=0x10@4 dst=0xd0@1 bytes=64 code=0xc0de",
              "submit-emi begin target=1000 id=1003 teams=7",
              "data-op-emi begin target_task=22 target=1000 id=1004 op=3 "
              "src=0xd0@1 dst=0x10@4 bytes=8 code=0xc0de",
              "data-op-emi end target_task=22 target=1000 id=1004 op=3 "
              "src=0xd0@1 dst=0x10@4 bytes=8 code=0xc0de",
              // The identifier of its begin, not that of the copy inside.
              "submit-emi end target=1000 id=1003 teams=7",
              "data-op-emi begin target_task=22 target=1000 id=1005 op=4 "
              "src=0xd0@1 dst=(nil)@-1 bytes=0 code=0xc0de",
              "data-op-emi end target_task=22 target=1000 id=1005 op=4 "
              "src=0xd0@1 dst=(nil)@-1 bytes=0 code=0xc0de",
              "target-emi end kind=1 device=1 task=11 target_task=22 "
              "target=1000 code=0xc0de",
              "address afterwards: 0"});
}

TEST_CASE("The EMI form is preferred where both are registered") {
  Lines Events = events("both", "construct");
  REQUIRE(Events.size() == 14);
  for (const std::string &Event : Events) {
    CHECK(Event.rfind("target begin", 0) != 0);
    CHECK(Event.rfind("data-op target", 0) != 0);
  }
  // The tool of this mode has no EMI form of this one.
  CHECK(Events[7].rfind("submit target=1000 id=", 0) == 0);
}

TEST_CASE("A region inside another leaves it as it was") {
  CHECK(events("emi", "nested") ==
        Lines{"connect", "enabled=1",
              "target-emi begin kind=2 device=0 task=11 target_task=22 "
              "target=1000 code=0xc0de",
              "target-emi begin kind=4 device=2 task=11 target_task=22 "
              "target=1001 code=0xc0de",
              "target-emi end kind=4 device=2 task=11 target_task=22 "
              "target=1001 code=0xc0de",
              "data-op-emi begin target_task=22 target=1000 id=1002 op=1 "
              "src=0x10@4 dst=(nil)@0 bytes=4 code=0xc0de",
              "data-op-emi end target_task=22 target=1000 id=1002 op=1 "
              "src=0x10@4 dst=0xd0@0 bytes=4 code=0xc0de",
              "data-op-emi begin target_task=22 target=1000 id=1003 op=5 "
              "src=0x10@4 dst=0xd0@0 bytes=4 code=0xc0de",
              "data-op-emi end target_task=22 target=1000 id=1003 op=5 "
              "src=0x10@4 dst=0xd0@0 bytes=4 code=0xc0de",
              "target-emi end kind=2 device=0 task=11 target_task=22 "
              "target=1000 code=0xc0de"});
}

TEST_CASE("Threads that libomp does not know have task data of their own") {
  CHECK(events("emi", "moved") ==
        Lines{"connect", "enabled=1",
              "target-emi begin kind=3 device=3 task=0 target_task=0 "
              "target=1000 code=0xf00d",
              "data-op-emi begin target_task=0 target=1000 id=1001 op=3 "
              "src=0xd0@3 dst=0x10@4 bytes=8 code=0xf00d",
              "data-op-emi end target_task=0 target=1000 id=1001 op=3 "
              "src=0xd0@3 dst=0x10@4 bytes=8 code=0xf00d",
              "target-emi end kind=3 device=3 task=0 target_task=0 target=1000 "
              "code=0xf00d",
              "address afterwards: 0",
              // Outside of a construct there is no target task.
              "data-op-emi begin target_task=-1 target=0 id=1002 op=6 "
              "src=0x10@4 dst=(nil)@3 bytes=0 code=(nil)",
              "data-op-emi end target_task=-1 target=0 id=1002 op=6 "
              "src=0x10@4 dst=(nil)@3 bytes=0 code=(nil)"});
}

TEST_CASE("Devices are announced with a look-up function") {
  CHECK(events("plain", "devices") ==
        Lines{"connect", "enabled=1",
              "initialize 2 kind handle=1 trace=0 callback=1",
              "load 2 image.o offset=0 vma=(nil) bytes=99 device=(nil) "
              "module=1",
              "unload 2 module=0x1000", "finalize 2"});
}

TEST_CASE("A tool for the host alone, or none, gets no events") {
  for (const char *Mode : {"host", "inactive"}) {
    CHECK(events(Mode, "construct") ==
          Lines{"connect", "enabled=0", "address afterwards: 0"});
    CHECK(events(Mode, "devices") == Lines{"connect", "enabled=0"});
  }
}

TEST_CASE("Plugins connect through ompt_libomptarget_connect") {
  CHECK(events("emi", "plugin") == Lines{"connect", "enabled=1",
                                         "plugin initialize callback=1",
                                         "plugin finalize"});
  CHECK(events("host", "plugin") == Lines{"connect", "enabled=0",
                                          "plugin initialize callback=1",
                                          "plugin finalize"});
  CHECK(events("inactive", "plugin") == Lines{"connect", "enabled=0"});
}

TEST_CASE("After the tool's end nothing is called") {
  CHECK(events("emi", "ended") ==
        Lines{"connect", "enabled=1",
              "target-emi begin kind=1 device=1 task=11 target_task=22 "
              "target=1000 code=0xc0de",
              "enabled=0"});
}
