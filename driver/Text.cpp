//===- Text.cpp - Lists in options ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Text.h.
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "Message.h"

#include <algorithm>

namespace accx::driver {

std::vector<std::string_view> splitAtCommas(std::string_view List) {
  std::vector<std::string_view> Parts;
  for (size_t Begin = 0; Begin <= List.size();) {
    const size_t End = std::min(List.find(',', Begin), List.size());
    if (End > Begin)
      Parts.push_back(List.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return Parts;
}

void addOnce(std::vector<std::string> &List, std::string Value) {
  if (std::ranges::find(List, Value) == List.end())
    List.push_back(std::move(Value));
}

void join(std::string &Text, const std::string &More) {
  Text += (Text.empty() ? "" : "; ") + More;
}

void failUnknown(std::string_view Option, std::string_view Value,
                 const std::string &Known) {
  fail(std::string(Option) + ": '" + std::string(Value) +
       "' is unknown; known are " + Known);
}

} // namespace accx::driver
