//===- Input.h - What an input of the compiler is ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's rules for input files, as far as they decide which flags make sense:
// by the -x in force, else by the extension of the file name.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_INPUT_H
#define ACCX_DRIVER_INPUT_H

#include <string>
#include <string_view>

namespace accx::driver {

enum class InputKind {
  /// C, C++ or Objective-C: what may hold directives.
  Source,
  /// The same, preprocessed. Clang 19 emits no device code for these.
  Preprocessed,
  /// Becomes a precompiled header.
  Header,
  /// LLVM IR: passes run, directives are gone.
  Ir,
  /// A serialized module or syntax tree.
  Ast,
  Assembler,
  /// CUDA, HIP, OpenCL, Fortran...: not ours.
  Foreign,
  /// For the linker: everything unknown.
  Object,
};

/// What -x `Language` makes of an input.
InputKind kindOfLanguage(std::string_view Language);

/// What the extension of `Path` makes of it.
InputKind kindOfFile(std::string_view Path);

/// The -x language of the source that preprocessed text was made from: of
/// `Language`, where that is set, else of the file `Path`.
std::string sourceLanguage(std::string_view Path, std::string_view Language,
                           bool IsCxx);

} // namespace accx::driver

#endif // ACCX_DRIVER_INPUT_H
