//===- ExportsTest.cpp - The library's dynamic symbols --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime stands in for LLVM's under the loader's eyes: the same name, the
// same symbols with the same versions, and one more that libomp looks for.
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>

namespace {

using Names = std::set<std::string>;

/// Global dynamic symbols that \p Library defines, as nm's type letter and the
/// name with its version. Local ones (lower case) bind to nothing outside.
Names exportsOf(const std::string &Library) {
  Names Exports;
  for (const std::string &Line : linesOf(
           ACCX_NM " -D --with-symbol-versions --defined-only " + Library)) {
    std::istringstream Words(Line);
    std::string Address, Type, Name;
    REQUIRE(Words >> Address >> Type >> Name);
    if (std::isupper(static_cast<unsigned char>(Type[0])))
      Exports.insert(Type + " " + Name);
  }
  return Exports;
}

/// Those of \p A that are not in \p B.
Names without(const Names &A, const Names &B) {
  Names Rest;
  std::set_difference(A.begin(), A.end(), B.begin(), B.end(),
                      std::inserter(Rest, Rest.end()));
  return Rest;
}

/// The values of the dynamic section's entries named \p Tag.
Names dynamicOf(const std::string &Library, const std::string &Tag) {
  Names Values;
  for (const std::string &Line : linesOf(ACCX_READELF " -dW " + Library)) {
    if (Line.find("(" + Tag + ")") == std::string::npos)
      continue;
    size_t Open = Line.find('['), Close = Line.find(']');
    REQUIRE(Close != std::string::npos);
    Values.insert(Line.substr(Open + 1, Close - Open - 1));
  }
  return Values;
}

} // namespace

TEST_CASE("the runtime exports what LLVM's exports") {
  const Names Stock = exportsOf(ACCX_STOCK_OMPTARGET);
  const Names Ours = exportsOf(ACCX_OMPTARGET);
  // 71 functions and the version itself.
  REQUIRE(Stock.size() == 72);
  REQUIRE(Stock.count("T __tgt_target_kernel@@VERS1.0"));
  CHECK(without(Stock, Ours) == Names{});
  Names Others;
  for (const std::string &Name : without(Ours, Stock))
    // The last are what --accx-check puts in place of malloc and the like.
    if (Name.rfind("T acc_", 0) != 0 && Name.rfind("T accx_", 0) != 0 &&
        Name.rfind("T __accx_", 0) != 0 && Name.rfind("T __wrap_", 0) != 0)
      Others.insert(Name);
  // libomp asks for it before it looks for omp_get_num_devices.
  CHECK(Others == Names{"T __tgt_get_num_devices@@VERS1.0"});
}

TEST_CASE("the loader takes the runtime for LLVM's") {
  CHECK(dynamicOf(ACCX_OMPTARGET, "SONAME") ==
        dynamicOf(ACCX_STOCK_OMPTARGET, "SONAME"));
  // Programs record the version they need from a library of this name.
  CHECK(dynamicOf(ACCX_OMPTARGET, "SONAME") == Names{"libomptarget.so.19.1"});
}

TEST_CASE("the runtime needs nothing of LLVM but libomp") {
  for (const std::string &Needed : dynamicOf(ACCX_OMPTARGET, "NEEDED")) {
    INFO(Needed);
    CHECK(Needed.find("LLVM") == std::string::npos);
    CHECK(Needed.find("cuda") == std::string::npos);
  }
}
