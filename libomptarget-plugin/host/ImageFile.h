//===- ImageFile.h - An image in the hands of the loader --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file, in memory if nobody looks for it, that the dynamic loader has opened.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_IMAGEFILE_H
#define ACCX_PLUGIN_HOST_IMAGEFILE_H

#include "Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accx::host {

/// The loader tells objects apart by name and by file. While an image is
/// loaded its descriptor stays open, so that neither comes back for another.
class ImageFile {
public:
  ImageFile() = default;
  ImageFile(const ImageFile &) = delete;
  ImageFile &operator=(const ImageFile &) = delete;
  /// Runs the image's destructors and unloads it.
  ~ImageFile();

  /// Loads the image and runs its constructors.
  accx_status load(const std::vector<uint8_t> &Bytes);

  void *handle() const { return Handle; }
  /// What to add to addresses in the image.
  uintptr_t base() const;

private:
  bool loadNamed(const std::vector<uint8_t> &Bytes);
  accx_status write(const std::vector<uint8_t> &Bytes);
  accx_status open();

  int Descriptor = -1;
  std::string Path;
  void *Handle = nullptr;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_IMAGEFILE_H
