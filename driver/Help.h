//===- Help.h - --accx-help and --version -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver says of itself.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_HELP_H
#define ACCX_DRIVER_HELP_H

namespace accx::driver {

struct Clang;
struct Layout;

/// Options, variables, and what the defaults come to on this machine.
void printHelp(const Layout &Here, const Clang &Compiler);

/// accx's line, then Clang's own answer.
void printVersion(const Clang &Compiler);

} // namespace accx::driver

#endif // ACCX_DRIVER_HELP_H
