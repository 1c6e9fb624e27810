//===- RuntimeCall.cpp - Calls that other runtimes lack -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RuntimeCall.h.
//
//===----------------------------------------------------------------------===//

#include "host/RuntimeCall.h"

#include "host/Sight.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace accx;

Function *host::runtimeCall(Module &M, StringRef Own, StringRef Name,
                            FunctionType *Type, Function *Else) {
  if (Function *Known = M.getFunction(Own))
    return Known;
  LLVMContext &Context = M.getContext();
  auto *Runtimes =
      cast<Function>(M.getOrInsertFunction(Name, Type).getCallee());
  Runtimes->setLinkage(GlobalValue::ExternalWeakLinkage);
  Runtimes->setDoesNotThrow();
  auto *F = Function::Create(Type, GlobalValue::InternalLinkage, Own, M);
  F->setDoesNotThrow();
  auto *Entry = BasicBlock::Create(Context, "", F);
  auto *Call = BasicBlock::Create(Context, "", F);
  auto *Other = BasicBlock::Create(Context, "", F);
  SmallVector<Value *, 8> Args;
  for (Argument &Arg : F->args())
    Args.push_back(&Arg);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNull(Runtimes), Other, Call);
  auto End = [&](BasicBlock *In, Function *Callee) {
    B.SetInsertPoint(In);
    Value *Result = Callee ? B.CreateCall(Type, Callee, Args) : nullptr;
    if (Type->getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Result);
  };
  End(Call, Runtimes);
  End(Other, Else);
  return F;
}

Function *host::settleFunction(Module &M) {
  LLVMContext &Context = M.getContext();
  return runtimeCall(M, Settle, "__accx_settle",
                     FunctionType::get(Type::getVoidTy(Context),
                                       {Type::getInt32Ty(Context)}, false),
                     nullptr);
}
