//===- Code.h - Loops in code that is being written -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A builder that goes on behind the loop or condition it made.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_CODE_H
#define ACCX_WORKITEMS_CODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace accx::workitems {

class Code : public llvm::IRBuilder<> {
public:
  using llvm::IRBuilder<>::IRBuilder;

  llvm::BasicBlock *block(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(getContext(), Name,
                                    GetInsertBlock()->getParent());
  }
  llvm::Value *smin(llvm::Value *A, llvm::Value *B) {
    return CreateBinaryIntrinsic(llvm::Intrinsic::smin, A, B);
  }
  llvm::Value *smax(llvm::Value *A, llvm::Value *B) {
    return CreateBinaryIntrinsic(llvm::Intrinsic::smax, A, B);
  }

  /// for (long i = 0; i < Count; ++i) Body(i). Returns the loop's branch back.
  /// \p IsSome: it is 1 at least.
  llvm::BranchInst *forEach(llvm::Value *Count,
                            llvm::function_ref<void(llvm::Value *)> Body,
                            bool IsSome = false) {
    llvm::BasicBlock *From = GetInsertBlock(), *Loop = block("wi.loop"),
                     *Exit = block("wi.done");
    if (IsSome)
      CreateBr(Loop);
    else
      CreateCondBr(CreateICmpSGT(Count, getInt64(0)), Loop, Exit);
    SetInsertPoint(Loop);
    llvm::PHINode *I = CreatePHI(getInt64Ty(), 2);
    I->addIncoming(getInt64(0), From);
    Body(I);
    llvm::Value *Next = CreateAdd(I, getInt64(1), "", true, true);
    I->addIncoming(Next, GetInsertBlock());
    llvm::BranchInst *Back =
        CreateCondBr(CreateICmpSLT(Next, Count), Loop, Exit);
    SetInsertPoint(Exit);
    return Back;
  }

  void when(llvm::Value *Condition, llvm::function_ref<void()> Then) {
    llvm::BasicBlock *Yes = block("wi.then"), *Exit = block("wi.else");
    CreateCondBr(Condition, Yes, Exit);
    SetInsertPoint(Yes);
    Then();
    CreateBr(Exit);
    SetInsertPoint(Exit);
  }
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_CODE_H
