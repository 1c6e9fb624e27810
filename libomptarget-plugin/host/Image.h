//===- Image.h - A device image ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loaded image of one device: its globals and kernels.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_IMAGE_H
#define ACCX_PLUGIN_HOST_IMAGE_H

#include "ImageFile.h"
#include "ImageUse.h"
#include "Lock.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace accx::host {

/// What the launch path needs to know of a kernel.
struct Kernel {
  void *Code;
  ImageUse Use;
};

/// An image's code and data. Images of the same device that use its symbols
/// hold on to it.
class Module {
public:
  using Ref = std::shared_ptr<const Module>;

  struct Symbol {
    uintptr_t Address;
    uint64_t Size;
    bool IsCode;
  };

  /// Loads a checked image. \p Siblings are the device's other images, oldest
  /// first; what the new one leaves undefined is bound to them.
  static accx_status load(const ElfView &Elf, const void *Data, size_t Size,
                          const std::vector<Ref> &Siblings, Ref &Out);

  /// A symbol that the image defines, or null.
  const Symbol *find(const std::string &Name) const {
    auto It = Symbols.find(Name);
    return It == Symbols.end() ? nullptr : &It->second;
  }
  const ImageUse &use() const { return Use; }
  /// An address in the loaded image.
  const void *start() const {
    return reinterpret_cast<const void *>(File.base());
  }
  /// Whether it defines functions.
  bool hasCode() const;

private:
  void readSymbols(const ElfView &Elf);

  // The file goes first: destructors may still use other images.
  std::vector<Ref> Providers;
  ImageFile File;
  ImageUse Use;
  std::unordered_map<std::string, Symbol> Symbols;
};

/// The handle that callers hold: a module and the kernels asked for by name.
class Image {
public:
  explicit Image(Module::Ref M) : TheModule(std::move(M)) {}

  accx_status global(const char *Name, void **Address, size_t *Size) const;
  accx_status kernel(const char *Name, const Kernel **Out);
  const Module::Ref &module() const { return TheModule; }

private:
  Module::Ref TheModule;
  Lock Guard;
  std::unordered_map<std::string, std::unique_ptr<Kernel>> Kernels;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_IMAGE_H
