//===- Frontend.h - OpenACC in Clang ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the front end with the Clang that loaded the plugin.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FRONTEND_H
#define ACCX_FRONTEND_FRONTEND_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace accx::frontend {

/// Does nothing where the loading process is not Clang. \p Passes is called
/// for the optimization pipeline of each compilation.
void registerFrontend(void (*Passes)(llvm::PassBuilder &));

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FRONTEND_H
