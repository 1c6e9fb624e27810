//===- Polynomial.h - Integer expressions in normal form --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, differences and products of a function's values, multiplied out, modulo
// 2^64 or a smaller power of two. Two expressions with the same polynomial are
// equal, however they were written.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_AFFINE_POLYNOMIAL_H
#define ACCX_AFFINE_POLYNOMIAL_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace accx::affine {

/// Numbers of atoms in ascending order, repeated for powers; empty is one.
using Monomial = std::vector<unsigned>;

/// Coefficients that are not 0.
using Polynomial = std::map<Monomial, uint64_t>;

/// What polynomials are made of: values that are taken as they are, or extended
/// to the width.
class Atoms {
public:
  enum class Extension : unsigned { None, Sign, Zero };
  struct Atom {
    llvm::Value *V;
    Extension How;
  };

  /// What else somebody knows of a value that is extended in that way; called
  /// first for each.
  using View =
      std::function<std::optional<Polynomial>(llvm::Value &V, Extension How)>;

private:
  llvm::IntegerType *const Int;
  const View Known;
  std::vector<Atom> All;
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, unsigned> Numbers;
  /// How many more values one call looks into.
  unsigned Budget = 0;

public:
  /// For integers of type \p Int, of at most 64 bits.
  explicit Atoms(llvm::IntegerType *Int, View Known = nullptr)
      : Int(Int), Known(std::move(Known)) {}
  /// \p V, an integer of that type.
  Polynomial of(llvm::Value *V);
  /// What \p Pointer is beyond a base, in bytes, through as many address
  /// computations as there are, of \p Within only if that is given. Returns the
  /// base, or null where there is no such form.
  llvm::Value *ofAddress(llvm::Value *Pointer, Polynomial &Bytes,
                         const llvm::Loop *Within = nullptr);
  /// Parts of what of() is asked for, for views.
  Polynomial expand(llvm::Value *V, Extension How);
  Polynomial atom(llvm::Value *V, Extension How);
  const Atom &operator[](unsigned Number) const { return All[Number]; }
  /// The value that \p P is, as it is; null where it is no single one.
  llvm::Value *single(const Polynomial &P) const;
  /// Whether all atoms of \p M have the property.
  bool all(const Monomial &M,
           llvm::function_ref<bool(const llvm::Value &)> Has) const;
  /// Takes the terms all of whose atoms have the property out of \p P.
  Polynomial take(Polynomial &P,
                  llvm::function_ref<bool(const llvm::Value &)> Has) const;
  /// Adds \p Factor times \p P to \p To.
  void add(Polynomial &To, const Polynomial &P, uint64_t Factor = 1) const;
  Polynomial multiply(const Polynomial &A, const Polynomial &B) const;
  Polynomial constant(uint64_t Value) const;
  /// \p P as code. Atoms that are taken as they are may have more bits.
  llvm::Value *emit(llvm::IRBuilderBase &B, const Polynomial &P) const;
};

} // namespace accx::affine

#endif // ACCX_AFFINE_POLYNOMIAL_H
