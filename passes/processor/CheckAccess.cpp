//===- CheckAccess.cpp - Accesses of kernels asked about ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a call of the hook in front of each access that may reach the host's
// memory, with the access's place in the source. Names are noted by a pass of
// their own, before optimization turns variables into values.
//
//===----------------------------------------------------------------------===//

#include "processor/CheckAccess.h"

#include "processor/Runtime.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace accx;

static constexpr char NameNote[] = "accx.name";

namespace {

/// One pointer that an instruction accesses.
struct Access {
  Instruction *Where;
  Value *Address;
  /// The size in bytes, of an integer type.
  Value *Size;
  bool IsWrite;
};

class Instrumenter {
public:
  explicit Instrumenter(Module &M);
  bool run();

private:
  void collect(Instruction &I, SmallVectorImpl<Access> &Found) const;
  Constant *site(const Access &A);
  Constant *text(StringRef Text);
  void ask(Instruction *Where, Value *Address, Value *Size, Constant *Site);
  bool instrument(Function &F);

  Module &M;
  Type *const I64;
  PointerType *const Pointer;
  FunctionType *const HookType;
  GlobalVariable *Hook = nullptr;
  StringMap<Constant *> Texts;
};

} // namespace

Instrumenter::Instrumenter(Module &M)
    : M(M), I64(Type::getInt64Ty(M.getContext())),
      Pointer(PointerType::getUnqual(M.getContext())),
      HookType(FunctionType::get(Type::getVoidTy(M.getContext()),
                                 {Pointer, I64, Pointer}, false)) {}

/// Whether the address can only be the device's.
static bool isOwn(const Value *Address) {
  if (Address->getType()->getPointerAddressSpace() != 0)
    return true;
  const Value *Object = getUnderlyingObject(Address, 0);
  if (isa<AllocaInst, GlobalValue, ConstantPointerNull, UndefValue>(Object))
    return true;
  if (const auto *Argument = dyn_cast<llvm::Argument>(Object))
    return Argument->hasByValAttr() || Argument->hasStructRetAttr();
  // The pointer comes from a library. A library knows no pointers of the host,
  // and rarely gives back an argument. Its own memory is told of at the call.
  const auto *Call = dyn_cast<CallBase>(Object);
  return Call && (!Call->getCalledFunction() ||
                  Call->getCalledFunction()->isDeclaration());
}

void Instrumenter::collect(Instruction &I,
                           SmallVectorImpl<Access> &Found) const {
  auto Add = [&](Value *Address, Value *Size, bool IsWrite) {
    if (!isOwn(Address))
      Found.push_back({&I, Address, Size, IsWrite});
  };
  if (auto *Intrinsic = dyn_cast<MemIntrinsic>(&I)) {
    Add(Intrinsic->getRawDest(), Intrinsic->getLength(), true);
    if (auto *Transfer = dyn_cast<MemTransferInst>(&I))
      Add(Transfer->getRawSource(), Transfer->getLength(), false);
  } else if (const auto At = MemoryLocation::getOrNone(&I);
             At && At->Size.hasValue()) {
    Add(const_cast<Value *>(At->Ptr),
        ConstantInt::get(I64, At->Size.getValue().getKnownMinValue()),
        !isa<LoadInst>(I));
  }
}

Constant *Instrumenter::text(StringRef Text) {
  if (Text.empty())
    return ConstantPointerNull::get(Pointer);
  Constant *&Known = Texts[Text];
  if (!Known) {
    Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
    auto *G = new GlobalVariable(M, Bytes->getType(), true,
                                 GlobalValue::PrivateLinkage, Bytes);
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Known = G;
  }
  return Known;
}

static std::string nameOf(const Access &A) {
  if (const MDNode *Note = A.Where->getMetadata(NameNote))
    return cast<MDString>(Note->getOperand(0))->getString().str();
  return processor::nameOfPointer(A.Address);
}

Constant *Instrumenter::site(const Access &A) {
  const Function &F = *A.Where->getFunction();
  StringRef File = M.getSourceFileName();
  uint32_t Line = 0;
  if (const DILocation *Location = A.Where->getDebugLoc()) {
    File = Location->getFilename();
    Line = Location->getLine();
  } else if (const DISubprogram *Program = F.getSubprogram()) {
    File = Program->getFilename();
    Line = Program->getLine();
  }
  Type *I32 = Type::getInt32Ty(M.getContext());
  Constant *Fields[] = {text(File), text(processor::nameOfConstruct(F)),
                        text(nameOf(A)), ConstantInt::get(I32, Line),
                        ConstantInt::get(I32, A.IsWrite)};
  Constant *Site = ConstantStruct::getAnon(Fields);
  return new GlobalVariable(M, Site->getType(), true,
                            GlobalValue::PrivateLinkage, Site);
}

void Instrumenter::ask(Instruction *Where, Value *Address, Value *Size,
                       Constant *Site) {
  IRBuilder<> B(Where);
  Value *Function = B.CreateLoad(Pointer, Hook);
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateIsNotNull(Function),
                                                Where->getIterator(), false);
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Where->getDebugLoc());
  CallInst *Call =
      B.CreateCall(HookType, Function,
                   {Address, B.CreateZExtOrTrunc(Size, I64),
                    Site ? Site : ConstantPointerNull::get(Pointer)});
  Call->setDoesNotThrow();
}

bool Instrumenter::instrument(Function &F) {
  SmallVector<Access, 32> Found;
  SmallVector<CallInst *, 4> Tasks;
  Instruction *FirstVariable = nullptr;
  for (Instruction &I : instructions(F)) {
    collect(I, Found);
    if (isa<AllocaInst>(I) && !FirstVariable)
      FirstVariable = &I;
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName().starts_with("__kmpc_omp_") &&
          Callee->getName().ends_with("task_alloc"))
        Tasks.push_back(Call);
  }
  for (const Access &A : Found)
    ask(A.Where, A.Address, A.Size, site(A));
  // Clang reads a task's memory in another function than the one that asked
  // libomp for it: what the task keeps, and behind it what it shares.
  for (CallInst *Task : Tasks) {
    IRBuilder<> B(Task);
    constexpr unsigned Kept = 3, Shared = 4, Slack = 256;
    Value *Size = B.CreateAdd(
        B.getInt64(Slack),
        B.CreateAdd(B.CreateZExtOrTrunc(Task->getArgOperand(Kept), I64),
                    B.CreateZExtOrTrunc(Task->getArgOperand(Shared), I64)));
    ask(Task->getNextNode(), Task, Size, nullptr);
  }
  if (FirstVariable) {
    BasicBlock::iterator After =
        F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    if (FirstVariable->getParent() == &F.getEntryBlock())
      ask(&*After, FirstVariable, ConstantInt::get(I64, 0), nullptr);
  }
  return !Found.empty() || FirstVariable;
}

bool Instrumenter::run() {
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::Naked))
      Functions.push_back(&F);
  if (Functions.empty())
    return false;
  Hook = new GlobalVariable(M, Pointer, false, GlobalValue::WeakODRLinkage,
                            ConstantPointerNull::get(Pointer),
                            processor::CheckHook);
  Hook->setVisibility(GlobalValue::ProtectedVisibility);
  appendToCompilerUsed(M, {Hook});
  for (Function *F : Functions)
    instrument(*F);
  return true;
}

PreservedAnalyses processor::NameAccessesPass::run(Module &M,
                                                   ModuleAnalysisManager &) {
  if (!isHostDevice(M) || M.getNamedGlobal(CheckHook))
    return PreservedAnalyses::all();
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      const Value *Address = getLoadStorePointerOperand(&I);
      if (!Address || isOwn(Address))
        continue;
      const std::string Name = nameOfPointer(Address);
      if (!Name.empty())
        I.setMetadata(
            NameNote,
            MDNode::get(M.getContext(), MDString::get(M.getContext(), Name)));
    }
  return PreservedAnalyses::all();
}

PreservedAnalyses processor::CheckAccessPass::run(Module &M,
                                                  ModuleAnalysisManager &) {
  // The variable is there where the pass has been.
  if (!isHostDevice(M) || M.getNamedGlobal(CheckHook))
    return PreservedAnalyses::all();
  return Instrumenter(M).run() ? PreservedAnalyses::none()
                               : PreservedAnalyses::all();
}
