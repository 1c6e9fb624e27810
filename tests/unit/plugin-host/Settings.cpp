//===- Settings.cpp - The ACCX_HOST_* variables ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that count and values that are refused.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstring>

TEST_CASE("four devices by default") {
  Environment Clean({{"ACCX_HOST_DEVICES", ""}});
  uint32_t Count = 0;
  REQUIRE(plugin().init(&Count) == ACCX_OK);
  CHECK(Count == 4);
}

TEST_CASE("the number of devices can be chosen") {
  for (uint32_t Want : {0u, 1u, 7u, 1024u}) {
    Environment E({{"ACCX_HOST_DEVICES", std::to_string(Want).c_str()}});
    uint32_t Count = 99;
    REQUIRE(plugin().init(&Count) == ACCX_OK);
    CHECK(Count == Want);
  }
}

TEST_CASE("unified memory is a feature") {
  Devices D({{"ACCX_HOST_UNIFIED", "1"}});
  accx_device_info Info;
  REQUIRE(plugin().device_info(D[0], &Info) == ACCX_OK);
  CHECK((Info.features & ACCX_FEATURE_UNIFIED));
}

TEST_CASE("memory sizes with suffixes") {
  const std::pair<const char *, uint64_t> Sizes[] = {
      {"123", 123},          {"4k", 4096},       {"4K", 4096},
      {"3m", 3u << 20},      {"2G", 2ull << 30}, {"5g", 5ull << 30},
      {"4194304", 4u << 20},
  };
  for (auto [Text, Bytes] : Sizes) {
    Devices D({{"ACCX_HOST_MEMORY", Text}, {"ACCX_HOST_DEVICES", "1"}});
    uint64_t Free = 0, Total = 0;
    REQUIRE(plugin().memory_info(D[0], &Free, &Total) == ACCX_OK);
    CHECK(Total == Bytes);
    CHECK(Free == Bytes);
  }
}

TEST_CASE("bad values are refused and named") {
  const std::pair<const char *, const char *> Bad[] = {
      {"ACCX_HOST_DEVICES", "-1"},
      {"ACCX_HOST_DEVICES", "four"},
      {"ACCX_HOST_DEVICES", "4 "},
      {"ACCX_HOST_DEVICES", "1025"},
      {"ACCX_HOST_DEVICES", "99999999999999999999"},
      {"ACCX_HOST_UNIFIED", "yes"},
      {"ACCX_HOST_UNIFIED", "2"},
      {"ACCX_HOST_MEMORY", "0"},
      {"ACCX_HOST_MEMORY", "G"},
      {"ACCX_HOST_MEMORY", "1T"},
      {"ACCX_HOST_MEMORY", "17179869184G"},
      {"ACCX_HOST_MEMORY", "1.5G"},
      {"ACCX_HOST_BIND", "true"},
      {"ACCX_HOST_STREAM", "-1"},
      {"ACCX_HOST_STREAM", "32MB"},
      {"ACCX_CHECK", "3"},
      {"ACCX_CHECK", "on"},
  };
  for (auto [Name, Value] : Bad) {
    Environment E({{Name, Value}});
    uint32_t Count = 0;
    CHECK(plugin().init(&Count) == ACCX_ERROR_INVALID);
    std::string Text = plugin().last_error();
    INFO(Text);
    CHECK(Text.find(std::string(Name) + "=" + Value + ": must be") == 0);
    CHECK(Text.find('\n') == std::string::npos);
  }
}
