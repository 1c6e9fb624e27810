//===- LinearAddresses.h - Digits that add up to their number ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A collapsed loop over a whole array takes its number apart into indices.
//   The array's subscripts make the same number of them again:
//
//     k = n / (nj * ni); j = n % (nj * ni) / ni; i = n % ni
//     a[(k * nj + j) * ni + i]           is           a[n]
//
//   As polynomials, with n - n / d * d for n % d, the quotients k and j have
//   the factors nj * ni - (nj * ni) and ni - ni. Where the loop's divisors and
//   the array's extents are other values, or wrap at other widths, these are
//   not the same. They may be compared before the loop, in 64 bits and thereby
//   exactly. Their low 31 bits have to agree always, which shows that the
//   comparison pays.
//
// REFUSALS
//   Loops with an address that keeps a quotient; loops that keep quotients, or
//   have none, where several elements of an array are accessed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_LINEARADDRESSES_H
#define ACCX_GRIDTUNE_LINEARADDRESSES_H

#include "affine/Polynomial.h"
#include "gridloop/GridIv.h"

namespace accx::gridtune {

class LinearAddresses {
  struct Access {
    llvm::Use *Pointer;
    llvm::Value *Base;
    /// Without quotients.
    affine::Polynomial Bytes;
  };

  const gridloop::GridIv &Grid;
  /// Atoms of 64 bits, of the low 32, and of the low 31, through extensions.
  affine::Atoms Values, Halves, LowBits;
  /// The first that divides the one by the other, or by a constant that is
  /// given as a number.
  std::map<std::pair<llvm::Value *, llvm::Value *>, llvm::Instruction *>
      Quotients;
  llvm::SmallVector<Access, 8> Accesses;
  /// Zero, or the plan is void.
  struct Check {
    affine::Atoms *Of;
    affine::Polynomial Factor;
  };
  llvm::SmallVector<Check, 4> Checks;
  /// A division is of signed numbers: right while the loop's are small.
  bool HasSigned = false;
  bool IsForNarrow = false;
  bool IsGuess = false;
  bool LeavesQuotients = false;
  /// There is something to make simpler in the address at hand.
  bool IsTouched = false;

public:
  explicit LinearAddresses(const gridloop::GridIv &Grid);

  /// Whether all addresses do without quotients, and some get simpler by that.
  bool plan();
  /// It is right only for fewer than 2^31 iterations.
  bool isForNarrow() const { return IsForNarrow; }
  bool hasChecks() const { return !Checks.empty(); }
  /// The checks may well say no.
  bool isGuess() const { return IsGuess; }
  /// Something else than addresses needs quotients.
  bool leavesQuotients() const { return LeavesQuotients; }
  /// Code at \p B that tells whether the plan is right; null: always.
  llvm::Value *emitChecks(llvm::IRBuilderBase &B) const;
  /// Does as planned. Returns the number of addresses.
  unsigned rewrite();

private:
  struct Division {
    llvm::Value *Dividend = nullptr, *Divisor = nullptr;
    bool IsRemainder = false;
  };
  std::optional<Division> divisionOf(llvm::Value &V) const;
  llvm::Instruction *quotientOf(const Division &D) const;
  void findQuotients();
  bool isQuotient(const llvm::Value &V) const;
  bool isSmall(llvm::Value &V) const;
  std::optional<affine::Polynomial> view(llvm::Value &V,
                                         affine::Atoms::Extension How);
  std::optional<affine::Polynomial> viewOfLow(affine::Atoms &Low, unsigned Bits,
                                              llvm::Value &V);
  affine::Polynomial rest(affine::Atoms &Of, const Division &D,
                          affine::Polynomial Quotient,
                          affine::Atoms::Extension How) const;
  bool mayBeZero(affine::Atoms &Of, const affine::Polynomial &P);
  bool dropQuotients(affine::Atoms &Of, affine::Polynomial &P);
  bool isNumber(llvm::Value &V);
  bool hidesQuotient(llvm::Value &V) const;
  bool planAddress(llvm::Use &Pointer);
  bool needsQuotients() const;
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_LINEARADDRESSES_H
