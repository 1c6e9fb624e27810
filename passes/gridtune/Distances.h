//===- Distances.h - How far apart iterations access memory -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses as polynomials of a loop's counters, to guess what is near: values
// count the same whether they are extended or not, as neighbours are near where
// nothing wraps. Nothing may be concluded from them but what pays.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_DISTANCES_H
#define ACCX_GRIDTUNE_DISTANCES_H

#include "affine/Polynomial.h"

#include "llvm/Analysis/LoopInfo.h"

#include <functional>
#include <optional>

namespace accx::gridtune {

class Distances {
  using Extension = affine::Atoms::Extension;

public:
  /// What else somebody knows of a value.
  using View = std::function<std::optional<affine::Polynomial>(llvm::Value &)>;

  explicit Distances(llvm::LLVMContext &C, View Known = nullptr);
  Distances(const Distances &) = delete;
  Distances &operator=(const Distances &) = delete;

  affine::Polynomial of(llvm::Value &V) { return Atoms.expand(&V, None); }
  affine::Polynomial atom(llvm::Value &V) { return Atoms.atom(&V, None); }
  /// How many bytes \p Pointer lies behind what \p L does not change.
  /// \p Base gets that, and null where there is no such form.
  affine::Polynomial ofAddress(llvm::Value &Pointer, const llvm::Loop &L,
                               llvm::Value *&Base);
  /// The value behind the atom \p Number, without extensions.
  const llvm::Value *valueOf(unsigned Number) const;

  affine::Atoms Atoms;

private:
  static constexpr Extension None = Extension::None;
  const View Known;
  std::optional<affine::Polynomial> view(llvm::Value &V, Extension How);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_DISTANCES_H
