//===- Mistake.h - A finding of the probe -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is told of code that obeys the grammar and looks wrong: see Mistakes.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_MISTAKES_MISTAKE_H
#define ACCX_FRONTEND_MISTAKES_MISTAKE_H

#include "clang/Basic/FileEntry.h"

#include <string>

namespace accx::frontend {

/// One finding. Its place is a file's offset: the probe has a source manager of
/// its own.
struct Mistake {
  clang::OptionalFileEntryRef File; // none: the main file
  unsigned Offset = 0;
  std::string Text;
  bool IsError = false;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_MISTAKES_MISTAKE_H
