//===- Spelling.h - What a misspelt name may have meant ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guesses for names of environment variables.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_SPELLING_H
#define ACCX_SUPPORT_SPELLING_H

#include <string_view>

namespace accx {

/// The variable that \p Name, which begins with ACCX_, is a misspelling of;
/// empty if it is a variable's name or is like none.
std::string_view meantVariable(std::string_view Name);

} // namespace accx

#endif // ACCX_SUPPORT_SPELLING_H
