//===- Message.h - Messages to the user -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line each, led by the name the driver was called by, as compilers do.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_MESSAGE_H
#define ACCX_DRIVER_MESSAGE_H

#include <string>

namespace accx::driver {

/// The name that leads messages: "accxcc" or "accxc++".
void setProgramName(std::string Name);
const std::string &programName();

/// Says what is wrong and ends the program: a driver has nothing to undo.
[[noreturn]] void fail(const std::string &What);

void warn(const std::string &What);

void note(const std::string &What);

} // namespace accx::driver

#endif // ACCX_DRIVER_MESSAGE_H
