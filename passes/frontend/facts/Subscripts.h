//===- Subscripts.h - Polynomials in loop variables -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subscripts as sums of products of variables, and the question whether they
// can take the same value in two iterations.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_SUBSCRIPTS_H
#define ACCX_FRONTEND_FACTS_SUBSCRIPTS_H

#include "frontend/facts/Independence.h"
#include "frontend/facts/LoopValues.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

namespace accx::frontend {

/// Something that is not computed further: a variable, or an expression that
/// has one value throughout the loop.
using Symbol = unsigned;

/// A sum of products; each product has an integer factor.
class Polynomial {
public:
  using Product = llvm::SmallVector<Symbol, 2>; // sorted
  std::map<Product, int64_t> Terms;

  Polynomial() = default;
  static Polynomial constant(int64_t C);
  static Polynomial symbol(Symbol S);

  /// Nothing where 64 bits do not suffice.
  static std::optional<Polynomial> sum(const Polynomial &A, const Polynomial &B,
                                       int64_t Factor);
  static std::optional<Polynomial> product(const Polynomial &A,
                                           const Polynomial &B);

  bool isZero() const { return Terms.empty(); }
  std::optional<int64_t> asConstant() const;
  bool mentions(Symbol S) const;
  bool operator==(const Polynomial &O) const { return Terms == O.Terms; }
};

/// What is known of the loop that is looked at.
struct LoopScope {
  const CanonicalLoop &Loop;
  /// Assigned somewhere in it.
  const llvm::DenseSet<const clang::ValueDecl *> &Written;
  /// Declared in it.
  const llvm::DenseSet<const clang::ValueDecl *> &Inner;
  const LoopValues &Values;
  clang::ASTContext &Context;
  /// Members behind pointers keep their values: nothing that is written may be
  /// one of them.
  bool MembersStay = true;
};

/// A subscript (or, added up, the subscripts on one dimension).
struct Subscript {
  Polynomial Value;
  /// Computed in a type that may wrap around.
  bool MayWrap = false;
};

class SubscriptReader {
public:
  explicit SubscriptReader(const LoopScope &Scope) : Scope(Scope) {}

  /// Nothing if \p E is not a polynomial in loop variables and values that the
  /// loop does not change. \p Around: the loops around the access, inside of
  /// the loop that is looked at. \p Deferred: E was computed before, at a
  /// declaration that \p Around may not all be around.
  std::optional<Subscript> read(const clang::Expr *E,
                                llvm::ArrayRef<CanonicalLoop> Around,
                                bool Deferred = false);

  /// Of a sum of expressions, some of which are subtracted.
  std::optional<Subscript>
  read(llvm::ArrayRef<std::pair<const clang::Expr *, bool>> Sum,
       llvm::ArrayRef<CanonicalLoop> Around, bool Deferred);

  /// Factor * the variable of the loop that is looked at + Rest.
  struct Linear {
    int64_t Factor = 0;
    Polynomial Rest;
  };
  /// Nothing where the factor is no number.
  std::optional<Linear> linear(const Subscript &S);
  /// Whether no product has two variables of loops.
  bool isLinear(const Subscript &S, llvm::ArrayRef<CanonicalLoop> Around);

  /// Whether \p All, the subscripts of all accesses to an array in one
  /// dimension, differ whenever they belong to different iterations. If not,
  /// \p Culprit is the index of one that shows it.
  bool separate(llvm::ArrayRef<Subscript> All,
                llvm::ArrayRef<llvm::ArrayRef<CanonicalLoop>> Around,
                size_t &Culprit);

private:
  /// A subscript in parts: Stride * the loop's variable + Inner (what runs with
  /// inner loops) + Fixed + Offset.
  struct Parts {
    Polynomial Stride, Inner, Fixed;
    int64_t Offset = 0;
  };
  std::optional<Parts> split(const Subscript &S,
                             llvm::ArrayRef<CanonicalLoop> Around);
  /// What one product of Inner adds: Weight * values in [First, End).
  struct Digit {
    Polynomial Weight, End;
    int64_t First;
  };
  /// Nothing where \p Of has not one inner loop's variable, with known bounds.
  std::optional<Digit> digitOf(const Polynomial::Product &Of, int64_t Value,
                               llvm::ArrayRef<CanonicalLoop> Around);
  bool fits(const Parts &P, llvm::ArrayRef<CanonicalLoop> Around);

  std::optional<Subscript> readValue(const clang::Expr *E,
                                     llvm::ArrayRef<CanonicalLoop> Around);
  std::optional<Subscript> readName(const clang::Expr *Name,
                                    llvm::ArrayRef<CanonicalLoop> Around);
  std::optional<Subscript> readBinary(const clang::BinaryOperator *B,
                                      llvm::ArrayRef<CanonicalLoop> Around);
  bool isInvariant(const clang::Expr *E) const;
  Symbol symbolOf(const clang::ValueDecl *D);
  Symbol symbolOf(const clang::Expr *E);

  const LoopScope &Scope;
  llvm::DenseMap<const clang::ValueDecl *, Symbol> Variables;
  std::vector<std::pair<llvm::FoldingSetNodeID, Symbol>> Values;
  Symbol Next = 0;
  unsigned Depth = 0;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_SUBSCRIPTS_H
