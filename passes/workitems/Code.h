//===- Code.h - Loops in code that is being written -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A builder that goes on behind the loop or condition it made, and what it
// tells LLVM's vectorizer of loops.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_CODE_H
#define ACCX_WORKITEMS_CODE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace accx::workitems {

class Code : public llvm::IRBuilder<> {
public:
  using llvm::IRBuilder<>::IRBuilder;

  llvm::BasicBlock *block(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(getContext(), Name,
                                    GetInsertBlock()->getParent());
  }
  llvm::Value *smin(llvm::Value *A, llvm::Value *B) {
    const auto *X = llvm::dyn_cast<llvm::ConstantInt>(A),
               *Y = llvm::dyn_cast<llvm::ConstantInt>(B);
    if (X && Y)
      return X->getSExtValue() < Y->getSExtValue() ? A : B;
    return CreateBinaryIntrinsic(llvm::Intrinsic::smin, A, B);
  }
  llvm::Value *smax(llvm::Value *A, llvm::Value *B) {
    if (llvm::isa<llvm::ConstantInt>(A) && llvm::isa<llvm::ConstantInt>(B))
      return smin(A, B) == A ? B : A;
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

  llvm::CallInst *call(const char *Callee, llvm::Type *Result,
                       llvm::ArrayRef<llvm::Type *> Types,
                       llvm::ArrayRef<llvm::Value *> Values,
                       bool IsVariadic = false) {
    llvm::Module &M = *GetInsertBlock()->getModule();
    return CreateCall(
        M.getOrInsertFunction(
            Callee, llvm::FunctionType::get(Result, Types, IsVariadic)),
        Values);
  }
  /// Ends the program with a message. \p Values are what \p Format names.
  void fail(llvm::StringRef Format, llvm::ArrayRef<llvm::Value *> Values) {
    llvm::SmallVector<llvm::Value *, 4> All{getInt32(2),
                                            CreateGlobalStringPtr(Format)};
    llvm::append_range(All, Values);
    call("dprintf", getInt32Ty(), {getInt32Ty(), getPtrTy()}, All,
         /*IsVariadic=*/true);
    call("abort", getVoidTy(), {}, {});
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

/// Accesses of a loop's iterations that do not depend on those of others.
class Parallel {
  llvm::MDNode *Group;

public:
  explicit Parallel(llvm::LLVMContext &Context)
      : Group(llvm::MDNode::getDistinct(Context, {})) {}
  void add(llvm::Instruction &I);
  /// \p Back is the loop's branch. \p IsMasked: vectors of which parts do
  /// nothing are better than doing what is left over one by one.
  void mark(llvm::BranchInst &Back, bool IsMasked = false);
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_CODE_H
