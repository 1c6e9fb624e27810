//===- EnvironmentReader.h - From text to typed settings --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the values of environment variables are read; apart from Environment.h
// so that tests can give their own variables and see the complaints.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_ENVIRONMENTREADER_H
#define ACCX_SUPPORT_ENVIRONMENTREADER_H

#include "support/Environment.h"

#include <functional>
#include <string>
#include <string_view>

namespace accx {

/// 1, true, yes, on and 0, false, no, off in any case, with blanks around.
/// False, and \p Value untouched, for anything else.
bool parseFlag(std::string_view Text, bool &Value);

/// An integer, decimal or hexadecimal with 0x, with blanks around.
bool parseNumber(std::string_view Text, int64_t &Value);

/// Finds \p Text, without blanks around, in \p Values ("a|b|c").
bool parseChoice(std::string_view Text, std::string_view Values,
                 std::string &Value);

/// Reads every variable. \p Lookup gives a variable's text or null; \p Complain
/// gets one line for each value that is not accepted.
Environment
readEnvironment(const std::function<const char *(const char *)> &Lookup,
                const std::function<void(const std::string &)> &Complain);

/// Complains of every variable in \p Variables, a list like environ, whose name
/// is a misspelling of one of accx's.
void findMisspelt(const char *const *Variables,
                  const std::function<void(const std::string &)> &Complain);

} // namespace accx

#endif // ACCX_SUPPORT_ENVIRONMENTREADER_H
