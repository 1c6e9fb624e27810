//===- CodeWriter.h - Writes branches and loops as IR -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A builder that writes one function from top to bottom.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IR_CODEWRITER_H
#define ACCX_IR_CODEWRITER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace accx::ir {

class CodeWriter : public llvm::IRBuilder<> {
public:
  using llvm::IRBuilder<>::IRBuilder;
  /// Starts the body of \p F, a declaration.
  explicit CodeWriter(llvm::Function &F);
  /// Writes before \p Here, without branches.
  explicit CodeWriter(llvm::Instruction &Here) : IRBuilder<>(&Here) {}

  /// A variable of the function.
  llvm::AllocaInst *local(llvm::Type *T, const llvm::Twine &Name = "");

  /// Lets nobody but the GPU's compiler know what happens to \p Variable.
  void escape(llvm::Value *Variable);

  void when(llvm::Value *Condition, llvm::function_ref<void()> Then);
  /// For \p Index, an i32, from \p First by \p Step while below \p End.
  void loop(llvm::Value *First, llvm::Value *End, llvm::Value *Step,
            llvm::function_ref<void(llvm::Value *Index)> Body,
            unsigned Unroll = 0);
  /// Until \p Body returns true.
  void until(llvm::function_ref<llvm::Value *()> Body);

  /// A call that is executed by all threads of a warp or block together.
  llvm::CallInst *callTogether(llvm::Function &F,
                               llvm::ArrayRef<llvm::Value *> Arguments);
  void barrier();
  /// Orders what the thread did before and does after for the whole device.
  void fence();

  /// A block of the function, to be filled.
  llvm::BasicBlock *block(const llvm::Twine &Name);

private:
  llvm::Function *function() { return GetInsertBlock()->getParent(); }
};

/// A new local function like \p Like, to be inlined wherever it is called.
llvm::Function *createHelper(const llvm::Twine &Name, llvm::Type *Result,
                             llvm::ArrayRef<llvm::Type *> Parameters,
                             const llvm::Function &Like);

/// A constant of the image that tells the runtime of \p Kernel: \p Bytes, in
/// the order of a little-endian device, under the kernel's name and \p Suffix.
void createTable(const llvm::Function &Kernel, llvm::ArrayRef<uint8_t> Bytes,
                 llvm::StringRef Suffix);

} // namespace accx::ir

#endif // ACCX_IR_CODEWRITER_H
