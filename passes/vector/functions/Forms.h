//===- Forms.h - The two forms of each variant ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares and defines the forms of Variants.h in a module, and finds
// the one that fits a call.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_FUNCTIONS_FORMS_H
#define ACCX_VECTOR_FUNCTIONS_FORMS_H

#include "vector/functions/Variants.h"
#include "vector/whole/Emit.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PassManager.h"

namespace accx::vector {

/// On the lanes forms that calls go through; inlined in the end.
inline constexpr char WrapperAttribute[] = "accx-simd-wrapper";

struct Form {
  Variant V;
  /// Both null if the variant is not for calls from here.
  llvm::Function *Abi = nullptr;
  /// What calls with natural types call: the ABI form or a wrapper of it.
  llvm::Function *Lanes = nullptr;
  /// Whether calling it is better than calling the scalar function.
  bool Worthwhile = false;
};

class FunctionForms : public VariantCaller {
public:
  FunctionForms(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  bool empty() const { return Forms.empty(); }
  /// Declares the forms of all functions, so that their bodies can call one
  /// another; then defines them.
  void declare();
  void define();
  /// Tells LoopVectorize.
  void attach();

  llvm::Value *call(Widener &To, llvm::CallBase &Call,
                    llvm::Value *Mask) override;

private:
  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  llvm::MapVector<llvm::Function *, std::vector<Form>> Forms;

  void declareForm(llvm::Function &F, Form &Each);
  void defineForm(llvm::Function &F, Form &Each);
  llvm::StringRef widenInto(llvm::Function &F, const Variant &V,
                            llvm::Function &To, VariantCaller *Callees);
  void simplify(llvm::Function &F);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_FUNCTIONS_FORMS_H
