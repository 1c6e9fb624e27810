//===- Code.h - Loops in code that is being written -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A writer of code on the plan's variables and of loops over work-items, and
// what it tells LLVM's vectorizer of these.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_CODE_H
#define ACCX_WORKITEMS_CODE_H

#include "ir/CodeWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Module.h"

namespace accx::workitems {

class Code : public ir::CodeWriter {
public:
  using ir::CodeWriter::CodeWriter;

  /// The value of the variable \p S.
  llvm::LoadInst *get(llvm::AllocaInst *S) {
    return CreateLoad(S->getAllocatedType(), S);
  }
  /// Gives \p S the low bits of \p V that it has room for.
  void set(llvm::AllocaInst *S, llvm::Value *V) {
    CreateStore(CreateTrunc(V, S->getAllocatedType()), S);
  }
  /// An intrinsic of two numbers; of constants a constant.
  llvm::Value *fold(llvm::Intrinsic::ID Operation, llvm::Value *A,
                    llvm::Value *B) {
    auto *X = llvm::dyn_cast<llvm::ConstantInt>(A),
         *Y = llvm::dyn_cast<llvm::ConstantInt>(B);
    return X && Y ? llvm::ConstantFoldBinaryIntrinsic(Operation, X, Y,
                                                      A->getType(), nullptr)
                  : CreateBinaryIntrinsic(Operation, A, B);
  }
  llvm::Value *smin(llvm::Value *A, llvm::Value *B) {
    return fold(llvm::Intrinsic::smin, A, B);
  }
  llvm::Value *smax(llvm::Value *A, llvm::Value *B) {
    return fold(llvm::Intrinsic::smax, A, B);
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
