//===- NamedPass.h - Passes by their names in -passes= ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every family's answer to a pipeline's text is made of.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PIPELINE_NAMEDPASS_H
#define ACCX_PIPELINE_NAMEDPASS_H

#include "llvm/ADT/StringRef.h"

namespace accx::pipeline {

/// Adds the pass to \p Manager, of its kind of code, if \p Name is its name.
template <typename PassT, typename ManagerT>
bool addIfNamed(llvm::StringRef Name, ManagerT &Manager) {
  if (Name != PassT::Name)
    return false;
  Manager.addPass(PassT());
  return true;
}

} // namespace accx::pipeline

#endif // ACCX_PIPELINE_NAMEDPASS_H
