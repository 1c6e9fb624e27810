//===- ImageFolder.h - Images as files with a name --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tools that look code up by the name of its file get a file to look into.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_IMAGEFOLDER_H
#define ACCX_PLUGIN_HOST_IMAGEFOLDER_H

#include <string>

namespace accx::host {

/// How long an image's file keeps its name.
enum class FileLife {
  None,     ///< it has none: nobody is known to look for it
  Loading,  ///< until the loader has it: valgrind reads it meanwhile
  Leftover, ///< perf reads it after the process; a later process removes it
  Kept,     ///< for good: the user named the folder
};

struct NamedFile {
  FileLife Life = FileLife::None;
  int Descriptor = -1;
  std::string Path;
};

/// An empty file for an image if ACCX_HOST_IMAGES names a folder, or valgrind
/// or perf started this process. Without one, or where files cannot be made,
/// the descriptor is -1; a folder that the user named and that cannot be
/// written is told once.
NamedFile createNamedImage();

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_IMAGEFOLDER_H
