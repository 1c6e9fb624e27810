//===- Variants.h - Vector variants of functions ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `declare simd` promises of a function. Clang leaves it as attributes
// whose names are those of the variants in the x86 vector ABI,
//
//   _ZGV <isa> <mask> <lanes> <parameters> _ <scalar name>
//
// Two functions belong to a variant:
//  - the lanes form, with LLVM's natural types: a vector with an element a lane
//    for each parameter that varies, scalars for uniform and linear ones, and a
//    mask <lanes x i1> at the end of masked variants. LoopVectorize calls it.
//  - the ABI form, under the variant's name, as GCC compiles and calls it:
//    vectors in pieces of the ISA's registers, masks as integers (AVX-512) or
//    as vectors of the characteristic type, results of several pieces in
//    memory.
// Where both have the same type they are one function.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_FUNCTIONS_VARIANTS_H
#define ACCX_VECTOR_FUNCTIONS_VARIANTS_H

#include "vector/whole/Shapes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/VFABIDemangler.h"

namespace accx::vector {

struct Variant {
  llvm::Function *Scalar = nullptr;
  llvm::VFInfo Info;
  unsigned Lanes = 0;
  bool Masked = false;

  /// How good the ISA is: 0 for SSE to 3 for AVX-512.
  unsigned rank() const;
  /// Of the scalar function's parameters. A run-time step is varying.
  llvm::SmallVector<LaneShape, 8> shapes() const;
  /// Parameters that the variant takes as scalars.
  bool isScalar(unsigned Parameter) const;

  llvm::FunctionType *lanesType() const;
  llvm::FunctionType *abiType() const;
  bool hasOneForm() const { return lanesType() == abiType(); }
  llvm::AttributeList attributes() const;
  llvm::AttributeList abiAttributes() const;

  /// Lets `Abi`, empty so far, call `Lanes`.
  void wrapLanes(llvm::Function &Abi, llvm::Function &Lanes) const;
  /// Lets `Lanes`, empty so far, call `Abi`.
  void wrapAbi(llvm::Function &Lanes, llvm::Function &Abi) const;

private:
  /// Of one parameter or the result: the type of a piece, and how many.
  std::pair<llvm::FixedVectorType *, unsigned>
  pieces(llvm::Type *Element) const;
  llvm::Type *characteristic() const;
  /// The types of masks.
  std::pair<llvm::Type *, unsigned> masks() const;
  unsigned registerBits(const llvm::Type *Element) const;
  bool returnsInMemory() const;
  llvm::Attribute memoryAttribute() const;
};

/// The variants that the function's attributes promise, the best ISA first.
/// `Refused` hears of those that cannot be had, and why.
llvm::SmallVector<Variant, 8>
variantsOf(llvm::Function &F,
           llvm::function_ref<void(llvm::StringRef Name, llvm::StringRef Why)>
               Refused);

bool hasVariants(const llvm::Function &F);

/// The best rank of variants that the function's target may execute.
unsigned supportedRank(const llvm::Function &F);

} // namespace accx::vector

#endif // ACCX_VECTOR_FUNCTIONS_VARIANTS_H
