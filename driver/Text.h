//===- Text.h - Lists in options ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taking the values of options apart and putting messages together.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_TEXT_H
#define ACCX_DRIVER_TEXT_H

#include <string>
#include <string_view>
#include <vector>

namespace accx::driver {

/// The parts of `List` that are not empty.
std::vector<std::string_view> splitAtCommas(std::string_view List);

/// Appends `Value` where `List` does not have it.
void addOnce(std::vector<std::string> &List, std::string Value);

/// Appends `More` behind a semicolon, or alone.
void join(std::string &Text, const std::string &More);

/// Ends the program: `Option` has no such value.
[[noreturn]] void failUnknown(std::string_view Option, std::string_view Value,
                              const std::string &Known);

} // namespace accx::driver

#endif // ACCX_DRIVER_TEXT_H
