//===- CodeWriter.cpp - Writes branches and loops as IR -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates the blocks and phis of branches and loops, and the helper functions
// and tables that passes write. It knows of no pass.
//
//===----------------------------------------------------------------------===//

#include "ir/CodeWriter.h"

#include "ir/LoopCopy.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace accx::ir {

CodeWriter::CodeWriter(Function &F)
    : IRBuilder<>(BasicBlock::Create(F.getContext(), "entry", &F)) {}

BasicBlock *CodeWriter::block(const Twine &Name) {
  return BasicBlock::Create(getContext(), Name, function());
}

AllocaInst *CodeWriter::local(Type *T, const Twine &Name) {
  InsertPointGuard Guard(*this);
  BasicBlock &Entry = function()->getEntryBlock();
  SetInsertPoint(&Entry, Entry.getFirstInsertionPt());
  return CreateAlloca(T, nullptr, Name);
}

void CodeWriter::escape(Value *Variable) {
  CreateCall(InlineAsm::get(
                 FunctionType::get(getVoidTy(), {Variable->getType()}, false),
                 "", "l,~{memory}", /*hasSideEffects=*/true),
             {Variable});
}

void CodeWriter::when(Value *Condition, function_ref<void()> Then) {
  BasicBlock *Inside = block("then");
  BasicBlock *After = block("end");
  CreateCondBr(Condition, Inside, After);
  SetInsertPoint(Inside);
  Then();
  CreateBr(After);
  SetInsertPoint(After);
}

void CodeWriter::loop(Value *First, Value *End, Value *Step,
                      function_ref<void(Value *Index)> Body, unsigned Unroll) {
  BasicBlock *Before = GetInsertBlock();
  BasicBlock *Header = block("loop");
  BasicBlock *Inside = block("body");
  BasicBlock *After = block("end");
  CreateBr(Header);
  SetInsertPoint(Header);
  PHINode *Index = CreatePHI(getInt32Ty(), 2, "index");
  Index->addIncoming(First, Before);
  CreateCondBr(CreateICmpULT(Index, End), Inside, After);
  SetInsertPoint(Inside);
  Body(Index);
  Value *Next = CreateAdd(Index, Step, "", /*HasNUW=*/true);
  Index->addIncoming(Next, GetInsertBlock());
  Instruction *Latch = CreateBr(Header);
  if (Unroll) {
    renewLoop(
        *Latch, {},
        loopOption(getContext(), "llvm.loop.unroll.count", getInt32(Unroll)));
  }
  SetInsertPoint(After);
}

void CodeWriter::until(function_ref<Value *()> Body) {
  BasicBlock *Inside = block("wait");
  BasicBlock *After = block("end");
  CreateBr(Inside);
  SetInsertPoint(Inside);
  CreateCondBr(Body(), After, Inside);
  SetInsertPoint(After);
}

CallInst *CodeWriter::callTogether(Function &F, ArrayRef<Value *> Arguments) {
  CallInst *Call = CreateCall(&F, Arguments);
  Call->setConvergent();
  return Call;
}

void CodeWriter::barrier() {
  CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
}

void CodeWriter::fence() { CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {}); }

Function *createHelper(const Twine &Name, Type *Result,
                       ArrayRef<Type *> Parameters, const Function &Like) {
  auto *F = Function::Create(
      FunctionType::get(Result, Parameters, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, Name,
      const_cast<Module *>(Like.getParent()));
  for (const char *Kept : {"target-cpu", "target-features", "frame-pointer"})
    if (const Attribute A = Like.getFnAttribute(Kept); A.isValid())
      F->addFnAttr(A);
  for (const Attribute::AttrKind Kind :
       {Attribute::AlwaysInline, Attribute::Convergent, Attribute::NoUnwind,
        Attribute::NoRecurse})
    F->addFnAttr(Kind);
  return F;
}

void createTable(const Function &Kernel, ArrayRef<uint8_t> Bytes,
                 StringRef Suffix) {
  static_assert(llvm::endianness::native == llvm::endianness::little,
                "images have little-endian data");
  Module &M = *const_cast<Module *>(Kernel.getParent());
  Constant *Data = ConstantDataArray::get(M.getContext(), Bytes);
  auto *Table =
      new GlobalVariable(M, Data->getType(), /*isConstant=*/true,
                         Kernel.getLinkage(), Data, Kernel.getName() + Suffix);
  Table->setVisibility(Kernel.getVisibility());
  Table->setAlignment(Align(8));
}

} // namespace accx::ir
